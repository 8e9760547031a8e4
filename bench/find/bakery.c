// Lamport's bakery without the words that say a number is being chosen.
#include "find.h"
#ifndef N
#define N 2
#endif
static atomic_int number[N], inside;

static void *work(void *argument) {
    int own = number_of(argument), most = 0;
    for (int i = 0; i < N; i++) {
        int other = atomic_load(&number[i]);
        most = other > most ? other : most;
    }
    atomic_store(&number[own], most + 1);
    for (int i = 0; i < N; i++)
        for (;;) {
            int other = atomic_load(&number[i]);
            if (i == own || !other || other > most + 1 || (other == most + 1 && i > own))
                break;
        }
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&number[own], 0);
    return NULL;
}

int main(void) {
    start_all(N, work);
    join_all(N);
    return 0;
}
