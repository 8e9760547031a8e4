#include "held.h"

pthread_once_t o = PTHREAD_ONCE_INIT;
int n;
static void init(void) {
    n++;
}
static void *f(void *x) {
    pthread_once(&o, init);
    return 0;
}
static void *g(void *x) {
    o = (pthread_once_t)PTHREAD_ONCE_INIT;
    pthread_once(&o, init);
    return 0;
}
int main(void) {
    both(f, g);
    assert(n == 1);
}
