// A variable on a stack, or a thread-local one, that is used when it is gone; with -DGOOD while it
// is there.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *volatile place;
static volatile int seen;
static _Thread_local int own = 5;

static void look(void) {
    pthread_mutex_lock(&mutex);
    if (place)
        seen = *place;
    pthread_mutex_unlock(&mutex);
}

static void set(int *to) {
    pthread_mutex_lock(&mutex);
    place = to;
    pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static void publish(void) {
    volatile int local[200];
    local[0] = 3;
    set((int *)local);
#ifdef GOOD
    set(NULL);
#endif
}

static void *give(void *unused) {
#if defined LOCAL
    set(&own);
#elif defined ENDED
    int local = 4;
    set(&local);
#else
    publish();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
#ifdef GOOD
    set(NULL);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
#ifdef RETURNED
    look();
#endif
    pthread_join(thread, NULL);
#ifndef RETURNED
    look();
#endif
    return 0;
}
