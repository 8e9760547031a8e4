# Random runs: never a verdict of absence; the same seed, the same runs.
cp "$ROOT/examples/models/peterson-broken.hdm" "$ROOT/examples/models/ring.hdm" .
heddle explore --random=200 -D N=5 ring.hdm
echo "status $?"
for seed in 1 1 2; do
    heddle explore --pct=3 --random=5000 --seed=$seed --json peterson-broken.hdm
    heddle explore --pct=3 --random=5000 --seed=$seed --json peterson-broken.hdm >>again
done | jq -c '[.complete, .result.algorithm, .result.violations, .result.depth, (.findings | length)]'
jq -c '[.result.executions, .result.steps]' again >seeds
echo "different: $(sort -u seeds | wc -l)"
for bad in '--seed=3 --algorithm=sdpor' '--random=5 --algorithm=epor' '--pct=0' '--random=0' '--pct=3 --threads=2'; do
    heddle explore $bad ring.hdm
    echo "status $?"
done
