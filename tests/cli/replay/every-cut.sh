# A witness that was cut off, anywhere: never a crash, never a failure that the whole
# one does not show.
# In make test-long only.
cp "$ROOT/examples/models/peterson-broken.hdm" .
heddle explore -o w.std peterson-broken.hdm >/dev/null
size=$(wc -c <w.std)
for ((i = 0; i < size; i += 3)); do
    head -c $i w.std >cut.std
    heddle replay -q peterson-broken.hdm cut.std >out 2>&1
    echo "$?"
done | sort | uniq -c | awk '{ print "status", $2 }'
