/* A bad write; all that came before is there. */
//@ free
//@ exit 1
//@ stderr killed by signal 11
//@ lines w4(before=.*)  2
//@ events fork=1
#include <pthread.h>

static volatile int before;
static volatile int *volatile nowhere = (int *)8;

static void *worker(void *unused) {
    before = 2;
    *nowhere = 1;
    return unused;
}

int main(void) {
    before = 1;
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
