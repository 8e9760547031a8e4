/* abort, in a thread. */
//@ free
//@ exit 1
//@ stderr killed by signal 6
//@ lines w4(before=1)  1
#include <pthread.h>
#include <stdlib.h>

static volatile int before;

static void *worker(void *unused) {
    before = 1;
    abort();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
