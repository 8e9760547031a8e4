/* A thread locks a mutex that it holds, and no other thread waits for it. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *twice(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef CLEAN
    pthread_mutex_unlock(&lock);
#endif
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, twice, NULL);
    pthread_detach(thread);
    return 0;
}
