# The keys that must not change, and every witness by its number.
cp $ROOT/examples/bank/bank.std .
heddle nondet --json bank.std >a.json
echo "status $?"
jq -ce '[.command, .input.file, .complete],
    (.result | del(.effort)),
    .findings[]' a.json
heddle nondet --json --all bank.std >b.json
echo "status $?"
jq -ce '((.findings | length) == .result.witnesses.feasible),
    (.findings[] | [.read, .writer, .challenger, .sees, .order])' b.json
heddle nondet --json --summary bank.std | jq -ce '[.result.triplets, .findings]'
