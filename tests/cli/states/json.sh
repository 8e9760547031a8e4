# The keys that others read.
cd "$ROOT/tests/data/examples"
heddle states --json fig5.2.std | jq -c '[.command, .complete, .findings, .result]'
heddle states --json --list --model=loset --class=lock-free fig5.2.std | jq -c .result
