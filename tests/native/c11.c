/* C11: threads, mutexes, conditions, once, thread-specific storage. */
//@ output 6 42 ok
//@ events fork=2 join=2
#include <assert.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t ready;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t slot;
static thread_local int mine;
static int count, started;

static void start_once(void) {
    started++;
}

static int worker(void *argument) {
    call_once(&flag, start_once);
    mine = *(int *)argument;
    tss_set(slot, &mine);
    for (int i = 0; i < 3; i++) {
        mtx_lock(&lock);
        count++;
        cnd_signal(&ready);
        mtx_unlock(&lock);
        thrd_yield();
    }
    assert(mine == *(int *)argument && tss_get(slot) == &mine);
    if (mine == 1)
        thrd_exit(42);
    return 1;
}

int main(void) {
    int one = 1, two = 2, result, other;
    thrd_t a, b;
    mtx_init(&lock, mtx_timed);
    cnd_init(&ready);
    tss_create(&slot, NULL);
    thrd_create(&a, worker, &one);
    thrd_create(&b, worker, &two);
    mtx_lock(&lock);
    while (count < 6)
        cnd_wait(&ready, &lock);
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    assert(cnd_timedwait(&ready, &lock, &until) == thrd_timedout);
    mtx_unlock(&lock);
    thrd_join(a, &result);
    thrd_join(b, &other);
    assert(other == 1 && started == 1);
    assert(mtx_trylock(&lock) == thrd_success);
    mtx_unlock(&lock);
    thrd_sleep(&(struct timespec){.tv_sec = 100}, NULL);
    printf("%d %d ok\n", count, result);
    return 0;
}
