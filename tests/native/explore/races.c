// Data races: where two places meet in some schedule, and only there.
//@ case -DPLAIN | races=2 naive
//@ case -DLOCKED | races=0 naive
//@ case -DMIXED | races=1 naive
//@ case -DREADERS | races=2 naive
//@ case -DHANDED | races=0 naive
//@ case -DHIDDEN | races=1 naive
//@ finds data race: main.1: write x (races.c:
//@ finds then both are next:
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int x, y;
atomic_int flag;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

__attribute__((noinline)) static void *one(void *unused) {
#if defined PLAIN
    x = 1;
    y = 1;
#elif defined LOCKED
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
#elif defined MIXED
    x = 1;
#elif defined READERS
    pthread_rwlock_rdlock(&shared);
    x++;
    pthread_rwlock_unlock(&shared);
#elif defined HANDED
    x = 1;
    flag = 1;
#else
    x = 1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

static void *two(void *unused) {
#if defined PLAIN
    x = 2;
    y = 2;
#elif defined LOCKED
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
#elif defined MIXED
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
#elif defined READERS
    return one(unused);
#elif defined HANDED
    if (flag)
        x = 2;
#else
    /* In most schedules the lock orders the two. */
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    x = 2;
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
