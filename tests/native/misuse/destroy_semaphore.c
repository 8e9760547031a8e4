/* A semaphore is destroyed while a thread waits for it. */
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static int here;
static void *waiter(void *unused) {
    __atomic_store_n(&here, 1, __ATOMIC_SEQ_CST);
    sem_wait(&semaphore);
    return unused;
}
int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, waiter, NULL);
#ifdef CLEAN
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    sem_destroy(&semaphore);
#else
    if (__atomic_load_n(&here, __ATOMIC_SEQ_CST))
        sem_destroy(&semaphore);
    else {
        sem_post(&semaphore);
        pthread_join(thread, NULL);
    }
#endif
    return 0;
}
