// A ticket lock whose tickets have two bits, for five threads: the fifth gets the ticket of the
// first, who may be inside.
#include "find.h"
enum { N = 5, MASK = 3 };
static atomic_int next_ticket, serving, inside;

static void *work(void *argument) {
    (void)argument;
    int own = atomic_fetch_add(&next_ticket, 1) & MASK;
    while ((atomic_load(&serving) & MASK) != own)
        ;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_fetch_add(&serving, 1);
    return NULL;
}

int main(void) {
    start_all(N, work);
    join_all(N);
    return 0;
}
