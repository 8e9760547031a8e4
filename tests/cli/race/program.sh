# A program: its race is found and replayed, suppressed, and not new the second time; its twin
# has none; what does not go together.
# What an answer rests on is for the tests in verdict/ and tests/report.
heddle() {
    command heddle "$@" | grep -v '\[[a-z-]*\(:.*\)\?\]$'
    return "${PIPESTATUS[0]}"
}
cp "$ROOT"/examples/races/running.c "$ROOT"/examples/races/tsp.c .
heddle cc -g -O1 -o running running.c
heddle cc -g -O1 -DFIXED -o fixed running.c
heddle cc -g -O1 -o tsp tsp.c
heddle race -o witness ./running 2
echo "status $?"
heddle replay -q ./running witness 2
echo "status $?"
heddle race --executions=100 --summary ./fixed 3
echo "status $?"

echo '-- suppressed'
try() {
    echo "$1" >rules
    heddle race --executions=100 --summary --suppressions=rules ./running 2 | grep -E '^\./|suppressed'
}
try 'variable:numDel*'
try 'file:running.c:5?'
try 'file:running.c'
try 'function:reorg*'
try '# nothing
variable:other'
heddle race --executions=100 --suppressions=rules --summary ./tsp 2 | head -1
echo 'variables:x' >rules
heddle race --suppressions=rules ./running
echo "status $?"

echo '-- not new'
heddle race --json ./running 2 >before.json
heddle race --executions=100 --summary --baseline=before.json ./running 2 | grep -E '^\./|not new'
heddle race --executions=100 --summary --baseline=before.json ./tsp 2 | grep -E '^\./|not new'
echo '{"findings": [' >bad.json
heddle race --baseline=bad.json ./running 2
echo "status $?"
heddle race --baseline=none.json ./running 2
echo "status $?"

echo '-- the stages of the paper'
for way in --no-predict --no-extend --no-hint --keep-t1; do
    heddle race --json $way ./running 2
done | jq -c '[.result.races, .findings[0].variable, .findings[0].way]'
heddle race --json ./running 2 | jq -c '[.result.stages | keys[]]'

echo '-- a page'
heddle race --html=page.html ./running 2 | head -1
grep -o '"claim": {"kind": "race"}' page.html
heddle race --html=- ./running 2
echo "status $?"

echo '-- what is not for it'
heddle race --method=hb ./running
heddle race --all ./running
heddle race --seeds=2 "$ROOT/examples/race/hidden.std"
heddle race "$ROOT/examples/race/hidden.std" more
heddle race --seeds=0 ./running
