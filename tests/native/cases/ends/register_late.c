/* truth: fails.  The thread registers the handler before main, which read earlier, looks for
 * handlers. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int registered;
static int seen;

static void handle(void) {
    if (!seen)
        _exit(7);
}

static void *work(void *unused) {
    atexit(handle);
    registered = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    seen = registered;
    return 0;
}
