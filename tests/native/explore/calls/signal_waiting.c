// A thread that waits handles a signal, and waits on: here the handler posts what it waits for.
//@ outcomes 0:1
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

sem_t units;
int hits;

static void handler(int number) {
    (void)number;
    hits++;
    sem_post(&units);
}

static void *work(void *unused) {
    while (sem_wait(&units) != 0)
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    sem_init(&units, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    printf("%d", hits);
    return 0;
}
