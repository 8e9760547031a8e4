/* truth: fails.  A thread comes to a crash, another one ends the process before it, and in the next
 * run it crashes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready, seen;

static void *leave(void *unused) {
    seen = ready;
    if (seen)
        exit(0);
    return unused;
}

static void *crash(void *unused) {
    ready = 1;
    *(volatile int *)0 = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, crash, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
