/* The queue lock of Mellor-Crummey and Scott. */
#include "locked.h"

struct place {
    _Atomic(struct place *) next;
    atomic_int waits;
};

static struct place places[N];
static _Atomic(struct place *) last;

static void take(int id) {
    struct place *own = &places[id];
    atomic_store(&own->next, NULL);
    atomic_store(&own->waits, 1);
    struct place *before = atomic_exchange(&last, own);
    if (before) {
        atomic_store(&before->next, own);
        while (atomic_load(&own->waits))
            ;
    }
}

static void release(int id) {
    struct place *own = &places[id], *next = atomic_load(&own->next);
    if (!next) {
        struct place *expected = own;
        if (atomic_compare_exchange_strong(&last, &expected, NULL))
            return;
        while (!(next = atomic_load(&own->next)))
            ;
    }
    atomic_store(&next->waits, 0);
}
