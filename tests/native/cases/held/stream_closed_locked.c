#include "held.h"

FILE *s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *x) {
    pthread_mutex_lock(&m);
    if (s)
        fclose(s);
    s = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
static void *g(void *x) {
    pthread_mutex_lock(&m);
    if (s)
        fputs("x", s);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    s = fopen("/dev/null", "w");
    both(f, g);
}
