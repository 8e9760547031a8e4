/* truth: right.  A watchdog without a handler. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void *work(void *unused) {
    x++;
    return unused;
}
int main(void) {
    pthread_t t;
    alarm(600);
    pthread_create(&t, NULL, work, NULL);
    x++;
    pthread_join(t, NULL);
    return 0;
}
