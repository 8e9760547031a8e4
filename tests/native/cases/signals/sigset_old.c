/* truth: right or shaky.  Functions of System V. */
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

void *work(void *main_thread) {
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    return NULL;
}
int main(void) {
    pthread_t t, self = pthread_self();
    sigset(SIGUSR1, handle);
    pthread_create(&t, NULL, work, &self);
    pthread_join(t, NULL);
    assert(hits == 1);
    return 0;
}
