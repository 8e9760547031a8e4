// A thread has ended, or not yet.
//@ outcomes 0:0 0:16
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int x;

static void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int ended = pthread_tryjoin_np(thread, NULL);
    if (ended)
        pthread_join(thread, NULL);
    printf("%d", ended);
    return 0;
}
