# The data in a page is JSON, says what --json says, and is beside what is printed.
data() { sed -n 's/.*<script type="application\/json" id="heddle-data">\(.*\)<\/script>.*/\1/p' "$1"; }
heddle race --html=page.html "$TESTDIR/hidden.std" | head -1
data page.html | jq -c '[.format, .command, .complete, .left_out, .result.races],
    (.findings[] | [.rule, .variable, .events, .claim, .same, .turns]),
    (.trace.events, .trace.names.thread, .trace.names.lock),
    (.states | [.model, .class, .threads, (.counts | length)]),
    .sources'
heddle race --json --html=json.html "$TESTDIR/hidden.std" | jq -c '.result.races'
cmp <(data page.html | jq 'del(.seconds)') <(data json.html | jq 'del(.seconds)')
