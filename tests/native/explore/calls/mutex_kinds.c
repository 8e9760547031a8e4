// Mutexes of every kind: again by the holder, and a try while another may hold it.
//@ outcomes 0:0,35,0,16 0:0,35,0,0
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t recursive, checked, normal = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&normal);
    pthread_mutex_unlock(&normal);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &kind);
    pthread_t thread;
    pthread_create(&thread, NULL, holder, NULL);
    pthread_mutex_lock(&recursive);
    int again = pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_lock(&checked);
    int wrong = pthread_mutex_lock(&checked);
    int right = pthread_mutex_unlock(&checked);
    int taken = pthread_mutex_trylock(&normal);
    if (!taken)
        pthread_mutex_unlock(&normal);
    pthread_join(thread, NULL);
    printf("%d,%d,%d,%d", again, wrong, right, taken);
    return 0;
}
