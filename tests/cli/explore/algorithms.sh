# Each algorithm that --help lists; all but unfold agree on the number of traces.
cp "$ROOT/examples/models/ring.hdm" .
for name in $(heddle explore --help | sed -n 's/^Algorithms: //p'); do
    echo "\"$name\""
    heddle explore --json --algorithm="$name" ring.hdm
done | jq -r 'if type == "string" then . else [.result.algorithm, .complete, .result.traces // .result.executions] | @tsv end' |
    paste - - | sort
heddle explore --json ring.hdm | jq '.result.executions'
