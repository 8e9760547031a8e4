// A block is freed when its reader has not been joined: each run that is not unlucky ends well.
// With -DGOOD it is freed after that.  -DATOMIC: what is read there is atomic.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int key;
    int value;
    atomic_int count;
} node;

static node *shared;
static int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *read_it(void *unused) {
    pthread_mutex_lock(&mutex);
    node *it = shared;
    pthread_mutex_unlock(&mutex);
    if (it)
#ifdef ATOMIC
        sum += atomic_load(&it->count);
#else
        sum += it->value;
#endif
    return unused;
}

int main(void) {
    pthread_t reader;
    node *it = calloc(1, sizeof *it);
    it->value = 2;
    shared = it;
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_mutex_lock(&mutex);
    shared = NULL;
    pthread_mutex_unlock(&mutex);
#ifdef GOOD
    pthread_join(reader, NULL);
#endif
    free(it);
#ifndef GOOD
    pthread_join(reader, NULL);
#endif
    return 0;
}
