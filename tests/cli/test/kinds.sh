# Every verdict, with its reason.
cp "$TESTDIR/tests.c" .
heddle cc -g tests.c -o tests
heddle test -j 1 ./tests | sed 's/ *[0-9.]* s$/  TIME/'
echo "status ${PIPESTATUS[0]}"
ls tests.heddle | tr "\n" " "
echo
heddle replay ./tests tests.heddle/unlocked.std -- --run unlocked | head -1
heddle test -j 1 ./tests --filter='at_most_t*' | tail -1 | sed 's/ *[0-9.]* s$/  TIME/'
heddle test -j 1 ./tests --filter='[kc]*' >/dev/null
echo "status $?"
heddle test --list --filter='not_*' ./tests
heddle test --list --json --filter='not_*' ./tests >list.json
jq -c '[.command, .input.file, .complete, .result, .findings]' list.json
heddle report list.json
echo "status $?"
