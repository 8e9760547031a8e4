/* The same, through a pointer.  truth: fails or shaky. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *other(void *where) {
    div_t *parts = where;
    *parts = div(7, 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *parts = calloc(2, sizeof *parts);
    pthread_create(&thread, NULL, other, parts);
    int seen = *parts;
    pthread_join(thread, NULL);
    assert(!seen);
}
