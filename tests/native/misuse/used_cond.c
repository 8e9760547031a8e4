/* A condition variable is used after it was destroyed. */
#include <pthread.h>
#include <semaphore.h>
static pthread_cond_t object;
int main(void) {
    pthread_cond_init(&object, NULL);
    pthread_cond_signal(&object);
    pthread_cond_destroy(&object);
#ifdef CLEAN
    pthread_cond_init(&object, NULL);
#endif
    pthread_cond_signal(&object);
    return 0;
}
