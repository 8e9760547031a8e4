/* truth: fails.  The thread may still be there: the signal kills the process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

void *work(void *unused) {
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
