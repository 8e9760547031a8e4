// Two threads add each other's word, N times; only strict alternation gets to the Nth number.
#include "find.h"
#ifndef N
#define N 4
#endif
static atomic_int word[2] = {1, 1};

static void *add(void *argument) {
    int own = number_of(argument);
    for (int i = 0; i < N; i++)
        atomic_store(&word[own], atomic_load(&word[own]) + atomic_load(&word[1 - own]));
    return NULL;
}

int main(void) {
    int a = 1, b = 1;
    for (int i = 0; i < N; i++) {
        a += b;
        b += a;
    }
    start_all(2, add);
    join_all(2);
    assert(atomic_load(&word[0]) < b && atomic_load(&word[1]) < b);
    return 0;
}
