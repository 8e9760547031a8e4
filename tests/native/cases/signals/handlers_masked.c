/* truth: right.  The masks of the handlers keep them away from each other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

pthread_t target;
int low, high;
void second(int number) {
    (void)number;
    assert(low == high);
}
void first(int number) {
    (void)number;
    low = 1;
    high = 1;
}
void *one(void *unused) {
    pthread_kill(target, SIGUSR1);
    return unused;
}
void *two(void *unused) {
    pthread_kill(target, SIGUSR2);
    return unused;
}
int main(void) {
    pthread_t a, b;
    struct sigaction action = {.sa_handler = first};
    target = pthread_self();
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = second;
    sigaction(SIGUSR2, &action, NULL);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
