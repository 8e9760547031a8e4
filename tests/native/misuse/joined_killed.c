/* A signal is sent to a thread that was joined. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

static void *run(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
#ifdef CLEAN
    pthread_kill(thread, 0);
    pthread_join(thread, NULL);
#else
    pthread_join(thread, NULL);
    pthread_kill(thread, 0);
#endif
    return 0;
}
