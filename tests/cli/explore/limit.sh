# A limit before the verdict: status 3, but 1 if something was found before that.
cp "$ROOT/examples/models/ring-extended.hdm" "$ROOT/examples/models/philosophers.hdm" .
heddle explore --executions=2 ring-extended.hdm | grep -e verdict -e search -e executions
echo "status ${PIPESTATUS[0]}"
heddle explore --time=0.05 -D N=8 ring-extended.hdm | grep -e verdict -e search
echo "status ${PIPESTATUS[0]}"
cat >forever.hdm <<END
shared x;
thread t { while (x >= 0) x = x + 1; }
END
heddle explore --depth=20 forever.hdm | grep -e verdict -e search
echo "status ${PIPESTATUS[0]}"
cat >many.hdm <<END
shared x;
thread t[4] { x = id; }
thread u { assert (x == 0); }
END
heddle explore --algorithm=naive --stop=never --executions=20 many.hdm |
    grep -e fails -e search -e 'many.hdm:3' -e 'context'
echo "status ${PIPESTATUS[0]}"
heddle explore --executions=1000 philosophers.hdm | grep -e fails
echo "status ${PIPESTATUS[0]}"
heddle explore --json --executions=2 ring-extended.hdm | jq -c '[.complete, .result.limit, .result.executions]'
