// What the programs of this folder share: threads by number.  With TAIL each thread adds to a word
// so many times after all else: then a search that goes depth first has all orders of these
// additions to go through before it comes to others.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef TAIL
#define TAIL 0
#endif

enum { FIND_MOST = 17 };
static pthread_t find_threads[FIND_MOST];
static void *(*find_bodies[FIND_MOST])(void *);
static atomic_int find_tail;

static inline void *find_body(void *argument) {
    find_bodies[(intptr_t)argument](argument);
    for (int i = 0; i < TAIL; i++)
        atomic_fetch_add(&find_tail, 1);
    return NULL;
}

static inline void start(int number, void *(*body)(void *)) {
    find_bodies[number] = body;
    if (pthread_create(&find_threads[number], NULL, find_body, (void *)(intptr_t)number) != 0)
        abort();
}

static inline void start_all(int count, void *(*body)(void *)) {
    for (int i = 0; i < count; i++)
        start(i, body);
}

static inline void join_all(int count) {
    for (int i = 0; i < count; i++)
        pthread_join(find_threads[i], NULL);
}

static inline int number_of(void *argument) {
    return (int)(intptr_t)argument;
}
