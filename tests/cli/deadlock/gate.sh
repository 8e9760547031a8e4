# Three philosophers who take their forks under a gate lock: no deadlock.
heddle deadlock $ROOT/examples/race/gate.std
echo "status $?"
