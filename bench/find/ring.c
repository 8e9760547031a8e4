// A ring of two places for one writer and one reader; the writer says that an item is there before
// it has written it.
#include "find.h"
enum { PLACES = 2, ITEMS = 4 };
static atomic_int item[PLACES], written, read_by_now;

static void *write_items(void *argument) {
    (void)argument;
    for (int i = 0; i < ITEMS; i++) {
        while (i - atomic_load(&read_by_now) >= PLACES)
            ;
        if (i == ITEMS - 1) {
            atomic_store(&written, i + 1); // wrong: before the item
            atomic_store(&item[i % PLACES], i + 1);
        } else {
            atomic_store(&item[i % PLACES], i + 1);
            atomic_store(&written, i + 1);
        }
    }
    return NULL;
}

static void *read_items(void *argument) {
    (void)argument;
    for (int i = 0; i < ITEMS; i++) {
        while (atomic_load(&written) <= i)
            ;
        assert(atomic_load(&item[i % PLACES]) == i + 1);
        atomic_store(&read_by_now, i + 1);
    }
    return NULL;
}

int main(void) {
    start(0, write_items);
    start(1, read_items);
    join_all(2);
    return 0;
}
