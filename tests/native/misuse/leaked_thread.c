/* A thread has ended, and was neither joined nor detached: a note. */
#include <pthread.h>
#include <semaphore.h>
static sem_t done;
static void *posts(void *unused) {
    sem_post(&done);
    return unused;
}
int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, posts, NULL);
    sem_wait(&done);
#ifdef CLEAN
    pthread_join(thread, NULL);
#endif
    return 0;
}
