/* The deque of Chase and Lev: the first thread puts in three and takes out two, the others steal
 * one each. */
#include "structure.h"

enum { SIZE = 8, EMPTY = -1, LOST = -2 };

static atomic_int top, bottom, cells[SIZE];
static atomic_int had[4];

static void put(int value) {
    int at = atomic_load(&bottom);
    atomic_store(&cells[at % SIZE], value);
    atomic_store(&bottom, at + 1);
}

static int take_out(void) {
    int at = atomic_load(&bottom) - 1;
    atomic_store(&bottom, at);
    int first = atomic_load(&top);
    if (at < first) {
        atomic_store(&bottom, first);
        return EMPTY;
    }
    int value = atomic_load(&cells[at % SIZE]);
    if (at > first)
        return value;
    if (!atomic_compare_exchange_strong(&top, &first, first + 1))
        value = EMPTY;
    atomic_store(&bottom, at + 1);
    return value;
}

static int steal(void) {
    int first = atomic_load(&top), at = atomic_load(&bottom);
    if (at <= first)
        return EMPTY;
    int value = atomic_load(&cells[first % SIZE]);
    if (!atomic_compare_exchange_strong(&top, &first, first + 1))
        return LOST;
    return value;
}

static void have(int value) {
    if (value >= 0)
        assert(atomic_fetch_add(&had[value], 1) == 0);
}

static void client(int id) {
    if (id > 0) {
        have(steal());
        return;
    }
    put(0);
    put(1);
    put(2);
    have(take_out());
    have(take_out());
}

static void finish(void) {
}
