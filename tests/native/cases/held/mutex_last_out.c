/* The last one out destroys it. */
#include "held.h"

struct o {
    pthread_mutex_t m;
    int n;
} * o;
static void *f(void *x) {
    pthread_mutex_lock(&o->m);
    int n = --o->n;
    pthread_mutex_unlock(&o->m);
    if (!n) {
        pthread_mutex_destroy(&o->m);
        free(o);
    }
    return 0;
}
int main(void) {
    o = malloc(sizeof *o);
    pthread_mutex_init(&o->m, 0);
    o->n = 2;
    both(f, f);
}
