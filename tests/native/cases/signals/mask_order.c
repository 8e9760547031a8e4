/* truth: fails.  The signal may come before main blocks it. */
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

atomic_int section;
void handle2(int number) {
    assert(!section);
}
void *work(void *main_thread) {
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    return NULL;
}
int main(void) {
    pthread_t t, self = pthread_self();
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    set(SIGUSR1, handle2, 0);
    pthread_create(&t, NULL, work, &self);
    section = 1;
    pthread_sigmask(SIG_BLOCK, &block, NULL);
    section = 0;
    pthread_sigmask(SIG_UNBLOCK, &block, NULL);
    pthread_join(t, NULL);
    return 0;
}
