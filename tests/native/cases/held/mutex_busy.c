/* A mutex that is locked is not destroyed: EBUSY. */
#include "held.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *x) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
static void *g(void *x) {
    assert(!pthread_mutex_destroy(&m));
    return 0;
}
int main(void) {
    both(f, g);
}
