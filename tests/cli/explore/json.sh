# The keys that other programs rely on.
cat >publish.hdm <<END
param V = 42;
shared ready, data;
thread writer { ready = 1; data = V; }
thread reader { await (ready == 1); assert (data == V); }
END
heddle explore --json -D V=7 -o w.std publish.hdm >out
echo "status $?"
jq -c '(keys_unsorted, (.result | keys_unsorted)),
    [.command, .input, .complete, .result.parameters, .result.violations, .result.deadlocks,
    .result.unsatisfiable, .result.stopped, .result.limit],
    (.findings[] | del(.steps, .fingerprint)),
    .findings[0].steps[]' out
heddle explore --json "$ROOT/examples/models/philosophers.hdm" -D N=2 | jq -c '.findings[0].waits[]'
heddle explore --json "$ROOT/examples/models/ring.hdm" | jq -c '[.complete, .result.executions, .findings]'
