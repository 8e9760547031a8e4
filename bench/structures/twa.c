/* A ticket lock with an array in which those wait whose turn is not near (Dice and Kogan). */
#include "locked.h"

enum { PLACES = 4, NEAR = 1 };

static atomic_int next, served, places[PLACES];

static void take(int id) {
    int ticket = atomic_fetch_add(&next, 1), ahead = ticket - atomic_load(&served);
    (void)id;
    if (ahead == 0)
        return;
    while (ahead > NEAR) {
        int seen = atomic_load(&places[ticket % PLACES]);
        ahead = ticket - atomic_load(&served);
        if (ahead <= NEAR)
            break;
        while (atomic_load(&places[ticket % PLACES]) == seen)
            ;
        ahead = ticket - atomic_load(&served);
    }
    while (atomic_load(&served) != ticket)
        ;
}

static void release(int id) {
    int ticket = atomic_load(&served) + 1;
    (void)id;
    atomic_store(&served, ticket);
    atomic_fetch_add(&places[(ticket + NEAR) % PLACES], 1);
}
