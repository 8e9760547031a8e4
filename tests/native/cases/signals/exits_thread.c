/* truth: right.  A thread calls exit. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
void *work(void *unused) {
    x++;
    exit(0);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    x++;
    pthread_join(t, NULL);
    return 0;
}
