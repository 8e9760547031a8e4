// Who comes last at a barrier is told so.
//@ outcomes 0:01 0:10
#include <pthread.h>
#include <stdio.h>

pthread_barrier_t barrier;
int last[2];

static void *arrive(void *number) {
    last[(long)number] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, arrive, (void *)0);
    pthread_create(&b, NULL, arrive, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d%d", last[0], last[1]);
    return 0;
}
