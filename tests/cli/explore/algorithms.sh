# Each algorithm that --help lists; all agree on the number of traces.
cp "$ROOT/examples/models/ring.hdm" .
for name in $(heddle explore --help | sed -n 's/^Algorithms: \(.*\) (default.*/\1/p'); do
    heddle explore --json --algorithm="$name" ring.hdm |
        jq -r '[.result.algorithm, .complete, .result.traces // .result.executions] | @tsv'
done | sort | grep -v -e epor -e auto
heddle explore --json ring.hdm | jq '.result.executions'
