# The measures of the published traces, for each name and for any seed.
for name in conpool liveness SynchBench Barrier1 Barrier2 account1 account2 DaisyTest1 DaisyTest2 \
    DaisyTest3 Elevator1 Elevator2 Elevator3 philo ThriftTrace{1,2,3,4,5,6,7,8,9,10,11}; do
    for seed in 1 12345; do
        echo "\"$name\""
        heddle generate like $name --seed $seed | heddle info --json -
    done
done | jq -rs '_nwise(2) | .[0] as $name | .[1].result | [$name, .threads, .events, .lock_events, .locks,
    .accesses, .variables,
    (.kinds | (.wait // 0) + (.wake // 0) + (.notify // 0) + (.notifyall // 0))] |
    join(" ")' | uniq -c | sed 's/^ *//'
