/* A barrier is used after it was destroyed. */
#include <pthread.h>
#include <semaphore.h>
static pthread_barrier_t object;
int main(void) {
    pthread_barrier_init(&object, NULL, 1);
    pthread_barrier_wait(&object);
    pthread_barrier_destroy(&object);
#ifdef CLEAN
    pthread_barrier_init(&object, NULL, 1);
#endif
    pthread_barrier_wait(&object);
    return 0;
}
