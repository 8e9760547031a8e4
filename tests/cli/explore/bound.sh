# Only schedules with few preemptions: what they find has the fewest, and what they
# leave out is said.
cp "$ROOT"/examples/models/peterson*.hdm "$ROOT/examples/models/ring.hdm" .
for k in 0 1 2; do
    heddle explore --bound=preemptions=$k peterson-broken.hdm | grep -e fails -e verdict -e search
    echo "status ${PIPESTATUS[0]}"
done
heddle explore --bound=preemptions=9 --json ring.hdm |
    jq -c '[.complete, .result.algorithm, .result.executions, .result.beyond, .result.limit]'
heddle explore --bound=preemptions=0 --json ring.hdm |
    jq -c '[.complete, .result.algorithm, .result.executions, .result.beyond, .result.limit]'
for bad in 3 preemptions=x preemptions= depth=3; do
    heddle explore --bound=$bad ring.hdm
    echo "status $?"
done
heddle explore --bound=preemptions=1 -a odpor ring.hdm
echo "status $?"
