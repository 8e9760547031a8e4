/* Plain accesses are interleaved too: an update gets lost. */
//@ outputs 2
//@ record -a
//@ seeds 30
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *worker(void *unused) {
    for (int i = 0; i < 5; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", counter);
    return 0;
}
