// Dekker's lock that, after it gave way, takes its flag back without looking at the other again.
#include "find.h"
static atomic_int flag[2], turn, inside;

static void enter(int own) {
    atomic_store(&flag[own], 1);
    if (!atomic_load(&flag[1 - own]))
        return;
    if (atomic_load(&turn) != own) {
        atomic_store(&flag[own], 0);
        while (atomic_load(&turn) != own)
            ;
        atomic_store(&flag[own], 1); // wrong: the other may be inside again
        return;
    }
    while (atomic_load(&flag[1 - own]))
        ;
}

static void *work(void *argument) {
    int own = number_of(argument);
    for (int i = 0; i < 2; i++) {
        enter(own);
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        atomic_store(&turn, 1 - own);
        atomic_store(&flag[own], 0);
    }
    atomic_store(&turn, 1 - own);
    return NULL;
}

int main(void) {
    start_all(2, work);
    join_all(2);
    return 0;
}
