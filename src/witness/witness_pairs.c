/*
 * The pairs of a trace, in one pass over its events.  Written from the definitions of
 * doc/witness.md alone, on purpose: the index that provers use (trace_index.c) computes the same in
 * another way, so that a mistake in either is noticed.
 */
#include "witness_pairs.h"

#include <stdlib.h>

/* The notifies of a condition, in order.  skip[i] leads to the first of them
 * from i on that a wake may still take: union-find, so that a thousand wakes
 * over a thousand taken notifies stay linear. */
typedef struct condition {
    hd_vec_u32 notifies;
    hd_vec_u32 skip;
} condition;

typedef struct channel {
    hd_vec_u32 sends;
    size_t taken; /* the oldest so many */
} channel;

typedef struct thread {
    uint32_t last;   /* its last event so far */
    uint32_t wait;   /* the wait that it is in, 0 if none */
    uint32_t since;  /* notifies of the condition before that wait */
    uint32_t object; /* the condition */
    uint32_t round;  /* group of its last arrival at a barrier */
} thread;

typedef struct builder {
    hd_witness_pairs *pairs;
    thread *threads;
    condition *conditions;
    channel *channels;
    uint32_t *changed; /* [lock]: the event that last changed it */
    uint32_t *open;    /* [barrier]: group of the arrivals without a departure yet */
    int64_t *ahead;    /* [semaphore]: takes so far less posts */
} builder;

static uint32_t count_objects(const hd_trace *trace, enum heddle_class class) {
    return trace->tables.names[class].length;
}

static void builder_init(builder *b, hd_witness_pairs *pairs) {
    const hd_trace *trace = pairs->trace;
    *b = (builder){
        .pairs = pairs,
        .threads = HD_NEW_ARRAY(thread, count_objects(trace, HEDDLE_CLASS_THREAD)),
        .conditions = HD_NEW_ARRAY(condition, count_objects(trace, HEDDLE_CLASS_CONDITION)),
        .channels = HD_NEW_ARRAY(channel, count_objects(trace, HEDDLE_CLASS_CHANNEL)),
        .changed = HD_NEW_ARRAY(uint32_t, count_objects(trace, HEDDLE_CLASS_LOCK)),
        .open = HD_NEW_ARRAY(uint32_t, count_objects(trace, HEDDLE_CLASS_BARRIER)),
        .ahead = HD_NEW_ARRAY(int64_t, count_objects(trace, HEDDLE_CLASS_SEMAPHORE)),
    };
}

static void builder_release(builder *b) {
    const hd_trace *trace = b->pairs->trace;
    for (uint32_t i = 0; i < count_objects(trace, HEDDLE_CLASS_CONDITION); i++) {
        hd_vec_release(&b->conditions[i].notifies);
        hd_vec_release(&b->conditions[i].skip);
    }
    for (uint32_t i = 0; i < count_objects(trace, HEDDLE_CLASS_CHANNEL); i++)
        hd_vec_release(&b->channels[i].sends);
    free(b->threads);
    free(b->conditions);
    free(b->channels);
    free(b->changed);
    free(b->open);
    free(b->ahead);
}

static uint32_t new_group(hd_witness_pairs *pairs) {
    hd_vec_push(&pairs->members, 0);
    return (uint32_t)(pairs->members.length - 1);
}

static void join_group(hd_witness_pairs *pairs, uint32_t number, uint32_t group) {
    assert(group > 0 && group < pairs->members.length);
    pairs->pair[number] = group;
    pairs->members.data[group]++;
}

static void pair_access(builder *b, uint32_t number, const heddle_event *event) {
    uint32_t *last = &b->pairs->final[event->object];
    if (hd_trace_reads(event))
        b->pairs->pair[number] = *last;
    if (hd_trace_writes(event))
        *last = number;
}

static void pair_wait(builder *b, uint32_t number, const heddle_event *event) {
    thread *t = &b->threads[event->thread];
    t->wait = number;
    t->object = event->object;
    t->since = (uint32_t)b->conditions[event->object].notifies.length;
}

static void pair_notify(builder *b, uint32_t number, const heddle_event *event) {
    condition *c = &b->conditions[event->object];
    hd_vec_push(&c->skip, (uint32_t)c->notifies.length);
    hd_vec_push(&c->notifies, number);
}

/* The first notify from index i on that is not taken; their total number if all are. */
static uint32_t find_notify(condition *c, uint32_t i) {
    while (i < c->skip.length && c->skip.data[i] != i) {
        uint32_t further = c->skip.data[i];
        if (further < c->skip.length)
            c->skip.data[i] = c->skip.data[further]; /* halves the path */
        i = further;
    }
    return i;
}

static void pair_wake(builder *b, uint32_t number, const heddle_event *event) {
    thread *t = &b->threads[event->thread];
    uint32_t wait = t->wait;
    t->wait = 0;
    if (!wait || t->object != event->object)
        return;
    condition *c = &b->conditions[event->object];
    uint32_t i = find_notify(c, t->since);
    if (i >= c->notifies.length)
        return; /* timed out */
    hd_witness_pairs *pairs = b->pairs;
    uint32_t notify = c->notifies.data[i];
    if (!pairs->pair[notify])
        pairs->pair[notify] = new_group(pairs);
    join_group(pairs, wait, pairs->pair[notify]);
    pairs->pair[number] = notify;
    if (hd_trace_event(pairs->trace, notify)->kind == HEDDLE_NOTIFY)
        c->skip.data[i] = i + 1;
}

/* A round is the arrivals since the last round's first departure: the first
 * departure of a thread from the open group closes it. */
static void pair_barrier_in(builder *b, uint32_t number, const heddle_event *event) {
    uint32_t *open = &b->open[event->object];
    if (!*open)
        *open = new_group(b->pairs);
    join_group(b->pairs, number, *open);
    b->threads[event->thread].round = *open;
}

static void pair_barrier_out(builder *b, uint32_t number, const heddle_event *event) {
    uint32_t round = b->threads[event->thread].round;
    b->pairs->pair[number] = round;
    if (b->open[event->object] == round)
        b->open[event->object] = 0;
}

static void pair_recv(builder *b, uint32_t number, const heddle_event *event) {
    channel *c = &b->channels[event->object];
    if (c->taken < c->sends.length)
        b->pairs->pair[number] = c->sends.data[c->taken++];
}

static void count_take(builder *b, const heddle_event *event) {
    int64_t ahead = ++b->ahead[event->object];
    if (ahead > b->pairs->initial[event->object])
        b->pairs->initial[event->object] = ahead;
}

static void pair_event(builder *b, uint32_t number, const heddle_event *event) {
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_READ:
    case HEDDLE_WRITE:
    case HEDDLE_RMW:
    case HEDDLE_ATOMIC_READ:
    case HEDDLE_ATOMIC_WRITE:
    case HEDDLE_ATOMIC_RMW:
    case HEDDLE_FREE:
        pair_access(b, number, event);
        break;
    case HEDDLE_ACQUIRE:
    case HEDDLE_RELEASE:
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_READ_RELEASE:
    case HEDDLE_TRY_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        if (!(event->flags & HEDDLE_REENTRANT))
            b->changed[event->object] = number;
        break;
    case HEDDLE_TRYFAIL:
        b->pairs->pair[number] = b->changed[event->object];
        break;
    case HEDDLE_FORK:
        b->pairs->fork[event->object] = number;
        break;
    case HEDDLE_JOIN:
        b->pairs->pair[number] = b->threads[event->object].last;
        break;
    case HEDDLE_WAIT:
        pair_wait(b, number, event);
        break;
    case HEDDLE_WAKE:
        pair_wake(b, number, event);
        break;
    case HEDDLE_NOTIFY:
    case HEDDLE_NOTIFYALL:
        pair_notify(b, number, event);
        break;
    case HEDDLE_BARRIER_IN:
        pair_barrier_in(b, number, event);
        break;
    case HEDDLE_BARRIER_OUT:
        pair_barrier_out(b, number, event);
        break;
    case HEDDLE_SEND:
        hd_vec_push(&b->channels[event->object].sends, number);
        break;
    case HEDDLE_RECV:
        pair_recv(b, number, event);
        break;
    case HEDDLE_POST:
        b->ahead[event->object]--;
        break;
    case HEDDLE_TAKE:
        count_take(b, event);
        break;
    case HEDDLE_BEGIN:
    case HEDDLE_END:
    case HEDDLE_MARK:
    case HEDDLE_FENCE:
    case HEDDLE_KIND_COUNT:
        break;
    }
    b->threads[event->thread].last = number;
}

void hd_witness_pairs_threads(hd_witness_pairs *pairs, const hd_trace *trace) {
    uint32_t threads = count_objects(trace, HEDDLE_CLASS_THREAD);
    *pairs = (hd_witness_pairs){.trace = trace, .end = hd_trace_length(trace) + 1};
    pairs->next = HD_NEW_ARRAY(uint32_t, (size_t)pairs->end + 1);
    pairs->first = HD_NEW_ARRAY(uint32_t, threads);
    for (uint32_t t = 0; t < threads; t++)
        pairs->first[t] = pairs->end;
    /* Backwards, the first event seen so far of a thread is the next of the one before. */
    for (uint32_t number = pairs->end - 1; number > 0; number--) {
        uint32_t *first = &pairs->first[hd_trace_event(trace, number)->thread];
        pairs->next[number] = *first;
        *first = number;
    }
}

void hd_witness_pairs_build(hd_witness_pairs *pairs, const hd_trace *trace) {
    hd_witness_pairs_threads(pairs, trace);
    pairs->pair = HD_NEW_ARRAY(uint32_t, (size_t)pairs->end + 1);
    pairs->fork = HD_NEW_ARRAY(uint32_t, count_objects(trace, HEDDLE_CLASS_THREAD));
    pairs->final = HD_NEW_ARRAY(uint32_t, count_objects(trace, HEDDLE_CLASS_VARIABLE));
    pairs->initial = HD_NEW_ARRAY(int64_t, count_objects(trace, HEDDLE_CLASS_SEMAPHORE));
    hd_vec_push(&pairs->members, 0);
    builder b;
    builder_init(&b, pairs);
    for (uint32_t number = 1; number < pairs->end; number++)
        pair_event(&b, number, hd_trace_event(trace, number));
    builder_release(&b);
}

void hd_witness_pairs_release(hd_witness_pairs *pairs) {
    free(pairs->next);
    free(pairs->pair);
    free(pairs->first);
    free(pairs->fork);
    free(pairs->final);
    free(pairs->initial);
    hd_vec_release(&pairs->members);
    *pairs = (hd_witness_pairs){0};
}
