/* A semaphore is used after it was destroyed. */
#include <pthread.h>
#include <semaphore.h>
static sem_t object;
int main(void) {
    sem_init(&object, 0, 2);
    sem_wait(&object);
    sem_destroy(&object);
#ifdef CLEAN
    sem_init(&object, 0, 2);
#endif
    sem_wait(&object);
    return 0;
}
