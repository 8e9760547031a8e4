/* Blocks of the heap have their names in a free run too. */
//@ output 9
//@ seeds 4
//@ free
//@ lines w4((new int).1. in make()=3)  1
//@ free-lines w4((new int).1. in make()=3)  1
//@ free-lines w4(.own#main.1:1 in worker()=6)  1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int *make(void) {
    return calloc(2, sizeof(int));
}

static void *worker(void *argument) {
    (void)argument;
    volatile int *own = malloc(sizeof *own);
    *own = 6;
    return (void *)own;
}

int main(void) {
    pthread_t thread;
    void *other;
    volatile int *mine = make();
    mine[1] = 3;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &other);
    printf("%d\n", mine[1] + *(volatile int *)other);
    return 0;
}
