/* A mutex is destroyed while a thread may hold it. */
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
    pthread_create(&thread, NULL, adds, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&lock);
#else
    pthread_mutex_destroy(&lock);
    pthread_join(thread, NULL);
#endif
    return 0;
}
