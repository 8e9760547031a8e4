/* Nothing races, but a thread still waits: that is undefined. */
#include "held.h"

pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int waits, go;
static void *f(void *x) {
    pthread_mutex_lock(&m);
    waits = 1;
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}
static void *g(void *x) {
    pthread_mutex_lock(&m);
    if (waits) {
        pthread_cond_destroy(&c);
        pthread_cond_init(&c, 0);
    }
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    both(f, g);
}
