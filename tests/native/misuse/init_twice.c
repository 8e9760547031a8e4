/* A static mutex is initialised a second time. */
#include <pthread.h>
static pthread_mutex_t lock;
int main(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#ifdef CLEAN
    pthread_mutex_destroy(&lock);
#endif
    pthread_mutex_init(&lock, NULL);
    return 0;
}
