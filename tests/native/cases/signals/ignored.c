/* truth: right.  SIGPIPE is ignored before threads are made. */
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

atomic_int x;
void *work(void *unused) {
    x++;
    raise(SIGPIPE);
    return unused;
}
int main(void) {
    pthread_t t;
    signal(SIGPIPE, SIG_IGN);
    pthread_create(&t, NULL, work, NULL);
    x++;
    pthread_join(t, NULL);
    return 0;
}
