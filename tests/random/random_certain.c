/*
 * Reorderings that keep decisions, not all reads (race_certain.h, R6; witness_matter.h), against an
 * interpreter.  A small program with real data flow is drawn: reads into registers, sums, branches
 * on registers, computed addresses, values that go to a new thread and come back from one.  It is
 * run once, and the run is a trace in which events are certain by the definition of doc/format.md.
 * Whatever is then said about the trace is carried out: the program is run along the schedule, and
 * must do the same events at the same places.
 */
#include <stdio.h>
#include <string.h>

#include "race/race.h"
#include "support_random.h"

static unsigned long kept_pairs, certain_pairs, accepted, changed, rejected;

enum { THREADS = 4, VARIABLES = 3, LOCKS = 2, REGISTERS = 2, LONGEST = 40, VALUES = 4 };

/* ---- Programs ---- */

enum what {
    ADD,  /* register += other + number */
    SKIP, /* if (register + number) is odd, so many instructions */
    READ,
    WRITE,
    RMW, /* variable += register */
    ATOMIC_READ,
    FETCH_ADD,
    EXCHANGE, /* compare with register, store number */
    MARK,
    LOCK,
    UNLOCK,
    FORK, /* the register is the argument */
    JOIN  /* the register becomes the result */
};

typedef struct instruction {
    enum what what;
    bool indexed; /* the address is object + other register */
    unsigned object, self, other, number;
} instruction;

typedef struct program {
    unsigned threads;
    instruction code[THREADS][LONGEST];
    unsigned length[THREADS];
} program;

static unsigned below(hd_random *random, unsigned limit) {
    return (unsigned)hd_random_below(random, limit);
}

static instruction *add(program *p, unsigned t, enum what what, hd_random *random) {
    instruction *it = &p->code[t][p->length[t]++];
    *it = (instruction){.what = what,
                        .object = below(random, VARIABLES),
                        .self = below(random, REGISTERS),
                        .other = below(random, REGISTERS),
                        .number = below(random, VALUES)};
    return it;
}

static void draw_simple(program *p, unsigned t, hd_random *random) {
    static const enum what kinds[] = {READ, READ, READ, READ, WRITE,       WRITE,     WRITE,
                                      ADD,  ADD,  RMW,  MARK, ATOMIC_READ, FETCH_ADD, EXCHANGE};
    enum what what = kinds[below(random, sizeof kinds / sizeof *kinds)];
    if (what >= ATOMIC_READ && below(random, 3))
        what = READ;
    instruction *it = add(p, t, what, random);
    it->indexed = (what == READ || what == WRITE || what == RMW) && !below(random, 8);
}

static void draw_body(program *p, unsigned t, unsigned items, unsigned depth, hd_random *random) {
    for (unsigned i = 0; i < items && p->length[t] + 12 < LONGEST; i++) {
        unsigned choice = below(random, 10);
        if (depth < 2 && choice == 0) {
            unsigned at = p->length[t];
            add(p, t, SKIP, random);
            draw_body(p, t, 1 + below(random, 2), depth + 1, random);
            p->code[t][at].object = p->length[t] - at - 1;
        } else if (depth < 2 && choice < 3) {
            unsigned lock = below(random, LOCKS);
            if (depth && lock == 0)
                continue; /* never twice, and in one order */
            add(p, t, LOCK, random)->object = depth ? 1 : lock;
            draw_body(p, t, 1 + below(random, 2), lock == 0 ? depth + 1 : 2, random);
            add(p, t, UNLOCK, random)->object = depth ? 1 : lock;
        } else
            draw_simple(p, t, random);
    }
}

static void draw(program *p, hd_random *random) {
    *p = (program){.threads = 3 + below(random, THREADS - 2)};
    for (unsigned t = 1; t < p->threads; t++) {
        if (below(random, 4) == 0)
            draw_simple(p, 0, random);
        add(p, 0, FORK, random)->object = t;
        draw_body(p, t, 3 + below(random, 4), 0, random);
    }
    draw_body(p, 0, below(random, 3), 0, random);
    if (below(random, 3) == 0) {
        add(p, 0, JOIN, random)->object = 1 + below(random, p->threads - 1);
        draw_body(p, 0, 2, 0, random);
    }
}

/* ---- The interpreter ---- */

typedef struct machine {
    const program *p;
    unsigned at[THREADS];
    unsigned registers[THREADS][REGISTERS];
    unsigned variables[VARIABLES];
    unsigned holder[LOCKS]; /* thread + 1 */
    bool started[THREADS];
    /* Of the run that is recorded: which registers depend on reads since the last event that is not
     * certain, and whether a decision since the last event did. */
    bool tainted[THREADS][REGISTERS];
    bool decided[THREADS];
} machine;

/* What a thread did. */
typedef struct done {
    enum heddle_kind kind;
    unsigned object, value;
    bool certain;
} done;

static void start(machine *m, const program *p) {
    *m = (machine){.p = p};
    m->started[0] = true;
}

static bool has_ended(const machine *m, unsigned t) {
    return m->at[t] == m->p->length[t];
}

/* To its next event, by instructions that are not events. */
static void go_on(machine *m, unsigned t) {
    for (; m->started[t] && !has_ended(m, t); m->at[t]++) {
        const instruction *it = &m->p->code[t][m->at[t]];
        unsigned *r = m->registers[t];
        if (it->what == ADD) {
            r[it->self] = (r[it->self] + r[it->other] + it->number) % VALUES;
            m->tainted[t][it->self] |= m->tainted[t][it->other];
        } else if (it->what == SKIP) {
            m->decided[t] |= m->tainted[t][it->self];
            if ((r[it->self] + it->number) % 2)
                m->at[t] += it->object;
        } else
            break;
    }
}

static unsigned address(const machine *m, unsigned t, const instruction *it) {
    return it->indexed ? (it->object + m->registers[t][it->other]) % VARIABLES : it->object;
}

static bool can_step(machine *m, unsigned t) {
    go_on(m, t);
    if (!m->started[t] || has_ended(m, t))
        return false;
    const instruction *it = &m->p->code[t][m->at[t]];
    if (it->what == JOIN)
        go_on(m, it->object);
    return it->what == LOCK   ? !m->holder[it->object]
           : it->what == JOIN ? m->started[it->object] && has_ended(m, it->object)
                              : true;
}

/* Is the event certain?  If not, all that was read before it matters. */
static bool judge(machine *m, unsigned t, const instruction *it) {
    bool may = it->what == READ || it->what == WRITE || it->what == RMW || it->what == LOCK ||
               it->what == UNLOCK;
    bool certain = may && !m->decided[t] && !(it->indexed && m->tainted[t][it->other]);
    if (!certain)
        memset(m->tainted[t], 0, sizeof m->tainted[t]);
    m->decided[t] = false;
    return certain;
}

static done step(machine *m, unsigned t) {
    const instruction *it = &m->p->code[t][m->at[t]++];
    unsigned *r = m->registers[t], at = address(m, t, it), *x = &m->variables[at % VARIABLES];
    done d = {.object = at, .certain = judge(m, t, it)};
    switch (it->what) {
    case READ:
    case ATOMIC_READ:
        d.kind = it->what == READ ? HEDDLE_READ : HEDDLE_ATOMIC_READ;
        d.value = r[it->self] = *x;
        m->tainted[t][it->self] = true;
        break;
    case WRITE:
        d.kind = HEDDLE_WRITE;
        d.value = *x = (r[it->self] + it->number) % VALUES;
        break;
    case RMW:
        d.kind = HEDDLE_RMW;
        d.value = *x = (*x + r[it->self] + 1) % VALUES;
        break;
    case FETCH_ADD:
        d.kind = HEDDLE_ATOMIC_RMW;
        r[it->self] = *x;
        m->tainted[t][it->self] = true;
        d.value = *x = (*x + it->number) % VALUES;
        break;
    case EXCHANGE:
        d.kind = *x == r[it->self] ? HEDDLE_ATOMIC_RMW : HEDDLE_ATOMIC_READ;
        if (d.kind == HEDDLE_ATOMIC_RMW)
            *x = it->number;
        else
            r[it->self] = *x;
        m->tainted[t][it->self] = true;
        d.value = *x;
        break;
    case MARK:
        d.kind = HEDDLE_MARK;
        d.value = r[it->self];
        break;
    case LOCK:
        d.kind = HEDDLE_ACQUIRE;
        m->holder[it->object] = t + 1;
        break;
    case UNLOCK:
        d.kind = HEDDLE_RELEASE;
        m->holder[it->object] = 0;
        break;
    case FORK:
        d.kind = HEDDLE_FORK;
        m->started[it->object] = true;
        m->registers[it->object][0] = r[it->self];
        break;
    default:
        d.kind = HEDDLE_JOIN;
        r[it->self] = m->registers[it->object][0];
        m->tainted[t][it->self] = true;
        break;
    }
    go_on(m, t);
    return d;
}

/* ---- A run as a trace ---- */

typedef struct run {
    program p;
    hd_trace trace;
    hd_vec_u32 at; /* of an event: its instruction */
} run;

static heddle_event event_of(hd_trace *trace, unsigned t, unsigned at, done d, bool certain) {
    static const char *const names[HEDDLE_CLASS_COUNT] = {[HEDDLE_CLASS_THREAD] = "t",
                                                          [HEDDLE_CLASS_VARIABLE] = "x",
                                                          [HEDDLE_CLASS_LOCK] = "l",
                                                          [HEDDLE_CLASS_LABEL] = "m"};
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[d.kind].class;
    heddle_event event = {.kind = (uint8_t)d.kind};
    event.thread = hd_trace_name(trace, HEDDLE_CLASS_THREAD, "t%u", t);
    event.object = hd_trace_name(trace, class, "%s%u", names[class], d.object);
    event.location = hd_trace_name(trace, HEDDLE_CLASS_LOCATION, "t%u:%u", t, at);
    event.value = d.value;
    if (hd_trace_kinds[d.kind].traits & HEDDLE_T_VALUE)
        event.flags |= HEDDLE_HAS_VALUE;
    if (certain)
        event.flags |= HEDDLE_CERTAIN;
    return event;
}

static void record(run *r, hd_random *random) {
    machine m;
    bool able = true;
    draw(&r->p, random);
    start(&m, &r->p);
    hd_trace_init(&r->trace);
    for (unsigned t = 0; t < r->p.threads; t++) /* thread t has number t */
        hd_trace_name(&r->trace, HEDDLE_CLASS_THREAD, "t%u", t);
    while (able) {
        able = false;
        unsigned first = below(random, r->p.threads);
        for (unsigned i = 0; i < r->p.threads && !able; i++) {
            unsigned t = (first + i) % r->p.threads;
            if (!can_step(&m, t))
                continue;
            unsigned at = m.at[t];
            done d = step(&m, t);
            hd_trace_append(&r->trace, event_of(&r->trace, t, at, d, d.certain));
            hd_vec_push(&r->at, at);
            able = true;
        }
    }
}

static void release(run *r) {
    hd_trace_release(&r->trace);
    hd_vec_release(&r->at);
}

/* ---- Along a schedule ---- */

static bool is_same(const run *r, machine *m, uint32_t number, bool next, bool *other_value) {
    const heddle_event *e = hd_trace_event(&r->trace, number);
    unsigned t = e->thread;
    go_on(m, t);
    if (!m->started[t] || has_ended(m, t) || m->at[t] != r->at.data[number - 1])
        return false;
    const instruction *it = &r->p.code[t][m->at[t]];
    if (next) { /* its object is the one; whether a comparison fails is not asked */
        char name[16];
        bool lock = it->what == LOCK || it->what == UNLOCK;
        snprintf(name, sizeof name, "%c%u", lock ? 'l' : 'x',
                 lock ? it->object : address(m, t, it));
        return strcmp(name, hd_trace_object_name(&r->trace.tables, e)) == 0;
    }
    if (!can_step(m, t))
        return false;
    unsigned at = m->at[t];
    done d = step(m, t);
    heddle_event did = event_of((hd_trace *)&r->trace, t, at, d, false);
    *other_value |= did.flags & HEDDLE_HAS_VALUE && did.value != e->value;
    return did.kind == e->kind && did.object == e->object;
}

static bool carry_out(const run *r, const hd_witness *witness, char *why, size_t why_size) {
    machine m;
    bool other_value = false;
    const uint32_t next[] = {witness->claim.first, witness->claim.second};
    start(&m, &r->p);
    for (size_t i = 0; i < witness->schedule.length; i++)
        if (!is_same(r, &m, witness->schedule.data[i], false, &other_value)) {
            snprintf(why, why_size, "event %u, at place %zu of a schedule, is not what happens",
                     witness->schedule.data[i], i + 1);
            return false;
        }
    for (unsigned i = 0; i < 2 && witness->claim.kind == HD_WITNESS_RACE; i++)
        if (!is_same(r, &m, next[i], true, &other_value)) {
            snprintf(why, why_size, "event %u of a race is not next", next[i]);
            return false;
        }
    changed += other_value;
    return true;
}

/* ---- Properties ---- */

typedef struct answer {
    const run *r;
    bool good;
    char *why;
    size_t why_size;
    hd_vec_u64 pairs;
    unsigned long certain;
} answer;

static int take(void *context, hd_finding *finding) {
    answer *a = context;
    hd_error error = {""};
    hd_vec_push(&a->pairs, (uint64_t)finding->events.data[0] << 32 | finding->events.data[1]);
    a->certain += finding->witness && finding->witness->claim.decisions;
    if (a->good && finding->witness && a->r) {
        a->good = hd_witness_check(finding->witness, &a->r->trace, &error);
        if (!a->good)
            snprintf(a->why, a->why_size, "%.200s", error.text);
        else
            a->good = carry_out(a->r, finding->witness, a->why, a->why_size);
    }
    return 0;
}

static bool ask(answer *a, const hd_trace *trace, bool all) {
    hd_race_options options;
    hd_race_result result;
    hd_error error = {""};
    hd_race_options_init(&options);
    options.all = all;
    if (!hd_race_run(trace, &options, &result, take, a, &error) || result.certain_open ||
        result.unproved || result.races != a->pairs.length || result.certain != a->certain) {
        snprintf(a->why, a->why_size, "not all was decided: %.200s", error.text);
        return false;
    }
    return a->good;
}

static bool has(const hd_vec_u64 *pairs, uint64_t pair) {
    for (size_t i = 0; i < pairs->length; i++)
        if (pairs->data[i] == pair)
            return true;
    return false;
}

/* The trace given is not used here and below: a failing case is that of its seed. */
static bool check_found(const hd_trace *unused, hd_random *random, char *why, size_t why_size) {
    (void)unused;
    run r = {0};
    record(&r, random);
    answer with = {&r, true, why, why_size, {0}, 0}, without = {NULL, true, why, why_size, {0}, 0};
    answer places = {&r, true, why, why_size, {0}, 0};
    bool good = ask(&with, &r.trace, true) && ask(&places, &r.trace, false);
    for (uint32_t n = 0; n < hd_trace_length(&r.trace); n++)
        r.trace.events.data[n].flags &= (uint8_t)~HEDDLE_ORDER;
    good = good && ask(&without, &r.trace, true);
    for (size_t i = 0; good && i < without.pairs.length; i++)
        if (!has(&with.pairs, without.pairs.data[i]))
            good = (snprintf(why, why_size, "a race is found only without certain events"), false);
    if (good && with.pairs.length != without.pairs.length + with.certain)
        good = (snprintf(why, why_size, "%zu races, but %zu and %lu", with.pairs.length,
                         without.pairs.length, with.certain),
                false);
    kept_pairs += without.pairs.length;
    certain_pairs += with.certain;
    hd_vec_release(&with.pairs);
    hd_vec_release(&without.pairs);
    hd_vec_release(&places.pairs);
    release(&r);
    return good;
}

/* Some order of some events, which locks, forks and joins allow; reads see what they see. */
static void draw_schedule(const run *r, hd_random *random, hd_vec_u32 *schedule) {
    uint32_t length = hd_trace_length(&r->trace), threads = r->p.threads;
    uint32_t next[THREADS], holder[LOCKS] = {0};
    unsigned steps = below(random, length + 1);
    for (uint32_t t = 0; t < threads; t++)
        for (next[t] = 1; next[t] <= length && hd_trace_event(&r->trace, next[t])->thread != t;)
            next[t]++;
    bool started[THREADS] = {true};
    for (unsigned tries = 0; tries < 8 * length && schedule->length < steps; tries++) {
        uint32_t t = below(random, threads);
        uint32_t number = next[t];
        if (number > length || !started[t])
            continue;
        const heddle_event *e = hd_trace_event(&r->trace, number);
        if ((e->kind == HEDDLE_ACQUIRE && holder[e->object]) ||
            (e->kind == HEDDLE_JOIN && next[e->object] <= length))
            continue;
        if (e->kind == HEDDLE_ACQUIRE || e->kind == HEDDLE_RELEASE)
            holder[e->object] = e->kind == HEDDLE_ACQUIRE;
        if (e->kind == HEDDLE_FORK)
            started[e->object] = true;
        hd_vec_push(schedule, number);
        do
            next[t]++;
        while (next[t] <= length && hd_trace_event(&r->trace, next[t])->thread != t);
    }
}

/* What some thread does after the schedule; 0: nothing. */
static uint32_t draw_next(const run *r, hd_random *random, const hd_vec_u32 *schedule) {
    uint32_t length = hd_trace_length(&r->trace), last = 0;
    uint32_t thread = below(random, r->p.threads);
    for (size_t i = 0; i < schedule->length; i++)
        if (hd_trace_event(&r->trace, schedule->data[i])->thread == thread)
            last = schedule->data[i];
    do
        last++;
    while (last <= length && hd_trace_event(&r->trace, last)->thread != thread);
    return last <= length ? last : 0;
}

/* Whatever the checker accepts happens. */
static bool check_accepted(const hd_trace *unused, hd_random *random, char *why, size_t why_size) {
    (void)unused;
    run r = {0};
    bool good = true;
    record(&r, random);
    for (unsigned i = 0; i < 40 && good; i++) {
        hd_witness witness;
        hd_witness_init(&witness);
        witness.claim = (hd_witness_claim){.kind = HD_WITNESS_REORDERING, .decisions = true};
        draw_schedule(&r, random, &witness.schedule);
        if (below(random, 2)) {
            witness.claim.kind = HD_WITNESS_RACE;
            witness.claim.first = draw_next(&r, random, &witness.schedule);
            witness.claim.second = draw_next(&r, random, &witness.schedule);
        }
        if (hd_witness_check(&witness, &r.trace, NULL)) {
            accepted++;
            good = carry_out(&r, &witness, why, why_size);
        } else
            rejected++;
        hd_witness_release(&witness);
    }
    release(&r);
    return good;
}

/* Traces with every kind of event: what the solver shows passes the checker, and nothing is lost.
 */
static bool check_kinds(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    answer a = {NULL, true, why, why_size, {0}, 0};
    bool good = ask(&a, trace, true);
    certain_pairs += a.certain;
    kept_pairs += a.pairs.length - a.certain;
    hd_vec_release(&a.pairs);
    return good;
}

SUPPORT_SUITE(random_certain) {
    const support_property properties[] = {
        {"R6: what is found happens in the program", {2, 2, 1, 1, 0}, check_found},
        {"R6: what is found passes the checker",
         {4, 16, 3, 2, SUPPORT_ALL | SUPPORT_CERTAIN},
         check_kinds},
        {"what the checker accepts happens in the program", {2, 2, 1, 1, 0}, check_accepted},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu races that keep all reads, %lu that keep decisions; the checker accepted %lu "
           "schedules and rejected %lu; values differed in %lu runs\n",
           kept_pairs, certain_pairs, accepted, rejected, changed);
    return status;
}
