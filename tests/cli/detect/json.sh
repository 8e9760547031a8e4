# The answer as JSON, of every kind of question.
cp $ROOT/examples/detect/bank.std .
heddle detect --json bank.std 'count(transfer) > 3' >a.json
echo "status $?"
jq -ce '[.command, .input.file, .complete],
    (.result | del(.looked_at)),
    .findings[]' a.json
heddle detect --json --count bank.std 'count(transfer) > 3' | jq -ce '[.result.states, .result.found, .findings]'
heddle detect --json --all bank.std 'count(transfer) > 3 && at(T1, done)' | jq -ce '.result.states, .findings'
heddle detect --json --all bank.std 'sum(amount) == 85 && all(!at(transfer)) && pos(main) < 5' |
    jq -ce '.result.states == (.findings | length)'
heddle detect --json --definitely bank.std 'count(done) > 1' | jq -ce '[.result.found, .findings]'
heddle detect --json --definitely bank.std 'count(transfer) > 1' | jq -ce '[.result.found, .result.avoiding]'
# --max: as many states as the text has, and the same verdict.
for form in text json; do
    heddle detect $([ $form = json ] && echo --json) --all --max=2 bank.std 'count(transfer) > 0' >$form.out; echo "$form $?"
done
grep -e ' events$' -e search text.out
jq -ce '.complete, .verdict.why_not, .result.states, [.findings[].state]' json.out
