heddle info one two
echo "status $?"
heddle convert one two three
echo "status $?"
heddle validate one two three
