// A signal that is sent to another thread is handled before any of its steps that follow.
//@ outcomes 0:0,0 0:0,1 0:1,1
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int hit, go;
int first, second;

static void handler(int number) {
    (void)number;
    hit = 1;
}

static void *work(void *unused) {
    first = hit;
    second = hit;
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    printf("%d,%d", first, second);
    return 0;
}
