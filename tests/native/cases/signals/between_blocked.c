/* truth: right.  The signal is blocked between the two writes. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

pthread_t target;
int low, high;
void handle(int number) {
    (void)number;
    assert(low == high);
}
void *work(void *unused) {
    pthread_kill(target, SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    target = pthread_self();
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    pthread_sigmask(SIG_BLOCK, &block, NULL);
    low = 1;
    high = 1;
    pthread_sigmask(SIG_UNBLOCK, &block, NULL);
    pthread_join(t, NULL);
    return 0;
}
