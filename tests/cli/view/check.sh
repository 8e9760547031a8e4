# A page of everything: schedules that were kept in files are in it, each trace once.
data() { sed -n 's/.*id="heddle-data">\(.*\)<\/script>.*/\1/p' "$1"; }
cp "$ROOT/examples/race/philosophers.std" .
heddle check --html=page.html philosophers.std >out
echo $?
data page.html | jq -c '(.findings[] | [.rule, .level, .proof, .trace, .claim.kind, (.places | length), .replay]),
    [.traces[] | .events.thread | length]'
heddle view --html=again.html philosophers.std.heddle/result.json
cmp <(data page.html | jq -S .findings) <(data again.html | jq -S .findings) && echo same
cp "$ROOT/examples/models/peterson-broken.hdm" .
heddle check --html=page.html peterson-broken.hdm >out
data page.html | jq -c '.findings[] | [.rule, .proof, .claim.kind, (.run.events.thread | length > 0)]'
heddle check --html=- philosophers.std
echo $?
