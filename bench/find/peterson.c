// Peterson's lock with the two stores in the wrong order.
#include "find.h"
static atomic_int flag[2], turn, inside;

static void *work(void *argument) {
    int own = number_of(argument);
    for (int i = 0; i < 2; i++) {
        atomic_store(&turn, 1 - own); // wrong: after the flag
        atomic_store(&flag[own], 1);
        while (atomic_load(&flag[1 - own]) && atomic_load(&turn) != own)
            ;
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        atomic_store(&flag[own], 0);
    }
    return NULL;
}

int main(void) {
    start_all(2, work);
    join_all(2);
    return 0;
}
