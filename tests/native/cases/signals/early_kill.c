/* truth: fails.  The signal may come before its handler is set, and kill the process. */
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

void *work(void *main_thread) {
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    return NULL;
}
int main(void) {
    pthread_t t, self = pthread_self();
    pthread_create(&t, NULL, work, &self);
    set(SIGUSR1, handle, 0);
    pthread_join(t, NULL);
    return 0;
}
