# Each algorithm that --help lists; all but unfold agree on the number of traces.
cp "$ROOT/examples/models/ring.hdm" .
for name in $(heddle explore --help | sed -n 's/^Algorithms: //p'); do
    heddle explore --json --algorithm="$name" ring.hdm |
        jq -r --arg name "$name" '[$name, .result.algorithm, .complete, .result.traces // .result.executions] | @tsv'
done | sort
heddle explore --json ring.hdm | jq '.result.executions'
