/* truth: right.  A thread that waits in sigwait is cancelled there. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

sigset_t set;
void *work(void *unused) {
    int number;
    sigwait(&set, &number);
    return unused;
}
int main(void) {
    pthread_t t;
    void *result;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
