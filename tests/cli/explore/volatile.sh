# Volatile accesses: plain, so that they race; or atomic, as asked for, which the verdict says, and a
# witness and a recording keep.
# In make test-long only.
cat >pair.c <<'END'
#include <assert.h>
#include <pthread.h>
static volatile int ready, count;
static int data;
static void *work(void *unused) {
    (void)unused;
    data = 7;
    count++;
    ready = 1;
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    count++;
    while (!ready)
        continue;
    assert(data == 7);
    pthread_join(thread, NULL);
    assert(count == 2);
    return 0;
}
END
heddle cc -O1 pair.c -o pair || exit
heddle explore -q --stop=never --find=race ./pair >answer
echo "plain: $?"
grep "data race:" answer
heddle explore --stop=never -o witness --volatile=atomic ./pair >answer
echo "atomic: $?"
grep -E 'data race|assertion|\[volatile\]' answer
heddle replay ./pair witness | grep -E 'assertion|load count|store count'
heddle race --volatile=atomic ./pair | head -n 1
heddle record -q --volatile=atomic -o pair.std ./pair >/dev/null
grep -E 'note volatile|release\(ready|acquire\(ready' pair.std | sort -u
heddle race pair.std | grep -E 'no race|volatile'
heddle explore --volatile=sometimes ./pair
echo "bad: $?"
