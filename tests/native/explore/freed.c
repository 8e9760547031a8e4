// Memory that is used when another thread has freed it, or freed twice, in every way; and where
// it is not: after a join, or under a lock.
//@ case -DREAD | violations=some races=1
//@ case -DCOPY | violations=some races=1
//@ case -DLENGTH | violations=some races=1 only=sdpor
//@ case -DATOMIC | violations=some races=1
//@ case -DLOCK | violations=some
//@ case -DLATE | violations=some
//@ case -DTWICE | violations=some races=1
//@ case -DMOVED | violations=some races=2
//@ case -DALONE | violations=some
//@ case -DLOCKED | violations=some
//@ case -DRIGHT | executions=2 naive
//@ case -DCOUNTED | executions=2 naive
//@ finds use after free: read of 4 bytes of a block of 64, freed by main.2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    int value;
    atomic_int count;
    char text[16];
    pthread_mutex_t mutex;
} block;

static block *shared;
static int *numbers, seen;
static char copy[64];
static atomic_int other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused) {
#if defined READ
    seen = *numbers;
#elif defined COPY
    memcpy(copy, numbers, 64);
#elif defined LENGTH
    seen = (int)strlen(shared->text);
#elif defined ATOMIC
    atomic_fetch_add(&shared->count, 1);
#elif defined LOCK
    pthread_mutex_lock(&shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
#elif defined LATE /* nothing but the memory itself orders the two */
    pthread_mutex_lock(&shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
#elif defined TWICE
    free(shared);
#elif defined MOVED
    seen = *numbers;
#elif defined LOCKED
    pthread_mutex_lock(&mutex);
    seen = *numbers;
    pthread_mutex_unlock(&mutex);
#elif defined RIGHT
    pthread_mutex_lock(&mutex);
    if (shared)
        seen = shared->value;
    pthread_mutex_unlock(&mutex);
#elif defined COUNTED
    if (atomic_fetch_sub(&shared->count, 1) == 1)
        free(shared);
#endif
    return unused;
}

static void *release(void *unused) {
#if defined MOVED
    numbers = realloc(numbers, 256);
#elif defined LOCKED
    pthread_mutex_lock(&mutex);
    free(numbers);
    pthread_mutex_unlock(&mutex);
#elif defined RIGHT
    pthread_mutex_lock(&mutex);
    free(shared);
    shared = NULL;
    pthread_mutex_unlock(&mutex);
#elif defined COUNTED
    if (atomic_fetch_sub(&shared->count, 1) == 1)
        free(shared);
#elif defined READ || defined COPY
    free(numbers);
#elif defined LATE
    atomic_fetch_add(&other, 1);
    free(shared);
#else
    free(shared);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    numbers = malloc(64);
    *numbers = 5;
    shared = calloc(1, sizeof *shared);
    shared->count = 2;
    strcpy(shared->text, "text");
    pthread_mutex_init(&shared->mutex, NULL);
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, release, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#if defined ALONE
    seen = shared->value;
#endif
    return seen < 0;
}
