// What a thread asks its attributes for is what its creator gave; and a stack is as small as asked.
//@ case -DSIZE | executions=2 violations=1 naive
//@ case -DDETACHED | violations=some
//@ case -DTOLD | executions=1
//@ case -DSMALL | executions=2 violations=1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { SMALLER = 1 << 18 };

static int slot;

#ifdef SMALL
/* Deeper than the smaller stack. */
static __attribute__((noinline)) int descend(int depth) {
    char room[4096];
    room[0] = (char)depth;
    __asm__ volatile("" : : "r"(room) : "memory");
    return depth ? descend(depth - 1) + room[0] : 0;
}
#endif

static void *work(void *argument) {
    pthread_attr_t own;
    pthread_getattr_np(pthread_self(), &own);
    char here;
    void *low;
    size_t size;
    int state;
    pthread_attr_getstack(&own, &low, &size);
    pthread_attr_getdetachstate(&own, &state);
    pthread_attr_destroy(&own);
    assert((uintptr_t)&here >= (uintptr_t)low && (uintptr_t)&here < (uintptr_t)low + size);
#ifdef TOLD
    assert(!argument || size == SMALLER);
    return argument;
#endif
#ifdef DETACHED
    int kind = state == PTHREAD_CREATE_DETACHED ? 2 : 1;
#else
    int kind = size == SMALLER ? 2 : 1;
#endif
    int before = __atomic_exchange_n(&slot, kind, __ATOMIC_SEQ_CST);
#ifdef SMALL
    if (!before)
        descend(200);
#else
    assert(before != 2);
#endif
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
#ifdef DETACHED
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#else
    pthread_attr_setstacksize(&attributes, SMALLER);
#endif
    pthread_create(&threads[0], 0, work, 0);
    pthread_create(&threads[1], &attributes, work, &attributes);
#ifdef DETACHED
    pthread_exit(0);
#endif
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
