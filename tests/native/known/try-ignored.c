// expected: false(no-data-race); with -DFIXED: true
// What trylock says is not looked at.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *work(void *unused) {
    int got = pthread_mutex_trylock(&lock) == 0;
#ifdef FIXED
    if (!got)
        return unused;
#endif
    sum++;
    if (got)
        pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
