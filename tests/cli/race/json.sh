# The keys that must not change, and the counts of the methods.
cp $ROOT/examples/bank/bank.std $ROOT/examples/race/hidden.std .
heddle race --json bank.std >a.json
echo "status $?"
jq -ce '[.command, .input.file, .complete],
    (.result | del(.effort)),
    .findings[]' a.json
heddle race --json --all bank.std >b.json
echo "status $?"
jq -ce '(.result.races == (.findings | length)),
    (.findings[] | [.first, .second, .variable, .schedule])' b.json
for method in hb shb lockset lockset-plain; do
    heddle race --json --method=$method hidden.std
done | jq -ce '[.result.method, .result.races, .findings]'
heddle race --json --summary bank.std | jq -ce '[.result.races, .findings]'
