/*
 * Random traces by running random threads: at each step a thread and something
 * that it could do now are drawn.  What it could do is decided by a small
 * simulation of its own (who holds what, who waits where), written from the
 * rules in trace_check.h and not from the code behind them, so that the check
 * has a second opinion.
 */
#include "support_traces.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_THREADS = 32,
    MAX_LOCKS = 16,
    MAX_VARIABLES = 64,
    MAX_HOLDS = 8,  /* of a thread, re-entrant ones counted */
    MAX_BLOCKS = 4, /* nested */
    CONDITIONS = 2,
    BARRIERS = 2,
    CHANNELS = 2,
    LABELS = 3,
    BLOCK_NAMES = 3
};

enum thread_state {
    RUNNING,
    UNBORN,  /* a fork has to come first */
    WAITING, /* between wait and wake */
    ARRIVED, /* between bin and bout */
    JOINED
};

struct thread {
    enum thread_state state;
    unsigned budget;   /* events it still wants to do */
    bool seen, forked; /* it has an event; a fork of it */
    bool released;     /* its last event was a release of a writing hold */
    bool abandons;     /* leaves what it holds at the end of its budget */
    unsigned object;   /* the condition or barrier it is at */
    unsigned since;    /* event number of its wait; round of its arrival */
    unsigned relock;   /* lock + 1 to take first after a wake, 0: none */
    unsigned holds[MAX_HOLDS], hold_count;
    unsigned blocks[MAX_BLOCKS], block_count;
};

struct lock {
    bool shared; /* a rwlock: may be held for reading */
    unsigned writer_depth, writer;
    unsigned reader_depth[MAX_THREADS], readers;
};

struct barrier {
    unsigned parties;
    unsigned round;   /* that new arrivals join */
    unsigned arrived; /* in it */
};

struct simulation {
    hd_trace *trace;
    hd_random *random;
    unsigned features;
    unsigned events; /* wanted */
    unsigned thread_count, lock_count, variable_count;
    struct thread threads[MAX_THREADS];
    struct lock locks[MAX_LOCKS];
    struct barrier barriers[BARRIERS];
    unsigned notified[CONDITIONS]; /* number of the last notify */
    unsigned units[CHANNELS];      /* sent or initial, not yet received */
    unsigned posted[CHANNELS];     /* the same of semaphores */
    unsigned hoard;                /* units that takes leave there, so that several were posted */
    int64_t values[MAX_VARIABLES];
};

static unsigned below(struct simulation *sim, unsigned limit) {
    return (unsigned)hd_random_below(sim->random, limit);
}

static bool chance(struct simulation *sim, unsigned permille) {
    return hd_random_chance(sim->random, permille);
}

static bool has(const struct simulation *sim, unsigned feature) {
    return (sim->features & feature) != 0;
}

static unsigned length(const struct simulation *sim) {
    return (unsigned)sim->trace->events.length;
}

static struct thread *thread_at(struct simulation *sim, unsigned t) {
    return &sim->threads[t];
}

/* ---- Writing the event down ---- */

static uint32_t name_of(struct simulation *sim, enum heddle_class class, unsigned i) {
    static const char *const prefixes[HEDDLE_CLASS_COUNT] = {
        [HEDDLE_CLASS_THREAD] = "T",     [HEDDLE_CLASS_VARIABLE] = "x",
        [HEDDLE_CLASS_LOCK] = "l",       [HEDDLE_CLASS_CONDITION] = "c",
        [HEDDLE_CLASS_BARRIER] = "b",    [HEDDLE_CLASS_CHANNEL] = "s",
        [HEDDLE_CLASS_BLOCK] = "f",      [HEDDLE_CLASS_LABEL] = "m",
        [HEDDLE_CLASS_LOCATION] = "at",  [HEDDLE_CLASS_SEMAPHORE] = "u",
        [HEDDLE_CLASS_FENCE] = "memory",
    };
    if (class == HEDDLE_CLASS_BLOCK && i == 0)
        return hd_trace_name(sim->trace, class, "%s", "");
    return hd_trace_name(sim->trace, class, "%s%u", prefixes[class], i + 1);
}

static void emit(struct simulation *sim, unsigned t, enum heddle_kind kind, unsigned object) {
    struct thread *thread = thread_at(sim, t);
    heddle_event event = {.kind = (uint8_t)kind};
    event.thread = name_of(sim, HEDDLE_CLASS_THREAD, t);
    event.object = name_of(sim, (enum heddle_class)hd_trace_kinds[kind].class, object);
    if (has(sim, SUPPORT_ORDERS) && kind == HEDDLE_ATOMIC_READ && chance(sim, 150))
        event.flags |= HEDDLE_KEPT;
    else if (has(sim, SUPPORT_ORDERS) && hd_trace_kinds[kind].traits & HEDDLE_T_ORDERED)
        event.flags |= (uint8_t)(below(sim, HEDDLE_ORDER_COUNT) << HEDDLE_ORDER_SHIFT);
    else if (has(sim, SUPPORT_ORDERS) && hd_trace_is_access(&event) && chance(sim, 100))
        event.flags |= HEDDLE_EXEMPT;
    else if (has(sim, SUPPORT_CERTAIN) && hd_trace_may_be_certain(kind) && chance(sim, 300))
        event.flags |= HEDDLE_CERTAIN;
    if (chance(sim, 900))
        event.location = name_of(sim, HEDDLE_CLASS_LOCATION, length(sim));
    hd_trace_append(sim->trace, event);
    thread->seen = true;
    thread->released = kind == HEDDLE_RELEASE;
    if (thread->budget)
        thread->budget--;
}

static void give_value(struct simulation *sim, int64_t value) {
    if (!has(sim, SUPPORT_VALUES))
        return;
    heddle_event *event = hd_vec_last(&sim->trace->events);
    event->flags |= HEDDLE_HAS_VALUE;
    event->value = value;
}

static int64_t draw_value(struct simulation *sim) {
    static const int64_t extremes[] = {INT64_MIN, INT64_MAX, -1, UINT32_MAX};
    if (chance(sim, 50))
        return extremes[below(sim, 4)];
    return below(sim, 4);
}

/* ---- Memory, marks, blocks ---- */

static enum heddle_kind access_kind(struct simulation *sim) {
    static const enum heddle_kind kinds[2][3] = {
        {HEDDLE_READ, HEDDLE_WRITE, HEDDLE_RMW},
        {HEDDLE_ATOMIC_READ, HEDDLE_ATOMIC_WRITE, HEDDLE_ATOMIC_RMW}};
    bool atomic = has(sim, SUPPORT_ATOMICS) && chance(sim, 400);
    unsigned operation = has(sim, SUPPORT_RMW) && chance(sim, 200) ? 2 : below(sim, 2);
    return kinds[atomic][operation];
}

static bool access_variable(struct simulation *sim, unsigned t) {
    if (!sim->variable_count)
        return false;
    unsigned variable = below(sim, sim->variable_count);
    enum heddle_kind kind = access_kind(sim);
    emit(sim, t, kind, variable);
    if (hd_trace_kinds[kind].traits & HEDDLE_T_WRITES)
        sim->values[variable] = draw_value(sim);
    give_value(sim, sim->values[variable]);
    return true;
}

/* It may be used afterwards: what a trace says need not be right. */
static bool free_variable(struct simulation *sim, unsigned t) {
    if (!sim->variable_count)
        return false;
    unsigned variable = below(sim, sim->variable_count);
    emit(sim, t, HEDDLE_FREE, variable);
    sim->values[variable] = 0;
    return true;
}

static bool fence(struct simulation *sim, unsigned t) {
    emit(sim, t, HEDDLE_FENCE, 0);
    return true;
}

static bool mark(struct simulation *sim, unsigned t) {
    emit(sim, t, HEDDLE_MARK, below(sim, LABELS));
    if (chance(sim, 500))
        give_value(sim, draw_value(sim));
    return true;
}

static bool begin_block(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    if (thread->block_count == MAX_BLOCKS)
        return false;
    unsigned block = below(sim, BLOCK_NAMES);
    thread->blocks[thread->block_count++] = block;
    emit(sim, t, HEDDLE_BEGIN, block);
    return true;
}

static bool end_block(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    if (!thread->block_count)
        return false;
    emit(sim, t, HEDDLE_END, thread->blocks[--thread->block_count]);
    return true;
}

/* ---- Locks ---- */

static bool held_by(const struct lock *lock, unsigned t) {
    return (lock->writer_depth && lock->writer == t) || lock->reader_depth[t];
}

static bool held(const struct lock *lock) {
    return lock->writer_depth || lock->readers;
}

/* By a try, or a call with a time limit? */
static bool tries(struct simulation *sim) {
    return has(sim, SUPPORT_TRYFAIL) && chance(sim, 300);
}

static void take_writing(struct simulation *sim, unsigned t, unsigned l) {
    sim->locks[l].writer = t;
    sim->locks[l].writer_depth++;
    emit(sim, t, tries(sim) ? HEDDLE_TRY_ACQUIRE : HEDDLE_ACQUIRE, l);
}

static void take_reading(struct simulation *sim, unsigned t, unsigned l) {
    if (sim->locks[l].reader_depth[t]++ == 0)
        sim->locks[l].readers++;
    emit(sim, t, tries(sim) ? HEDDLE_TRY_READ_ACQUIRE : HEDDLE_READ_ACQUIRE, l);
}

static bool acquire(struct simulation *sim, unsigned t, unsigned l) {
    struct thread *thread = thread_at(sim, t);
    struct lock *lock = &sim->locks[l];
    if (thread->hold_count == MAX_HOLDS)
        return false;
    bool again = held_by(lock, t);
    if (again && !has(sim, SUPPORT_REENTRANT))
        return false;
    bool reading = again ? lock->reader_depth[t] > 0 : lock->shared && chance(sim, 600);
    if (!again && (lock->writer_depth || (!reading && lock->readers)))
        return false;
    thread->holds[thread->hold_count++] = l;
    if (reading)
        take_reading(sim, t, l);
    else
        take_writing(sim, t, l);
    return true;
}

static bool acquire_some(struct simulation *sim, unsigned t) {
    return sim->lock_count && acquire(sim, t, below(sim, sim->lock_count));
}

/* Gives back the i-th hold of the thread. */
static void release(struct simulation *sim, unsigned t, unsigned i) {
    struct thread *thread = thread_at(sim, t);
    unsigned l = thread->holds[i];
    struct lock *lock = &sim->locks[l];
    thread->hold_count--;
    memmove(&thread->holds[i], &thread->holds[i + 1],
            (thread->hold_count - i) * sizeof thread->holds[0]);
    if (lock->reader_depth[t]) {
        if (--lock->reader_depth[t] == 0)
            lock->readers--;
        emit(sim, t, HEDDLE_READ_RELEASE, l);
    } else {
        lock->writer_depth--;
        emit(sim, t, HEDDLE_RELEASE, l);
    }
}

static bool release_some(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    if (!thread->hold_count)
        return false;
    unsigned newest = thread->hold_count - 1;
    release(sim, t, chance(sim, 800) ? newest : below(sim, thread->hold_count));
    return true;
}

/* Mostly of a lock that somebody holds; a try may also fail without a reason. */
static bool fail_to_acquire(struct simulation *sim, unsigned t) {
    if (!sim->lock_count)
        return false;
    unsigned l = below(sim, sim->lock_count);
    if (!held(&sim->locks[l]) && chance(sim, 800))
        return false;
    emit(sim, t, HEDDLE_TRYFAIL, l);
    return true;
}

/* ---- Threads ---- */

static bool fork_thread(struct simulation *sim, unsigned t) {
    unsigned child = below(sim, sim->thread_count);
    struct thread *thread = thread_at(sim, child);
    if (child == t || thread->forked || thread->seen || thread->state == JOINED)
        return false;
    thread->forked = true;
    if (thread->state == UNBORN)
        thread->state = RUNNING;
    emit(sim, t, HEDDLE_FORK, child);
    return true;
}

static bool join_thread(struct simulation *sim, unsigned t) {
    unsigned child = below(sim, sim->thread_count);
    struct thread *thread = thread_at(sim, child);
    if (child == t || thread->state != RUNNING || !(thread->seen || thread->forked))
        return false;
    bool finished = !thread->budget && (thread->abandons || !thread->hold_count);
    if (!finished && chance(sim, 950))
        return false;
    thread->state = JOINED;
    emit(sim, t, HEDDLE_JOIN, child);
    return true;
}

/* ---- Condition variables ---- */

/* The wait of a thread, with the release of a lock that it holds as one step. */
static bool wait_for(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    unsigned relock = 0;
    if (thread->hold_count) {
        if (length(sim) + 2 > sim->events)
            return false;
        unsigned i = chance(sim, 800) ? thread->hold_count - 1 : below(sim, thread->hold_count);
        if (sim->locks[thread->holds[i]].reader_depth[t])
            return false;
        relock = thread->holds[i] + 1;
        release(sim, t, i);
    } else if (thread->released || chance(sim, 700)) {
        return false;
    }
    thread->object = below(sim, CONDITIONS);
    emit(sim, t, HEDDLE_WAIT, thread->object);
    thread->state = WAITING;
    thread->since = length(sim);
    thread->relock = chance(sim, 900) ? relock : 0;
    return true;
}

static bool wake(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    bool notified = sim->notified[thread->object] > thread->since;
    if (chance(sim, notified ? 500 : 985))
        return false;
    emit(sim, t, HEDDLE_WAKE, thread->object);
    thread->state = RUNNING;
    return true;
}

/* A condition, mostly one that somebody waits on. */
static unsigned draw_condition(struct simulation *sim) {
    unsigned first = below(sim, sim->thread_count);
    for (unsigned i = 0; i < sim->thread_count && chance(sim, 950); i++) {
        struct thread *thread = thread_at(sim, (first + i) % sim->thread_count);
        if (thread->state == WAITING)
            return thread->object;
    }
    return below(sim, CONDITIONS);
}

static bool notify(struct simulation *sim, unsigned t) {
    unsigned condition = draw_condition(sim);
    emit(sim, t, chance(sim, 600) ? HEDDLE_NOTIFY : HEDDLE_NOTIFYALL, condition);
    sim->notified[condition] = length(sim);
    return true;
}

/* ---- Barriers and channels ---- */

static bool arrive(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    thread->object = below(sim, BARRIERS);
    struct barrier *barrier = &sim->barriers[thread->object];
    thread->state = ARRIVED;
    thread->since = barrier->round;
    emit(sim, t, HEDDLE_BARRIER_IN, thread->object);
    if (++barrier->arrived == barrier->parties) {
        barrier->round++;
        barrier->arrived = 0;
    }
    return true;
}

/* Mostly when the round is full; rarely before, as after a barrier was destroyed:
 * the format does not know how many threads a barrier is for. */
static bool depart(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    struct barrier *barrier = &sim->barriers[thread->object];
    bool full = barrier->round > thread->since;
    if (chance(sim, full ? 400 : 980))
        return false;
    if (!full) {
        barrier->round++;
        barrier->arrived = 0;
    }
    emit(sim, t, HEDDLE_BARRIER_OUT, thread->object);
    thread->state = RUNNING;
    return true;
}

static bool send_unit(struct simulation *sim, unsigned t) {
    unsigned channel = below(sim, CHANNELS);
    sim->units[channel]++;
    emit(sim, t, HEDDLE_SEND, channel);
    return true;
}

static bool receive_unit(struct simulation *sim, unsigned t) {
    unsigned channel = below(sim, CHANNELS);
    if (!sim->units[channel])
        return false;
    sim->units[channel]--;
    emit(sim, t, HEDDLE_RECV, channel);
    return true;
}

static bool post_unit(struct simulation *sim, unsigned t) {
    unsigned semaphore = below(sim, CHANNELS);
    sim->posted[semaphore]++;
    emit(sim, t, HEDDLE_POST, semaphore);
    return true;
}

static bool take_unit(struct simulation *sim, unsigned t) {
    unsigned semaphore = below(sim, CHANNELS);
    if (sim->posted[semaphore] <= sim->hoard || (sim->hoard && chance(sim, 300)))
        return false;
    sim->posted[semaphore]--;
    emit(sim, t, HEDDLE_TAKE, semaphore);
    return true;
}

/* ---- One step ---- */

struct action {
    bool (*act)(struct simulation *sim, unsigned t); /* false: not possible now */
    unsigned features;                               /* one of these is needed; 0: none */
    unsigned weight;
};

static const struct action actions[] = {
    {access_variable, 0, 8},
    {free_variable, SUPPORT_FREES, 2},
    {acquire_some, SUPPORT_LOCKS | SUPPORT_RWLOCKS, 5},
    {release_some, SUPPORT_LOCKS | SUPPORT_RWLOCKS, 4},
    {fail_to_acquire, SUPPORT_TRYFAIL, 2},
    {fork_thread, SUPPORT_FORKS, 4},
    {join_thread, SUPPORT_FORKS, 4},
    {wait_for, SUPPORT_WAITS, 3},
    {notify, SUPPORT_WAITS, 2},
    {arrive, SUPPORT_BARRIERS, 2},
    {send_unit, SUPPORT_CHANNELS, 2},
    {receive_unit, SUPPORT_CHANNELS, 2},
    {post_unit, SUPPORT_SEMAPHORES, 3},
    {take_unit, SUPPORT_SEMAPHORES, 4},
    {begin_block, SUPPORT_BLOCKS, 1},
    {end_block, SUPPORT_BLOCKS, 2},
    {mark, SUPPORT_MARKS, 1},
    {begin_block, SUPPORT_MORE_BLOCKS, 4},
    {fence, SUPPORT_ORDERS, 4},
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

static const struct action *draw_action(struct simulation *sim) {
    unsigned total = 0;
    for (unsigned i = 0; i < ACTIONS; i++)
        if (!actions[i].features || has(sim, actions[i].features))
            total += actions[i].weight;
    unsigned drawn = below(sim, total);
    for (unsigned i = 0;; i++) {
        if (actions[i].features && !has(sim, actions[i].features))
            continue;
        if (drawn < actions[i].weight)
            return &actions[i];
        drawn -= actions[i].weight;
    }
}

static void run(struct simulation *sim, unsigned t) {
    struct thread *thread = thread_at(sim, t);
    if (thread->relock) {
        if (acquire(sim, t, thread->relock - 1) || chance(sim, 50))
            thread->relock = 0;
    } else if (thread->budget) {
        draw_action(sim)->act(sim, t);
    } else if (!thread->abandons) {
        release_some(sim, t);
    }
}

static void step(struct simulation *sim) {
    unsigned t = below(sim, sim->thread_count);
    switch (thread_at(sim, t)->state) {
    case RUNNING:
        run(sim, t);
        break;
    case WAITING:
        wake(sim, t);
        break;
    case ARRIVED:
        depart(sim, t);
        break;
    case UNBORN:
    case JOINED:
        break;
    }
}

/* ---- One case ---- */

/* A subset of the features: all of them, about half, or a few. */
static unsigned draw_features(hd_random *random, unsigned features) {
    static const uint32_t share[] = {1000, 500, 500, 200};
    uint32_t kept = share[hd_random_below(random, 4)];
    unsigned drawn = 0;
    for (unsigned feature = 1; feature <= SUPPORT_ORDERS; feature <<= 1)
        if (hd_random_chance(random, kept))
            drawn |= feature;
    if (drawn & (SUPPORT_WAITS | SUPPORT_TRYFAIL | SUPPORT_REENTRANT))
        drawn |= hd_random_chance(random, 750) ? SUPPORT_LOCKS : 0;
    return drawn & features;
}

static unsigned draw_count(hd_random *random, unsigned most, unsigned limit) {
    if (most > limit)
        most = limit;
    return most ? 1 + (unsigned)hd_random_below(random, most) : 0;
}

/* Mostly near the most that is wanted, sometimes anything down to one event: a
 * file without any is not a trace. */
static unsigned draw_length(hd_random *random, unsigned most) {
    unsigned least = most > 1 && hd_random_chance(random, 850) ? most / 2 : most > 0;
    return least + (unsigned)hd_random_below(random, most - least + 1);
}

static void draw_threads(struct simulation *sim) {
    unsigned share = sim->events / sim->thread_count;
    unsigned forked = sim->features & SUPPORT_FORKS ? 250 * below(sim, 5) : 0;
    for (unsigned t = 0; t < sim->thread_count; t++) {
        struct thread *thread = thread_at(sim, t);
        thread->state = t && chance(sim, forked) ? UNBORN : RUNNING;
        thread->budget = chance(sim, 350) ? sim->events : 1 + below(sim, 2 * share + 1);
        thread->abandons = chance(sim, 300);
    }
}

static void draw_objects(struct simulation *sim) {
    for (unsigned l = 0; l < sim->lock_count; l++)
        sim->locks[l].shared =
            has(sim, SUPPORT_RWLOCKS) && (!has(sim, SUPPORT_LOCKS) || chance(sim, 600));
    for (unsigned b = 0; b < BARRIERS; b++)
        sim->barriers[b].parties = 1 + below(sim, sim->thread_count);
    sim->hoard = has(sim, SUPPORT_SEMAPHORES) && chance(sim, 400) ? 1 + below(sim, 2) : 0;
    for (unsigned c = 0; c < CHANNELS; c++)
        sim->units[c] = chance(sim, 300) ? 1 + below(sim, 2) : 0;
    for (unsigned s = 0; has(sim, SUPPORT_SEMAPHORES) && s < CHANNELS; s++)
        sim->posted[s] = chance(sim, 400) ? 1 + below(sim, 2) : 0;
}

void support_random_trace(hd_trace *trace, hd_random *random, const support_shape *shape) {
    struct simulation sim = {.trace = trace, .random = random};
    sim.features = draw_features(random, shape->features);
    sim.thread_count = draw_count(random, shape->threads, MAX_THREADS);
    if (sim.thread_count < 2) /* one thread alone is rarely interesting */
        sim.thread_count = draw_count(random, shape->threads, MAX_THREADS);
    sim.lock_count = draw_count(random, shape->locks, MAX_LOCKS);
    sim.variable_count = draw_count(random, shape->variables, MAX_VARIABLES);
    sim.events = draw_length(random, shape->events);
    if (!sim.thread_count)
        return;
    draw_threads(&sim);
    draw_objects(&sim);
    for (unsigned tries = 0; tries < 200 * sim.events && length(&sim) < sim.events; tries++)
        step(&sim);
    hd_error error = {0};
    if (!hd_trace_check_all(trace, &error)) {
        fprintf(stderr, "support: a random trace is refused: %s\n", error.text);
        hd_trace_save(trace, "-", HD_TRACE_TEXT, &error);
        abort();
    }
}

/* ---- Traces from traces and from text ---- */

/* The event with its names moved into the tables of another trace. */
static heddle_event renamed(hd_trace *to, const hd_trace *from, heddle_event event) {
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[event.kind].class;
    const char *thread = hd_trace_thread_name(&from->tables, event.thread);
    const char *object = hd_trace_object_name(&from->tables, &event);
    const char *location = hd_trace_location(&from->tables, &event);
    event.thread = hd_trace_name(to, HEDDLE_CLASS_THREAD, "%s", thread);
    event.object = hd_trace_name(to, class, "%s", object);
    event.location = event.location ? hd_trace_name(to, HEDDLE_CLASS_LOCATION, "%s", location) : 0;
    event.flags &= (uint8_t)~HEDDLE_REENTRANT; /* the check sets it anew */
    return event;
}

/* Number of the last write to the variable of event n before it, among those kept (all: NULL). */
static uint32_t last_write(const hd_trace *trace, uint32_t n, const hd_bits *keep) {
    for (uint32_t w = n - 1; w >= 1; w--) {
        const heddle_event *event = hd_trace_event(trace, w);
        if (hd_trace_writes(event) && event->object == hd_trace_event(trace, n)->object &&
            (!keep || hd_bits_has(keep, w - 1)))
            return w;
    }
    return 0;
}

/* A read that now sees another write has the value of that one. */
static void mend_value(heddle_event *event, const hd_trace *from, uint32_t n, const hd_bits *keep) {
    if (!(event->flags & HEDDLE_HAS_VALUE) || !hd_trace_reads(event) || hd_trace_writes(event))
        return;
    uint32_t seen = last_write(from, n, keep);
    if (seen != last_write(from, n, NULL))
        event->value = seen ? hd_trace_event(from, seen)->value : 0;
}

bool support_keep(hd_trace *to, const hd_trace *from, const hd_bits *keep) {
    for (uint32_t n = 1; n <= hd_trace_length(from); n++) {
        if (!hd_bits_has(keep, n - 1))
            continue;
        heddle_event event = *hd_trace_event(from, n);
        mend_value(&event, from, n, keep);
        hd_trace_append(to, renamed(to, from, event));
    }
    hd_error error;
    if (hd_trace_check_all(to, &error))
        return true;
    hd_trace_release(to);
    hd_trace_init(to);
    return false;
}

static void fail(const hd_error *error) {
    fprintf(stderr, "support: %s\n", error->text);
    exit(2);
}

void support_parse(hd_trace *trace, const char *text) {
    hd_error error = {0};
    hd_trace_batch batch;
    hd_trace_cursor *cursor = hd_trace_cursor_memory(text, strlen(text), "text", 0, &error);
    if (!cursor)
        fail(&error);
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            hd_trace_append(trace, batch.events[i]);
    if (more < 0)
        fail(&error);
    hd_trace_tables_release(&trace->tables);
    hd_trace_cursor_take_tables(cursor, &trace->tables);
    hd_trace_cursor_close(cursor);
}
