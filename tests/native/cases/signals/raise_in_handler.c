/* truth: right.  A handler raises another signal. */
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

atomic_int second;
void handle_second(int number) {
    second++;
}
void handle_first(int number) {
    raise(SIGUSR2);
    assert(second == 1);
}
void *work(void *unused) {
    raise(SIGUSR1);
    assert(second == 1);
    return unused;
}
int main(void) {
    pthread_t t;
    set(SIGUSR1, handle_first, 0);
    set(SIGUSR2, handle_second, 0);
    pthread_create(&t, NULL, work, NULL);
    hits++;
    pthread_join(t, NULL);
    return 0;
}
