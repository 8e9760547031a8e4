# Data structures: the smallest client that fails, its history, and how it is told.
# In make test-long only.
cp "$TESTDIR/linear.c" .
heddle test -j 1 linear.c | sed 's/ *[0-9.]* s$/  TIME/; s/[^ ]*linear.h:[0-9]*/HEADER/'
echo "status ${PIPESTATUS[0]}"
heddle cc -g -O0 -o linear linear.c
heddle test ./linear --filter=locked | sed 's/ *[0-9.]* s$/  TIME/'
echo "status ${PIPESTATUS[0]}"
heddle test ./linear --filter=torn --json --junit=out.xml >out.json
jq -c '.result.tests[] | [.name, .verdict, .client]' out.json
jq -r '.result.tests[].history' out.json
jq -c '.findings[] | [.test, .rule, .level, .proof]' out.json
sed -n '/no order/,/Then/p' out.xml
eval "$(jq -r '.result.tests[].replay' out.json)" | tail -1
heddle test ./linear --filter=locked --clients=4 --json >out.json
echo "status $?"
jq -c '.verdict.why_not, [.verdict.rests_on[] | select(.code == "clients") | .text]' out.json
heddle test ./linear --filter=locked --size=1x2 --json | jq -c '.result.tests[].clients'
ls linear.c.heddle linear.heddle | grep -v program
