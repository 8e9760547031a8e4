/* A reader-writer lock in one word, as in Linux: readers take one unit, a writer all.  The last
 * thread, of four the last two, write. */
#include "structure.h"

enum { WRITERS = N < 4 ? 1 : 2, ALL = 100 };

static atomic_int units = ALL;
static int shared;

static void take(int amount) {
    while (atomic_fetch_sub(&units, amount) < amount) {
        atomic_fetch_add(&units, amount);
        while (atomic_load(&units) < amount)
            ;
    }
}

static void client(int id) {
    int amount = id >= N - WRITERS ? ALL : 1;
    take(amount);
    if (amount == ALL)
        shared++;
    else
        assert(shared <= WRITERS);
    atomic_fetch_add(&units, amount);
}

static void finish(void) {
    assert(shared == WRITERS && atomic_load(&units) == ALL);
}
