/* truth: fails.  A join of a thread that has ended need not act on a pending cancellation. */
#include <assert.h>
#include <pthread.h>

static void *nothing(void *unused) {
    return unused;
}

static void *work(void *unused) {
    pthread_t child;
    pthread_create(&child, NULL, nothing, NULL);
    pthread_cancel(pthread_self());
    pthread_join(child, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
}
