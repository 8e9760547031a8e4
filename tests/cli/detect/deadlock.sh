# Two locks in opposite orders: a deadlock of the loset, none of the poset.
heddle detect $ROOT/examples/race/opposite.std deadlock
echo "status $?"
heddle detect --model=loset $ROOT/examples/race/opposite.std deadlock
echo "status $?"
