// Memory that is used wrongly: one way at a time, by the schedule (the thread that runs first finds
// another size, or a pointer that is gone), and with -DGOOD the same program that is right.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static int index_ = 9, variable; /* 9: the last element */
static volatile int seen;

static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
#if defined USE_AFTER_FREE
    if (block)
        seen = block[3];
#elif defined DOUBLE_FREE
    free(block);
    block = NULL;
#elif defined BAD_FREE
    free(block + index_ - 9);
    block = NULL;
#elif defined BAD_FREE_VARIABLE
    if (index_ == 10)
        free(&variable);
#elif defined BAD_FREE_STACK
    int local[4];
    void *volatile inside = local;
    if (index_ == 10)
        free(inside);
#elif defined OVERFLOW
    block[index_] = 1;
#elif defined OVERFLOW_WORD
    if (index_ == 10)
        *(volatile long *)(block + 8) = 1;
#elif defined OVERFLOW_SET
    memset(block, 0, (size_t)index_ + 1);
#elif defined UNDERFLOW
    seen = block[9 - index_];
#elif defined REALLOC
    if (block)
        seen = block[3];
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *change(void *unused) {
    pthread_mutex_lock(&mutex);
#if defined USE_AFTER_FREE || defined DOUBLE_FREE
    free(block);
#ifdef GOOD
    block = NULL;
#endif
#elif defined REALLOC
    char *other = realloc(block, 100);
#ifdef GOOD
    block = other;
#else
    free(other);
#endif
#elif !defined GOOD
    index_ = 10;
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    block = malloc(10);
    memset(block, 0, 10);
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
