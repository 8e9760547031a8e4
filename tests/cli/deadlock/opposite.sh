# Two locks, taken in opposite orders.
heddle deadlock $ROOT/examples/race/opposite.std
echo "status $?"
