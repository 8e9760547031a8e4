// Consumers that test their condition once and not again: another may have taken the item.
#include "find.h"
#ifndef N
#define N 3
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    if (!items) // wrong: while
        pthread_cond_wait(&changed, &lock);
    items--;
    assert(items >= 0);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *produce(void *argument) {
    (void)argument;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    start_all(N, consume);
    start(N, produce);
    join_all(N + 1);
    return 0;
}
