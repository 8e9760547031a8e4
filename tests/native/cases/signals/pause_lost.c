/* truth: fails.  The signal may come before pause: then it waits for ever. */
#define _GNU_SOURCE
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
    set(SIGUSR1, handle, 0);
    pthread_create(&t, NULL, work, NULL);
    if (!hits)
        pause();
    pthread_join(t, NULL);
    return 0;
}
