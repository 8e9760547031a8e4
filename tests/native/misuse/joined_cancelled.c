/* A thread is cancelled that was joined. */
#define _GNU_SOURCE
#include <pthread.h>

static void *run(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
#ifdef CLEAN
    pthread_cancel(thread);
    pthread_join(thread, NULL);
#else
    pthread_join(thread, NULL);
    pthread_cancel(thread);
#endif
    return 0;
}
