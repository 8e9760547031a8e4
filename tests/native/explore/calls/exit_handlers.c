// Handlers of exit run while other threads go on.
//@ outcomes 0:a0e 0:a0f 0:a1f 0:b1f
//@ options --reset=fork
//@ outcomes 0:a0e 0:a0f 0:a1f 0:b1f
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

atomic_int x;

static void handler(void) {
    printf("%c", x ? '1' : '0');
    fflush(stdout);
}

static void with_status(int status, void *unused) {
    (void)unused;
    printf("%c", x ? 'b' + status : 'a' + status);
    fflush(stdout);
}

__attribute__((destructor)) static void last(void) {
    printf("%c", x ? 'f' : 'e');
    fflush(stdout);
}

static void *set(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    on_exit(with_status, NULL);
    pthread_create(&thread, NULL, set, NULL);
    return 0;
}
