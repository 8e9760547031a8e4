/* Rounds that store what is there already, unless another thread has written something else in the
 * meantime.  Which of them changed something is found by nobody's read, but decides how the thread
 * goes on: whether it goes round again.  The outcomes are those of all interleavings.  Without
 * outcomes runs are predicted: nothing may be shaky. */
//@ all reads complete
//@ case -DSTORE=PLAIN | outcomes=1:0,1:1
//@ case -DSTORE=PLAIN -DLOOKS |
//@ case -DSTORE=NARROW | outcomes=1:0,1:1
//@ case -DSTORE=ATOMIC | outcomes=1:0,1:1
//@ case -DSTORE=RELAXED | outcomes=1:0,1:1
//@ case -DSTORE=EXCHANGE | outcomes=1:0,1:1
//@ case -DSTORE=AND | outcomes=1:0,1:1
//@ case -DSTORE=TWICE | outcomes=1:0,1:1
//@ case -DSTORE=ATOMIC -DLOOKS | outcomes=1:0,1:2,1:3
//@ case -DSTORE=ATOMIC -DLOOKS -DENDS | outcomes=1:0,1:2,1:3,2:0,2:2,2:3
//@ case -DSTORE=PLAIN -DLOOKS -DENDS | outcomes=1:0,1:2,1:3,2:0,2:2,2:3
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int start, end, seen;
static volatile int plain;
static int by;

#define PLAIN plain = 0
#define NARROW *(volatile char *)&plain = 0
#define ATOMIC atomic_store(&seen, 0)
#define RELAXED atomic_store_explicit(&seen, 0, memory_order_relaxed)
#define EXCHANGE atomic_exchange(&seen, 0)
#define AND atomic_fetch_and(&seen, 0)
#define TWICE plain = 0, atomic_store(&seen, 0)

static void *wait(void *unused) {
    for (;;) {
        if (atomic_load(&start)) {
            by = 1;
            break;
        }
        STORE;
        if (atomic_load(&end)) {
            by = 2;
            break;
        }
    }
    return unused;
}

int main(void) {
    int found = 0;
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait, NULL);
    plain = 1;
    atomic_store(&seen, 1);
#ifdef LOOKS /* one more value, and one more look */
    found = 2 * (plain && atomic_load(&seen));
#endif
    atomic_store(&start, 1);
#ifdef ENDS
    atomic_store(&end, 1);
#endif
    pthread_join(waiter, NULL);
    printf("%d:%d\n", by, found + (plain && atomic_load(&seen)));
    return 0;
}
