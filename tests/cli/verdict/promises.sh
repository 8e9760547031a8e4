# What a program may meet on another machine, or at another time, and does not in explored runs.
asks() {
    heddle cc $BUILT -o $1 $1.c
    heddle explore --json "${@:2}" ./$1 >>answers
}
cat >woken.c <<END
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *set(void *unused) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, set, 0);
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
    pthread_join(other, 0);
}
END
asks woken
sed -i 's/    if/    while/' woken.c
asks woken --spurious
asks woken --wakes=2
cat >weak.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *take(void *unused) {
    int old = 0;
    int done = atomic_compare_exchange_HOW(&n, &old, 1);
    assert(done);
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, take, 0);
    pthread_join(other, 0);
}
END
sed 's/HOW/strong/' weak.c >strong.c
sed -i 's/HOW/weak/' weak.c
asks weak
BUILT="--compiler=clang -g0" asks weak
asks strong
cat >futex.c <<END
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int n;
static void *set(void *unused) {
    n = 1;
    syscall(SYS_futex, &n, FUTEX_WAKE, 1, 0, 0, 0);
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, set, 0);
    syscall(SYS_futex, &n, FUTEX_WAIT, 0, 0, 0, 0);
    assert(n);
    pthread_join(other, 0);
}
END
asks futex
cat >blocks.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static char *block[2];
static void *take(void *number) {
    block[(long)number] = malloc(16);
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, take, (void *)0);
    pthread_create(&two, 0, take, (void *)1);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(block[0] != block[1]);
}
END
asks blocks
cat >before.c <<END
#include <pthread.h>
#include <stdlib.h>
static void *use(void *block) {
    *(int *)block = 1;
    return 0;
}
int main(void) {
    pthread_t other;
    void *block = malloc(16);
    pthread_create(&other, 0, use, block);
    pthread_join(other, 0);
    free(block);
}
END
asks before
jq -c '.complete,
    (.verdict.rests_on[] | select(.code == "wake-ups" or .code == "addresses" or
                                    (.code == "memory-model" and .what)) |
     [.code, .what, .trust, .text])' answers
