#include "held.h"

sem_t s;
int n;
static void *f(void *x) {
    sem_wait(&s);
    n++;
    sem_post(&s);
    return 0;
}
int main(void) {
    sem_init(&s, 0, 1);
    both(f, f);
    sem_destroy(&s);
    assert(n == 2);
}
