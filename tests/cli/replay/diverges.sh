# The model has changed: the step where that shows, status 2.
cat >m.hdm <<END
shared x, y;
mutex m;
thread a { lock m; x = 1; unlock m; y = 1; }
thread b { lock m; y = x; unlock m; assert (y == 0); }
END
heddle explore -o w.std m.hdm >/dev/null
heddle replay -q m.hdm w.std
echo "status $?"
change() { sed "$1" m.hdm >other.hdm; heddle replay -q other.hdm w.std; echo "status $?"; }
change 's/x = 1/x = 2/'
change 's/thread b/thread c/'
change '$athread more { skip; }'
change 's/thread b .*/thread b { }/'
change 's/lock m; y = x/await (x == 7); y = x/'
change 's/y = 1; }/y = 1; assert (false); }/'
change 's/x = 1; unlock m;/x = 1; unlock m; assert (false);/'
# Blank lines and comments change nothing.
change '1i// a comment'
