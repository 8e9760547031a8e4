/* A thread that is not the first ends the program; handlers run. */
//@ status 3
//@ output bye
//@ exit 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void bye(void) {
    puts("bye");
}

static void *worker(void *unused) {
    exit(3);
    return unused;
}

int main(void) {
    atexit(bye);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    for (;;)
        sleep(1);
}
