/* Many threads, one after the other and detached: stacks are given back. */
//@ output 2000 ok
//@ seeds 2
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t finished;
static int count;

static void *worker(void *unused) {
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    sem_post(&finished);
    return unused;
}

int main(void) {
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&detached, 1 << 20);
    sem_init(&finished, 0, 0);
    for (int i = 0; i < 2000; i++) {
        pthread_t thread;
        pthread_create(&thread, i % 2 ? &detached : NULL, worker, NULL);
        if (i % 2 == 0)
            pthread_join(thread, NULL);
    }
    for (int i = 0; i < 2000; i++)
        sem_wait(&finished);
    printf("%d ok\n", count);
    return 0;
}
