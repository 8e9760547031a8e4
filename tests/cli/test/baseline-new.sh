# A failure that is known does not keep a test from failing by another one.
cat >known.c <<'END'
#include <heddle/test.h>
HEDDLE_TEST(chosen) {
    int c = heddle_choose(0, 3);
    if (c == OLD)
        HEDDLE_CHECK(!"known");
    if (c == NEW)
        HEDDLE_CHECK(!"new");
}
END
for new in 9 1; do
    echo "--- $new"
    [ $new = 1 ] || heddle test -q known.c --flag=-DOLD=0 --flag=-DNEW=$new --baseline=b.json --update-baseline >/dev/null
    heddle test -q known.c --flag=-DOLD=0 --flag=-DNEW=$new --baseline=b.json | grep -vE 'replay|in [0-9.]+ s' | sed 's/[0-9.]* s$//'
    echo "status ${PIPESTATUS[0]}"
done
