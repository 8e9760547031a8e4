// A thread that waits is cancelled, or is through before; its handler runs.
//@ outcomes 0:1,1 0:0,0
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

sem_t never;
int cleaned;

static void clean(void *unused) {
    (void)unused;
    cleaned = 1;
}

static void *work(void *unused) {
    pthread_cleanup_push(clean, NULL);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_post(&never);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%d,%d", result == PTHREAD_CANCELED, cleaned);
    return 0;
}
