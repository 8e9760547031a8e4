/* A mutex is locked that was never initialised: what is there is not a mutex. */
#include <pthread.h>
#include <string.h>
static pthread_mutex_t lock;
int main(void) {
    memset(&lock, 0xbe, sizeof lock);
#ifdef CLEAN
    pthread_mutex_init(&lock, NULL);
#endif
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
