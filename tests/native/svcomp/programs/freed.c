// A block that one thread frees while the other uses it.
// word: explore --sv-comp=valid-memsafety = false(valid-deref), 1
// word: check --sv-comp=valid-memsafety = false(valid-deref), 1
// witness: explore --sv-comp=valid-memsafety = 1 waypoint
#include <pthread.h>
#include <stdlib.h>

void reach_error() {
}
int *block;

static void *use(void *unused) {
    *block = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(sizeof *block);
    pthread_create(&thread, 0, use, 0);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
