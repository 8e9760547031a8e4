/*
 * Reorderings by brute force.  Pairs and must-edges are found once, by loops
 * over the whole trace; whether an event can come next is asked of the schedule
 * itself, by loops over it.  Nothing is kept from one step to the next.
 */
#include "support_brute.h"

#include <stdlib.h>
#include <string.h>

struct support_brute {
    const hd_trace *trace;
    uint32_t length;
    bool *must;        /* [a * (length + 1) + b]: an edge from a to b */
    uint32_t *saw;     /* [read or tryfail] */
    bool *reentrant;   /* [acquire or release]: changes no lock */
    uint32_t *wait_of; /* [release of a condition wait]: the wait; else 0 */
};

static const heddle_event *at(const support_brute *brute, uint32_t n) {
    return hd_trace_event(brute->trace, n);
}

static bool is(const support_brute *brute, uint32_t n, enum heddle_kind kind) {
    return at(brute, n)->kind == kind;
}

static bool same_thread(const support_brute *brute, uint32_t a, uint32_t b) {
    return at(brute, a)->thread == at(brute, b)->thread;
}

/* The same object of the same class: threads and locks are numbered apart. */
static bool same_object(const support_brute *brute, uint32_t a, uint32_t b) {
    return hd_trace_kinds[at(brute, a)->kind].class == hd_trace_kinds[at(brute, b)->kind].class &&
           at(brute, a)->object == at(brute, b)->object;
}

static bool is_acquire(const support_brute *brute, uint32_t n) {
    return is(brute, n, HEDDLE_ACQUIRE) || is(brute, n, HEDDLE_READ_ACQUIRE) ||
           is(brute, n, HEDDLE_TRY_ACQUIRE) || is(brute, n, HEDDLE_TRY_READ_ACQUIRE);
}

static bool is_release(const support_brute *brute, uint32_t n) {
    return is(brute, n, HEDDLE_RELEASE) || is(brute, n, HEDDLE_READ_RELEASE);
}

/* ---- What happened in the trace ---- */

/* Does this acquire or release lie inside another hold of its thread? */
static bool find_reentrant(const support_brute *brute, uint32_t n) {
    unsigned depth = 0;
    for (uint32_t a = 1; a < n; a++)
        if (same_thread(brute, a, n) && same_object(brute, a, n)) {
            depth += is_acquire(brute, a);
            depth -= is_release(brute, a);
        }
    return (is_acquire(brute, n) && depth > 0) || (is_release(brute, n) && depth > 1);
}

static bool changes_lock(const support_brute *brute, uint32_t n) {
    return (is_acquire(brute, n) || is_release(brute, n)) && !brute->reentrant[n];
}

/* Does w change what r, a read or a failed try, reads? */
static bool changes(const support_brute *brute, uint32_t w, uint32_t r) {
    if (!same_object(brute, w, r))
        return false;
    return is(brute, r, HEDDLE_TRYFAIL) ? changes_lock(brute, w) : hd_trace_writes(at(brute, w));
}

static bool is_read(const support_brute *brute, uint32_t n) {
    return hd_trace_reads(at(brute, n)) || is(brute, n, HEDDLE_TRYFAIL);
}

static uint32_t find_saw(const support_brute *brute, uint32_t r) {
    uint32_t last = 0;
    for (uint32_t w = 1; w < r && is_read(brute, r); w++)
        if (changes(brute, w, r))
            last = w;
    return last;
}

/* The event of a's thread that comes directly after it, 0 if none exists. */
static uint32_t next_of_thread(const support_brute *brute, uint32_t a) {
    for (uint32_t b = a + 1; b <= brute->length; b++)
        if (same_thread(brute, a, b))
            return b;
    return 0;
}

static uint32_t find_wait_of(const support_brute *brute, uint32_t release) {
    uint32_t next = next_of_thread(brute, release);
    return is(brute, release, HEDDLE_RELEASE) && next && is(brute, next, HEDDLE_WAIT) ? next : 0;
}

/* ---- Must-edges ---- */

static void add_edge(support_brute *brute, uint32_t a, uint32_t b) {
    brute->must[(size_t)a * (brute->length + 1) + b] = true;
}

static void add_program_order(support_brute *brute) {
    for (uint32_t a = 1; a <= brute->length; a++) {
        uint32_t b = next_of_thread(brute, a);
        if (b)
            add_edge(brute, a, b);
    }
}

static uint32_t first_of(const support_brute *brute, uint32_t thread) {
    for (uint32_t n = 1; n <= brute->length; n++)
        if (at(brute, n)->thread == thread)
            return n;
    return 0;
}

static uint32_t last_of(const support_brute *brute, uint32_t thread) {
    for (uint32_t n = brute->length; n >= 1; n--)
        if (at(brute, n)->thread == thread)
            return n;
    return 0;
}

static void add_forks_and_joins(support_brute *brute) {
    for (uint32_t n = 1; n <= brute->length; n++) {
        uint32_t first = first_of(brute, at(brute, n)->object);
        uint32_t last = last_of(brute, at(brute, n)->object);
        if (is(brute, n, HEDDLE_FORK) && first)
            add_edge(brute, n, first);
        if (is(brute, n, HEDDLE_JOIN) && last)
            add_edge(brute, last, n);
    }
}

/* The event of n's thread and object, of that kind, that comes last before n. */
static uint32_t last_before(const support_brute *brute, uint32_t n, enum heddle_kind kind) {
    for (uint32_t a = n - 1; a >= 1; a--)
        if (is(brute, a, kind) && same_thread(brute, a, n) && same_object(brute, a, n))
            return a;
    return 0;
}

/* The first notification between wait and wake that the wake can take. */
static uint32_t notification_for(const support_brute *brute, uint32_t wait, uint32_t wake,
                                 const bool *taken) {
    for (uint32_t n = wait + 1; n < wake; n++)
        if (same_object(brute, n, wake) &&
            (is(brute, n, HEDDLE_NOTIFYALL) || (is(brute, n, HEDDLE_NOTIFY) && !taken[n])))
            return n;
    return 0;
}

static void add_waits(support_brute *brute) {
    bool *taken = HD_NEW_ARRAY(bool, (size_t)brute->length + 1);
    for (uint32_t wake = 1; wake <= brute->length; wake++) {
        if (!is(brute, wake, HEDDLE_WAKE))
            continue;
        uint32_t wait = last_before(brute, wake, HEDDLE_WAIT);
        uint32_t notification = notification_for(brute, wait, wake, taken);
        if (notification) {
            taken[notification] = true;
            add_edge(brute, wait, notification);
            add_edge(brute, notification, wake);
        }
    }
    free(taken);
}

static void add_channels(support_brute *brute) {
    bool *taken = HD_NEW_ARRAY(bool, (size_t)brute->length + 1);
    for (uint32_t recv = 1; recv <= brute->length; recv++)
        for (uint32_t send = 1; send < recv && is(brute, recv, HEDDLE_RECV); send++)
            if (is(brute, send, HEDDLE_SEND) && same_object(brute, send, recv) && !taken[send]) {
                taken[send] = true;
                add_edge(brute, send, recv);
                break;
            }
    free(taken);
}

/* Rounds are numbered by their first bout; round[n] of a bin is that bout. */
static void find_rounds(const support_brute *brute, uint32_t *round) {
    for (uint32_t out = 1; out <= brute->length; out++) {
        if (!is(brute, out, HEDDLE_BARRIER_OUT))
            continue;
        if (round[last_before(brute, out, HEDDLE_BARRIER_IN)])
            continue; /* not the first bout of its round */
        for (uint32_t in = 1; in < out; in++)
            if (is(brute, in, HEDDLE_BARRIER_IN) && same_object(brute, in, out) && !round[in])
                round[in] = out;
    }
}

static void add_barriers(support_brute *brute) {
    uint32_t *round = HD_NEW_ARRAY(uint32_t, (size_t)brute->length + 1);
    find_rounds(brute, round);
    for (uint32_t out = 1; out <= brute->length; out++) {
        if (!is(brute, out, HEDDLE_BARRIER_OUT))
            continue;
        uint32_t own = last_before(brute, out, HEDDLE_BARRIER_IN);
        for (uint32_t in = 1; in < out; in++)
            if (is(brute, in, HEDDLE_BARRIER_IN) && round[in] == round[own])
                add_edge(brute, in, out);
    }
    free(round);
}

support_brute *support_brute_create(const hd_trace *trace) {
    support_brute *brute = HD_NEW(support_brute);
    size_t size = (size_t)hd_trace_length(trace) + 1;
    brute->trace = trace;
    brute->length = hd_trace_length(trace);
    brute->must = HD_NEW_ARRAY(bool, size *size);
    brute->saw = HD_NEW_ARRAY(uint32_t, size);
    brute->reentrant = HD_NEW_ARRAY(bool, size);
    brute->wait_of = HD_NEW_ARRAY(uint32_t, size);
    for (uint32_t n = 1; n <= brute->length; n++) {
        brute->reentrant[n] = find_reentrant(brute, n);
        brute->saw[n] = find_saw(brute, n);
        brute->wait_of[n] = find_wait_of(brute, n);
    }
    add_program_order(brute);
    add_forks_and_joins(brute);
    add_waits(brute);
    add_channels(brute);
    add_barriers(brute);
    return brute;
}

void support_brute_free(support_brute *brute) {
    free(brute->must);
    free(brute->saw);
    free(brute->reentrant);
    free(brute->wait_of);
    free(brute);
}

bool support_brute_must(const support_brute *brute, uint32_t a, uint32_t b) {
    return brute->must[(size_t)a * (brute->length + 1) + b];
}

uint32_t support_brute_saw(const support_brute *brute, uint32_t read) {
    return brute->saw[read];
}

/* ---- What a schedule allows ---- */

static bool chosen(const uint32_t *schedule, size_t length, uint32_t n) {
    for (size_t i = 0; i < length; i++)
        if (schedule[i] == n)
            return true;
    return false;
}

static bool must_edges_allow(const support_brute *brute, const uint32_t *schedule, size_t length,
                             uint32_t event) {
    for (uint32_t a = 1; a <= brute->length; a++)
        if (support_brute_must(brute, a, event) && !chosen(schedule, length, a))
            return false;
    return true;
}

/* One writer or readers. */
static bool locks_allow(const support_brute *brute, const uint32_t *schedule, size_t length,
                        uint32_t event) {
    if (!is_acquire(brute, event) || brute->reentrant[event])
        return true;
    int writers = 0, readers = 0;
    for (size_t i = 0; i < length; i++) {
        if (!same_object(brute, schedule[i], event) || !changes_lock(brute, schedule[i]))
            continue;
        int change = is_acquire(brute, schedule[i]) ? 1 : -1;
        *(hd_trace_is_shared(at(brute, schedule[i])) ? &readers : &writers) += change;
    }
    return writers == 0 && (readers == 0 || hd_trace_is_shared(at(brute, event)));
}

/* The most by which takes of the semaphore run ahead of its posts in the trace. */
static int initial_units(const support_brute *brute, uint32_t take) {
    int ahead = 0, most = 0;
    for (uint32_t n = 1; n <= brute->length; n++) {
        if (!same_object(brute, n, take))
            continue;
        ahead += is(brute, n, HEDDLE_TAKE) ? 1 : -1;
        most = ahead > most ? ahead : most;
    }
    return most;
}

/* As many units as takes, this one too. */
static bool units_allow(const support_brute *brute, const uint32_t *schedule, size_t length,
                        uint32_t event) {
    if (!is(brute, event, HEDDLE_TAKE))
        return true;
    int units = initial_units(brute, event);
    for (size_t i = 0; i < length; i++)
        if (same_object(brute, schedule[i], event))
            units += is(brute, schedule[i], HEDDLE_TAKE) ? -1 : 1;
    return units > 0;
}

static bool read_sees_the_same(const support_brute *brute, const uint32_t *schedule, size_t length,
                               uint32_t event) {
    uint32_t last = 0;
    if (!is_read(brute, event))
        return true;
    for (size_t i = 0; i < length; i++)
        if (changes(brute, schedule[i], event))
            last = schedule[i];
    return last == brute->saw[event];
}

/* After the release of a condition wait only its wait may come. */
static bool step_allows(const support_brute *brute, const uint32_t *schedule, size_t length,
                        uint32_t event) {
    uint32_t wait = length ? brute->wait_of[schedule[length - 1]] : 0;
    return !wait || wait == event;
}

bool support_brute_enabled(const support_brute *brute, const uint32_t *schedule, size_t length,
                           uint32_t event, bool keep_reads) {
    return event >= 1 && event <= brute->length && !chosen(schedule, length, event) &&
           step_allows(brute, schedule, length, event) &&
           must_edges_allow(brute, schedule, length, event) &&
           locks_allow(brute, schedule, length, event) &&
           units_allow(brute, schedule, length, event) &&
           (!keep_reads || read_sees_the_same(brute, schedule, length, event));
}

bool support_brute_reordering(const support_brute *brute, const uint32_t *schedule, size_t length,
                              bool keep_reads, size_t *wrong) {
    size_t good = 0;
    while (good < length &&
           support_brute_enabled(brute, schedule, good, schedule[good], keep_reads))
        good++;
    if (good == length && length && brute->wait_of[schedule[length - 1]])
        good--; /* ends inside a step */
    if (good < length && wrong)
        *wrong = good;
    return good == length;
}

/* ---- All of them ---- */

struct search {
    const support_brute *brute;
    bool keep_reads;
    support_brute_visit *visit;
    void *context;
    uint32_t *schedule;
};

static int extend(struct search *search, size_t length);

/* Appends an event, with its wait if it is the release of one. */
static int append(struct search *search, size_t length, uint32_t event) {
    search->schedule[length++] = event;
    if (search->brute->wait_of[event])
        search->schedule[length++] = search->brute->wait_of[event];
    return extend(search, length);
}

static int extend(struct search *search, size_t length) {
    int stop = search->visit(search->schedule, length, search->context);
    for (uint32_t n = 1; n <= search->brute->length && !stop; n++)
        if (support_brute_enabled(search->brute, search->schedule, length, n, search->keep_reads))
            stop = append(search, length, n);
    return stop;
}

int support_brute_all(const support_brute *brute, bool keep_reads, support_brute_visit *visit,
                      void *context) {
    struct search search = {brute, keep_reads, visit, context,
                            HD_NEW_ARRAY(uint32_t, (size_t)brute->length + 1)};
    int stop = extend(&search, 0);
    free(search.schedule);
    return stop;
}

/* ---- One for each state ---- */

struct states {
    struct search search;
    const support_pair *pairs;
    size_t pair_count, width, count, most;
    HD_VEC(unsigned char) keys;
    hd_vec_u32 older; /* [state]: the one before with the same hash, + 1 */
    hd_map by_hash;
    unsigned char *key;
};

/* 0: not chosen; a write: its rank among those of its variable; the last change of
 * a lock: 2; else 1. */
static void make_key(struct states *states, size_t length) {
    const support_brute *brute = states->search.brute;
    const uint32_t *schedule = states->search.schedule;
    memset(states->key, 0, states->width);
    for (size_t i = 0; i < length; i++) {
        uint32_t n = schedule[i];
        unsigned rank = 1;
        bool last = changes_lock(brute, n);
        for (size_t j = 0; j < i && hd_trace_writes(at(brute, n)); j++)
            rank += hd_trace_writes(at(brute, schedule[j])) && same_object(brute, schedule[j], n);
        for (size_t j = i + 1; j < length; j++)
            last =
                last && !(changes_lock(brute, schedule[j]) && same_object(brute, schedule[j], n));
        states->key[n] = (unsigned char)(rank + last);
    }
    for (size_t p = 0; p < states->pair_count; p++)
        for (size_t i = 0; i < length && !states->key[brute->length + 1 + p]; i++)
            states->key[brute->length + 1 + p] =
                (unsigned char)((schedule[i] == states->pairs[p].first) +
                                2 * (schedule[i] == states->pairs[p].second));
}

static bool is_new(struct states *states) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < states->width; i++)
        hash = (hash ^ states->key[i]) * UINT64_C(0x100000001b3);
    uint32_t *newest = hd_map_at(&states->by_hash, hash, NULL);
    for (uint32_t i = *newest; i; i = states->older.data[i - 1])
        if (memcmp(states->keys.data + (i - 1) * states->width, states->key, states->width) == 0)
            return false;
    hd_vec_push(&states->older, *newest);
    *newest = (uint32_t)states->older.length;
    for (size_t i = 0; i < states->width; i++)
        hd_vec_push(&states->keys, states->key[i]);
    return true;
}

static int extend_states(struct states *states, size_t length) {
    struct search *search = &states->search;
    make_key(states, length);
    if (!is_new(states))
        return 0;
    if (states->count++ == states->most)
        return -1;
    int stop = search->visit(search->schedule, length, search->context);
    for (uint32_t n = 1; n <= search->brute->length && !stop; n++)
        if (support_brute_enabled(search->brute, search->schedule, length, n, search->keep_reads)) {
            size_t after = length;
            search->schedule[after++] = n;
            if (search->brute->wait_of[n])
                search->schedule[after++] = search->brute->wait_of[n];
            stop = extend_states(states, after);
        }
    return stop;
}

int support_brute_states(const support_brute *brute, bool keep_reads, const support_pair *pairs,
                         size_t pair_count, size_t most, support_brute_visit *visit,
                         void *context) {
    struct states states = {
        .search = {brute, keep_reads, visit, context,
                   HD_NEW_ARRAY(uint32_t, (size_t)brute->length + 1)},
        .pairs = pairs,
        .pair_count = pair_count,
        .width = brute->length + 1 + pair_count,
        .most = most,
    };
    states.key = HD_NEW_ARRAY(unsigned char, states.width);
    int stop = extend_states(&states, 0);
    hd_vec_release(&states.keys);
    hd_vec_release(&states.older);
    hd_map_release(&states.by_hash);
    free(states.key);
    free(states.search.schedule);
    return stop;
}
