/* A bounded queue with a number for each cell (Vyukov): the first thread, of four the first two,
 * put one in, the others try to take one out. */
#include "structure.h"

enum { SIZE = 2, PRODUCERS = N < 4 ? 1 : 2 };

static struct {
    atomic_int number;
    int value;
} cells[SIZE] = {{0, 0}, {1, 0}};
static atomic_int put_at, take_at;
static atomic_int had[PRODUCERS];

static void put(int value) {
    int at = atomic_load(&put_at);
    for (;;) {
        int number = atomic_load(&cells[at % SIZE].number);
        if (number == at) {
            if (atomic_compare_exchange_strong(&put_at, &at, at + 1))
                break;
        } else
            at = atomic_load(&put_at);
    }
    cells[at % SIZE].value = value;
    atomic_store(&cells[at % SIZE].number, at + 1);
}

static int take_out(void) {
    int at = atomic_load(&take_at);
    for (;;) {
        int number = atomic_load(&cells[at % SIZE].number);
        if (number < at + 1)
            return -1;
        if (number == at + 1) {
            if (atomic_compare_exchange_strong(&take_at, &at, at + 1))
                break;
        } else
            at = atomic_load(&take_at);
    }
    int value = cells[at % SIZE].value;
    atomic_store(&cells[at % SIZE].number, at + SIZE);
    return value;
}

static void client(int id) {
    if (id < PRODUCERS) {
        put(id);
        return;
    }
    int value = take_out();
    if (value >= 0)
        assert(atomic_fetch_add(&had[value], 1) == 0);
}

static void finish(void) {
}
