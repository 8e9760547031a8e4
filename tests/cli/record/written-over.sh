# A program that writes over what it shares with heddle: the recording can be read, or the status
# says that it is damaged; and heddle does not crash.
heddle cc -I"$ROOT/include" -O1 -g -o prog "$TESTDIR/written-over.c" -pthread
try() {
    rm -f run.htr
    heddle record -q $free -o run.htr ./prog "$@" 2>said; echo "$free $*: recorded $?"
    heddle validate -q run.htr >out 2>&1; echo "validated $?"
    heddle info --json run.htr 2>said | jq -c '.result.events > 1900'
}
free=--free
try page-list
try object-count
free=
try blocks
