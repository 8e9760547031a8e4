# What a command printed with --json: its schedules are checked again, and shown.
data() { sed -n 's/.*id="heddle-data">\(.*\)<\/script>.*/\1/p' "$1"; }
show() { data page.html | jq -c '[.command, .input, (.findings[] | [.rule, .message, .claim, .same, .turns, .events])]'; }
cp "$TESTDIR/hidden.std" "$ROOT/examples/race/philosophers.std" "$ROOT/examples/bank/bank.std" .
heddle race --json hidden.std >race.json
heddle view --html=page.html race.json && show
heddle deadlock --json philosophers.std >deadlock.json
heddle view --html=page.html deadlock.json && show
heddle nondet --json bank.std >nondet.json
heddle view --html=page.html nondet.json && show
heddle detect --json hidden.std 'pos(a) >= 2 && pos(b) >= 1' >detect.json
heddle view --html=page.html detect.json && show
# A list of events that is not a schedule is rejected; so is a file that is not an answer.
jq '.findings[0].schedule |= .[:-1]' race.json >wrong.json
heddle view --html=wrong.html wrong.json; echo $?
jq '.findings[0].schedule[1] |= "6"' race.json >wrong.json
heddle view --html=wrong.html wrong.json; echo $?
echo '{"command": "race"}' >wrong.json
heddle view --html=wrong.html wrong.json; echo $?
echo '{' >wrong.json
heddle view --html=wrong.html wrong.json; echo $?
ls wrong.html 2>/dev/null || echo none
