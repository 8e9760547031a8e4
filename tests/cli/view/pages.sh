# Every command that writes a page, and status and output as without it.
for words in "race $TESTDIR/hidden.std" "nondet $ROOT/examples/bank/bank.std" "deadlock $ROOT/examples/race/philosophers.std" \
    "states $ROOT/examples/bank/bank.std" "explore $ROOT/examples/models/peterson-broken.hdm"; do
    heddle $words >plain
    status=$?
    heddle $words --html=page.html >with
    echo "${words%% *} $status $? $(cmp plain with && echo same)" \
        "$(sed -n 's/.*id="heddle-data">\(.*\)<\/script>.*/\1/p' page.html)"
done | while read -r command status again same data; do
    echo "\"$command $status $again $same\" $data"
done | jq -r '"\(.) \(input | [.command, (.findings | length), (.states != null)] | tojson)"'
