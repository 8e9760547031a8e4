/*
 * Main leaves by pthread_exit: the thread that ends last runs the handlers of exit, so which
 * one that is can be seen, though nothing else orders the ends.
 */
//@ outcomes 0:0 0:1 0:2
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int own;

static void handler(void) {
    printf("%d", own);
}

static void *set(void *number) {
    own = *(int *)number;
    return NULL;
}

int main(void) {
    static int numbers[] = {1, 2};
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, set, &numbers[0]);
    pthread_create(&thread, NULL, set, &numbers[1]);
    pthread_exit(NULL);
}
