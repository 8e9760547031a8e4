/* truth: right.  The handler changes a variable where the thread is about to call a function of the
 * C library that keeps something. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int handled;
static int drawn[2];

static void handle(int number) {
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static void *work(void *unused) {
    drawn[0] = rand();
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    drawn[1] = rand();
    pthread_join(thread, NULL);
    return handled > 1;
}
