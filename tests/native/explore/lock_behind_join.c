// A lock is taken behind a join: whatever the thread that ended came after is no rival for it.
//@ case | executions=3 naive
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
    atomic_fetch_add(&x, 1);
    return argument;
}

static void *first(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return add(argument);
}

static void *second(void *argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
