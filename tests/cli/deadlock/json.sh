# The keys that must not change.
cp $ROOT/examples/race/*.std .
heddle deadlock --json opposite.std >a.json
echo "status $?"
jq -ce '[.command, .input.file, .complete],
    (.result | del(.effort)),
    .findings[]' a.json
heddle deadlock --json --summary philosophers.std | jq -ce '[.result.deadlocks, .findings]'
heddle deadlock --json gate.std | jq -ce '[.result.deadlocks, .findings]'
# Two rounds of each thread: one pair of places, four of events.
{ cat opposite.std; cat opposite.std; } >twice.std
heddle deadlock --json twice.std | jq -ce '[.result.deadlocks, (.findings | length)]'
heddle deadlock --json --all twice.std | jq -ce '[.result.deadlocks, [.findings[].acquires]]'
# Without locations, every acquire is a place of its own.
sed 's/|[^|]*$/|/; /^#/d' twice.std >bare.std
heddle deadlock --json bare.std | jq -ce '.result.deadlocks'
