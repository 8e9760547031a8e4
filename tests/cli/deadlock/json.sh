# The keys that must not change.
cp $ROOT/examples/race/*.std .
heddle deadlock --json opposite.std >a.json
echo "status $?"
# Two rounds of each thread: one pair of places, four of events.
{ cat opposite.std; cat opposite.std; } >twice.std
# Without locations, every acquire is a place of its own.
sed 's/|[^|]*$/|/; /^#/d' twice.std >bare.std
{
    heddle deadlock --json --summary philosophers.std
    heddle deadlock --json gate.std
    heddle deadlock --json twice.std
    heddle deadlock --json --all twice.std
    heddle deadlock --json bare.std
} >>a.json
jq -nce 'def answer(what): input | what;
    answer([.command, .input.file, .complete], (.result | del(.effort)), .findings[]),
    answer([.result.deadlocks, .findings]),
    answer([.result.deadlocks, .findings]),
    answer([.result.deadlocks, (.findings | length)]),
    answer([.result.deadlocks, [.findings[].acquires]]),
    answer(.result.deadlocks), inputs' a.json
