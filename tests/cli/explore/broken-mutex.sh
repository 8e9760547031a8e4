# A broken mutual exclusion is found, made short, saved as a trace, and replayed.
cp "$ROOT/examples/models/peterson-broken.hdm" .
heddle explore -o w.std peterson-broken.hdm >found
echo "status $?"
grep -e fails -e 'assertion failed' -e 'the fewest' -e 'to replay' found
echo "marked: $(grep -c '^ [ *] >' found)"
heddle validate w.std
grep '^#' w.std | grep -v schedule
heddle replay --quiet peterson-broken.hdm w.std
echo "status $?"
heddle replay peterson-broken.hdm w.std | grep -c '^   >'
