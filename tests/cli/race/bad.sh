# Bad usage and bad input.
printf 'a|rel(l)|\n' >bad.std
heddle race bad.std
echo "status $?"
heddle race none.std
echo "status $?"
heddle race
echo "status $?"
heddle race --effort=x bad.std
echo "status $?"
heddle race -o - bad.std
echo "status $?"
heddle race --method=guess bad.std
echo "status $?"
heddle race --method=hb -o w.std bad.std
echo "status $?"
