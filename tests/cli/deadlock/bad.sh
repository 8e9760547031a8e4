# Bad usage and bad input.
printf 'a|rel(l)|\n' >bad.std
heddle deadlock bad.std
echo "status $?"
heddle deadlock none.std
echo "status $?"
heddle deadlock
echo "status $?"
heddle deadlock --effort=x bad.std
echo "status $?"
heddle deadlock -o - bad.std
echo "status $?"
