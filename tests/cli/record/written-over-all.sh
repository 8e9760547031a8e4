# A program that writes over what it shares with heddle: the recording can be read, or the status
# says that it is damaged; and heddle does not crash.
# In make test-long only.
heddle cc -I"$ROOT/include" -O1 -g -o prog "$TESTDIR/written-over.c" -pthread
try() {
    rm -f run.htr
    heddle record -q $free -o run.htr ./prog "$@" 2>said; echo "$free $*: recorded $?"
    heddle validate -q run.htr >out 2>&1; echo "validated $?"
    heddle info --json run.htr 2>said | jq -c '.result.events > 1900'
}
for what in nothing page-list pages marks objects object-count code-count codes thread-count \
    threads blocks modules records; do
    for free in "" --free; do
        try $what
    done
done
# Too many to be read twice.
try page-list 800000
free=
try marks 800000
