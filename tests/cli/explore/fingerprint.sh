# The same failure has the same fingerprint, whatever the algorithm or the file's name.
cp "$ROOT/examples/models/peterson-broken.hdm" a.hdm
cp a.hdm b.hdm
print() { heddle explore --json "$@" | jq -r '.findings[0].fingerprint'; }
one=$(print a.hdm)
echo "${#one} digits"
for algorithm in naive dpor sdpor odpor; do
    [ "$(print --algorithm=$algorithm b.hdm)" = "$one" ] && echo same
done
