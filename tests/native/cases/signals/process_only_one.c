/* truth: right.  Only one thread has the signal unblocked. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

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
    kill(getpid(), SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    set(SIGUSR1, handle, 0);
    pthread_sigmask(SIG_BLOCK, &block, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_sigmask(SIG_UNBLOCK, &block, NULL);
    pthread_join(t, NULL);
    assert(hits == 1);
    return 0;
}
