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
# A race has the same one whichever access comes first, which is not the same in every search.
cat >race.c <<'EOF'
#include <pthread.h>
static int x, y, flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int look(int set) {
    pthread_mutex_lock(&m);
    int seen = flag;
    flag |= set;
    pthread_mutex_unlock(&m);
    return seen;
}
static void *one(void *nothing) { if (look(0)) x = 2; y = 3; return nothing; }
static void *two(void *nothing) { look(1); x = 1; y; return nothing; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
EOF
heddle cc -g -w -o race race.c
for algorithm in sdpor unfold; do
    heddle explore --json --stop=never --algorithm=$algorithm ./race >answer
    jq -r '.findings[].fingerprint' answer | sort >$algorithm.prints
    jq -r '.findings[].location' answer | sort >$algorithm.first
done
diff sdpor.prints unfold.prints && echo "the same race"
cmp -s sdpor.first unfold.first || echo 'in another order'
