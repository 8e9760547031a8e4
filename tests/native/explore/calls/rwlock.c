// A reader and a writer, and a try of each kind.
//@ outcomes 0:0,0,0 0:1,0,0 0:0,16,16 0:0,0,16 0:0,16,0
#include <pthread.h>
#include <stdio.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value, seen;

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_rwlock_rdlock(&lock);
    seen = value;
    pthread_rwlock_unlock(&lock);
    int reading = pthread_rwlock_tryrdlock(&lock);
    if (!reading)
        pthread_rwlock_unlock(&lock);
    int writing = pthread_rwlock_trywrlock(&lock);
    if (!writing)
        pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d,%d,%d", seen, reading, writing);
    return 0;
}
