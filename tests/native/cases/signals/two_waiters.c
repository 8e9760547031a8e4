/* truth: fails.  Which of two threads takes a signal of the process is not known. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

sigset_t set;
atomic_int first;
void *work(void *number) {
    int got = 0;
    sigwait(&set, &got);
    if (!first)
        first = (int)(long)number;
    return NULL;
}
int main(void) {
    pthread_t t, u;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, (void *)1);
    pthread_create(&u, NULL, work, (void *)2);
    kill(getpid(), SIGUSR1);
    while (!first)
        sched_yield();
    assert(first == 1);
    exit(0);
}
