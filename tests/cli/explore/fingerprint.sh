# The same failure has the same fingerprint, whatever the algorithm, in whatever folder the file
# is, and with lines added above it; another one when its own line changes.
mkdir there
cp "$ROOT/examples/models/peterson-broken.hdm" .
{ echo '// A line more.'; cat peterson-broken.hdm; } >there/peterson-broken.hdm
print() { heddle explore --json "$@" | jq -r '.findings[0].fingerprint'; }
one=$(print peterson-broken.hdm)
echo "${#one} digits"
for algorithm in naive dpor sdpor odpor; do
    [ "$(print --algorithm=$algorithm there/peterson-broken.hdm)" = "$one" ] && echo same
done
grep -n assert peterson-broken.hdm
sed 's/assert (/assert  (/' peterson-broken.hdm >there/peterson-broken.hdm
[ "$(print there/peterson-broken.hdm)" = "$one" ] || echo another
