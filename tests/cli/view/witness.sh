# A witness is shown with its trace, found beside it; the run of a model by itself.
data() { sed -n 's/.*id="heddle-data">\(.*\)<\/script>.*/\1/p' "$1"; }
mkdir folder
cp "$TESTDIR/hidden.std" folder
(cd folder && heddle race -o race.std hidden.std >out)
heddle view --html=one.html folder/race.std
data one.html | jq -c '.input, (.findings[] | [.rule, .message, .claim.first, .claim.second, .turns])'
heddle view --html=two.html folder/hidden.std folder/race.std folder/race.std
data two.html | jq -c '.findings | length'
heddle explore -o run.std "$ROOT/examples/models/philosophers.hdm" >out
heddle view --html=run.html run.std
data run.html | jq -c '.findings[] | [.rule, .claim.kind, (.run.events.thread | length)]'
