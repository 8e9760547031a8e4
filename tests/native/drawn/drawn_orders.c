/*
 * Races by happens-before of C11 and C++20, for programs with the feature `orders`.
 *
 * All interleavings at sequential consistency, as drawn_interpret.c has them, with what each thread
 * knows of the others: how many of their accesses happen before its next step.  Two accesses race
 * if the later one is made without knowing the earlier one.
 *
 * What makes a thread know: the thread that it comes from and those that it joins; a mutex that was
 * given back; a barrier that opened; a once function that returned; and an atomic operation that
 * acquires and reads what a release store wrote, or an atomic update of that after it.  A fence
 * before a relaxed store releases, a fence after a relaxed load acquires.  A try that fails makes
 * nothing known.
 *
 * What a path did is kept by threads, so that interleavings that differ in nothing meet again.
 */
#include "drawn_step.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ACCESSES = 48 };

typedef struct {
    uint8_t of[DRAWN_THREADS];
} knowledge;

typedef struct {
    uint16_t line;
    uint8_t at, size, kind; /* kind: 1 writes, 2 atomic */
} made_access;

typedef struct {
    state s;
    knowledge known[DRAWN_THREADS];
    knowledge released[DRAWN_THREADS]; /* at the last fence that releases */
    knowledge seen[DRAWN_THREADS];     /* by loads that do not acquire */
    knowledge passed[DRAWN_THREADS];   /* a barrier that opened for a thread that waits */
    knowledge message[DRAWN_MEMORY];   /* what an acquiring read of the value gets */
    knowledge mutex[DRAWN_MUTEXES], written, read, barrier, once[2];
    uint8_t count[DRAWN_THREADS];
    made_access made[DRAWN_THREADS][ACCESSES];
} ordered_state;

typedef struct {
    uint64_t a, b;
} seen_key;

typedef struct {
    const program *p;
    truth *t;
    uint64_t most, states;
    bool hidden;
    seen_key *table;
    uint64_t mask;
} ordered_search;

static void learn(knowledge *to, const knowledge *from) {
    for (int i = 0; i < DRAWN_THREADS; i++)
        if (to->of[i] < from->of[i])
            to->of[i] = from->of[i];
}

static bool acquires(memory_order order) {
    return order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
}

static bool releases(memory_order order) {
    return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

/* ---- Pairs ---- */

/* The number of a pair. */
static int find_pair(truth *t, int first, int second) {
    line_pair pair = first < second ? (line_pair){first, second} : (line_pair){second, first};
    int i = 0;
    while (i < t->unordered_count &&
           (t->unordered[i].first != pair.first || t->unordered[i].second != pair.second))
        i++;
    if (i == t->unordered_count && i < DRAWN_UNORDERED)
        t->unordered[t->unordered_count++] = pair;
    t->too_big |= i == DRAWN_UNORDERED;
    return i % DRAWN_UNORDERED;
}

static void add_access(ordered_search *q, uint64_t pairs) {
    truth *t = q->t;
    for (size_t i = 0; i < t->access_count; i++)
        if (t->accesses[i].pairs == pairs)
            return;
    t->accesses = realloc(t->accesses, (t->access_count + 1) * sizeof *t->accesses);
    t->accesses[t->access_count++] = (unordered_access){.pairs = pairs, .hidden = q->hidden};
}

static bool overlaps(const made_access *a, int at, int size) {
    return a->at < at + size && at < a->at + a->size;
}

static void compare(ordered_search *q, const ordered_state *o, int t, const made_access *b) {
    uint64_t pairs = 0;
    for (int u = 0; u < q->p->threads; u++)
        for (int k = 0; k < o->count[u] && u != t; k++) {
            const made_access *a = &o->made[u][k];
            if (overlaps(a, b->at, b->size) && ((a->kind | b->kind) & 1) &&
                !(a->kind & b->kind & 2) && o->known[t].of[u] <= k)
                pairs |= 1ull << find_pair(q->t, a->line, b->line);
        }
    if (pairs)
        add_access(q, pairs);
}

static void look_at_accesses(ordered_search *q, ordered_state *o, int t) {
    access_range ranges[2];
    int count = state_accesses(&o->s, q->p, t, ranges);
    for (int i = 0; i < count; i++) {
        made_access b = {.line = (uint16_t)state_line(&o->s, q->p, t),
                         .at = (uint8_t)ranges[i].at,
                         .size = (uint8_t)ranges[i].size,
                         .kind = (uint8_t)(ranges[i].write + 2 * ranges[i].atomic)};
        compare(q, o, t, &b);
        assert(o->count[t] < ACCESSES);
        o->made[t][o->count[t]++] = b;
        o->known[t].of[t] = o->count[t];
    }
}

/* ---- What a step makes known ---- */

static void know_place(ordered_state *o, int t, int at, memory_order order, bool loads,
                       bool stores) {
    knowledge *message = &o->message[at];
    if (loads)
        learn(acquires(order) ? &o->known[t] : &o->seen[t], message);
    if (!stores)
        return;
    if (!loads)
        memset(message, 0, sizeof *message);
    learn(message, releases(order) ? &o->known[t] : &o->released[t]);
}

static void know_atomic(ordered_state *o, int t, const instruction *i) {
    const statement *q = i->s;
    if (i->op == OP_POINT || i->op == OP_MAKE) {
        know_place(o, t, DRAWN_POINTER, ACQ_REL, i->op == OP_POINT,
                   i->op == OP_MAKE || q->pointer == POINTER_TAKEN);
        return;
    }
    place at = state_place(state_top_of(&o->s, t), q->place);
    memory_order order = drawn_order(q);
    bool stores = q->op != OP_ALOAD, loads = q->op != OP_ASTORE;
    if (q->op == OP_ACAS &&
        state_get(&o->s, at.at, at.size) != state_masked((uint64_t)q->k, at.size)) {
        stores = false;
        order = RELAXED; /* as emitted */
    }
    know_place(o, t, at.at, order, loads, stores);
}

static void know_fence(ordered_state *o, int t, memory_order order) {
    if (acquires(order))
        learn(&o->known[t], &o->seen[t]);
    if (releases(order))
        o->released[t] = o->known[t];
}

/* A store that is not atomic is the start of nothing. */
static void forget_messages(ordered_search *q, ordered_state *o, int t) {
    access_range ranges[2];
    int count = state_accesses(&o->s, q->p, t, ranges);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < drawn_place_count; k++) {
            place at = drawn_place(k);
            if (at.kind == PLACE_BLOCK) /* in any block */
                at.at += (ranges[i].at - DRAWN_BLOCKS) & -DRAWN_BLOCK;
            if (ranges[i].write && !ranges[i].atomic && at.at < ranges[i].at + ranges[i].size &&
                ranges[i].at < at.at + at.size)
                memset(&o->message[at.at], 0, sizeof o->message[at.at]);
        }
}

static void know_lock(ordered_search *q, ordered_state *o, int t, const instruction *i) {
    int m = i->s->place;
    switch (i->op) {
    case OP_TRIED:
        if (!state_mutex_free(&o->s, q->p, t, m))
            return;
        /* fall through */
    case OP_LOCKED:
        learn(&o->known[t], &o->mutex[m]);
        return;
    case OP_UNLOCK:
        o->mutex[m] = o->known[t];
        return;
    case OP_READ_TRIED:
    case OP_WRITE_TRIED:
        if (!state_rw_free(&o->s, q->p, i->op == OP_WRITE_TRIED))
            return;
        /* fall through */
    case OP_READ_LOCKED:
    case OP_WRITE_LOCKED:
        learn(&o->known[t], &o->written);
        if (i->op == OP_WRITE_LOCKED || i->op == OP_WRITE_TRIED)
            learn(&o->known[t], &o->read);
        return;
    default: /* OP_RW_UNLOCK */
        learn(o->s.writer == t + 1 ? &o->written : &o->read, &o->known[t]);
    }
}

static void know_barrier(ordered_search *q, ordered_state *o, int t) {
    if (state_top_of(&o->s, t)->phase == 1) {
        learn(&o->known[t], &o->passed[t]);
        memset(&o->passed[t], 0, sizeof o->passed[t]);
        return;
    }
    learn(&o->barrier, &o->known[t]);
    if (o->s.arrived + 1 < q->p->party)
        return;
    for (int i = 0; i < q->p->threads; i++) {
        const thread *h = &o->s.threads[i];
        if (i != t && h->life == LIFE_RUNNING && h->depth && !h->released &&
            state_top_of(&o->s, i)->phase == 1 && state_next_of(&o->s, q->p, i)->op == OP_BARRIER)
            o->passed[i] = o->barrier;
    }
    learn(&o->known[t], &o->barrier);
    memset(&o->barrier, 0, sizeof o->barrier);
}

static void know_other(ordered_search *q, ordered_state *o, int t, const instruction *i) {
    switch (i->op) {
    case OP_ONCE:
        if (o->s.once[i->s->place] == 2)
            learn(&o->known[t], &o->once[i->s->place]);
        return;
    case OP_RETURN:
        o->once[state_top_of(&o->s, t)->function - DRAWN_ONCE] = o->known[t];
        return;
    case OP_CREATE:
    case OP_JOIN:
        if (i->op == OP_CREATE)
            learn(&o->known[i->s->place], &o->known[t]);
        else
            learn(&o->known[t], &o->known[i->s->place]);
        return;
    case OP_BARRIER:
        know_barrier(q, o, t);
        return;
    default:
        return;
    }
}

static void make_step(ordered_search *q, ordered_state *o, int t, int choice) {
    const instruction *i = state_next_of(&o->s, q->p, t);
    bool atomic = (i->op >= OP_ALOAD && i->op <= OP_ACAS) ||
                  ((i->op == OP_POINT || i->op == OP_MAKE) && i->s->pointer != POINTER_PLAIN);
    /* An atomic operation that acquires knows before it touches the place. */
    bool lock = (i->op >= OP_LOCKED && i->op <= OP_WRITE_TRIED) || i->op == OP_UNLOCK ||
                i->op == OP_RW_UNLOCK;
    if (atomic) {
        ordered_state before = *o;
        know_atomic(&before, t, i);
        o->known[t] = before.known[t];
        look_at_accesses(q, o, t);
        know_atomic(o, t, i);
    } else {
        look_at_accesses(q, o, t);
        forget_messages(q, o, t);
    }
    if (i->op == OP_FENCE)
        know_fence(o, t, drawn_order(i->s));
    else if (lock)
        know_lock(q, o, t, i);
    else if (!atomic)
        know_other(q, o, t, i);
    state_step(&o->s, q->p, t, choice);
}

/* ---- The search ---- */

static bool is_new(ordered_search *q, const ordered_state *o) {
    uint64_t a = state_hash(o, sizeof *o, 0x2545f4914f6cdd1du) | 1;
    uint64_t b = state_hash(o, sizeof *o, 0x7654321u), at = a & q->mask;
    for (; q->table[at].a; at = (at + 1) & q->mask)
        if (q->table[at].a == a && q->table[at].b == b)
            return false;
    if (++q->states > q->most) {
        q->t->too_big = true;
        return false;
    }
    q->table[at] = (seen_key){a, b};
    return true;
}

static void search_from(ordered_search *q, const ordered_state *o) {
    if (!is_new(q, o))
        return;
    bool fails = false;
    for (int t = 0; t < q->p->threads; t++)
        fails |= state_asserts(&o->s, q->p, t);
    if (fails && !q->hidden)
        return;
    for (int t = 0; t < q->p->threads && !q->t->too_big; t++) {
        if (state_exits(&o->s, q->p, t) || state_fails(&o->s, q->p, t))
            continue;
        int choices = state_choices(&o->s, q->p, t);
        for (int c = 0; c < choices; c++) {
            ordered_state *next = malloc(sizeof *next);
            memcpy(next, o, sizeof *next);
            make_step(q, next, t, c);
            search_from(q, next);
            free(next);
        }
    }
}

void drawn_interpret_orders(const program *p, truth *t, uint64_t most_states) {
    uint64_t size = 4096;
    while (size < 2 * most_states)
        size *= 2;
    ordered_search q = {.p = p, .t = t, .most = most_states, .mask = size - 1};
    q.table = malloc(size * sizeof *q.table);
    ordered_state *o = malloc(sizeof *o);
    for (int pass = 0; pass < 2 && !t->too_big; pass++) {
        memset(q.table, 0, size * sizeof *q.table);
        memset(o, 0, sizeof *o);
        state_start(&o->s, p);
        q.hidden = pass == 1;
        q.states = 0;
        search_from(&q, o);
    }
    free(o);
    free(q.table);
}
