# What helps if threads wait for each other depends on what they wait for.
cat >waits.c <<END
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *work(void *unused) {
#ifdef LOST
    pthread_mutex_lock(&a);
    pthread_cond_wait(&c, &a);
    pthread_mutex_unlock(&a);
#else
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#endif
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    pthread_mutex_lock(&a);
#ifdef LOST
    pthread_cond_signal(&c);
#else
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
#endif
    pthread_mutex_unlock(&a);
    pthread_join(other, NULL);
    return 0;
}
END
heddle check waits.c | grep -A3 'what helps'
heddle check --flag=-DLOST waits.c | grep -A3 'what helps'
