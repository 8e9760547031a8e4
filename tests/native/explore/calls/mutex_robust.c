// A robust mutex whose holder ended: the next one is told, and may mend it or not.
//@ outcomes 0:0,0 0:130,0
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock;

static void *ends(void *unused) {
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
    int first = pthread_mutex_lock(&lock);
    if (first == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    int second = pthread_mutex_unlock(&lock);
    printf("%d,%d", first, second);
    pthread_join(thread, NULL);
    return 0;
}
