# Nothing but the answer goes to a file: no progress line.
# In make test-long only.
heddle explore --time=0.6 -D N=9 "$ROOT/examples/models/ring-extended.hdm" 2>err >/dev/null
wc -c <err
