/* truth: fails.  A handler may run between the two writes of another one of the same thread. */
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
    target = pthread_self();
    signal(SIGUSR1, first);
    signal(SIGUSR2, second);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
