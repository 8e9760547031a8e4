/* Settings that do not show.  truth: clean. */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static void *other(void *unused) {
    free(malloc(100));
    return unused;
}

int main(void) {
    pthread_t thread;
    mallopt(M_ARENA_MAX, 1);
    pthread_create(&thread, NULL, other, NULL);
    other(NULL);
    pthread_join(thread, NULL);
}
