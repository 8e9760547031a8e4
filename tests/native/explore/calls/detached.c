// A thread that nobody joins, made so or detached later; main goes first by pthread_exit.
//@ outcomes 0:12 0:21
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int order, ended;

static void *work(void *number) {
    pthread_mutex_lock(&lock);
    order = order * 10 + (int)(long)number;
    if (++ended == 2)
        printf("%d", order);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t kind;
    pthread_attr_init(&kind);
    pthread_attr_setdetachstate(&kind, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &kind, work, (void *)1);
    pthread_create(&thread, NULL, work, (void *)2);
    pthread_detach(thread);
    pthread_exit(NULL);
}
