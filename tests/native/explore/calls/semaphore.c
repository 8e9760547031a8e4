// One unit: one waits for it, one tries and then looks.
//@ outcomes 0:0,0 0:-1,0 0:-1,1
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

sem_t units;

static void *borrow(void *unused) {
    sem_wait(&units);
    sem_post(&units);
    return unused;
}

int main(void) {
    pthread_t thread;
    int left;
    sem_init(&units, 0, 1);
    pthread_create(&thread, NULL, borrow, NULL);
    int got = sem_trywait(&units);
    sem_getvalue(&units, &left);
    if (!got)
        sem_post(&units);
    pthread_join(thread, NULL);
    printf("%d,%d", got, left);
    return 0;
}
