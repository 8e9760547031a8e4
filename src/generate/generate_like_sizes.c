/*
 * How often each variable is read and written, so that the numbers of accesses and of triplets are
 * as requested.  A variable with r reads and w writes gives (r + 1) w triplets: every read, and the
 * implicit last one, against every write but its own, the initial value included.
 *
 * A few hot variables are given about as many reads as writes and carry the
 * triplets; the others are only read.  Then single accesses are moved at random,
 * none away from the wanted sum unless it stays close, until the sum is right.
 */
#include "generate_like.h"

enum { MOVES = 1000000, CLOSE = 1000 };

static uint64_t triplets_of(const hd_generate_like_size *size) {
    return ((uint64_t)size->reads + 1) * size->writes;
}

/* H hot variables with `accesses` accesses, half of them writes, have about
 * accesses^2 / 4H + accesses / 2 triplets; 0: there is no such H. */
static uint64_t hot_for(uint64_t accesses, uint64_t triplets) {
    if (2 * triplets <= accesses)
        return 0;
    return accesses * accesses / (4 * triplets - 2 * accesses);
}

/* As many accesses as possible go to hot variables, with at least two variables
 * in five left cold. */
static uint32_t choose_hot(const hd_generate_like_shape *shape, uint64_t triplets,
                           uint32_t *hot_accesses) {
    for (uint32_t permille = 800; permille > 20; permille -= 20) {
        uint64_t accesses = (uint64_t)shape->access_events * permille / 1000;
        uint64_t hot = hot_for(accesses, triplets);
        if (hot == 0 || hot * 5 > (uint64_t)shape->variables * 3 || accesses < 4 * hot)
            continue;
        *hot_accesses = (uint32_t)accesses;
        return (uint32_t)hot;
    }
    *hot_accesses = shape->access_events / 4;
    return 1;
}

/* Deals `count` reads out to the variables first .. last - 1. */
static void deal_reads(hd_generate_like_size *sizes, uint32_t first, uint32_t last, uint32_t count,
                       hd_random *random) {
    for (; count > 0; count--)
        sizes[first + hd_random_below(random, last - first)].reads++;
}

static void start_sizes(hd_generate_like_size *sizes, const hd_generate_like_shape *shape,
                        uint32_t hot, uint32_t hot_accesses, hd_random *random) {
    for (uint32_t i = 0; i < shape->variables; i++)
        sizes[i] = (hd_generate_like_size){.reads = 1};
    deal_reads(sizes, 0, hot, hot_accesses - hot, random);
    deal_reads(sizes, hot, shape->variables,
               shape->access_events - hot_accesses - (shape->variables - hot), random);
    for (uint32_t i = 0; i < hot; i++) {
        sizes[i].writes = (sizes[i].reads + 1) / 2;
        sizes[i].reads -= sizes[i].writes;
    }
}

static uint64_t distance(uint64_t a, uint64_t b) {
    return a > b ? a - b : b - a;
}

/* Takes an access from one variable and gives one to another, or to itself in
 * the other direction; undone if the sum gets worse and is not close. */
static void try_move(hd_generate_like_size *sizes, uint32_t variables, uint32_t hot,
                     uint64_t wanted, uint64_t *sum, hd_random *random) {
    hd_generate_like_size *from = &sizes[hd_random_below(random, variables)];
    hd_generate_like_size *to = &sizes[hd_random_below(random, variables)];
    bool take_write = hd_random_below(random, 2) == 0, give_write = hd_random_below(random, 2) == 0;
    bool to_cold = to >= sizes + hot;
    if (from->reads + from->writes < 2 || (to_cold && give_write))
        return;
    if (take_write ? from->writes < 2 : from->reads < 1)
        return;
    hd_generate_like_size old_from = *from, old_to = *to;
    uint64_t before = triplets_of(from) + (to == from ? 0 : triplets_of(to));
    *(take_write ? &from->writes : &from->reads) -= 1;
    *(give_write ? &to->writes : &to->reads) += 1;
    uint64_t after = triplets_of(from) + (to == from ? 0 : triplets_of(to));
    uint64_t off = distance(*sum - before + after, wanted);
    if (off <= distance(*sum, wanted) || (off <= CLOSE && off <= wanted / 100)) {
        *sum += after - before;
        return;
    }
    *from = old_from;
    *to = old_to;
}

uint32_t hd_generate_like_sizes(hd_generate_like_size *sizes, const hd_generate_like_shape *shape,
                                hd_random *random) {
    uint64_t wanted = shape->witnesses / 3, sum = 0;
    uint32_t hot_accesses;
    uint32_t hot = choose_hot(shape, wanted, &hot_accesses);
    start_sizes(sizes, shape, hot, hot_accesses, random);
    for (uint32_t i = 0; i < hot; i++)
        sum += triplets_of(&sizes[i]);
    for (uint32_t i = 0; i < MOVES && sum != wanted; i++)
        try_move(sizes, shape->variables, hot, wanted, &sum, random);
    return hot;
}
