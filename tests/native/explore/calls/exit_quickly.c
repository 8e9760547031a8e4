// Handlers of quick_exit, likewise.
//@ outcomes 0:0c 0:0d 0:1d
//@ options --reset=fork
//@ outcomes 0:0c 0:0d 0:1d
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

atomic_int x;

static void first(void) {
    printf("%c", x ? '1' : '0');
    fflush(stdout);
}

static void second(void) {
    printf("%c", x ? 'd' : 'c');
    fflush(stdout);
}

static void *set(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    at_quick_exit(second);
    at_quick_exit(first);
    pthread_create(&thread, NULL, set, NULL);
    quick_exit(0);
}
