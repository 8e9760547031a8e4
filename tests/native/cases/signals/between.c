/* truth: fails.  The handler may run between the two writes of its own thread. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

pthread_t target;
int low, high;
void handle(int number) {
    (void)number;
    assert(low == high);
}
void *work(void *unused) {
    low = 1;
    high = 1;
    return unused;
}
int main(void) {
    signal(SIGUSR1, handle);
    pthread_create(&target, NULL, work, NULL);
    pthread_kill(target, SIGUSR1);
    pthread_join(target, NULL);
    return 0;
}
