/*
 * The checker of witnesses against the definition: random traces, schedules
 * that are random walks of the brute-force semantics, schedules spoilt by a
 * random change, and claims of every kind, true ones and spoilt ones.  The
 * verdict, and for a schedule the place of the first wrong event, must be those
 * of the loops below and of support_brute, which follow doc/witness.md word by
 * word.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support_brute.h"
#include "support_random.h"
#include "witness/witness.h"

enum { KINDS = HD_WITNESS_DEADLOCK + 1 };

static const char *const kind_names[KINDS] = {"reordering", "read",  "final read",
                                              "race",       "state", "deadlock"};

/* How often each kind of claim was true and false: a test that never sees one
 * of the two tests nothing. */
static unsigned long seen[KINDS][2];

/* One case: the trace, its slow twin, the checker under test. */
typedef struct fixture {
    const hd_trace *trace;
    support_brute *brute;
    hd_witness_checker *checker;
    hd_random *random;
    char *why;
    size_t why_size;
} fixture;

static uint32_t below(fixture *f, size_t limit) {
    return (uint32_t)hd_random_below(f->random, limit);
}

static const heddle_event *event_of(const fixture *f, uint32_t n) {
    return hd_trace_event(f->trace, n);
}

/* ---- Random schedules ---- */

/* An event that may come next, chosen evenly; 0 if none exists.  A greedy
 * choice leaves the releases for the end, which leads into deadlocks. */
static uint32_t choose_enabled(fixture *f, const hd_vec_u32 *schedule, bool keep, bool greedy) {
    uint32_t chosen = 0, count = 0;
    for (uint32_t n = 1; n <= hd_trace_length(f->trace); n++) {
        uint8_t kind = event_of(f, n)->kind;
        if (greedy && (kind == HEDDLE_RELEASE || kind == HEDDLE_READ_RELEASE))
            continue;
        if (support_brute_enabled(f->brute, schedule->data, schedule->length, n, keep) &&
            below(f, ++count) == 0)
            chosen = n;
    }
    return chosen || !greedy ? chosen : choose_enabled(f, schedule, keep, false);
}

/* A reordering of about `wanted` events, fewer if the walk gets stuck. */
static void walk(fixture *f, hd_vec_u32 *schedule, size_t wanted, bool keep, bool greedy) {
    hd_vec_clear(schedule);
    hd_vec_reserve(schedule, 1); /* never a null pointer */
    for (;;) {
        bool whole =
            support_brute_reordering(f->brute, schedule->data, schedule->length, keep, NULL);
        uint32_t next = choose_enabled(f, schedule, keep, greedy);
        if (!next || (whole && schedule->length >= wanted))
            return;
        hd_vec_push(schedule, next);
    }
}

static void walk_any(fixture *f, hd_vec_u32 *schedule, bool keep, bool greedy) {
    bool all = hd_random_chance(f->random, 300);
    uint32_t length = hd_trace_length(f->trace);
    walk(f, schedule, all ? length : below(f, (size_t)length + 1), keep, greedy);
}

static void swap_two(fixture *f, hd_vec_u32 *schedule) {
    uint32_t i = below(f, schedule->length), j = below(f, schedule->length);
    uint32_t n = schedule->data[i];
    schedule->data[i] = schedule->data[j];
    schedule->data[j] = n;
}

static void remove_one(fixture *f, hd_vec_u32 *schedule) {
    uint32_t i = below(f, schedule->length);
    schedule->length--;
    memmove(schedule->data + i, schedule->data + i + 1,
            (schedule->length - i) * sizeof *schedule->data);
}

static void insert_one(fixture *f, hd_vec_u32 *schedule, uint32_t n) {
    uint32_t i = below(f, schedule->length + 1);
    hd_vec_push(schedule, 0);
    memmove(schedule->data + i + 1, schedule->data + i,
            (schedule->length - 1 - i) * sizeof *schedule->data);
    schedule->data[i] = n;
}

static void spoil_schedule(fixture *f, hd_vec_u32 *schedule) {
    uint32_t length = hd_trace_length(f->trace);
    switch (schedule->length ? below(f, 5) : 4) {
    case 0:
        swap_two(f, schedule);
        break;
    case 1:
        remove_one(f, schedule);
        break;
    case 2:
        schedule->length = below(f, schedule->length);
        break;
    case 3:
        insert_one(f, schedule, schedule->data[below(f, schedule->length)]);
        break;
    default:
        insert_one(f, schedule, below(f, (size_t)length + 2));
        break;
    }
}

/* ---- The naive definition of the claims ---- */

typedef struct naive {
    const fixture *f;
    const hd_vec_u32 *schedule;
    const hd_witness_claim *claim;
} naive;

static size_t position(const naive *v, uint32_t n) {
    for (size_t i = 0; i < v->schedule->length; i++)
        if (v->schedule->data[i] == n)
            return i + 1;
    return 0;
}

/* The initial value is in every schedule. */
static bool is_in(const naive *v, uint32_t n) {
    return n == 0 || position(v, n) > 0;
}

static bool is_event(const naive *v, uint32_t n) {
    return n >= 1 && n <= hd_trace_length(v->f->trace);
}

/* Not in it, and all must-edges into it satisfied. */
static bool is_next(const naive *v, uint32_t n) {
    if (is_in(v, n))
        return false;
    for (uint32_t a = 1; a <= hd_trace_length(v->f->trace); a++)
        if (support_brute_must(v->f->brute, a, n) && !is_in(v, a))
            return false;
    return true;
}

static bool is_write_of(const naive *v, uint32_t n, uint32_t variable) {
    return n == 0 || (is_event(v, n) && hd_trace_writes(event_of(v->f, n)) &&
                      event_of(v->f, n)->object == variable);
}

/* The last write of a variable in a sequence of events. */
static uint32_t last_write(const fixture *f, const uint32_t *events, size_t length,
                           uint32_t variable) {
    uint32_t last = 0;
    for (size_t i = 0; i < length; i++)
        if (hd_trace_writes(event_of(f, events[i])) && event_of(f, events[i])->object == variable)
            last = events[i];
    return last;
}

static bool order_is_shown(const naive *v) {
    uint32_t w = v->claim->writer, c = v->claim->challenger;
    switch (v->claim->order) {
    case HD_WITNESS_CRW:
        return is_in(v, c) && !is_in(v, w) && is_next(v, w) &&
               event_of(v->f, w)->thread != event_of(v->f, v->claim->read)->thread;
    case HD_WITNESS_WCR:
        return c != 0 && is_in(v, w) && is_in(v, c) && position(v, w) < position(v, c);
    default:
        return is_in(v, c) && !is_in(v, w);
    }
}

static bool writes_are_shown(const naive *v, uint32_t variable, uint32_t writer) {
    const hd_witness_claim *c = v->claim;
    return is_write_of(v, c->sees, variable) && is_write_of(v, c->challenger, variable) &&
           c->writer == writer && c->challenger != writer && c->sees != writer &&
           c->sees == last_write(v->f, v->schedule->data, v->schedule->length, variable);
}

static bool read_is_shown(const naive *v) {
    uint32_t r = v->claim->read;
    return is_event(v, r) && hd_trace_reads(event_of(v->f, r)) && is_next(v, r) &&
           v->claim->challenger != r &&
           writes_are_shown(v, event_of(v->f, r)->object, support_brute_saw(v->f->brute, r)) &&
           order_is_shown(v);
}

static uint32_t final_write(const fixture *f, uint32_t variable) {
    uint32_t last = 0;
    for (uint32_t n = 1; n <= hd_trace_length(f->trace); n++)
        if (hd_trace_writes(event_of(f, n)) && event_of(f, n)->object == variable)
            last = n;
    return last;
}

static bool final_read_is_shown(const naive *v) {
    uint32_t variable = v->claim->variable;
    return variable < v->f->trace->tables.names[HEDDLE_CLASS_VARIABLE].length &&
           v->schedule->length == hd_trace_length(v->f->trace) &&
           v->claim->order == HD_WITNESS_WCR &&
           writes_are_shown(v, variable, final_write(v->f, variable)) && order_is_shown(v);
}

static bool race_is_shown(const naive *v) {
    uint32_t a = v->claim->first, b = v->claim->second;
    if (!is_event(v, a) || !is_event(v, b))
        return false;
    const heddle_event *x = event_of(v->f, a), *y = event_of(v->f, b);
    return hd_trace_is_access(x) && hd_trace_is_access(y) && x->thread != y->thread &&
           x->object == y->object && (hd_trace_writes(x) || hd_trace_writes(y)) &&
           !((hd_trace_traits(x) & HEDDLE_T_ATOMIC) && (hd_trace_traits(y) & HEDDLE_T_ATOMIC)) &&
           is_next(v, a) && is_next(v, b);
}

static uint32_t count_of(const naive *v, uint32_t thread) {
    uint32_t count = 0;
    for (size_t i = 0; i < v->schedule->length; i++)
        count += event_of(v->f, v->schedule->data[i])->thread == thread;
    return count;
}

static bool state_is_shown(const naive *v) {
    const hd_vec_u32 *counts = &v->claim->counts;
    uint32_t threads = v->f->trace->tables.names[HEDDLE_CLASS_THREAD].length;
    for (uint32_t t = 0; t < threads; t++)
        if (count_of(v, t) != (t < counts->length ? counts->data[t] : 0))
            return false;
    return true;
}

/* Has the thread taken the lock, in that mode, more often than given it back? */
static bool holds(const naive *v, uint32_t thread, uint32_t lock, enum heddle_kind take,
                  enum heddle_kind try, enum heddle_kind give) {
    int depth = 0;
    for (size_t i = 0; i < v->schedule->length; i++) {
        const heddle_event *e = event_of(v->f, v->schedule->data[i]);
        if (e->thread == thread && e->object == lock)
            depth += (e->kind == take || e->kind == try) - (e->kind == give);
    }
    return depth > 0;
}

static bool holds_writing(const naive *v, uint32_t thread, uint32_t lock) {
    return holds(v, thread, lock, HEDDLE_ACQUIRE, HEDDLE_TRY_ACQUIRE, HEDDLE_RELEASE);
}

static bool holds_reading(const naive *v, uint32_t thread, uint32_t lock) {
    return holds(v, thread, lock, HEDDLE_READ_ACQUIRE, HEDDLE_TRY_READ_ACQUIRE,
                 HEDDLE_READ_RELEASE);
}

/* Is the acquire blocked by the thread of another of the acquires? */
static bool is_blocked(const naive *v, uint32_t acquire) {
    const heddle_event *e = event_of(v->f, acquire);
    for (size_t i = 0; i < v->claim->acquires.length; i++) {
        uint32_t other = event_of(v->f, v->claim->acquires.data[i])->thread;
        if (other != e->thread &&
            (holds_writing(v, other, e->object) ||
             (e->kind == HEDDLE_ACQUIRE && holds_reading(v, other, e->object))))
            return true;
    }
    return false;
}

static bool is_new_acquire(const naive *v, uint32_t n) {
    if (!is_event(v, n))
        return false;
    const heddle_event *e = event_of(v->f, n);
    if (e->kind != HEDDLE_ACQUIRE && e->kind != HEDDLE_READ_ACQUIRE)
        return false;
    return is_next(v, n) && !holds_writing(v, e->thread, e->object) &&
           !holds_reading(v, e->thread, e->object);
}

static bool deadlock_is_shown(const naive *v) {
    const hd_vec_u32 *acquires = &v->claim->acquires;
    for (size_t i = 0; i < acquires->length; i++) {
        if (!is_new_acquire(v, acquires->data[i]))
            return false;
        for (size_t j = 0; j < i; j++)
            if (acquires->data[i] == acquires->data[j])
                return false;
    }
    for (size_t i = 0; i < acquires->length; i++)
        if (!is_blocked(v, acquires->data[i]))
            return false;
    return acquires->length >= 2;
}

static bool is_shown(const naive *v) {
    if (!support_brute_reordering(v->f->brute, v->schedule->data, v->schedule->length,
                                  !v->claim->let_go, NULL))
        return false;
    switch (v->claim->kind) {
    case HD_WITNESS_READ:
        return read_is_shown(v);
    case HD_WITNESS_FINAL_READ:
        return final_read_is_shown(v);
    case HD_WITNESS_RACE:
        return race_is_shown(v);
    case HD_WITNESS_STATE:
        return state_is_shown(v);
    case HD_WITNESS_DEADLOCK:
        return deadlock_is_shown(v);
    default:
        return true;
    }
}

/* ---- Random claims, true as often as the schedule allows ---- */

/* A random event of those that `wanted` likes; 0 if none exists. */
static uint32_t pick(fixture *f, const naive *v, bool (*wanted)(const naive *v, uint32_t n)) {
    uint32_t chosen = 0, count = 0;
    for (uint32_t n = 1; n <= hd_trace_length(f->trace); n++)
        if (wanted(v, n) && below(f, ++count) == 0)
            chosen = n;
    return chosen;
}

static bool next_read(const naive *v, uint32_t n) {
    return hd_trace_reads(event_of(v->f, n)) && is_next(v, n);
}

/* ... that sees another write, if there is one. */
static bool changed_read(const naive *v, uint32_t n) {
    return next_read(v, n) &&
           support_brute_saw(v->f->brute, n) !=
               last_write(v->f, v->schedule->data, v->schedule->length, event_of(v->f, n)->object);
}

/* A challenger: a write of the variable, or the initial value. */
static uint32_t pick_write(fixture *f, uint32_t variable) {
    uint32_t chosen = 0, count = 1;
    for (uint32_t n = 1; n <= hd_trace_length(f->trace); n++)
        if (hd_trace_writes(event_of(f, n)) && event_of(f, n)->object == variable &&
            below(f, ++count) == 0)
            chosen = n;
    return chosen;
}

static void claim_writes(fixture *f, const naive *v, hd_witness_claim *claim, uint32_t variable) {
    claim->sees = last_write(f, v->schedule->data, v->schedule->length, variable);
    claim->challenger = hd_random_chance(f->random, 300) ? claim->sees : pick_write(f, variable);
}

static void claim_read(fixture *f, const naive *v, hd_witness_claim *claim) {
    claim->read = pick(f, v, changed_read);
    if (!claim->read)
        claim->read = pick(f, v, next_read);
    if (!claim->read)
        return;
    claim->order = (enum hd_witness_order)below(f, 3);
    claim->writer = support_brute_saw(f->brute, claim->read);
    claim_writes(f, v, claim, event_of(f, claim->read)->object);
}

static void claim_final_read(fixture *f, const naive *v, hd_witness_claim *claim) {
    uint32_t variables = f->trace->tables.names[HEDDLE_CLASS_VARIABLE].length;
    claim->order = HD_WITNESS_WCR;
    if (!variables)
        return;
    claim->variable = below(f, variables);
    claim->writer = final_write(f, claim->variable);
    claim_writes(f, v, claim, claim->variable);
}

static bool next_access(const naive *v, uint32_t n) {
    return hd_trace_is_access(event_of(v->f, n)) && is_next(v, n);
}

static void claim_race(fixture *f, const naive *v, hd_witness_claim *claim) {
    for (int tries = 0; tries < 8; tries++) {
        claim->first = pick(f, v, next_access);
        claim->second = pick(f, v, next_access);
        if (claim->first != claim->second &&
            event_of(f, claim->first)->object == event_of(f, claim->second)->object)
            return;
    }
}

static void claim_state(fixture *f, const naive *v, hd_witness_claim *claim) {
    uint32_t threads = f->trace->tables.names[HEDDLE_CLASS_THREAD].length;
    for (uint32_t t = 0; t < threads; t++)
        hd_vec_push(&claim->counts, count_of(v, t));
    while (claim->counts.length && *hd_vec_last(&claim->counts) == 0 && below(f, 2))
        claim->counts.length--;
    claim->let_go = below(f, 2);
}

static void claim_deadlock(fixture *f, const naive *v, hd_witness_claim *claim) {
    for (uint32_t n = 1; n <= hd_trace_length(f->trace); n++)
        if (is_new_acquire(v, n))
            hd_vec_push(&claim->acquires, n);
    /* Usually those that wait for nobody leave, until all do. */
    naive with = {f, v->schedule, claim};
    for (size_t i = 0; i < claim->acquires.length && hd_random_chance(f->random, 950);) {
        if (is_blocked(&with, claim->acquires.data[i])) {
            i++;
            continue;
        }
        claim->acquires.data[i] = claim->acquires.data[--claim->acquires.length];
        i = 0;
    }
}

static void claim_something(fixture *f, const naive *v, hd_witness_claim *claim,
                            enum hd_witness_kind kind) {
    claim->kind = kind;
    switch (kind) {
    case HD_WITNESS_REORDERING:
        claim->let_go = below(f, 2);
        break;
    case HD_WITNESS_READ:
        claim_read(f, v, claim);
        break;
    case HD_WITNESS_FINAL_READ:
        claim_final_read(f, v, claim);
        break;
    case HD_WITNESS_RACE:
        claim_race(f, v, claim);
        break;
    case HD_WITNESS_STATE:
        claim_state(f, v, claim);
        break;
    case HD_WITNESS_DEADLOCK:
        claim_deadlock(f, v, claim);
        break;
    case HD_WITNESS_END:       /* random_end.c */
    case HD_WITNESS_UNORDERED: /* random_happens.c */
    case HD_WITNESS_ATOMICITY: /* random_blocks.c */
        break;
    }
}

/* Changes one number, or the order, of what the claim says. */
static void spoil_claim(fixture *f, hd_witness_claim *claim) {
    uint32_t any = below(f, (size_t)hd_trace_length(f->trace) + 2);
    uint32_t *reads[] = {&claim->read, &claim->sees, &claim->writer, &claim->challenger};
    switch (claim->kind) {
    case HD_WITNESS_REORDERING:
        break;
    case HD_WITNESS_READ:
    case HD_WITNESS_FINAL_READ:
        if (below(f, 3) == 0)
            claim->order = (enum hd_witness_order)below(f, 3);
        else if (claim->kind == HD_WITNESS_READ || below(f, 4))
            *reads[below(f, 4)] = any;
        else
            claim->variable = any;
        break;
    case HD_WITNESS_RACE:
        *(below(f, 2) ? &claim->first : &claim->second) = any;
        break;
    case HD_WITNESS_STATE:
        if (claim->counts.length)
            claim->counts.data[below(f, claim->counts.length)] = any;
        break;
    case HD_WITNESS_DEADLOCK:
        if (claim->acquires.length && below(f, 2))
            claim->acquires.data[below(f, claim->acquires.length)] = any;
        else
            hd_vec_push(&claim->acquires, any);
        break;
    case HD_WITNESS_END:
    case HD_WITNESS_UNORDERED:
    case HD_WITNESS_ATOMICITY:
        break;
    }
}

/* ---- Properties ---- */

static void setup(fixture *f, const hd_trace *trace, hd_random *random, char *why,
                  size_t why_size) {
    *f = (fixture){
        trace,   support_brute_create(trace), hd_witness_checker_create(trace), random, why,
        why_size};
}

static void teardown(fixture *f) {
    support_brute_free(f->brute);
    hd_witness_checker_free(f->checker);
}

/* "1 4 2; claim" */
static void describe(const fixture *f, const hd_witness *witness, char *to, size_t size) {
    int used = snprintf(to, size, "schedule");
    for (size_t i = 0; i < witness->schedule.length; i++)
        used += snprintf(to + used, size - (size_t)used, " %u", witness->schedule.data[i]);
    hd_vec_char claim = {0};
    if (witness->claim.kind != HD_WITNESS_FINAL_READ ||
        witness->claim.variable < f->trace->tables.names[HEDDLE_CLASS_VARIABLE].length)
        hd_witness_claim_print(&witness->claim, f->trace, &claim);
    snprintf(to + used, size - (size_t)used, "; %s", claim.data ? claim.data : "no such variable");
    hd_vec_release(&claim);
}

static bool disagree(const fixture *f, const hd_witness *witness, const char *what) {
    char text[800];
    describe(f, witness, text, sizeof text);
    snprintf(f->why, f->why_size, "%.200s: %s", what, text);
    return false;
}

/* The verdict on the schedule alone, and the place of what is wrong. */
static bool agree_on_schedule(fixture *f, hd_witness *witness, bool let_go) {
    witness->claim.let_go = let_go;
    size_t wrong = 0;
    bool expected = support_brute_reordering(f->brute, witness->schedule.data,
                                             witness->schedule.length, !let_go, &wrong);
    hd_witness_fault fault = {0};
    hd_error error = {{0}};
    bool got = hd_witness_checker_run(f->checker, witness, &fault, &error);
    if (got != expected)
        return disagree(f, witness, got ? "accepted" : error.text);
    if (!got && fault.position != wrong + 1)
        return disagree(f, witness, "another event is wrong");
    if (!got && (!error.text[0] || fault.event != witness->schedule.data[wrong]))
        return disagree(f, witness, "no words for what is wrong");
    return true;
}

static bool check_schedules(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    fixture f;
    setup(&f, trace, random, why, why_size);
    hd_witness witness;
    hd_witness_init(&witness);
    bool good = true;
    for (int round = 0; round < 12 && good; round++) {
        walk_any(&f, &witness.schedule, below(&f, 2), below(&f, 2));
        for (uint32_t spoils = below(&f, 3); spoils > 0; spoils--)
            spoil_schedule(&f, &witness.schedule);
        good = agree_on_schedule(&f, &witness, false) && agree_on_schedule(&f, &witness, true);
    }
    hd_witness_release(&witness);
    teardown(&f);
    return good;
}

static bool agree_on_claim(fixture *f, const hd_witness *witness) {
    naive v = {f, &witness->schedule, &witness->claim};
    hd_error error = {{0}};
    bool expected = is_shown(&v);
    bool got = hd_witness_checker_run(f->checker, witness, NULL, &error);
    seen[witness->claim.kind][expected]++;
    if (got != expected)
        return disagree(f, witness, got ? "accepted" : error.text);
    if (!got && !error.text[0])
        return disagree(f, witness, "no words for what is wrong");
    return true;
}

static void draw_once(fixture *f, hd_witness *witness, enum hd_witness_kind kind) {
    hd_witness_clear(witness);
    size_t length = hd_trace_length(f->trace);
    if (kind == HD_WITNESS_FINAL_READ)
        walk(f, &witness->schedule, length, true, false);
    else
        walk_any(f, &witness->schedule, hd_random_chance(f->random, 900),
                 kind == HD_WITNESS_DEADLOCK);
    naive v = {f, &witness->schedule, &witness->claim};
    claim_something(f, &v, &witness->claim, kind);
}

/* A few tries for a true one: most schedules show nothing. */
static void draw_witness(fixture *f, hd_witness *witness, enum hd_witness_kind kind) {
    naive v = {f, &witness->schedule, &witness->claim};
    for (int tries = 0; tries < 6; tries++) {
        draw_once(f, witness, kind);
        if (is_shown(&v))
            return;
    }
}

static bool check_claims(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    fixture f;
    setup(&f, trace, random, why, why_size);
    hd_witness witness;
    hd_witness_init(&witness);
    bool good = true;
    for (int round = 0; round < 4 * KINDS && good; round++) {
        draw_witness(&f, &witness, (enum hd_witness_kind)(round % KINDS));
        if (hd_random_chance(random, 250))
            spoil_claim(&f, &witness.claim);
        if (hd_random_chance(random, 100))
            spoil_schedule(&f, &witness.schedule);
        good = agree_on_claim(&f, &witness);
    }
    hd_witness_release(&witness);
    teardown(&f);
    return good;
}

/* ---- Deadlocks, which random traces hardly ever have ---- */

static void add_event(hd_trace *trace, uint32_t thread, enum heddle_kind kind, uint32_t object) {
    hd_trace_append(trace,
                    (heddle_event){.thread = thread, .kind = (uint8_t)kind, .object = object});
}

/* A thread that takes two or three locks inside one another, in any order. */
static void add_nest(hd_trace *trace, hd_random *random, uint32_t thread) {
    uint32_t order[3] = {0, 1, 2}, depth = 2 + (uint32_t)hd_random_below(random, 2);
    bool reads[3] = {false};
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = i + (uint32_t)hd_random_below(random, 3 - i), lock = order[j];
        order[j] = order[i];
        order[i] = lock;
        reads[i] = hd_random_chance(random, 300);
    }
    for (uint32_t i = 0; i < depth; i++) {
        add_event(trace, thread, reads[i] ? HEDDLE_READ_ACQUIRE : HEDDLE_ACQUIRE, order[i]);
        if (hd_random_chance(random, 300))
            add_event(trace, thread, hd_random_below(random, 2) ? HEDDLE_READ : HEDDLE_WRITE, 0);
    }
    for (uint32_t i = depth; i > 0; i--)
        add_event(trace, thread, reads[i - 1] ? HEDDLE_READ_RELEASE : HEDDLE_RELEASE, order[i - 1]);
}

/* The threads one after the other; the third may be started by the second. */
static void draw_nests(hd_trace *trace, hd_random *random) {
    uint32_t threads = 2 + (uint32_t)hd_random_below(random, 2);
    hd_trace_init(trace);
    hd_trace_name(trace, HEDDLE_CLASS_VARIABLE, "x");
    for (uint32_t i = 0; i < 3; i++) {
        hd_trace_name(trace, HEDDLE_CLASS_THREAD, "t%u", i);
        hd_trace_name(trace, HEDDLE_CLASS_LOCK, "l%u", i);
    }
    for (uint32_t thread = 0; thread < threads; thread++) {
        add_nest(trace, random, thread);
        if (thread == 1 && threads == 3 && hd_random_chance(random, 300))
            add_event(trace, thread, HEDDLE_FORK, 2);
    }
}

/* The trace that was drawn for the case only stands for its seed. */
static bool check_deadlocks(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    hd_trace nests;
    hd_error error = {{0}};
    draw_nests(&nests, random);
    bool good = hd_trace_check_all(&nests, &error);
    if (!good)
        snprintf(why, why_size, "%s", error.text);
    else
        good = check_claims(&nests, random, why, why_size);
    hd_trace_release(&nests);
    return good;
}

/* The text form, written by hand here. */
static void put_text(const fixture *f, const hd_witness *witness, hd_vec_char *text) {
    char line[256];
    hd_vec_char claim = {0};
    hd_witness_claim_print(&witness->claim, f->trace, &claim);
    static const char head[] = "# heddle witness 1\n# claim: ";
    for (const char *c = head; *c; c++)
        hd_vec_push(text, *c);
    for (size_t i = 0; i < claim.length; i++)
        hd_vec_push(text, claim.data[i]);
    for (size_t i = 0; i < witness->schedule.length; i++) {
        hd_vec_push(text, '\n');
        size_t length = hd_trace_print(line, sizeof line, &f->trace->tables,
                                       event_of(f, witness->schedule.data[i]));
        for (size_t j = 0; j < length; j++)
            hd_vec_push(text, line[j]);
    }
    hd_vec_push(text, '\n');
    hd_vec_release(&claim);
}

/* Equal numbers; zeros at the end of a state's counts say nothing. */
static bool same_numbers(const hd_vec_u32 *a, const hd_vec_u32 *b) {
    size_t length = a->length > b->length ? a->length : b->length;
    for (size_t i = 0; i < length; i++)
        if ((i < a->length ? a->data[i] : 0) != (i < b->length ? b->data[i] : 0))
            return false;
    return true;
}

static bool same_witness(const hd_witness *a, const hd_witness *b) {
    const hd_witness_claim *x = &a->claim, *y = &b->claim;
    return same_numbers(&a->schedule, &b->schedule) && x->kind == y->kind &&
           x->let_go == y->let_go && x->order == y->order && x->read == y->read &&
           x->variable == y->variable && x->sees == y->sees && x->writer == y->writer &&
           x->challenger == y->challenger && x->first == y->first && x->second == y->second &&
           same_numbers(&x->acquires, &y->acquires) && same_numbers(&x->counts, &y->counts);
}

/* What the checker accepts comes back from its text as it was. */
static bool comes_back(fixture *f, const hd_witness *witness) {
    hd_vec_char text = {0};
    hd_witness again;
    hd_error error = {{0}};
    hd_witness_init(&again);
    put_text(f, witness, &text);
    bool good = hd_witness_read(&again, f->trace, text.data, text.length, "text", &error);
    if (!good)
        disagree(f, witness, error.text);
    else if (!same_witness(witness, &again))
        good = disagree(f, witness, "comes back otherwise");
    hd_witness_release(&again);
    hd_vec_release(&text);
    return good;
}

static bool check_text(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    fixture f;
    setup(&f, trace, random, why, why_size);
    hd_witness witness;
    hd_witness_init(&witness);
    bool good = true;
    for (int round = 0; round < 2 * KINDS && good; round++) {
        draw_witness(&f, &witness, (enum hd_witness_kind)(round % KINDS));
        if (hd_witness_checker_run(f.checker, &witness, NULL, NULL))
            good = comes_back(&f, &witness);
    }
    hd_witness_release(&witness);
    teardown(&f);
    return good;
}

SUPPORT_SUITE(random_witness) {
    const support_shape shape = {5, 20, 3, 3, SUPPORT_ALL};
    const support_property properties[] = {
        {"schedules are judged as by definition", shape, check_schedules},
        {"claims are judged as by definition", shape, check_claims},
        {"claims about nested locks are judged as by definition", {1, 1, 1, 1, 0}, check_deadlocks},
        {"witnesses come back from their text", shape, check_text},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    for (int kind = 0; kind < KINDS; kind++)
        printf("# %s: %lu true, %lu false\n", kind_names[kind], seen[kind][1], seen[kind][0]);
    return status;
}
