// expected: false(unreach-call); with -DFIXED: true
// The balance is checked in one locked section and changed in another.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

static void *draw(void *unused) {
    pthread_mutex_lock(&lock);
    int enough = balance >= 10;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (enough)
        balance -= 10;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, draw, NULL);
    pthread_create(&b, NULL, draw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance >= 0);
    return 0;
}
