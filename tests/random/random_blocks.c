/*
 * Blocks that are not serializable against the definition of doc/witness.md (guarantees A1, A2 of
 * race.h): every state that a reordering reaches is visited, and every three accesses are tried.
 */
#include <stdio.h>
#include <string.h>

#include "race/race.h"
#include "support_brute.h"
#include "support_race.h"
#include "support_random.h"

enum { MOST_STATES = 20000 };

static unsigned long shown, shown_fours, said, refuted, unproved, too_many, accepted, rejected;

/* ---- The definition ---- */

enum { WRITTEN = 1, READ = 2, AROUND = 1 }; /* what the access between does */

/* Three accesses of a variable: two of a block, and one of another thread.  Or four of two
 * variables: then `back` is the later one of the other thread. */
typedef struct triple {
    uint32_t first, between, second, back;
    bool fresh;     /* a block with both does not write the variable before the first */
    unsigned shown; /* WRITTEN, READ; of four 1 */
} triple;

typedef struct twin {
    const hd_trace *trace;
    const support_brute *brute;
    HD_VEC(triple) triples; /* and fours */
    HD_VEC(triple) loose;   /* fours but for that two threads have what comes between */
} twin;

/* Where the block that begins here ends; after the trace if it does not. */
static uint32_t end_of(const hd_trace *trace, uint32_t begin) {
    int depth = 0;
    for (uint32_t n = begin; n <= hd_trace_length(trace); n++) {
        const heddle_event *e = hd_trace_event(trace, n);
        if (e->thread != hd_trace_event(trace, begin)->thread)
            continue;
        depth += e->kind == HEDDLE_BEGIN;
        depth -= e->kind == HEDDLE_END;
        if (depth == 0)
            return n;
    }
    return UINT32_MAX;
}

static bool is_conflict(const hd_trace *trace, uint32_t a, uint32_t b) {
    const heddle_event *x = hd_trace_event(trace, a), *y = hd_trace_event(trace, b);
    return hd_trace_is_access(x) && hd_trace_is_access(y) && x->object == y->object &&
           x->thread != y->thread && (hd_trace_writes(x) || hd_trace_writes(y));
}

static bool is_of(const hd_trace *trace, uint32_t a, uint32_t b, bool same_thread) {
    const heddle_event *x = hd_trace_event(trace, a), *y = hd_trace_event(trace, b);
    return hd_trace_is_access(x) && hd_trace_is_access(y) && x->object == y->object &&
           (x->thread == y->thread) == same_thread;
}

/* Has a block both?  *fresh: one of those that have does not write the variable before. */
static bool in_block(const hd_trace *trace, uint32_t first, uint32_t second, bool *fresh) {
    bool found = false;
    *fresh = false;
    for (uint32_t b = 1; b < first; b++) {
        const heddle_event *e = hd_trace_event(trace, b);
        if (e->kind != HEDDLE_BEGIN || e->thread != hd_trace_event(trace, first)->thread ||
            end_of(trace, b) < second)
            continue;
        bool written = false;
        for (uint32_t n = b; n < first; n++)
            written |= is_of(trace, n, first, true) && hd_trace_writes(hd_trace_event(trace, n));
        found = true;
        *fresh |= !written;
    }
    return found;
}

static void find_triples(twin *t) {
    uint32_t length = hd_trace_length(t->trace);
    for (uint32_t a = 1; a <= length; a++)
        for (uint32_t b = a + 1; b <= length; b++) {
            bool fresh;
            if (!is_of(t->trace, a, b, true) || !in_block(t->trace, a, b, &fresh))
                continue;
            for (uint32_t c = 1; c <= length; c++)
                if (is_of(t->trace, a, c, false))
                    hd_vec_push(&t->triples, (triple){a, c, b, 0, fresh, 0});
        }
}

static void add_four(twin *t, triple x) {
    if (hd_trace_event(t->trace, x.between)->thread == hd_trace_event(t->trace, x.back)->thread)
        hd_vec_push(&t->triples, x);
    else
        hd_vec_push(&t->loose, x);
}

static void find_fours(twin *t) {
    uint32_t length = hd_trace_length(t->trace);
    bool fresh;
    for (uint32_t a = 1; a <= length; a++)
        for (uint32_t b = a + 1; b <= length; b++) {
            const heddle_event *x = hd_trace_event(t->trace, a), *y = hd_trace_event(t->trace, b);
            if (!hd_trace_is_access(x) || !hd_trace_is_access(y) || x->thread != y->thread ||
                x->object == y->object || !in_block(t->trace, a, b, &fresh))
                continue;
            for (uint32_t c = 1; c <= length; c++)
                for (uint32_t d = c + 1; d <= length; d++)
                    if (is_conflict(t->trace, a, c) && is_conflict(t->trace, d, b))
                        add_four(t, (triple){a, c, b, d, false, 0});
        }
}

static size_t place(const uint32_t *schedule, size_t length, uint32_t event) {
    size_t i = 0;
    while (i < length && schedule[i] != event)
        i++;
    return i;
}

static bool is_next(const twin *t, const uint32_t *schedule, size_t length, uint32_t event) {
    if (place(schedule, length, event) < length)
        return false;
    for (uint32_t a = 1; a <= hd_trace_length(t->trace); a++)
        if (support_brute_must(t->brute, a, event) && place(schedule, length, a) == length)
            return false;
    return true;
}

static uint32_t last_write(const twin *t, const uint32_t *schedule, size_t length, uint32_t of) {
    for (size_t i = length; i-- > 0;) {
        const heddle_event *e = hd_trace_event(t->trace, schedule[i]);
        if (hd_trace_is_access(e) && hd_trace_writes(e) &&
            e->object == hd_trace_event(t->trace, of)->object)
            return schedule[i];
    }
    return 0;
}

static unsigned is_around(const twin *t, const triple *x, const uint32_t *schedule, size_t length) {
    size_t first = place(schedule, length, x->first), between = place(schedule, length, x->between);
    return first < between && between < length && place(schedule, length, x->back) < length &&
                   is_next(t, schedule, length, x->second)
               ? AROUND
               : 0;
}

static unsigned violated(const twin *t, const triple *x, const uint32_t *schedule, size_t length) {
    const heddle_event *first = hd_trace_event(t->trace, x->first);
    const heddle_event *between = hd_trace_event(t->trace, x->between);
    const heddle_event *second = hd_trace_event(t->trace, x->second);
    uint32_t last = last_write(t, schedule, length, x->first);
    unsigned how = 0;
    if (x->back)
        return is_around(t, x, schedule, length);
    if (hd_trace_writes(between) && last == x->between &&
        place(schedule, length, x->first) < place(schedule, length, x->between) &&
        is_next(t, schedule, length, x->second) &&
        (hd_trace_reads(second) || (hd_trace_reads(first) && x->fresh)))
        how |= WRITTEN;
    if (hd_trace_reads(between) && hd_trace_writes(first) && hd_trace_writes(second) &&
        last == x->first && is_next(t, schedule, length, x->between))
        how |= READ;
    return how;
}

static int visit(const uint32_t *schedule, size_t length, void *context) {
    twin *t = context;
    for (size_t i = 0; i < t->triples.length; i++)
        t->triples.data[i].shown |= violated(t, &t->triples.data[i], schedule, length);
    return 0;
}

/* ---- A1, A2 ---- */

typedef struct answer {
    const hd_trace *trace;
    HD_VEC(triple) found, unproved;
    bool bad;
} answer;

static int take(void *context, hd_finding *finding) {
    answer *a = context;
    hd_error error;
    const uint32_t *events = finding->events.data;
    size_t count = finding->events.length;
    triple it = {.first = events[0],
                 .between = events[1],
                 .second = events[2],
                 .back = count == 4 ? events[3] : 0};
    a->bad |= count < 3 || count > 4 || !finding->block ||
              finding->unproved == (finding->witness != NULL) ||
              (finding->witness && !hd_witness_check(finding->witness, a->trace, &error));
    if (finding->unproved)
        hd_vec_push(&a->unproved, it);
    else
        hd_vec_push(&a->found, it);
    return 0;
}

static void run(answer *a, const hd_trace *trace, bool all, uint64_t limit) {
    hd_race_options options;
    hd_race_result result;
    hd_error error = {""};
    *a = (answer){.trace = trace};
    hd_race_options_init(&options);
    options.blocks = true;
    options.all = all;
    options.limit = limit;
    a->bad = !hd_race_run(trace, &options, &result, take, a, &error);
    a->bad |= result.unproved != a->unproved.length || result.races != a->found.length ||
              (!limit && result.unproved);
}

static bool same(const triple *a, const triple *b) {
    return a->first == b->first && a->between == b->between && a->second == b->second &&
           a->back == b->back;
}

static uint64_t name_of(const hd_trace *trace, uint32_t event) {
    const heddle_event *e = hd_trace_event(trace, event);
    return e->location ? e->location : UINT64_C(1) << 20 | e->thread << 8 | e->object;
}

static bool same_places(const hd_trace *trace, const triple *a, const triple *b) {
    return name_of(trace, a->first) == name_of(trace, b->first) &&
           name_of(trace, a->between) == name_of(trace, b->between) &&
           name_of(trace, a->second) == name_of(trace, b->second) && !a->back == !b->back &&
           (!a->back || name_of(trace, a->back) == name_of(trace, b->back));
}

/* What was found of one variable has two of the four accesses, so the four are no finding. */
static bool says_already(const triple *one, const triple *four) {
    return four->back && !one->back &&
           ((one->first == four->first && one->between == four->between) ||
            (one->between == four->back && one->second == four->second));
}

/* The same of places. */
static bool says_places_already(const hd_trace *trace, const triple *one, const triple *four) {
    return four->back && !one->back &&
           ((name_of(trace, one->first) == name_of(trace, four->first) &&
             name_of(trace, one->between) == name_of(trace, four->between)) ||
            (name_of(trace, one->between) == name_of(trace, four->back) &&
             name_of(trace, one->second) == name_of(trace, four->second)));
}

/* Of a block and another thread the one within the other: after an earlier access of the block,
 * with less in between. */
static bool is_within(const twin *t, const triple *inner, const triple *x) {
    return inner->back && x->back && inner->second == x->second && inner->first <= x->first &&
           inner->between >= x->between && inner->back <= x->back &&
           hd_trace_event(t->trace, inner->between)->thread ==
               hd_trace_event(t->trace, x->between)->thread &&
           hd_trace_event(t->trace, inner->first)->object ==
               hd_trace_event(t->trace, x->first)->object;
}

/* What was found says this, too: after an earlier access of the block; before an earlier write. */
static unsigned covered(const twin *t, const triple *found, const triple *x) {
    if (found->back || x->back)
        return is_within(t, found, x) ? AROUND : 0;
    if (found->between != x->between || hd_trace_event(t->trace, found->first)->thread !=
                                            hd_trace_event(t->trace, x->first)->thread)
        return 0;
    return (found->second == x->second && found->first <= x->first ? WRITTEN : 0U) |
           (found->first == x->first && found->second <= x->second ? READ : 0U);
}

static bool is_known(const twin *t, const triple *x) {
    for (size_t i = 0; i < t->triples.length; i++)
        if (same(&t->triples.data[i], x))
            return t->triples.data[i].shown != 0;
    return false;
}

static bool say(char *why, size_t size, const char *what, const triple *x) {
    snprintf(why, size, "%u %u (%u) %u: %s", x->first, x->between, x->back, x->second, what);
    return false;
}

/* Is there a violation within this one that a finding of one variable says already? */
static bool is_said(const twin *t, const answer *all, const triple *x) {
    for (size_t i = 0; i < t->triples.length; i++) {
        const triple *inner = &t->triples.data[i];
        if (!inner->shown || !is_within(t, inner, x))
            continue;
        for (size_t j = 0; j < all->found.length; j++)
            if (says_already(&all->found.data[j], inner))
                return true;
    }
    return false;
}

static bool compare_all(const twin *t, const answer *all, char *why, size_t size) {
    for (size_t i = 0; i < all->found.length; i++) {
        if (!is_known(t, &all->found.data[i]))
            return say(why, size, "found, but no violation", &all->found.data[i]);
        for (size_t j = 0; j < i; j++)
            if (same(&all->found.data[i], &all->found.data[j]))
                return say(why, size, "found twice", &all->found.data[i]);
        for (size_t j = 0; j < all->found.length; j++)
            if (says_already(&all->found.data[j], &all->found.data[i]))
                return say(why, size, "said twice", &all->found.data[i]);
            else if (i != j && is_within(t, &all->found.data[j], &all->found.data[i]))
                return say(why, size, "another one found is within", &all->found.data[i]);
    }
    for (size_t i = 0; i < t->triples.length; i++) {
        const triple *x = &t->triples.data[i];
        unsigned left = x->shown;
        for (size_t j = 0; j < all->found.length; j++)
            left &= ~covered(t, &all->found.data[j], x);
        if (left && x->back && is_said(t, all, x)) {
            said++;
            continue;
        }
        shown_fours += x->back && x->shown;
        if (left)
            return say(why, size, "a violation, but not found", x);
        shown += x->shown != 0;
        refuted += x->shown == 0;
    }
    return true;
}

static bool compare_some(const answer *all, const answer *some, char *why, size_t size) {
    for (size_t i = 0; i < some->found.length; i++) {
        bool known = false;
        for (size_t j = 0; j < all->found.length; j++)
            known |= same(&all->found.data[j], &some->found.data[i]);
        for (size_t j = 0; j < i; j++)
            known &= !same_places(all->trace, &some->found.data[i], &some->found.data[j]);
        for (size_t j = 0; j < some->found.length; j++)
            known &= !says_places_already(all->trace, &some->found.data[j], &some->found.data[i]);
        if (!known)
            return say(why, size, "places found twice, or not by --all", &some->found.data[i]);
    }
    for (size_t i = 0; i < all->found.length; i++) {
        bool known = false;
        for (size_t j = 0; j < some->found.length; j++)
            known |= same_places(all->trace, &all->found.data[i], &some->found.data[j]) ||
                     says_places_already(all->trace, &some->found.data[j], &all->found.data[i]);
        if (!known)
            return say(why, size, "places not found", &all->found.data[i]);
    }
    return true;
}

static size_t count_ones(const answer *a) {
    size_t count = 0;
    for (size_t i = 0; i < a->found.length; i++)
        count += !a->found.data[i].back;
    return count;
}

/* With little effort less is proved; what is not is listed.  Of two variables more may be told, if
 * nothing of one has been proved. */
static bool compare_limited(const twin *t, const answer *all, const answer *limited, char *why,
                            size_t size) {
    for (size_t i = 0; i < limited->found.length; i++)
        if (!is_known(t, &limited->found.data[i]))
            return say(why, size, "found with a limit, but no violation", &limited->found.data[i]);
    for (size_t i = 0; i < all->found.length; i++) {
        bool listed = false;
        for (size_t j = 0; j < limited->found.length; j++)
            listed |= same(&all->found.data[i], &limited->found.data[j]);
        for (size_t j = 0; j < limited->unproved.length; j++)
            listed |= same(&all->found.data[i], &limited->unproved.data[j]);
        if (!listed)
            return say(why, size, "neither proved nor unproved with a limit", &all->found.data[i]);
    }
    unproved += limited->unproved.length;
    return count_ones(limited) <= count_ones(all) ||
           (snprintf(why, size, "more is found with a limit"), false);
}

static void forget(answer *a) {
    hd_vec_release(&a->found);
    hd_vec_release(&a->unproved);
}

static bool check_search(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    (void)random;
    support_brute *brute = support_brute_create(trace);
    twin t = {.trace = trace, .brute = brute};
    answer all = {0}, some = {0}, limited = {0};
    bool good = true;
    find_triples(&t);
    find_fours(&t);
    if (t.triples.length &&
        support_brute_states(brute, true, NULL, 0, MOST_STATES, visit, &t) < 0) {
        too_many++;
    } else {
        run(&all, trace, true, 0);
        run(&some, trace, false, 0);
        run(&limited, trace, true, 1);
        good = all.bad || some.bad || limited.bad
                   ? (snprintf(why, size, "a witness is rejected, or something is unproved"), false)
                   : compare_all(&t, &all, why, size) && compare_some(&all, &some, why, size) &&
                         compare_limited(&t, &all, &limited, why, size);
    }
    forget(&all);
    forget(&some);
    forget(&limited);
    hd_vec_release(&t.triples);
    hd_vec_release(&t.loose);
    support_brute_free(brute);
    return good;
}

/* ---- The checker ---- */

static bool agrees(const twin *t, hd_witness *witness, const triple *x, char *why, size_t size) {
    const hd_vec_u32 *schedule = &witness->schedule;
    hd_error error = {""};
    bool expected = false;
    for (size_t i = 0; i < t->triples.length && !expected; i++)
        expected = same(&t->triples.data[i], x) &&
                   violated(t, &t->triples.data[i], schedule->data, schedule->length);
    witness->claim = (hd_witness_claim){.kind = HD_WITNESS_ATOMICITY,
                                        .first = x->first,
                                        .between = x->between,
                                        .second = x->second,
                                        .back = x->back};
    accepted += expected;
    rejected += !expected;
    return hd_witness_check(witness, t->trace, &error) == expected ||
           say(why, size, expected ? error.text : "accepted", x);
}

/* One that fits, if there is one, with another number in one place. */
static triple spoiled(const twin *t, hd_random *random) {
    triple it = {0};
    uint32_t *numbers[] = {&it.first, &it.between, &it.second, &it.back};
    uint32_t length = hd_trace_length(t->trace);
    if (t->triples.length)
        it = t->triples.data[hd_random_below(random, t->triples.length)];
    else
        for (size_t k = 0; k < 3; k++)
            *numbers[k] = (uint32_t)hd_random_below(random, length + 2);
    *numbers[hd_random_below(random, 4)] = (uint32_t)hd_random_below(random, length + 2);
    return it;
}

/* All that fit, and some that may not. */
static bool all_agree(const twin *t, hd_witness *witness, hd_random *random, char *why,
                      size_t size) {
    const hd_vec_u32 *schedule = &witness->schedule;
    size_t wrong;
    bool good = true;
    if (!support_brute_reordering(t->brute, schedule->data, schedule->length, true, &wrong))
        return true; /* between the release and the wait of a condition wait */
    for (size_t i = 0; i < t->triples.length && good; i++)
        good = agrees(t, witness, &t->triples.data[i], why, size);
    for (size_t i = 0; i < t->loose.length && good; i++)
        good = agrees(t, witness, &t->loose.data[i], why, size);
    for (size_t i = 0; i < 16 && good; i++) {
        triple any = spoiled(t, random);
        good = agrees(t, witness, &any, why, size);
    }
    return good;
}

/* One more event; false at the end. */
static bool go_on(const twin *t, hd_vec_u32 *schedule, hd_random *random) {
    hd_vec_u32 can = {0};
    for (uint32_t n = 1; n <= hd_trace_length(t->trace); n++)
        if (place(schedule->data, schedule->length, n) == schedule->length &&
            support_brute_enabled(t->brute, schedule->data, schedule->length, n, true))
            hd_vec_push(&can, n);
    bool goes = can.length > 0;
    if (goes)
        hd_vec_push(schedule, can.data[hd_random_below(random, can.length)]);
    hd_vec_release(&can);
    return goes;
}

static bool check_claims(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_brute *brute = support_brute_create(trace);
    twin t = {.trace = trace, .brute = brute};
    hd_witness witness;
    bool good;
    hd_witness_init(&witness);
    find_triples(&t);
    find_fours(&t);
    do
        good = all_agree(&t, &witness, random, why, size);
    while (good && go_on(&t, &witness.schedule, random));
    hd_vec_release(&t.triples);
    hd_vec_release(&t.loose);
    hd_witness_release(&witness);
    support_brute_free(brute);
    return good;
}

SUPPORT_SUITE(random_blocks) {
    const unsigned blocks = SUPPORT_BLOCKS | SUPPORT_MORE_BLOCKS;
    const unsigned locks = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_TRYFAIL | SUPPORT_REENTRANT;
    const unsigned steps = SUPPORT_SEMAPHORES | SUPPORT_FORKS | SUPPORT_WAITS | SUPPORT_LOCKS;
    const support_property properties[] = {
        {"A1, A2: violations equal brute force", {4, 18, 3, 2, SUPPORT_ALL | blocks}, check_search},
        {"A1, A2: violations of accesses alone equal brute force",
         {3, 18, 1, 2, SUPPORT_RMW | blocks},
         check_search},
        {"A1, A2: violations beside locks equal brute force",
         {3, 20, 2, 2, locks | SUPPORT_RMW | blocks},
         check_search},
        {"A1, A2: violations beside forks, waits and semaphores equal brute force",
         {4, 20, 2, 1, steps | blocks},
         check_search},
        {"A1, A2: violations of three variables equal brute force",
         {3, 18, 1, 3, SUPPORT_RMW | blocks},
         check_search},
        {"A1, A2: violations of two variables beside locks equal brute force",
         {3, 20, 1, 2, SUPPORT_LOCKS | SUPPORT_RMW | blocks},
         check_search},
        {"A2: the checker accepts what the definition says",
         {4, 24, 2, 1, SUPPORT_ALL | blocks},
         check_claims},
        {"A2: the checker accepts what the definition says of two variables",
         {3, 20, 1, 2, SUPPORT_RMW | blocks},
         check_claims},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu violations, %lu of two variables, %lu said by one of one, %lu refuted, %lu "
           "unproved with a limit, %lu claims accepted, %lu "
           "rejected, %lu traces with too "
           "many states\n",
           shown, shown_fours, said, refuted, unproved, accepted, rejected, too_many);
    return status;
}
