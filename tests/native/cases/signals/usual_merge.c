/* truth: fails.  Two signals of the usual sort may become one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

sigset_t set;
void *work(void *unused) {
    int number;
    for (int i = 0; i < 2; i++)
        sigwait(&set, &number);
    return unused;
}
int main(void) {
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
