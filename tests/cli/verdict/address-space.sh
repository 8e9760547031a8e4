# A limit on address space leaves no room for the tables of freed memory: that is said, and no
# status is 0.  With room for these there may be none for what was written.
# Not with AddressSanitizer: it wants 16 TB itself.
cat >freed.c <<END
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *other(void *unused) {
    p[1] = 3;
    return unused;
}
int main(void) {
    pthread_t thread;
    p = malloc(16);
    free(p);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    return 0;
}
END
heddle cc -g -o freed freed.c -pthread
for limit in unlimited 3000000000 1000000000; do
    ulimit -S -v $limit
    heddle explore -q ./freed >out 2>/dev/null; echo "$limit: explored $?"
    heddle explore -q --accept=address-space ./freed >/dev/null 2>&1; echo "accepted $?"
    heddle check -q ./freed >/dev/null 2>&1; echo "checked $?"
    heddle record -q -o run.htr ./freed 2>/dev/null; echo "recorded $?"
    heddle race -q run.htr >>out; echo "race $?"
    heddle race -q --accept=address-space run.htr >/dev/null; echo "accepted $?"
    grep -o -e '[a-z]*: .*\[address.*' -e 'whether.*nothing.*' out | sort -u
done
