# Files that mean harm: one line, status 2.
cat >m.hdm <<END
shared x;
cond c;
mutex m;
thread a[2] { x = 1; lock m; notify c; unlock m; }
END
check() { printf "$1" >w.std; heddle replay -q m.hdm w.std; echo "status $?"; }
check ''
check 'a[0]|aw(x=1)|\n'
head='# heddle witness 1\n'
check "$head"
check "${head}# claim: violation\n"
check "${head}# schedule: a[0]:0\n"
check "${head}# claim: race 1 2\n# schedule: a[0]:0\n"
check "${head}# claim: violation\n# claim: violation\n# schedule: a[0]:0\n"
check "${head}${head}# claim: violation\n# schedule: a[0]:0\n"
check "# heddle witness 2\n# claim: violation\n# schedule: a[0]:0\n"
check "# claim: violation\n# schedule: a[0]:0\n"
check "${head}# claim: violation\n# schedule:\n"
check "${head}a[0]|aw(x=1)|\n# claim: violation\n"
check "${head}# claim: violation\na[0]|aw(x=1)|\n# schedule: a[0]:0\n"
for step in a a: :0 a:x a:-1 a:4294967295 a:99999999999999999999 'a%%:0' 'a%%4:0' 'a%%4g:0' 'a%%5b:0' '#:0' '#x:0' '#4294967295:0' 'a\033:0'; do
    check "${head}# claim: violation\n# schedule: $step\n"
done
for step in '#7:0' 'b:0' 'a%%5B7]:0' 'a[0]:1' 'a%%00:0'; do
    check "${head}# claim: stuck\n# schedule: $step\n"
done
check "${head}# claim: stuck\n# schedule: a%%5B0%%5D:0 #1:0 a[0]:0 a[0]:0 a[0]:0 a[0]:0\n"
for threads in 0 -1 x 3 4294967296; do
    check "${head}# threads: $threads\n# claim: stuck\n# schedule: a[0]:0\n"
done
for steps in 2 0 x -1; do
    check "${head}# steps: $steps\n# claim: stuck\n# schedule: a[0]:0\n"
done
check "${head}# claim: stuck\n# parameter: N\n# schedule:\n"
check "${head}# claim: stuck\n# parameter: N=1\n# schedule:\n"
check "${head}# claim: stuck\n# schedule: a[0]:0\nbad line\n"
check "${head}# claim: stuck\n# schedule: a[0]:0\na[0]|aw(x=2)|\n"
check "${head}# claim: stuck\n# schedule: a[0]:0\na[0]|aw(x=1)|\na[0]|aw(x=1)|\n"
check "${head}# claim: stuck\n# schedule: a[0]:0 a[0]:0\na[0]|aw(x=1)|\n"
