#include "held.h"

pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
int in;
static void *f(void *x) {
    pthread_rwlock_wrlock(&m);
    int n = __atomic_add_fetch(&in, 1, 5);
    assert(n == 1);
    __atomic_sub_fetch(&in, 1, 5);
    pthread_rwlock_unlock(&m);
    return 0;
}
static void *g(void *x) {
    pthread_rwlock_init(&m, 0);
    return f(x);
}
int main(void) {
    both(f, g);
}
