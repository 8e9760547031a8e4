// Double-checked locking that publishes the object before it is whole; N users.
#include "find.h"
#ifndef N
#define N 3
#endif
typedef struct {
    atomic_int a, b;
} object;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static object made;
static object *_Atomic shown;

static object *get(void) {
    object *found = atomic_load(&shown);
    if (found)
        return found;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&shown)) {
        atomic_store(&made.a, 1);
        atomic_store(&shown, &made); // wrong: before b
        atomic_store(&made.b, 2);
    }
    pthread_mutex_unlock(&lock);
    return atomic_load(&shown);
}

static void *use(void *argument) {
    (void)argument;
    object *own = get();
    assert(atomic_load(&own->a) + atomic_load(&own->b) == 3);
    return NULL;
}

int main(void) {
    start_all(N, use);
    join_all(N);
    return 0;
}
