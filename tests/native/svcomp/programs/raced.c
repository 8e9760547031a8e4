// A race that no error shows.
// word: explore --sv-comp = true, 0
// word: explore --sv-comp=no-data-race = false(no-data-race), 1
// word: race --sv-comp = false(no-data-race), 1
// word: race --sv-comp=race.prp = false(no-data-race), 1
// word: check --sv-comp=no-data-race = false(no-data-race), 1
// witness: race --sv-comp = 1 waypoint
// witness: explore --sv-comp=no-data-race = 1 waypoint
// witness: explore --sv-comp = 0 waypoints
#include <pthread.h>

void reach_error() {
}
int count;

static void *add(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    count++;
    pthread_join(thread, 0);
    if (count > 2)
        reach_error();
    return 0;
}
