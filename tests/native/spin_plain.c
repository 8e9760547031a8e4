/* A loop on a plain variable alone: others run now and then. */
//@ output ok
//@ cflags -O0
//@ timeout 60
//@ seeds 3
#include <pthread.h>
#include <stdio.h>

static int plain;

static void *worker(void *unused) {
    plain = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (!plain)
        ;
    pthread_join(thread, 0);
    puts("ok");
    return 0;
}
