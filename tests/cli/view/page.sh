# The data in a page is JSON, says what --json says, and is beside what is printed.
data() { sed -n 's/.*<script type="application\/json" id="heddle-data">\(.*\)<\/script>.*/\1/p' "$1"; }
heddle race --html=page.html "$TESTDIR/hidden.std" | head -1
data page.html | jq -c '[.format, .command, .complete, .left_out, .result.races]'
data page.html | jq -c '.findings[] | [.rule, .variable, .events, .claim, .same, .turns]'
data page.html | jq -c '.trace.events, .trace.names.thread, .trace.names.lock'
data page.html | jq -c '.states | [.model, .class, .threads, (.counts | length)]'
data page.html | jq -c '.sources'
heddle race --json --html=json.html "$TESTDIR/hidden.std" | jq -c '.result.races'
cmp <(data page.html | jq 'del(.seconds)') <(data json.html | jq 'del(.seconds)')
