# Shapes of the published table: all witnesses are decided, and sum up as there.
for name in conpool liveness Barrier1 account1 philo ThriftTrace1; do
    heddle generate like $name -o t.htr
    echo "\"$name\""
    heddle nondet --summary --json t.htr
done | jq -c '[.] + (input | [.complete, .result.witnesses.possible, .result.witnesses.feasible])'
