/* A semaphore is used that was never initialised. */
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static void *posts(void *unused) {
    sem_post(&semaphore);
    return unused;
}
int main(void) {
    pthread_t thread;
#ifdef CLEAN
    sem_init(&semaphore, 0, 0);
#endif
    pthread_create(&thread, NULL, posts, NULL);
    sem_wait(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
