# Bad usage and bad input.
printf 'a|rel(l)|\n' >bad.std
heddle nondet bad.std
echo "status $?"
heddle nondet none.std
echo "status $?"
heddle nondet
echo "status $?"
heddle nondet --effort=x bad.std
echo "status $?"
