/* A spin lock is used after it was destroyed. */
#include <pthread.h>
#include <semaphore.h>
static pthread_spinlock_t object;
int main(void) {
    pthread_spin_init(&object, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&object);
    pthread_spin_unlock(&object);
    pthread_spin_destroy(&object);
#ifdef CLEAN
    pthread_spin_init(&object, PTHREAD_PROCESS_PRIVATE);
#endif
    pthread_spin_lock(&object);
    pthread_spin_unlock(&object);
    return 0;
}
