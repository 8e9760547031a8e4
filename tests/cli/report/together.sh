# Two answers about one trace: the read is part of the race.
cp "$ROOT/examples/race/hidden.std" .
heddle race --json hidden.std >race.json
heddle nondet --json hidden.std >nondet.json
heddle report race.json nondet.json | sed 's/([0-9.]* s)/(TIME)/'
echo "status ${PIPESTATUS[0]}"
# The trace is elsewhere, or gone.
mv hidden.std moved.std
heddle report --trace=moved.std race.json | grep first
heddle report race.json | grep first
