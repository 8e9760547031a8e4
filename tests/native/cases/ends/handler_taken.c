/* truth: fails.  Two threads end the process: either takes the handler. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local int second;

static void handle(void) {
    if (second)
        _exit(7);
}

static void *work(void *unused) {
    second = 1;
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handle);
    pthread_create(&thread, NULL, work, NULL);
    exit(0);
}
