/* truth: right or shaky.  The value of a queued signal. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

sigset_t set;
atomic_int got;
void *work(void *unused) {
    siginfo_t info;
    sigwaitinfo(&set, &info);
    got = info.si_value.sival_int;
    return unused;
}
int main(void) {
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, NULL);
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 7});
    pthread_join(t, NULL);
    assert(got == 7);
    return 0;
}
