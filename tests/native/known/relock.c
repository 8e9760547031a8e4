// expected: false(no-deadlock); with -DFIXED: true
// A function locks what its caller has locked.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void add(void) {
#ifndef FIXED
    pthread_mutex_lock(&lock);
#endif
    sum++;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
#endif
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    add();
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
