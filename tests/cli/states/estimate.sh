# About how many: exact where that is cheap, else an interval; what does not go with it.
heddle generate grid 4 3 -o grid.std
heddle states --estimate grid.std
heddle generate bank 5 3 -o bank.std
heddle states --model=loset --estimate --time=1 bank.std --json >bank.json
echo "status $?"
jq -c '[.result.model, .result.class, .result.exact, .result.confidence, .complete,
        2 * 897171 > .result.least and .result.most > 897171 / 2, .result.hits < .result.drawn]' bank.json
heddle states --estimate --list grid.std
echo "status $?"

# No time: no estimate, and no number.
printf 't1|w(x)|a:1\nt2|r(x)|b:2\n' >two.std
heddle states --estimate --time=0.0000001 two.std
echo "status $?"
heddle states --estimate --time=0.0000001 --json two.std | jq -c '.result | keys'
