/* truth: right or shaky.  A signal to the group of processes. */
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
    kill(0, SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    set(SIGUSR1, handle, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(hits == 1);
    return 0;
}
