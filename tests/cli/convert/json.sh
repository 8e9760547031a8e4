printf 'a|w(x)|1\nb|r(x)|2\n# heddle: incomplete lost=2\n' >a.std
heddle convert --json a.std a.htr 2>/dev/null >a.json
jq -ce '[.command, .input.file, .complete, .result.events, .result.output, .findings]' a.json
