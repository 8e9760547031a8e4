#include "held.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, z;
static void *f(void *x) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
static void *g(void *x) {
    memcpy(&z, &m, sizeof m);
    assert(pthread_mutex_trylock(&z) == 0);
    return 0;
}
int main(void) {
    both(f, g);
}
