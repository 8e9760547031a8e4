/* A sequence lock: the last two threads write both halves of a pair, the others read them. */
#include "structure.h"

enum { WRITERS = N < 4 ? 1 : 2 };

static atomic_int sequence, left, right;

static void put(int value) {
    for (;;) {
        int now = atomic_load(&sequence);
        if (now % 2 == 0 && atomic_compare_exchange_strong(&sequence, &now, now + 1))
            break;
    }
    atomic_store(&left, value);
    atomic_store(&right, value);
    atomic_fetch_add(&sequence, 1);
}

static void get(int *one, int *two) {
    int before, after;
    do {
        do
            before = atomic_load(&sequence);
        while (before % 2);
        *one = atomic_load(&left);
        *two = atomic_load(&right);
        after = atomic_load(&sequence);
    } while (after != before);
}

static void client(int id) {
    int one, two;
    if (id >= N - WRITERS) {
        put(id);
        return;
    }
    get(&one, &two);
    assert(one == two);
}

static void finish(void) {
    assert(atomic_load(&sequence) == 2 * WRITERS);
}
