# A state is printed before the trace ends: the writer waits for it.
mkfifo events answer
(
    head -20 $ROOT/examples/detect/bank.std
    exec <answer
    read -r line
    echo "the writer has read: $line" >&2
    tail -n +21 $ROOT/examples/detect/bank.std
    exec >/dev/null
    cat # heddle has more to say, and must not find the pipe closed
) >events &
heddle detect --online - 'count(transfer) > 2' <events >answer
echo "status $?"
wait
heddle detect --online --explain $ROOT/examples/detect/bank.std 'count(transfer) > 2' | tail -3
heddle detect --online --threads=2 --all $ROOT/examples/detect/bank.std 'count(transfer) > 2' | grep -c possible
heddle detect --online --json $ROOT/examples/detect/elevator.std 'count(at(stop) by floor, dir) > 2' |
    jq -ce '[.complete, .result.found], .findings'
heddle detect --online $ROOT/examples/detect/bank.std 'sum(amount) > 85'
echo "status $?"
