# Every schedule is a witness that validate accepts.
# In make test-long only.
for seed in 1 2 3 4 5 6 7 8; do
    heddle generate locks 4 600 --seed=$seed --locks=4 -o t.std
    heddle deadlock --json --all -o w.std t.std >a.json
    jq -ce '[.complete, .result.deadlocks, .result.deadlocks == (.findings | length)]' a.json
    for file in $(jq -r '.findings[].witness' a.json); do
        heddle validate --quiet t.std "$file" >out || cat out
    done
done
