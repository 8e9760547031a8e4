/* truth: fails.  The signal need not be there when the time is up. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

sigset_t set;
atomic_int got;
void *work(void *unused) {
    int number = 0;
    number = sigtimedwait(&set, NULL, &(struct timespec){0, 0});
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
    assert(got == SIGUSR1);
    return 0;
}
