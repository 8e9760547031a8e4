/* truth: fails.  The handler may run between the load and the store of its own thread. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

int count;
atomic_int ran;
void handle(int number) {
    (void)number;
    count++;
    ran = 1;
}
void *work(void *unused) {
    count++;
    return unused;
}
int main(void) {
    pthread_t target;
    signal(SIGUSR1, handle);
    pthread_create(&target, NULL, work, NULL);
    pthread_kill(target, SIGUSR1);
    pthread_join(target, NULL);
    assert(!ran || count == 2);
    return 0;
}
