// Mutexes with inherited priority, contended; unlocked by one who does not hold it.
//@ outcomes 0:2,0,1 0:2,16,1
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock;
int counter;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    int tried = pthread_mutex_trylock(&lock);
    if (!tried)
        pthread_mutex_unlock(&lock);
    int wrong = pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d,%d,%d", counter, tried, wrong);
    return 0;
}
