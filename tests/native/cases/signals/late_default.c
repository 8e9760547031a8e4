/* truth: fails.  A thread sets the default action again, and the signal may come after it. */
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

void *work(void *unused) {
    signal(SIGUSR1, SIG_DFL);
    return unused;
}
void *sender(void *unused) {
    kill(getpid(), SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t, u;
    set(SIGUSR1, handle, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, sender, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
