#include "held.h"

pthread_spinlock_t m;
int in;
static void *f(void *x) {
    pthread_spin_lock(&m);
    int n = __atomic_add_fetch(&in, 1, 5);
    assert(n == 1);
    __atomic_sub_fetch(&in, 1, 5);
    pthread_spin_unlock(&m);
    return 0;
}
static void *g(void *x) {
    pthread_spin_init(&m, 0);
    return f(x);
}
int main(void) {
    pthread_spin_init(&m, 0);
    both(f, g);
}
