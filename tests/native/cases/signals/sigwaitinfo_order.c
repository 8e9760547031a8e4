/* truth: fails.  Of two signals either may come first. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

sigset_t set;
atomic_int got;
void *work(void *unused) {
    int number = 0;
    siginfo_t info;
    number = sigwaitinfo(&set, &info);
    got = number;
    return unused;
}
int main(void) {
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGTERM);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(got == SIGTERM);
    return 0;
}
