/* truth: fails.  The signal may be pending. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

sigset_t set;
atomic_int got;
void *work(void *unused) {
    int number = 0;
    sigset_t pending;
    sigpending(&pending);
    number = sigismember(&pending, SIGUSR1);
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
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(got == 0);
    return 0;
}
