# The answer as JSON, of every kind of question.
cp $ROOT/examples/detect/bank.std .
heddle detect --json bank.std 'count(transfer) > 3' >a.json
echo "status $?"
{
    heddle detect --json --count bank.std 'count(transfer) > 3'
    heddle detect --json --all bank.std 'count(transfer) > 3 && at(T1, done)'
    heddle detect --json --all bank.std 'sum(amount) == 85 && all(!at(transfer)) && pos(main) < 5'
    heddle detect --json --definitely bank.std 'count(done) > 1'
    heddle detect --json --definitely bank.std 'count(transfer) > 1'
} >>a.json
jq -nce 'def answer(what): input | what;
    answer([.command, .input.file, .complete], (.result | del(.looked_at)), .findings[]),
    answer([.result.states, .result.found, .findings]),
    answer(.result.states, .findings),
    answer(.result.states == (.findings | length)),
    answer([.result.found, .findings]),
    answer([.result.found, .result.avoiding]), inputs' a.json
# --max: as many states as the text has, and the same verdict.
for form in text json; do
    heddle detect $([ $form = json ] && echo --json) --all --max=2 bank.std 'count(transfer) > 0' >$form.out; echo "$form $?"
done
grep -e ' events$' -e search text.out
jq -ce '.complete, .verdict.why_not, .result.states, [.findings[].state]' json.out
