// A reader that needs to write gives its lock back and takes it for writing, and does not look
// again: N threads may all see that there is something to be made.
#include "find.h"
#ifndef N
#define N 4
#endif
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int made;

static void *work(void *argument) {
    (void)argument;
    pthread_rwlock_rdlock(&lock);
    int seen = made;
    pthread_rwlock_unlock(&lock);
    if (seen)
        return NULL;
    pthread_rwlock_wrlock(&lock);
    made++; // wrong: another may have been here
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    start_all(N, work);
    join_all(N);
    assert(made < N);
    return 0;
}
