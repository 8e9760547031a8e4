// expected: false(no-deadlock); with -DFIXED: true
// One way out of the function keeps the lock.
#include <heddle/mark.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (heddle_choose(0, 1)) {
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
        return unused;
    }
    sum++;
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
