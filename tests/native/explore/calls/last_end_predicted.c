/*
 * Main leaves by pthread_exit, with no handlers of exit: the process ends with the step of the
 * thread that is the last, which in another order ends nothing but the thread.  Runs are predicted
 * from earlier ones all the same, by every algorithm.
 */
//@ outcomes 0:
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *lock_it(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, lock_it, NULL);
    pthread_create(&second, NULL, nothing, NULL);
    pthread_join(second, NULL);
    pthread_exit(NULL);
}
