printf 'a|acq(l)|\na|rel(l)|\n' >a.std
heddle validate --json a.std | jq -ce '[.command, .input.file, .complete, .result, .findings]'
printf 'a|w(x)|\n# heddle: incomplete lost=2\n' >b.std
heddle validate -q --json b.std | jq -ce '[.complete, .result]'
printf 'a|rel(l)|\n' >c.std
heddle validate --json c.std
echo "status $?"
