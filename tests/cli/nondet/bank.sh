# The bank of the examples: what a new user sees.
heddle nondet $ROOT/examples/bank/bank.std
echo "status $?"
