# The state graph; cut off at the limit, it says so.
printf 'shared x;\nmutex m;\nthread t[2] { x = id + 1; }\nthread u { assert (x != 2); lock m; lock m; }\n' >m.hdm
heddle explore --dot=g.dot m.hdm >/dev/null
cat g.dot
cp "$ROOT/examples/models/ring-extended.hdm" .
heddle explore --dot=big.dot --executions=1 -D N=6 ring-extended.hdm >/dev/null
grep -c '^    s[0-9]* \[' big.dot
grep 'cut off' big.dot
heddle explore -q --dot=big.dot --executions=1 -D N=6 ring-extended.hdm >/dev/null
echo "status $?"
