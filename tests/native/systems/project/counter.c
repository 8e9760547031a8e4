#include "counter.h"

#include <pthread.h>

enum { MOST = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counted;

static void *count(void *unused) {
#ifndef WRONG
    pthread_mutex_lock(&lock);
#endif
    counted++;
#ifndef WRONG
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int counter_count(int threads) {
    pthread_t thread[MOST];
    for (int i = 0; i < threads && i < MOST; i++)
        pthread_create(&thread[i], NULL, count, NULL);
    for (int i = 0; i < threads && i < MOST; i++)
        pthread_join(thread[i], NULL);
    return counted;
}
