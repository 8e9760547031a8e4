# Rounds of a loop that are all the same are shown once; in JSON all of them are there.
cat >rounds.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *unused) {
    x = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int seen = 0;
    for (int i = 0; i < 6; i++)
        seen += x + y;
    assert(seen || x);
    pthread_join(t, 0);
    return 0;
}
END
heddle cc -g -O1 -o rounds rounds.c
heddle explore --find=failure -o w.std ./rounds | sed -n '/steps,/,/to replay/p'
heddle replay ./rounds w.std | grep again
heddle explore --find=failure --json ./rounds | jq '.findings[0].steps | length'
heddle check rounds.c | sed -n '/schedule /,/see again/p'
