// A program that names its error: an assertion elsewhere is an end, not the error.
// word: explore --sv-comp = true, 0, [annotations:assumptions]
// word: check --sv-comp = true, 0
// built: explore --sv-comp = true, 0, [annotations:assumptions]
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void reach_error() {
    assert(0);
}
atomic_int turn;

static void *move(void *unused) {
    atomic_store(&turn, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, move, 0);
    assert(atomic_load(&turn) == 0);
    if (atomic_load(&turn) > 1)
        reach_error();
    pthread_join(thread, 0);
    return 0;
}
