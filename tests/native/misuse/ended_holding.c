/* A thread ends with a lock that it holds: a note. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *keeps(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef CLEAN
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, keeps, NULL);
    pthread_join(thread, NULL);
    return 0;
}
