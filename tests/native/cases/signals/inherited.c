/* truth: right.  A thread inherits the mask of its creator. */
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

void *work(void *unused) {
    sigset_t pending;
    raise(SIGUSR1);
    sigpending(&pending);
    assert(sigismember(&pending, SIGUSR1) == 1);
    return unused;
}
int main(void) {
    pthread_t t;
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &block, NULL);
    pthread_create(&t, NULL, work, NULL);
    hits++;
    pthread_join(t, NULL);
    return 0;
}
