/* What new memory has in it.  truth: fails or shaky. */
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

static void *other(void *unused) {
    mallopt(M_PERTURB, 0x55);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    unsigned char *block = malloc(64);
    int seen = block[40];
    pthread_join(thread, NULL);
    assert(seen != (0x55 ^ 0xff));
}
