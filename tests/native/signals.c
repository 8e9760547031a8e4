/* A signal to a thread, and one to the process. */
//@ output 2 ok
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int seen;

static void handler(int signal) {
    (void)signal;
    seen++;
}

static void *worker(void *unused) {
    while (seen < 2)
        usleep(10);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    signal(SIGUSR2, handler);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_kill(thread, SIGUSR1);
    kill(getpid(), SIGUSR2);
    pthread_join(thread, NULL);
    printf("%d ok\n", seen);
    return 0;
}
