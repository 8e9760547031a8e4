/* A spin lock that is not held is unlocked. */
#include <pthread.h>
static pthread_spinlock_t lock;
static void *other(void *unused) {
#ifdef CLEAN
    pthread_spin_lock(&lock);
#endif
    pthread_spin_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    pthread_spin_destroy(&lock);
    return 0;
}
