/*
 * The order of a free run against all orders there are.  A random trace is what happened;
 * what is known of it is each thread's order, and where its accesses lie among the moments at
 * which threads drew a place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/pack.h"
#include "support_random.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

enum { ACCESSES = 9, MANY = 60, THREADS = 4, VARIABLES = 8 };

static unsigned long explained, marked, guessed, certain, damaged;

/* --- what happened -------------------------------------------------------------------------- */

typedef struct access {
    uint32_t thread, variable;
    bool write, atomic, known;
    bool drew; /* its thread drew a place before it, which an atomic one always does */
    uint64_t value;
    uint64_t place, end; /* the last place that its thread drew, and the next one */
} access;

typedef HD_VEC(access) accesses;

/* The first of a thread draws a place, as do some others.  With `wild` values are drawn too, so
 * that perhaps no order explains them. */
static accesses draw(const hd_trace *trace, hd_random *random, bool wild) {
    accesses all = {0};
    uint64_t memory[VARIABLES] = {0}, place = 0;
    bool began[THREADS] = {false};
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (!hd_trace_is_access(event))
            continue;
        access it = {.thread = event->thread % THREADS,
                     .variable = event->object % VARIABLES,
                     .write = hd_trace_writes(event),
                     .atomic = hd_random_chance(random, 150),
                     .known = hd_random_chance(random, 900)};
        it.drew = it.atomic || !began[it.thread] || hd_random_chance(random, 200);
        began[it.thread] = true;
        if (it.drew)
            it.place = ++place;
        if (it.write)
            memory[it.variable] = hd_random_below(random, 4);
        it.value = wild && !it.write ? hd_random_below(random, 4) : memory[it.variable];
        hd_vec_push(&all, it);
    }
    for (size_t i = 0; i < all.length; i++)
        for (size_t j = 0; j < i && !all.data[i].drew; j++)
            if (all.data[j].thread == all.data[i].thread)
                all.data[i].place = all.data[j].place;
    for (size_t i = 0; i < all.length; i++) {
        all.data[i].end = all.data[i].atomic ? all.data[i].place : UINT64_MAX;
        for (size_t j = i + 1; j < all.length && all.data[i].end == UINT64_MAX; j++)
            if (all.data[j].thread == all.data[i].thread && all.data[j].drew)
                all.data[i].end = all.data[j].place;
    }
    return all;
}

/* Is the order of two accesses of different threads not known, though it matters? */
static bool is_beside(const access *a, const access *b) {
    return a->thread != b->thread && a->variable == b->variable && (a->write || b->write) &&
           a->place < b->end && b->place < a->end;
}

static bool is_guessed(const accesses *all, size_t i) {
    for (size_t j = 0; j < all->length && !all->data[i].atomic; j++)
        if (is_beside(&all->data[i], &all->data[j]))
            return true;
    return false;
}

/* --- all orders ----------------------------------------------------------------------------- */

typedef struct cell {
    bool known;
    uint64_t value;
} cell;

/* Does the access find its value?  Then memory is as it leaves it. */
static bool take(const access *it, cell memory[VARIABLES]) {
    cell *at = &memory[it->variable];
    if (!it->write && it->known && at->known && at->value != it->value)
        return false;
    if (it->write || it->known)
        *at = (cell){it->known, it->value};
    return true;
}

/* May it come next, of those that have not happened? */
static bool may_come(const accesses *all, const bool *done, size_t i) {
    for (size_t j = 0; j < all->length; j++) {
        const access *other = &all->data[j], *it = &all->data[i];
        bool before = other->thread == it->thread ? j < i : other->end <= it->place;
        if (!done[j] && j != i && before)
            return false;
    }
    return true;
}

/* Is there an order of the rest that explains all values? */
static bool explains(const accesses *all, bool *done, size_t left, const cell before[VARIABLES]) {
    for (size_t i = 0; i < all->length && left; i++) {
        cell memory[VARIABLES];
        memcpy(memory, before, sizeof memory);
        if (done[i] || !may_come(all, done, i) || !take(&all->data[i], memory))
            continue;
        done[i] = true;
        bool good = explains(all, done, left - 1, memory);
        done[i] = false;
        if (good)
            return true;
    }
    return !left;
}

/* --- guessing alone ------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
    const hd_packed_guess_step *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void make_guess(const accesses *all, hd_packed_guess *guess) {
    *guess = (hd_packed_guess){.lanes = THREADS, .variables = VARIABLES};
    for (size_t i = 0; i < all->length; i++) {
        const access *it = &all->data[i];
        hd_vec_push(
            &guess->steps,
            (hd_packed_guess_step){
                .start = it->place, .end = it->end, .index = i, .lane = it->thread, .parts = 1});
    }
    if (all->length)
        qsort(guess->steps.data, guess->steps.length, sizeof *guess->steps.data, by_place);
    for (uint32_t i = 0; i < guess->steps.length; i++) {
        const access *it = &all->data[guess->steps.data[i].index];
        guess->steps.data[i].part = i;
        hd_vec_push(&guess->parts,
                    (hd_packed_guess_part){it->variable, it->write, it->known, (int64_t)it->value});
    }
}

/* Only those to variables with a guess: the others need no order. */
static accesses only_kept(const accesses *all, const hd_bits *kept) {
    accesses some = {0};
    for (size_t i = 0; i < all->length; i++)
        if (hd_bits_has(kept, all->data[i].variable))
            hd_vec_push(&some, all->data[i]);
    return some;
}

static bool check_marks(const accesses *all, const hd_packed_guess *guess, const hd_bits *kept,
                        char *why, size_t why_size) {
    bool seen[ACCESSES] = {false}, wanted[VARIABLES] = {false};
    for (size_t i = 0; i < guess->steps.length; i++) {
        const hd_packed_guess_step *step = &guess->steps.data[i];
        seen[step->index] = true;
        if (step->guessed != is_guessed(all, step->index))
            return WRONG("access %llu is %sguessed", (unsigned long long)step->index,
                         step->guessed ? "" : "not ");
    }
    for (size_t i = 0; i < all->length; i++)
        wanted[all->data[i].variable] |= is_guessed(all, i);
    for (size_t i = 0; i < all->length; i++)
        if (seen[i] != wanted[all->data[i].variable] ||
            hd_bits_has(kept, all->data[i].variable) != wanted[all->data[i].variable])
            return WRONG("access %zu is %skept", i, seen[i] ? "" : "not ");
    return true;
}

/* The order keeps threads and places, and explains what is not marked. */
static bool check_order(const accesses *all, const hd_packed_guess *guess, const uint32_t *order,
                        char *why, size_t why_size) {
    bool done[MANY] = {false};
    cell memory[VARIABLES] = {{false, 0}};
    for (size_t i = 0; i < all->length; i++) /* those that are not in it come whenever they want */
        done[i] = true;
    for (size_t i = 0; i < guess->steps.length; i++)
        done[guess->steps.data[i].index] = false;
    for (size_t i = 0; i < guess->steps.length; i++) {
        const hd_packed_guess_step *step = &guess->steps.data[order[i]];
        if (done[step->index] || !may_come(all, done, step->index))
            return WRONG("access %llu comes too early", (unsigned long long)step->index);
        done[step->index] = true;
        const access *it = &all->data[step->index];
        bool good = take(it, memory);
        if (!good && !step->unexplained)
            return WRONG("access %llu does not find its value", (unsigned long long)step->index);
        if (!good)
            memory[it->variable] = (cell){true, it->value};
    }
    return true;
}

static bool check_guess(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    if (hd_trace_length(trace) > ACCESSES)
        return true;
    accesses all = draw(trace, random, hd_random_chance(random, 600));
    hd_packed_guess guess;
    hd_bits kept;
    uint32_t order[ACCESSES];
    hd_bits_init(&kept, VARIABLES);
    make_guess(&all, &guess);
    hd_packed_guess_mark(&guess, &kept);
    bool good = check_marks(&all, &guess, &kept, why, why_size);
    if (good) {
        hd_packed_guess_order(&guess, 100000, NULL, order);
        good = check_order(&all, &guess, order, why, why_size);
    }
    accesses some = only_kept(&all, &kept);
    bool done[ACCESSES] = {false}, passed = false;
    cell memory[VARIABLES] = {{false, 0}};
    bool possible = good && explains(&some, done, some.length, memory);
    for (size_t i = 0; good && i < guess.steps.length; i++)
        passed |= guess.steps.data[i].unexplained;
    if (good && passed == possible)
        good = WRONG("an order that explains all is %s", possible ? "missed" : "claimed");
    *(possible ? &explained : &marked) += some.length > 0;
    hd_bits_release(&kept);
    hd_vec_release(&some);
    hd_vec_release(&all);
    hd_vec_release(&guess.steps);
    hd_vec_release(&guess.parts);
    return good;
}

/* --- through lanes -------------------------------------------------------------------------- */

typedef struct lane {
    heddle_pack pack;
    HD_VEC(unsigned char) bytes;
    uint64_t run;
} lane;

static unsigned char *item(lane *to) {
    hd_vec_reserve(&to->bytes, to->bytes.length + 4 * HEDDLE_PACK_MOST);
    return heddle_pack_varint(to->bytes.data + to->bytes.length, to->run);
}

static void put_end(lane *to, const unsigned char *at, const unsigned char *end) {
    if (end == at) {
        to->run++;
        return;
    }
    to->bytes.length = (size_t)(end - to->bytes.data);
    to->run = 0;
}

static void put(lane *to, uint64_t key, uint64_t address, uint64_t value) {
    heddle_pack_site *site = NULL;
    for (uint32_t i = 1; i < to->pack.site_count && !site; i++)
        site = to->pack.sites[i].key == key ? &to->pack.sites[i] : NULL;
    unsigned char *at = item(to);
    heddle_pack_cell *its = heddle_pack_entered(&to->pack, key, address);
    put_end(to, at, heddle_pack_event(&to->pack, site, key, its, address, value, at));
    if (heddle_pack_op(key) != HEDDLE_WRITE + 1 || !(key & HEDDLE_WIRE_VALUE))
        return;
    at = item(to);
    const unsigned char *end = heddle_pack_wrote(&to->pack, to->pack.last, key, its, value, at);
    if (end != at)
        put_end(to, at, end);
}

#define BASE UINT64_C(0x10000)

static void put_access(lane *to, const access *it) {
    static const uint8_t kinds[2][2] = {{HEDDLE_READ, HEDDLE_WRITE},
                                        {HEDDLE_ATOMIC_READ, HEDDLE_ATOMIC_WRITE}};
    if (it->drew)
        put(to, heddle_pack_key(HEDDLE_WIRE_ORDER, HEDDLE_WIRE_WORD, 0x400), 0, it->place);
    put(to, heddle_pack_key(kinds[it->atomic][it->write] + 1U, 3 | HEDDLE_WIRE_VALUE, 0x500),
        BASE + 16 * (uint64_t)it->variable, it->value);
}

static void start_lane(lane *to, uint32_t thread) {
    *to = (lane){.pack = {.sites = HD_NEW_ARRAY(heddle_pack_site, HEDDLE_PACK_SITES),
                          .cells = HD_NEW_ARRAY(heddle_pack_cell, HEDDLE_PACK_CELLS),
                          .threads = HD_NEW_ARRAY(uint32_t, HEDDLE_WIRE_THREADS)}};
    heddle_pack_start(&to->pack);
    if (thread) {
        unsigned char *at = item(to);
        put_end(to, at, heddle_pack_turn(&to->pack, thread, 0, at));
    }
}

static void free_lane(lane *it) {
    free(it->pack.sites);
    free(it->pack.cells);
    free(it->pack.threads);
    hd_vec_release(&it->bytes);
}

/* Each access comes once, in its thread's order and at its place, guessed ones marked, and reads
 * find their values: what happened explains them. */
static bool check_records(const accesses *all, hd_packed_lanes *lanes, char *why, size_t why_size) {
    bool done[MANY] = {false};
    cell memory[VARIABLES] = {{false, 0}};
    hd_packed_record record;
    size_t count = 0;
    for (; hd_packed_lanes_next(lanes, &record); count++) {
        size_t i = 0;
        while (i < all->length && (done[i] || all->data[i].thread != record.thread))
            i++;
        if (i == all->length || record.address != BASE + 16 * (uint64_t)all->data[i].variable)
            return WRONG("record %zu is none of thread %u", count, record.thread);
        access it = all->data[i];
        it.known = record.has_value;
        if (!may_come(all, done, i))
            return WRONG("access %zu comes too early", i);
        done[i] = true;
        if (record.guessed != is_guessed(all, i) || record.unexplained)
            return WRONG("access %zu is %sguessed%s", i, record.guessed ? "" : "not ",
                         record.unexplained ? ", unexplained" : "");
        *(record.guessed ? &guessed : &certain) += 1;
        if (!take(&it, memory))
            return WRONG("access %zu does not find its value", i);
    }
    return count == all->length || WRONG("%zu records of %zu", count, all->length);
}

static bool check_lanes(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    if (hd_trace_length(trace) > MANY)
        return true;
    accesses all = draw(trace, random, false);
    lane packed[THREADS];
    hd_packed_lanes *lanes = hd_packed_lanes_create();
    hd_packed_granules *granules = hd_packed_granules_create();
    for (uint32_t i = 0; i < VARIABLES; i++)
        for (uint32_t j = 0; j < 2; j++)
            hd_packed_granules_add(granules, BASE + 16 * (uint64_t)i + 8 * (uint64_t)j);
    for (uint32_t i = 0; i < THREADS; i++) {
        start_lane(&packed[i], i);
        for (size_t j = 0; j < all.length; j++)
            if (all.data[j].thread == i)
                put_access(&packed[i], &all.data[j]);
        hd_packed_lanes_chunk(lanes, i, packed[i].bytes.data, packed[i].bytes.length,
                              packed[i].run);
    }
    hd_packed_granules_number(granules);
    hd_packed_lanes_order(lanes, granules, NULL);
    bool good = check_records(&all, lanes, why, why_size) &&
                (!hd_packed_lanes_damaged(lanes) || WRONG("damaged"));
    hd_packed_lanes_free(lanes);
    hd_packed_granules_free(granules);
    for (uint32_t i = 0; i < THREADS; i++)
        free_lane(&packed[i]);
    hd_vec_release(&all);
    return good;
}

/* Whatever the bytes are, they are read to an end, the same twice. */
static bool check_damage(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    if (hd_trace_length(trace) > MANY)
        return true;
    accesses all = draw(trace, random, true);
    lane packed[2];
    hd_packed_lanes *lanes = hd_packed_lanes_create();
    hd_packed_granules *granules = hd_packed_granules_create();
    for (uint32_t i = 0; i < 2 * VARIABLES; i++)
        hd_packed_granules_add(granules, BASE + 8 * (uint64_t)i);
    hd_packed_granules_number(granules);
    for (uint32_t i = 0; i < 2; i++) {
        start_lane(&packed[i], i);
        for (size_t j = 0; j < all.length; j++)
            if (all.data[j].thread % 2 == i)
                put_access(&packed[i], &all.data[j]);
        for (int j = 0; j < 3 && packed[i].bytes.length; j++)
            packed[i].bytes.data[hd_random_below(random, packed[i].bytes.length)] =
                (unsigned char)hd_random_below(random, 256);
        hd_packed_lanes_chunk(lanes, i, packed[i].bytes.data, packed[i].bytes.length,
                              packed[i].run);
    }
    size_t counts[2] = {0, 0};
    hd_packed_record record;
    for (int round = 0; round < 2; round++) {
        hd_packed_lanes_order(lanes, granules, NULL);
        while (hd_packed_lanes_next(lanes, &record))
            counts[round]++;
    }
    damaged += hd_packed_lanes_damaged(lanes);
    hd_packed_lanes_free(lanes);
    hd_packed_granules_free(granules);
    free_lane(&packed[0]);
    free_lane(&packed[1]);
    hd_vec_release(&all);
    return counts[0] == counts[1] || WRONG("%zu records, then %zu", counts[0], counts[1]);
}

SUPPORT_SUITE(random_guess) {
    static const support_property properties[] = {
        {"an order is found if there is one", {4, ACCESSES, 1, 2, SUPPORT_RMW}, check_guess},
        {"lanes give back what happened", {4, MANY, 1, 4, SUPPORT_RMW}, check_lanes},
        {"damaged lanes are read to an end", {4, MANY, 1, 4, SUPPORT_RMW}, check_damage},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# orders for %lu runs, none for %lu; %lu accesses guessed, %lu not; %lu damaged\n",
           explained, marked, guessed, certain, damaged);
    return status;
}
