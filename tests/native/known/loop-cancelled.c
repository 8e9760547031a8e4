// expected: false(no-deadlock); with -DFIXED: true
// A loop that waits is to be ended by a cancellation, which it never looks for.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int flag;

static void *waiter(void *unused) {
    while (!atomic_load(&flag)) {
#ifdef FIXED
        pthread_testcancel();
#endif
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
