# The same failure has the same fingerprint, whatever the algorithm, in whatever folder the file
# is, and with lines added above it; another one when its own line changes.
mkdir there
cp "$ROOT/examples/models/peterson-broken.hdm" .
{ echo '// A line more.'; cat peterson-broken.hdm; } >there/peterson-broken.hdm
answers() {
    heddle explore --json peterson-broken.hdm
    for algorithm in naive dpor sdpor odpor; do
        heddle explore --json --algorithm=$algorithm there/peterson-broken.hdm
    done
    sed 's/assert (/assert  (/' peterson-broken.hdm >there/peterson-broken.hdm
    heddle explore --json there/peterson-broken.hdm
}
{ read -r one && read -r naive && read -r dpor && read -r sdpor && read -r odpor && read -r other; } \
    < <(answers | jq -r '.findings[0].fingerprint')
echo "${#one} digits"
for it in "$naive" "$dpor" "$sdpor" "$odpor"; do
    [ "$it" = "$one" ] && echo same
done
grep -n assert peterson-broken.hdm
[ "$other" = "$one" ] || echo another
