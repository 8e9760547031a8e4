/* Loops that wait for a plain, a volatile and an atomic variable end. */
//@ free
//@ output ok
//@ cflags -O0
//@ timeout 30
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int plain;
static volatile int fickle;
static atomic_int atomic;

static void *worker(void *unused) {
    plain = 1;
    fickle = 1;
    atomic = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (!atomic)
        ;
    while (!fickle)
        ;
    while (!plain)
        ;
    pthread_join(thread, 0);
    puts("ok");
    return 0;
}
