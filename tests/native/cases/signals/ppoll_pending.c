/* truth: right.  ppoll unblocks the signal and waits, in one step. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
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
    int got = ppoll(NULL, 0, NULL, &old);
    assert(got == -1 && errno == EINTR && hits == 1);
    pthread_join(t, NULL);
    return 0;
}
