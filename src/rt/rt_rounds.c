/*
 * Rounds of loops that end where they began: the way of a thread since it last changed something.
 * Where it comes to a point again in the same state, what it read in between was read in vain.  It
 * stays there for the rest of the run (HEDDLE_WIRE_ROUND).
 *
 * Why nothing is lost: the reads of the round can be taken out of an execution that has them all,
 * for the thread is the same after them and others cannot see that it read.  So executions in
 * which no thread goes on after such a round reach all states.  One that ends where a thread came
 * round tells nothing: where the thread had not begun the round, it would now begin it with another
 * value.  If all words of the round are as they were then, it would not: it goes round for ever.
 * Whether a thread comes round depends on what it did and read, so it is the same in all
 * executions of a class.
 *
 * The last of the reads is known, too: where the thread stood then, a read of this value leads
 * back.  From the next search on it does not take place (rt_spin_stay.c), which saves the run.
 *
 * The same state: of registers and stack what the function may still read (heddle_wire_loop).
 *
 * Nor does a thread go on that reads a word once more, with a value that would have led to where it
 * is at once, had it been there the first time: a compare-and-swap that fails and tries again with
 * what it found, for example.  All that it read since the first time can be taken out, and the
 * first read put in the place of the last.  What a value leads to is known from other runs
 * (heddle_wire_reach).  Both reads must be atomic, or a race of the first is lost.  The execution
 * without them is another one, and shorter, so that one that ends here tells nothing.  It is
 * another one only if the first read found another value: else it is the beginning of this one,
 * and all ends of both would be left out.
 *
 * That nothing changed is checked for each step of such a round on its own: no other thread runs
 * from its beginning to the next point of its thread, so memory must be the same at both.
 */
#include "rt_explore.h"
#include "rt_spin.h"
#include "rt_spin_kinds.h"

enum { POINTS = 8 };

/* A read that changed nothing. */
typedef struct point {
    uint64_t history, hash; /* of the thread when it came there; 0: not known */
    uint64_t code, address, value;
    uint32_t size;
    uint16_t step; /* of its thread: the lower bits of the number */
    bool atomic;
    bool untold; /* a write that does not tell that it changed nothing */
    bool quiet;  /* memory was the same when the thread came to its next point */
} point;

/* Of a thread: the last POINTS reads since it changed something, the oldest first. */
typedef struct path {
    point point[POINTS];
    uint64_t hash;   /* where the thread is */
    uint64_t memory; /* sum of it when the step began */
    uint32_t count;
    bool checked; /* memory is looked at */
    bool cut;     /* the thread stays because a shorter way leads there */
} path;

static path paths[HEDDLE_WIRE_EXPLORED];

static const point *last_of(const path *it) {
    return &it->point[it->count - 1];
}

void hd_rt_rounds_forget(uint32_t thread) {
    paths[thread].count = 0;
    paths[thread].checked = false;
}

/* --- steps ---------------------------------------------------------------------------------- */

void hd_rt_rounds_take(const hd_rt_thread *thread, const heddle_wire_loop *loop) {
    path *it = &paths[thread->id];
    it->checked |= loop && loop->now & HEDDLE_WIRE_LOOP_BACK;
    if (it->checked)
        it->memory = hd_rt_spin_sum(thread);
}

static bool is_quiet(const hd_rt_thread *thread) {
    const path *it = &paths[thread->id];
    return it->checked && hd_rt_explore->stays_wanted && hd_rt_spin_sum(thread) == it->memory;
}

void hd_rt_rounds_idle(const hd_rt_thread *thread) {
    path *it = &paths[thread->id];
    if (it->count)
        it->point[it->count - 1].quiet &= is_quiet(thread);
}

void hd_rt_rounds_read(const hd_rt_thread *thread, uint64_t history, const hd_rt_read *read) {
    path *it = &paths[thread->id];
    if (it->count == POINTS) {
        for (uint32_t i = 1; i < POINTS; i++)
            it->point[i - 1] = it->point[i];
        it->count--;
    }
    it->point[it->count++] = (point){.history = history,
                                     .hash = history ? it->hash : 0,
                                     .code = read->code,
                                     .address = read->address,
                                     .value = read->value,
                                     .size = read->size,
                                     .step = (uint16_t)thread->taken,
                                     .atomic = read->atomic,
                                     .untold = read->untold,
                                     .quiet = is_quiet(thread)};
    it->hash = 0;
}

/* --- the end of a round --------------------------------------------------------------------- */

void hd_rt_rounds_back(uint32_t thread, uint64_t history) {
    path *it = &paths[thread];
    uint32_t at = 0;
    while (at < it->count && it->point[at].history != history)
        at++;
    it->count = at < it->count ? at : 0;
}

bool hd_rt_rounds_is_cut(const hd_rt_thread *thread) {
    return paths[thread->id].cut;
}

/* Where the thread was before in the same state; NULL: it was not. */
static const point *find_start(const path *it, const heddle_wire_operation *pending,
                               uint64_t hash) {
    for (uint32_t i = 0; i < it->count; i++)
        if (it->point[i].hash == hash && it->point[i].code == pending->code &&
            it->point[i].address == pending->address)
            return &it->point[i];
    return NULL;
}

static bool all_known(const path *it, const point *start) {
    for (const point *p = start; p <= last_of(it); p++)
        if (!p->history)
            return false;
    return true;
}

static bool all_quiet(const path *it, const point *start) {
    for (const point *p = start; p <= last_of(it); p++)
        if (!p->quiet)
            return false;
    return true;
}

/* Does the history tell that the writes of the round changed nothing?  Else they do from the next
 * search on. */
static bool all_told(const path *it, const point *start) {
    bool all = true;
    for (const point *p = start; p <= last_of(it); p++)
        if (p->untold) {
            hd_rt_spin_know(p->code, HEDDLE_WIRE_LOOP_WRITES);
            all = false;
        }
    return all;
}

/* The history after which the thread was where it is; 0: something may have changed since. */
static uint64_t close_round(path *it, const point *start, uint64_t code) {
    const point *last = last_of(it);
    if (!all_quiet(it, start)) {
        hd_rt_spin_came_back(code);
        return 0;
    }
    if (last->atomic) /* else a race may be lost */
        hd_rt_stay_add(last->history, last->value, start->history);
    hd_rt_spin_came_back(last->code);
    return start->history;
}

/* Do the two read the same word, so that one can stand for the other? */
static bool is_again(const point *first, const point *last) {
    return first->atomic && first->history && first->address == last->address &&
           first->size == last->size;
}

/* The first of the reads that need not have been, or the last of all. */
static const point *find_again(const path *it) {
    const point *last = last_of(it), *first = it->point;
    while (first < last && !is_again(first, last))
        first++;
    return first;
}

bool hd_rt_rounds_again(const hd_rt_thread *thread) {
    const path *it = &paths[thread->id];
    return it->count > 1 && last_of(it)->atomic && find_again(it) < last_of(it);
}

/* The key of the question where a value leads to, for the case that it shows later. */
static uint64_t question_of(uint64_t history) {
    return hd_rt_spin_mix(history, HEDDLE_WIRE_REACHES);
}

/* Would the value that was read last have led here from a read before?  Where this can be asked,
 * `asked` is set. */
static uint64_t cut_short(const path *it, uint64_t state, bool *asked) {
    heddle_wire_reaches *known = &hd_rt_explore->reaches;
    const point *last = last_of(it);
    for (const point *first = find_again(it); first < last; first++) {
        if (!is_again(first, last) || first->value == last->value || !all_known(it, first) ||
            !all_told(it, first))
            continue;
        uint32_t number = *heddle_wire_reach_place(known, first->history, last->value);
        *asked |= number && number <= known->used;
        if (!all_quiet(it, first)) {
            hd_rt_spin_came_back(first->code); /* from now on memory is looked at */
            continue;
        }
        if (!number) {
            heddle_wire_reach_add(
                known, (heddle_wire_reach){question_of(first->history), last->value, state});
            continue;
        }
        if (known->reach[number - 1].state != state)
            continue;
        if (number <= known->used)
            return first->history;
        known->news++;
    }
    return 0;
}

/* What a thread does depends on its history alone.  So does this, in a search: the first answer
 * holds, even if pages were written to meanwhile that look like changes of its own. */
static uint64_t decide_once(path *it, uint64_t history, uint64_t state) {
    heddle_wire_reaches *known = &hd_rt_explore->reaches;
    bool asked = false;
    uint64_t from = cut_short(it, state, &asked), search = ~(uint64_t)known->used;
    if (!asked)
        return 0;
    heddle_wire_reach_add(known, (heddle_wire_reach){history, search, from});
    uint32_t number = *heddle_wire_reach_place(known, history, search);
    from = number ? known->reach[number - 1].state : 0;
    known->cuts += from != 0;
    return from;
}

/* A value was read after this history, and led to this state. */
static void learn_reach(heddle_wire_reach it) {
    heddle_wire_reaches *known = &hd_rt_explore->reaches;
    if (*heddle_wire_reach_place(known, it.history, it.value))
        return;
    heddle_wire_reach_add(known, it);
    uint32_t asked = *heddle_wire_reach_place(known, question_of(it.history), it.value);
    known->news += asked && known->reach[asked - 1].state == it.state;
}

/* The thread has read an atomic word, and is in this state now. */
static uint64_t reach(path *it, uint64_t history, uint64_t state) {
    const point *last = last_of(it);
    if (!last->atomic || !last->history)
        return 0;
    uint64_t from = decide_once(it, history, state);
    if (!from && last->quiet)
        learn_reach((heddle_wire_reach){last->history, last->value, state});
    return from;
}

uint64_t hd_rt_rounds_arrive(const hd_rt_thread *thread, uint64_t history, uint64_t hash) {
    path *it = &paths[thread->id];
    const heddle_wire_operation *pending = &thread->wire->pending;
    it->hash = hash;
    it->cut = false;
    const point *start = find_start(it, pending, hash);
    if (!start && it->count) {
        uint64_t from = reach(it, history, hd_rt_spin_mix(hash, pending->address));
        it->cut = from;
        return from;
    }
    bool known = start && all_known(it, start) && all_told(it, start);
    uint64_t from = known ? close_round(it, start, pending->code) : 0;
    if (!from && start && start == last_of(it))
        it->count--; /* rt_spin.c knows what to do about it */
    return from;
}

/* The first read after this history; its number is `count` if it is not known. */
static uint32_t first_after(const path *it, uint64_t from) {
    uint32_t at = 0;
    while (at < it->count && it->point[at].history != from)
        at++;
    return at;
}

uint16_t hd_rt_rounds_length(const hd_rt_thread *thread, uint64_t from) {
    const path *it = &paths[thread->id];
    uint32_t at = first_after(it, from);
    return at < it->count ? (uint16_t)(thread->taken - it->point[at].step + 1) : 0;
}

bool hd_rt_rounds_in_vain(const hd_rt_thread *thread, uint64_t from) {
    const path *it = &paths[thread->id];
    if (it->cut)
        return true;
    for (uint32_t at = first_after(it, from); at < it->count; at++)
        if (value_at(it->point[at].address, it->point[at].size) != it->point[at].value)
            return true;
    return false;
}

char *hd_rt_rounds_transfer(char *state, bool back, uint64_t count, hd_rt_transfer *transfer) {
    if (back)
        for (uint64_t i = count; i < hd_rt.wire->threads; i++)
            hd_rt_rounds_forget((uint32_t)i);
    return transfer(state, paths, count * sizeof *paths, back);
}
