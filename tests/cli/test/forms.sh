# The same as JSON and JUnit; and a baseline.
# In make test-long only.
cp "$TESTDIR/tests.c" .
heddle test -j 1 tests.c --filter='*locked' --json --junit=out.xml --sarif=out.sarif >out.json
echo "status $?"
jq -c '(.result.tests[] | [.name, .verdict, .reason, .replay]),
    (.findings[] | [.test, .rule, .level, .proof])' out.json
grep -o '<test[^>]*>\|<failure[^>]*>' out.xml | sed 's/ time="[^"]*"//'
jq -c '.runs[0].results[] | .ruleId' out.sarif
heddle test -j 1 tests.c --filter='*locked' --baseline=known.json --update-baseline >/dev/null
echo "status $?"
heddle test -j 1 tests.c --filter='*locked' --baseline=known.json | sed 's/ *[0-9.]* s$/  TIME/'
echo "status ${PIPESTATUS[0]}"
heddle test -j 1 tests.c --filter='*_race' -o kept >/dev/null
ls kept
