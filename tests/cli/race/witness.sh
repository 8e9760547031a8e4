# Saved schedules are witnesses.
heddle race -o w.std $ROOT/examples/race/hidden.std | tail -1
cat w.std
heddle validate $ROOT/examples/race/hidden.std w.std
echo "status $?"
