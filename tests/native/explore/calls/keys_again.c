// A destructor that sets its key again runs again; destructors of two threads in either order.
//@ outcomes 0:12 0:21
#include <pthread.h>
#include <stdio.h>

pthread_key_t key;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int order;

static void destroy(void *value) {
    long number = (long)value;
    if (number > 10) {
        pthread_setspecific(key, (void *)(number - 10));
        return;
    }
    pthread_mutex_lock(&lock);
    order = order * 10 + (int)number;
    pthread_mutex_unlock(&lock);
}

static void *work(void *number) {
    pthread_setspecific(key, number);
    return pthread_getspecific(key) == number ? NULL : &key;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, NULL, work, (void *)11);
    pthread_create(&b, NULL, work, (void *)12);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_key_delete(key);
    printf("%d", order);
    return 0;
}
