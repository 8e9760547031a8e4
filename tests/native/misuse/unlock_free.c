/* A mutex is unlocked twice, if the flag was seen. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static void *sets(void *unused) {
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sets, NULL);
    pthread_mutex_lock(&lock);
    int seen = flag;
    pthread_mutex_unlock(&lock);
#ifdef CLEAN
    seen = 0;
#endif
    if (seen)
        pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
