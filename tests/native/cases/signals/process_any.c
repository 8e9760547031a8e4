/* truth: fails or shaky.  Any of the threads may handle the signal. */
#define _GNU_SOURCE
#include <assert.h>
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

pthread_t who;
void handle2(int number) {
    who = pthread_self();
}
void *work(void *unused) {
    kill(getpid(), SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    set(SIGUSR1, handle2, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(who == pthread_self());
    return 0;
}
