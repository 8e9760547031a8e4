# An answer that cannot be written is an error.
heddle explore "$ROOT/examples/models/ring.hdm" >/dev/full
echo "status $?"
heddle explore --json "$ROOT/examples/models/ring.hdm" >/dev/full
echo "status $?"
