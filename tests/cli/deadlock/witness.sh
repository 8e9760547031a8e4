# Saved schedules are witnesses.
heddle deadlock -o w.std $ROOT/examples/race/philosophers.std | tail -1
cat w.std
heddle validate $ROOT/examples/race/philosophers.std w.std
echo "status $?"
