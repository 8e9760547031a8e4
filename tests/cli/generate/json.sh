heddle generate --json locks 4 100 --output a.htr >a.json
jq -ce '[.command, .complete, .result.family, .result.events, .result.threads, .result.output,
    .findings]' a.json
