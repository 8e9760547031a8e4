# The same program without heddle: each test once.
cp "$TESTDIR/tests.c" .
heddle cc -g tests.c -DHEDDLE_TEST_SECONDS=1 -o tests
./tests --list
./tests locked at_most_two comes not_broken 2>/dev/null
echo "status $?"
./tests locked leaves inputs
echo "status $?"
./tests --run locked
echo "status $?"
./tests nothing
./tests --nothing
