// Both threads free a block that both found.
// word: explore --sv-comp=valid-memsafety = false(valid-free), 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void reach_error() {
}
_Atomic(int *) block;

static void *drop(void *unused) {
    int *mine = atomic_load(&block);
    atomic_store(&block, 0);
    free(mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    atomic_store(&block, malloc(sizeof(int)));
    pthread_create(&thread, 0, drop, 0);
    drop(0);
    pthread_join(thread, 0);
    return 0;
}
