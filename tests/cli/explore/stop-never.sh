# Every different failure once, with how often it was found; a file each.
cat >three.hdm <<END
shared x;
mutex a, b;
thread one { x = 1; lock a; lock b; unlock b; unlock a; assert (x != 2); }
thread two { x = 2; lock b; lock a; unlock a; unlock b; }
END
heddle explore --algorithm=naive --stop=never -o w three.hdm >out
echo "status $?"
sed -n '1p' out
grep -e 'three.hdm:' -e 'in .* executions' -e search out
ls w*
for file in w w.2; do heddle replay -q three.hdm $file | head -1; done
