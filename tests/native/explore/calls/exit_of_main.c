// main leaves by pthread_exit, the last thread ends the process; or a thread calls exit.
//@ outcomes 0:a 3:
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

atomic_int x;

static void *set(void *unused) {
    x = 1;
    return unused;
}

static void *leave(void *unused) {
    if (x)
        exit(3);
    printf("a");
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, leave, NULL);
    pthread_exit(NULL);
}
