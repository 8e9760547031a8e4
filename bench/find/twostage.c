// N writers set the first word under one lock, then the second under another.  A reader that comes
// between the two sees half of it.
#include "find.h"
#ifndef N
#define N 1
#endif
static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write_both(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock_a);
    first = 1;
    pthread_mutex_unlock(&lock_a);
    pthread_mutex_lock(&lock_b);
    second = first + 1;
    pthread_mutex_unlock(&lock_b);
    return NULL;
}

static void *read_both(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock_a);
    int one = first;
    pthread_mutex_unlock(&lock_a);
    if (one == 0)
        return NULL;
    pthread_mutex_lock(&lock_b);
    int two = second;
    pthread_mutex_unlock(&lock_b);
    assert(two == one + 1);
    return NULL;
}

int main(void) {
    start_all(N, write_both);
    start(N, read_both);
    join_all(N + 1);
    return 0;
}
