// What is found by one of several workers is checked on a program of its own, which learns more of
// the loops while it does that than the search knew when it made the schedule.
//@ all opt=--stop=never opt=-j2 opt=--algorithm=sdpor opt=--find=outcome,failure,deadlock once
//@ case -O2 | deadlock
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y = 1, z = 1;
static int seen[4];

static void *waits(void *unused) {
    int last;
    seen[0] = x;
    do {
        seen[3] = x;
        seen[0] = z;
        last = x;
    } while (last);
    return unused;
}

static void *tries(void *unused) {
    int tried = 0, found;
    seen[1] = z;
    x = 2;
    do
        found = x;
    while (found != 1 && ++tried < 3);
    seen[2] = found;
    return unused;
}

static void *looks(void *unused) {
    int first, second;
    do {
        first = y;
        second = z;
        sched_yield();
    } while (second != 1);
    (void)first;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, tries, NULL);
    pthread_create(&threads[1], NULL, looks, NULL);
    waits(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d %d %d", seen[0], seen[1], seen[2]);
    return 0;
}
