# The bank of the examples: what a new user sees.
heddle race $ROOT/examples/bank/bank.std
echo "status $?"
heddle race --summary $ROOT/examples/bank/bank.std
echo "status $?"
