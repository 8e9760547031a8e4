/* truth: right.  The usual thread for signals, sent to the process. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

sigset_t set;
atomic_int got;
void *work(void *unused) {
    int number = 0;
    sigwait(&set, &number);
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
    kill(getpid(), SIGTERM);
    pthread_join(t, NULL);
    assert(got == SIGTERM);
    return 0;
}
