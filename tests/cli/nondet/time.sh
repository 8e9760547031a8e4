# A limit on time leaves reads unasked, and says so.
heddle generate bank 3 5 --seed=1 -o bank.std
heddle nondet --time=0.000001 bank.std
echo "status $?"
heddle nondet --time=0.000001 --all bank.std
echo "status $?"
heddle nondet --time=0.000001 --json bank.std | jq -c '[.complete, .result.reads, .result.unasked_reads, (.findings | length)]'
heddle nondet --time=1h --summary bank.std | grep -c 'not complete'
