# The same error in other operations is another one, and known errors hide no other kind.
# In make test-long only.
cat >two.c <<'END'
#include <heddle/linear.h>
typedef struct pair { long long x, y; } pair;
static _Atomic long long x, y;
static int plain;
HEDDLE_LINEAR(two, pair, "operations=1") {}
HEDDLE_OPERATION(two, add_x) { if (WHICH == 'y') return x++; long long old = x; x = old + 1; return old; }
HEDDLE_MODEL(two, add_x) { return model->x++; }
HEDDLE_OPERATION(two, add_y) { if (WHICH != 'y') return y++; long long old = y; y = old + 1; return old; }
HEDDLE_MODEL(two, add_y) { return model->y++; }
HEDDLE_OPERATION(two, look) { if (WHICH == 'r') plain++; if (WHICH == 'a' && x == 2) abort(); return x; }
HEDDLE_MODEL(two, look) { return model->x; }
END
heddle test two.c --flag="-DWHICH='x'" --baseline=known.json --update-baseline --json >out.json
echo "status $?"
jq '.findings[].also | length' known.json
for which in x y r a; do
    heddle test -j 1 two.c --flag="-DWHICH='$which'" --baseline=known.json --json >out.json
    echo "$which: status $?"
    jq -c '(.result.tests[] | [.verdict, .client, .clients]),
        (.findings[] | [.rule, .known])' out.json
done
ls two.c.heddle
