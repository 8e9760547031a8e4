# A program that writes over what it shares with heddle: one line says so where that can be seen,
# and heddle neither crashes nor goes on without end.
# In make test-long only.
heddle cc -I"$ROOT/include" -O1 -g -o prog "$TESTDIR/written-over.c" -pthread
for command in explore race; do
    for what in head threads; do
        heddle $command ./prog 1 $what 1; echo "$command $what: $?"
    done
done
heddle record -q -o run.htr ./prog 1 wire 200 >out 2>&1; status=$?
[ $status -le 3 ] || echo "record: $status"
# With asserts, one of them sees what is different before it is looked for.
ended_well() { [ $status -le 3 ] || grep -q 'Assertion .*all_current' out; }
for what in wire counts tables steps nexts all; do
    for seed in 1 2; do
        for command in explore race; do
            { heddle $command --time=1 ./prog $seed $what 30 >out 2>&1; } 2>/dev/null; status=$?
            ended_well || echo "$command $seed $what: $status"
        done
    done
done
{ heddle check --time=1 ./prog 3 wire 30 >out 2>&1; } 2>/dev/null; status=$?
ended_well || echo "check: $status"
