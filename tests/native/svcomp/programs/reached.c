// An error that is reached in one order only, by a function that does nothing.
// word: explore --sv-comp = false(unreach-call), 1
// word: check --sv-comp = false(unreach-call), 1
// word: explore --sv-comp --executions=1 --algorithm=dpor = unknown, 3
// word: explore --sv-comp=no-overflow = unknown, 0
// word: explore --sv-comp=valid-memsafety = unknown, 0
// built: explore --sv-comp = false(unreach-call), 1
// witness: explore --sv-comp = 1 waypoint
#include <pthread.h>
#include <stdatomic.h>

void reach_error() {
}
atomic_int door, light;

static void *enter(void *unused) {
    atomic_store(&door, 1);
    atomic_store(&light, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, enter, 0);
    int dark = !atomic_load(&light);
    if (atomic_load(&door) && dark)
        reach_error();
    pthread_join(thread, 0);
    return 0;
}
