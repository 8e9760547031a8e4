// A program that names no error: its assertions are the errors.
// word: explore --sv-comp = false(unreach-call), 1
// word: explore --sv-comp=no-data-race = true, 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;

static void *move(void *unused) {
    atomic_store(&turn, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, move, 0);
    assert(atomic_load(&turn) == 0);
    pthread_join(thread, 0);
    return 0;
}
