#include "held.h"

pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int go;
static void *f(void *x) {
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}
static void *g(void *x) {
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
static void *h(void *x) {
    pthread_cond_destroy(&c);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, h, 0);
    both(f, g);
    pthread_join(a, 0);
}
