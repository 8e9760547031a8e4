// A key's destructor runs at the end of its thread.
//@ outcomes 0:1 0:2
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

pthread_key_t key;
atomic_int destroyed, seen;

static void destroy(void *value) {
    destroyed = (int)(long)value;
}

static void *work(void *number) {
    pthread_setspecific(key, number);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, NULL, work, (void *)1);
    pthread_create(&b, NULL, work, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d", destroyed);
    return 0;
}
