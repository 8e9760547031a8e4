// A sum that is too large if the other thread was first.
// word: explore --sv-comp=no-overflow = false(no-overflow), 1
// witness: explore --sv-comp=no-overflow = 1 waypoint
// word: explore --sv-comp = true, 0
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

void reach_error() {
}
atomic_int most = INT_MAX - 1;

static void *raise_most(void *unused) {
    atomic_store(&most, INT_MAX);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, raise_most, 0);
    int next = atomic_load(&most) + 1;
    pthread_join(thread, 0);
    return next == 0;
}
