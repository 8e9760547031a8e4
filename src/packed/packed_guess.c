#include "packed_guess.h"

#include <stdlib.h>

#define NO_THREAD UINT32_MAX

typedef struct cell {
    int64_t value;
    bool known;
} cell;

typedef struct change {
    uint32_t variable;
    cell before;
} change;

/* A state in which several lanes could go on. */
typedef struct choice {
    size_t taken, changes; /* steps before it */
    size_t first;          /* of its untried lanes in `untried`, the best last */
    uint64_t hash;
} choice;

/* The places where a lane touches a variable, from `first` on. */
typedef struct visits {
    uint32_t variable, lane;
    uint32_t first, count;
} visits;

typedef struct search {
    hd_packed_guess *guess;
    uint32_t *next, *end; /* of each lane */
    cell *memory;
    HD_VEC(visits) visits; /* by variable */
    uint32_t *visits_of;   /* variable -> its first visit; one extra at the end */
    hd_vec_u32 places;     /* steps */
    uint32_t *order;
    size_t taken, kept; /* steps in the order; those that no search undoes */
    HD_VEC(change) changes;
    HD_VEC(choice) choices;
    hd_vec_u32 untried;
    hd_map dead;   /* hashes of states that lead nowhere */
    uint64_t hash; /* of the state */
    uint64_t left; /* steps that searches may take */
    bool (*over)(void);
    uint64_t looks;
    bool cut;
} search;

static const hd_packed_guess_step *next_step(const search *s, uint32_t lane) {
    return s->next[lane] < s->end[lane] ? &s->guess->steps.data[s->next[lane]] : NULL;
}

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t x = (a * UINT64_C(0x9e3779b97f4a7c15) ^ b) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 32;
}

static uint64_t cell_hash(uint32_t variable, cell it) {
    return it.known ? mix((uint64_t)variable << 1 | 1, (uint64_t)it.value) : 0;
}

/* --- where variables are touched ------------------------------------------------------------ */

static int compare_visits(const void *a, const void *b) {
    const visits *x = a, *y = b;
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* At first each part is a visit of its own, with its step in `first`; then the visits of a lane are
 * merged. */
static void find_visits(search *s) {
    const hd_packed_guess *guess = s->guess;
    for (uint32_t i = 0; i < guess->steps.length; i++) {
        const hd_packed_guess_step *step = &guess->steps.data[i];
        for (uint32_t j = 0; j < step->parts; j++)
            hd_vec_push(&s->visits,
                        (visits){guess->parts.data[step->part + j].variable, step->lane, i, 1});
    }
    if (s->visits.length)
        qsort(s->visits.data, s->visits.length, sizeof *s->visits.data, compare_visits);
    size_t kept = 0;
    for (size_t i = 0; i < s->visits.length; i++) {
        visits it = s->visits.data[i], *last = kept ? &s->visits.data[kept - 1] : NULL;
        if (last && last->variable == it.variable && last->lane == it.lane)
            last->count++;
        else
            s->visits.data[kept++] = (visits){it.variable, it.lane, (uint32_t)s->places.length, 1};
        hd_vec_push(&s->places, it.first);
    }
    s->visits.length = kept;
    for (size_t i = 0, variable = 0; variable <= guess->variables; variable++) {
        while (i < kept && s->visits.data[i].variable < variable)
            i++;
        s->visits_of[variable] = (uint32_t)i;
    }
}

/* The lane's next step that touches the variable, NULL if none exists. */
static const hd_packed_guess_step *next_visit(const search *s, const visits *its) {
    uint32_t low = its->first, high = its->first + its->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->places.data[middle] < s->next[its->lane])
            low = middle + 1;
        else
            high = middle;
    }
    return low < its->first + its->count ? &s->guess->steps.data[s->places.data[low]] : NULL;
}

/* --- steps ---------------------------------------------------------------------------------- */

static const hd_packed_guess_part *parts_of(const search *s, const hd_packed_guess_step *step) {
    return &s->guess->parts.data[step->part];
}

/* Has everything happened that happened before it? */
static bool is_due(const search *s, const hd_packed_guess_step *step) {
    for (uint32_t lane = 0; lane < s->guess->lanes; lane++) {
        const hd_packed_guess_step *other = next_step(s, lane);
        if (other && lane != step->lane && other->end <= step->start)
            return false;
    }
    return true;
}

/* Does it find what it read? */
static bool fits(const search *s, const hd_packed_guess_step *step) {
    const hd_packed_guess_part *parts = parts_of(s, step);
    for (uint32_t i = 0; i < step->parts; i++) {
        cell it = s->memory[parts[i].variable];
        if (!parts[i].write && parts[i].known && it.known && it.value != parts[i].value)
            return false;
    }
    return true;
}

/* Can another lane touch the variable before the step? */
static bool is_wanted(const search *s, const hd_packed_guess_step *step, uint32_t variable) {
    for (uint32_t i = s->visits_of[variable]; i < s->visits_of[variable + 1]; i++) {
        const visits *its = &s->visits.data[i];
        const hd_packed_guess_step *other = its->lane == step->lane ? NULL : next_visit(s, its);
        if (other && other->start < step->end)
            return true;
    }
    return false;
}

/* Is nothing lost if it is taken now? */
static bool is_safe(const search *s, const hd_packed_guess_step *step) {
    const hd_packed_guess_part *parts = parts_of(s, step);
    for (uint32_t i = 0; i < step->parts; i++) {
        bool looks = !parts[i].write && (s->memory[parts[i].variable].known || !parts[i].known);
        if (!looks && is_wanted(s, step, parts[i].variable))
            return false;
    }
    return true;
}

static void set_variable(search *s, uint32_t variable, cell to) {
    cell *it = &s->memory[variable];
    if (it->known == to.known && it->value == to.value)
        return;
    hd_vec_push(&s->changes, (change){variable, *it});
    s->hash += cell_hash(variable, to) - cell_hash(variable, *it);
    *it = to;
}

static void take_step(search *s, uint32_t lane) {
    const hd_packed_guess_step *step = next_step(s, lane);
    const hd_packed_guess_part *parts = parts_of(s, step);
    for (uint32_t i = 0; i < step->parts; i++)
        if (parts[i].write || parts[i].known)
            set_variable(s, parts[i].variable,
                         (cell){parts[i].known ? parts[i].value : 0, parts[i].known});
    s->order[s->taken++] = s->next[lane];
    s->hash +=
        mix((uint64_t)lane << 1, s->next[lane] + 1) - mix((uint64_t)lane << 1, s->next[lane]);
    s->next[lane]++;
}

static void undo(search *s, size_t taken, size_t changes) {
    while (s->taken > taken) {
        uint32_t lane = s->guess->steps.data[s->order[--s->taken]].lane;
        s->next[lane]--;
        s->hash +=
            mix((uint64_t)lane << 1, s->next[lane]) - mix((uint64_t)lane << 1, s->next[lane] + 1);
    }
    while (s->changes.length > changes) {
        change last = hd_vec_pop(&s->changes);
        s->hash += cell_hash(last.variable, last.before) -
                   cell_hash(last.variable, s->memory[last.variable]);
        s->memory[last.variable] = last.before;
    }
}

/* A small search is done in no time, and so to its end. */
static bool is_cut(search *s) {
    enum { SMALL = 100000 };
    s->cut |= s->over && ++s->looks > SMALL && s->over();
    return s->cut;
}

/* --- choices -------------------------------------------------------------------------------- */

/* Takes what can be taken without a choice. */
static void take_safe(search *s) {
    for (bool more = true; more;) {
        more = false;
        for (uint32_t lane = 0; lane < s->guess->lanes; lane++)
            for (const hd_packed_guess_step *step; (step = next_step(s, lane)) && is_due(s, step) &&
                                                   fits(s, step) && is_safe(s, step);
                 more = true) {
                take_step(s, lane);
                if (is_cut(s))
                    return;
            }
    }
}

/* How good a step looks: a thread waits for what it writes; no thread needs the present value any
 * more. */
static int merit(const search *s, const hd_packed_guess_step *step) {
    const hd_packed_guess_part *parts = parts_of(s, step);
    int merit = 0;
    for (uint32_t i = 0; i < step->parts; i++) {
        uint32_t variable = parts[i].variable;
        cell now = s->memory[variable];
        for (uint32_t j = s->visits_of[variable]; j < s->visits_of[variable + 1]; j++) {
            const visits *its = &s->visits.data[j];
            const hd_packed_guess_step *other = its->lane == step->lane ? NULL : next_visit(s, its);
            if (!other || other->start >= step->end)
                continue;
            const hd_packed_guess_part *theirs = parts_of(s, other);
            while (theirs->variable != variable)
                theirs++;
            if (theirs->write || !theirs->known)
                continue;
            merit += 2 * (parts[i].known && theirs->value == parts[i].value);
            merit -= 3 * (now.known && theirs->value == now.value);
        }
    }
    return merit;
}

/* Lists the lanes that could go on, the best last; false if none could. */
static bool offer(search *s) {
    size_t first = s->untried.length;
    for (uint32_t lane = s->guess->lanes; lane-- > 0;) {
        const hd_packed_guess_step *step = next_step(s, lane);
        if (!step || !is_due(s, step) || !fits(s, step))
            continue;
        hd_vec_push(&s->untried, lane);
        int its = merit(s, step);
        size_t at = s->untried.length - 1;
        for (; at > first && merit(s, next_step(s, s->untried.data[at - 1])) > its; at--)
            s->untried.data[at] = s->untried.data[at - 1];
        s->untried.data[at] = lane;
    }
    return s->untried.length > first;
}

/* Takes the next untried lane of the last choice that has one; false if none has. */
static bool take_untried(search *s) {
    while (s->choices.length) {
        choice *last = hd_vec_last(&s->choices);
        undo(s, last->taken, last->changes);
        if (s->untried.length > last->first) {
            take_step(s, hd_vec_pop(&s->untried));
            return true;
        }
        hd_map_at(&s->dead, last->hash, NULL);
        s->choices.length--;
    }
    return false;
}

static bool is_done(const search *s) {
    return s->taken == s->guess->steps.length;
}

/* Goes on until the end, or until no lane can go on: then false.  It ends early, too, if it is cut.
 */
static bool go_on(search *s) {
    for (;;) {
        take_safe(s);
        if (is_done(s) || is_cut(s))
            return true;
        choice here = {s->taken, s->changes.length, s->untried.length, s->hash};
        if (hd_map_find(&s->dead, s->hash) || !offer(s))
            return false;
        hd_vec_push(&s->choices, here);
        take_step(s, hd_vec_pop(&s->untried));
    }
}

/* No lane can go on: tries other choices. */
static bool search_on(search *s) {
    for (;;) {
        if (!take_untried(s))
            return false;
        size_t from = s->taken;
        if (go_on(s))
            return true;
        uint64_t steps = s->taken - from + 1;
        if (steps >= s->left) {
            s->left = 0;
            return false;
        }
        s->left -= steps;
    }
}

/* Makes what was decided so far final. */
static void keep_decisions(search *s) {
    enum { MANY = 4096 }; /* to empty a large table each time takes longer than to fill a new one */
    s->kept = s->taken;
    hd_vec_clear(&s->choices);
    hd_vec_clear(&s->untried);
    hd_vec_clear(&s->changes);
    if (s->dead.capacity > MANY)
        hd_map_release(&s->dead);
    else
        hd_map_clear(&s->dead);
}

/* Lets the earliest due read pass although it finds another value. */
static void let_pass(search *s) {
    uint32_t best = NO_THREAD;
    for (uint32_t lane = 0; lane < s->guess->lanes; lane++) {
        const hd_packed_guess_step *step = next_step(s, lane);
        if (step && is_due(s, step) &&
            (best == NO_THREAD || step->start < next_step(s, best)->start))
            best = lane;
    }
    assert(best != NO_THREAD);
    s->guess->steps.data[s->next[best]].unexplained = true;
    take_step(s, best);
}

/* Goes back to where the first attempt got stuck, and one read further. */
static void give_in(search *s, const hd_vec_u32 *tried) {
    undo(s, s->kept, 0);
    for (size_t i = 0; i < tried->length; i++)
        take_step(s, s->guess->steps.data[tried->data[i]].lane);
    let_pass(s);
    keep_decisions(s);
}

static void solve(search *s) {
    hd_vec_u32 tried = {0};
    while (!go_on(s)) {
        hd_vec_clear(&tried);
        for (size_t i = s->kept; i < s->taken; i++)
            hd_vec_push(&tried, s->order[i]);
        if (s->left && search_on(s))
            break;
        give_in(s, &tried);
    }
    hd_vec_release(&tried);
}

bool hd_packed_guess_order(hd_packed_guess *guess, uint64_t limit, bool (*over)(void),
                           uint32_t *order) {
    search s = {.guess = guess, .order = order, .left = limit, .over = over};
    s.next = HD_NEW_ARRAY(uint32_t, guess->lanes + 1);
    s.end = HD_NEW_ARRAY(uint32_t, guess->lanes + 1);
    s.memory = HD_NEW_ARRAY(cell, guess->variables + 1);
    s.visits_of = HD_NEW_ARRAY(uint32_t, (size_t)guess->variables + 2);
    for (uint32_t i = (uint32_t)guess->steps.length; i-- > 0;)
        s.next[guess->steps.data[i].lane] = i;
    for (uint32_t i = 0; i < guess->steps.length; i++)
        s.end[guess->steps.data[i].lane] = i + 1;
    find_visits(&s);
    solve(&s);
    free(s.next);
    free(s.end);
    free(s.memory);
    free(s.visits_of);
    hd_vec_release(&s.visits);
    hd_vec_release(&s.places);
    hd_vec_release(&s.changes);
    hd_vec_release(&s.choices);
    hd_vec_release(&s.untried);
    hd_map_release(&s.dead);
    return !s.cut;
}
