heddle generate grid 2 1 -o trace.std
heddle info trace.std --json -q | jq -c "[.heddle != null, .command, .input, .complete, .findings]"
heddle info -- --help
