/* A signal handler allocates. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static void *volatile kept;
static void handler(int number) {
#ifndef CLEAN
    kept = malloc((size_t)number);
#else
    (void)number;
#endif
}
static void *nothing(void *unused) {
    return unused;
}
int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, nothing, NULL);
    raise(SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
