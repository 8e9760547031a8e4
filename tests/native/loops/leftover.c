// What an earlier run left on a stack.  The compiler leaves out the first stores to `seen` and
// `other`, as `look` stores to them before they are read.  So the state of the thread at its first
// read may be another one in each run, though the thread does the same.
//@ all opt=--stop=never
//@ case -O1 | deadlock
//@ case -DMAIN_WAITS -O1 | deadlock
//@ case -DENDS -O1 | complete outcomes=0,1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifdef ENDS
enum { AWAITED = 1 };
#else
enum { AWAITED = 2 };
#endif

static atomic_int x, y;

static __attribute__((noinline)) void look(int *to, atomic_int *from) {
    *to = atomic_load(from);
}

static __attribute__((noinline)) void *waits(void *result) {
    int seen = 0, other = 0;
    do {
        look(&seen, &x);
        look(&other, &y);
    } while (seen != AWAITED);
    *(int *)result = other;
    return result;
}

static void *stores(void *unused) {
    atomic_store(&y, 0);
    atomic_store(&x, 1);
    atomic_fetch_add(&y, 1);
    return unused;
}

int main(void) {
    pthread_t writer;
    int result = 0;
#ifdef MAIN_WAITS
    pthread_create(&writer, NULL, stores, NULL);
    waits(&result);
#else
    pthread_t thread;
    pthread_create(&thread, NULL, waits, &result);
    pthread_create(&writer, NULL, stores, NULL);
    pthread_join(thread, NULL);
#endif
    pthread_join(writer, NULL);
    printf("%d\n", result);
    return 0;
}
