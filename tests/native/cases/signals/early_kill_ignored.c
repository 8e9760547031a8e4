/* truth: fails.  The signal may come before it is ignored. */
#define _GNU_SOURCE
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
    raise(SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    signal(SIGUSR1, SIG_IGN);
    pthread_join(t, NULL);
    return 0;
}
