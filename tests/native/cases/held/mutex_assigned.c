#include "held.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, z = PTHREAD_MUTEX_INITIALIZER;
int in;
static void *f(void *x) {
    pthread_mutex_lock(&m);
    int n = __atomic_add_fetch(&in, 1, 5);
    assert(n == 1);
    __atomic_sub_fetch(&in, 1, 5);
    pthread_mutex_unlock(&m);
    return 0;
}
static void *g(void *x) {
    m = z;
    return f(x);
}
int main(void) {
    both(f, g);
}
