// One signal, two waiters: either may be woken, and only the second one fails.
//@ case | violations=some naive
//@ finds (choice 2 of 2)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int waiting;

static void *waiter(void *second) {
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_wait(&changed, &lock);
    assert(!second);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waiter, NULL);
    pthread_create(&threads[1], NULL, waiter, &lock);
    pthread_mutex_lock(&lock);
    if (waiting == 2)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}
