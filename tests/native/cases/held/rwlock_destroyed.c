#include "held.h"

pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
static void *f(void *x) {
    pthread_rwlock_rdlock(&m);
    pthread_rwlock_unlock(&m);
    return 0;
}
static void *g(void *x) {
    pthread_rwlock_destroy(&m);
    return 0;
}
int main(void) {
    both(f, g);
}
