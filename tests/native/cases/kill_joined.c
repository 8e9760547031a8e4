/* A thread is sent a signal before it ends, after that, or after it was joined, which fails. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int handled;
static pthread_t target, sender;

static void handle(int number) {
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static void *end(void *unused) {
    return unused;
}

static void *send_it(void *unused) {
    pthread_kill(target, SIGUSR1);
    return unused;
}

int main(void) {
    signal(SIGUSR1, handle);
    pthread_create(&target, NULL, end, NULL);
    pthread_create(&sender, NULL, send_it, NULL);
    pthread_join(target, NULL);
    pthread_join(sender, NULL);
    printf("%d\n", handled);
    return 0;
}
