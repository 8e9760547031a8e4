/* truth: fails.  The second signal finds the default action. */
#define _GNU_SOURCE
#include <errno.h>
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
    pthread_t t, u, self = pthread_self();
    set(SIGUSR1, handle, SA_RESETHAND);
    pthread_create(&t, NULL, work, &self);
    pthread_create(&u, NULL, work, &self);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
