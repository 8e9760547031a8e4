/* truth: right.  The signal is pending when sigsuspend begins. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

atomic_int hits;
void handle(int number) {
    (void)number;
    hits++;
}
void set(int number, void (*to)(int), int flags) {
    struct sigaction action = {.sa_handler = to, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

pthread_t waiter;
void *work(void *unused) {
    pthread_kill(waiter, SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    sigset_t block, old;
    waiter = pthread_self();
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &block, &old);
    set(SIGUSR1, handle, 0);
    pthread_create(&t, NULL, work, NULL);
    raise(SIGUSR1);
    sigsuspend(&old);
    assert(hits >= 1);
    pthread_join(t, NULL);
    return 0;
}
