# Every feasible witness of some traces with all kinds of events has a schedule that
# validate accepts, in text and from the JSON.
# In make test-long only.
heddle generate locks 4 160 --rwlocks=300 --waits=200 --barriers=30 --semaphores=50 -o t.std
heddle nondet --all --json -o w t.std >a.json
echo "status $?"
jq -ce '.result.witnesses.feasible == (.findings | length) and .result.unknown == 0' a.json
count=0
for file in $(jq -r '.findings[].witness' a.json); do
    heddle validate t.std $file >/dev/null && count=$((count + 1))
done
jq -ce ".findings | length == $count" a.json
