/* The same, to a static variable.  truth: fails or shaky. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static div_t parts;

static void *other(void *unused) {
    parts = div(7, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int seen = parts.quot;
    pthread_join(thread, NULL);
    assert(!seen);
}
