# Several workers count the same; an algorithm that cannot share says so.
cp "$ROOT/examples/models/branching.hdm" "$ROOT/examples/models/ring-extended.hdm" .
for model in branching ring-extended; do
    heddle explore -D N=4 --algorithm=auto --threads=3 --json $model.hdm |
        jq -c '[.complete, .result.algorithm, .result.workers, .result.executions]'
done
for algorithm in odpor naive epor; do
    heddle explore -D N=3 -j 3 --algorithm=$algorithm --json branching.hdm |
        jq -c '[.result.workers, .result.executions, .result.traces]'
done
heddle explore -D N=4 --algorithm=epor --source-sets --json branching.hdm |
    jq -c '[.result.algorithm, .result.executions]'
heddle explore --source-sets --algorithm=sdpor branching.hdm
echo "status $?"
heddle explore --threads=0 branching.hdm
echo "status $?"
