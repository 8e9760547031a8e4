/* A detached thread gets a name, although it may have ended by then. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

static sem_t named;

static void *run(void *unused) {
#ifdef CLEAN
    sem_wait(&named);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&named, 0, 0);
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
    pthread_setname_np(thread, "worker");
    sem_post(&named);
    pthread_exit(NULL);
}
