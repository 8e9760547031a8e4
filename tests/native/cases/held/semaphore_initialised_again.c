#include "held.h"

sem_t s;
static void *f(void *x) {
    sem_post(&s);
    return 0;
}
static void *g(void *x) {
    sem_init(&s, 0, 0);
    return 0;
}
int main(void) {
    sem_init(&s, 0, 0);
    both(f, g);
    int v;
    sem_getvalue(&s, &v);
    assert(v == 1);
}
