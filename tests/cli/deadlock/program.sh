# A program that can hang, and one that takes its locks under a gate.
# What an answer rests on is for the tests in verdict/ and tests/report.
heddle() {
    command heddle "$@" | grep -v '\[[a-z-]*\(:.*\)\?\]$'
    return "${PIPESTATUS[0]}"
}
cp "$ROOT"/examples/deadlocks/philosophers.c .
heddle cc -g -O1 -o philosophers philosophers.c
heddle cc -g -O1 -DGATE -o gate philosophers.c
heddle deadlock -o witness ./philosophers 3
echo "status $?"
heddle replay -q ./philosophers witness 3
echo "status $?"
heddle deadlock ./gate 3
echo "status $?"
heddle deadlock --json ./philosophers 3 >before.json
heddle deadlock --summary --baseline=before.json ./philosophers 3
echo "status $?"

echo '-- suppressed'
try() {
    echo "$1" >rules
    heddle deadlock --summary --suppressions=rules "${@:2}" | grep -E '^[^ ]|suppressed'
}
try 'variable:fork_lock*' ./philosophers 3
try 'file:philosophers.c' ./philosophers 3
try 'function:dine' ./philosophers 3
try 'function:main' ./philosophers 3

echo '-- a page'
heddle deadlock --html=page.html ./philosophers 3 | head -1
grep -c '"kind": "stuck"' page.html

echo '-- what is not for it'
heddle deadlock --all ./philosophers
heddle deadlock --seeds=2 "$ROOT/examples/race/gate.std"
