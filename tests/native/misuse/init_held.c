/* A mutex is initialised while a thread may hold it. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *adds(void *unused) {
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
#ifdef CLEAN
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, adds, NULL);
#else
    pthread_create(&thread, NULL, adds, NULL);
    pthread_mutex_init(&lock, NULL);
#endif
    pthread_join(thread, NULL);
    return 0;
}
