// Neighbours in a word are not in each other's way; an access to both is.
//@ case | executions=1 naive
//@ case -DBOTH | executions=2 naive
#include <pthread.h>
#include <stddef.h>
#include <string.h>

_Alignas(8) struct {
    unsigned char a, b;
    short c;
} pair;

static void *left(void *unused) {
    pair.a = 1;
    return unused;
}

static void *right(void *unused) {
#ifdef BOTH
    memset(&pair, 0, sizeof pair);
#else
    pair.b = 1;
#endif
    pair.c = 2;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
