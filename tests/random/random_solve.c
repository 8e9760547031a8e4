/*
 * The reordering solver against all reorderings: on small random traces with every
 * kind of event, and on many threads with few locks, where it has to search.
 * Every schedule it gives is also shown to the independent checker.
 */
#include <stdio.h>
#include <string.h>

#include "order/order.h"
#include "support_brute.h"
#include "support_random.h"
#include "witness/witness.h"

enum { MOST_STATES = 4000 };

static unsigned long answers[3], too_many, branched;

typedef struct question {
    hd_order_query query;
    support_pair pair; /* the extra edge; first is 0 if none exists */
} question;

typedef struct fixture {
    const hd_trace *trace;
    hd_random *random;
    support_brute *brute;
    hd_order order;
    hd_order_space space;
    hd_order_solver *solver;
    hd_bits let_go;
    bool keep_reads;
    char *why;
    size_t why_size;
} fixture;

static void setup(fixture *f) {
    hd_error error;
    size_t length = hd_trace_length(f->trace);
    f->brute = support_brute_create(f->trace);
    hd_order_init(&f->order, f->trace);
    hd_order_need(&f->order, HD_ORDER_SCOPES | HD_ORDER_HELD, SIZE_MAX, &error);
    hd_bits_init(&f->let_go, length);
    hd_bits_fill(&f->let_go);
    hd_order_space_init(&f->space, &f->order, f->keep_reads ? NULL : &f->let_go, SIZE_MAX, &error);
    f->solver = hd_order_solver_create(&f->space);
}

static void teardown(fixture *f) {
    hd_order_solver_free(f->solver);
    hd_order_space_release(&f->space);
    hd_bits_release(&f->let_go);
    hd_order_release(&f->order);
    support_brute_free(f->brute);
}

/* ---- By definition ---- */

static size_t place(const uint32_t *schedule, size_t length, uint32_t event) {
    size_t i = 0;
    while (i < length && schedule[i] != event)
        i++;
    return i;
}

static bool is_in(const uint32_t *schedule, size_t length, uint32_t event) {
    return place(schedule, length, event) < length;
}

static bool is_next(const fixture *f, const uint32_t *schedule, size_t length, uint32_t event) {
    if (is_in(schedule, length, event))
        return false;
    for (uint32_t a = 1; a <= hd_trace_length(f->trace); a++)
        if (support_brute_must(f->brute, a, event) && !is_in(schedule, length, a))
            return false;
    return true;
}

static uint32_t last_write(const fixture *f, const uint32_t *schedule, size_t length,
                           uint32_t variable) {
    uint32_t last = 0;
    for (size_t i = 0; i < length; i++) {
        const heddle_event *event = hd_trace_event(f->trace, schedule[i]);
        if (hd_trace_writes(event) && event->object == variable)
            last = schedule[i];
    }
    return last;
}

/* Does the reordering show what was asked? */
static bool shows(const fixture *f, const question *q, const uint32_t *schedule, size_t length) {
    const hd_order_query *query = &q->query;
    for (size_t i = 0; i < query->in.length; i++)
        if (!is_in(schedule, length, query->in.data[i]))
            return false;
    for (size_t i = 0; i < query->out.length; i++)
        if (is_in(schedule, length, query->out.data[i]))
            return false;
    for (size_t i = 0; i < query->next.length; i++)
        if (!is_next(f, schedule, length, query->next.data[i]))
            return false;
    if (query->whole && length < hd_trace_length(f->trace))
        return false;
    if (query->ends_with && last_write(f, schedule, length, query->of) != query->last)
        return false;
    return !q->pair.first ||
           (is_in(schedule, length, q->pair.first) && is_in(schedule, length, q->pair.second) &&
            place(schedule, length, q->pair.first) < place(schedule, length, q->pair.second));
}

struct hunt {
    const fixture *f;
    const question *q;
};

static int hunt_visit(const uint32_t *schedule, size_t length, void *context) {
    const struct hunt *hunt = context;
    return shows(hunt->f, hunt->q, schedule, length);
}

/* ---- Questions ---- */

static uint32_t draw_event(const fixture *f) {
    return 1 + (uint32_t)hd_random_below(f->random, hd_trace_length(f->trace));
}

static void draw_events(const fixture *f, hd_vec_u32 *events, uint32_t most) {
    for (uint64_t count = hd_random_below(f->random, most + 1); count > 0; count--)
        hd_vec_push(events, draw_event(f));
}

static void draw_end(const fixture *f, hd_order_query *query) {
    uint32_t event = draw_event(f);
    const heddle_event *e = hd_trace_event(f->trace, event);
    if (!hd_trace_is_access(e))
        return;
    query->ends_with = true;
    query->of = e->object;
    query->last = hd_trace_writes(e) ? event : 0;
}

static void draw_question(const fixture *f, question *q) {
    hd_order_query_clear(&q->query);
    q->pair = (support_pair){0, 0};
    draw_events(f, &q->query.in, 2);
    draw_events(f, &q->query.next, 2);
    draw_events(f, &q->query.out, 1);
    if (hd_random_chance(f->random, 300))
        draw_end(f, &q->query);
    if (hd_random_chance(f->random, 400)) {
        q->pair = (support_pair){draw_event(f), draw_event(f)};
        hd_vec_push(&q->query.edges, (uint64_t)q->pair.first << 32 | q->pair.second);
    }
    if (hd_random_chance(f->random, 200)) {
        q->query.whole = true;
        hd_vec_clear(&q->query.next);
        hd_vec_clear(&q->query.out);
    }
}

static bool disagree(const fixture *f, const question *q, const char *what) {
    char text[512];
    int used = snprintf(text, sizeof text, "%s; in", what);
    for (size_t i = 0; i < q->query.in.length; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %u", q->query.in.data[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, ", next");
    for (size_t i = 0; i < q->query.next.length; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %u", q->query.next.data[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, ", out");
    for (size_t i = 0; i < q->query.out.length; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %u", q->query.out.data[i]);
    snprintf(text + used, sizeof text - (size_t)used, ", order %u %u, whole %d, last %d %u",
             q->pair.first, q->pair.second, q->query.whole, q->query.ends_with, q->query.last);
    snprintf(f->why, f->why_size, "%s", text);
    return false;
}

/* S1: the schedule is a reordering, by definition and by the checker, and shows it. */
static bool schedule_holds(const fixture *f, const question *q) {
    hd_witness witness;
    hd_error error = {""};
    hd_witness_init(&witness);
    hd_order_solver_schedule(f->solver, &witness.schedule);
    witness.claim.let_go = !f->keep_reads;
    const uint32_t *schedule = witness.schedule.data;
    size_t length = witness.schedule.length, wrong;
    bool good = true;
    if (!support_brute_reordering(f->brute, schedule, length, f->keep_reads, &wrong))
        good = disagree(f, q, "the schedule is no reordering");
    else if (!shows(f, q, schedule, length))
        good = disagree(f, q, "the schedule does not show it");
    else if (!hd_witness_check(&witness, f->trace, &error))
        good = disagree(f, q, error.text);
    hd_witness_release(&witness);
    return good;
}

static bool ask(const fixture *f, const question *q) {
    struct hunt hunt = {f, q};
    uint64_t branches = hd_order_solver_effort(f->solver)->branches;
    enum hd_order_answer answer = hd_order_solve(f->solver, &q->query);
    branched += hd_order_solver_effort(f->solver)->branches > branches;
    answers[answer]++;
    if (answer == HD_ORDER_UNKNOWN)
        return disagree(f, q, "unknown without a limit");
    if (answer == HD_ORDER_FEASIBLE)
        return schedule_holds(f, q);
    int found = support_brute_states(f->brute, f->keep_reads, &q->pair, q->pair.first ? 1 : 0,
                                     MOST_STATES, hunt_visit, &hunt);
    too_many += found < 0;
    return found <= 0 || disagree(f, q, "there is a reordering");
}

static bool check(const hd_trace *trace, hd_random *random, char *why, size_t why_size,
                  bool keep_reads) {
    if (!hd_trace_length(trace))
        return true;
    fixture f = {.trace = trace,
                 .random = random,
                 .why = why,
                 .why_size = why_size,
                 .keep_reads = keep_reads};
    question q = {0};
    bool good = true;
    setup(&f);
    for (int round = 0; round < 12 && good; round++) {
        draw_question(&f, &q);
        good = ask(&f, &q);
    }
    hd_order_query_release(&q.query);
    teardown(&f);
    return good;
}

static bool check_kept(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    return check(trace, random, why, why_size, true);
}

static bool check_let_go(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    return check(trace, random, why, why_size, false);
}

/* ---- Many threads in a few nested scopes, where the solver has to search ---- */

static void add_event(hd_trace *trace, uint32_t thread, enum heddle_kind kind, uint32_t object) {
    hd_trace_append(trace,
                    (heddle_event){.thread = thread, .kind = (uint8_t)kind, .object = object});
}

static void add_accesses(hd_trace *trace, hd_random *random, uint32_t thread) {
    for (uint64_t count = hd_random_below(random, 3); count > 0; count--)
        add_event(trace, thread, hd_random_chance(random, 500) ? HEDDLE_READ : HEDDLE_WRITE,
                  (uint32_t)hd_random_below(random, 3));
}

static void add_scope(hd_trace *trace, hd_random *random, uint32_t thread) {
    uint32_t outer = (uint32_t)hd_random_below(random, 2);
    bool reads = hd_random_chance(random, 150), nested = hd_random_chance(random, 300);
    add_event(trace, thread, reads ? HEDDLE_READ_ACQUIRE : HEDDLE_ACQUIRE, outer);
    add_accesses(trace, random, thread);
    if (nested) {
        add_event(trace, thread, HEDDLE_ACQUIRE, 1 - outer);
        add_accesses(trace, random, thread);
        add_event(trace, thread, HEDDLE_RELEASE, 1 - outer);
    }
    add_event(trace, thread, reads ? HEDDLE_READ_RELEASE : HEDDLE_RELEASE, outer);
}

static void draw_crowd(hd_trace *trace, hd_random *random) {
    uint32_t threads = 3 + (uint32_t)hd_random_below(random, 14);
    uint32_t scopes = threads + (uint32_t)hd_random_below(random, 4);
    hd_trace_init(trace);
    for (uint32_t i = 0; i < 16; i++)
        hd_trace_name(trace, HEDDLE_CLASS_THREAD, "t%u", i);
    for (uint32_t i = 0; i < 3; i++) {
        hd_trace_name(trace, HEDDLE_CLASS_VARIABLE, "x%u", i);
        hd_trace_name(trace, HEDDLE_CLASS_LOCK, "l%u", i);
    }
    for (uint32_t i = 0; i < scopes; i++) {
        uint32_t thread = (uint32_t)hd_random_below(random, threads);
        if (hd_random_chance(random, 300))
            add_accesses(trace, random, thread);
        add_scope(trace, random, thread);
    }
}

/* The trace that was drawn for the case only stands for its seed. */
static bool check_crowd(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    hd_trace crowd;
    hd_error error = {""};
    draw_crowd(&crowd, random);
    bool good = hd_trace_check_all(&crowd, &error);
    if (good)
        good = check(&crowd, random, why, why_size, true);
    else
        snprintf(why, why_size, "%s", error.text);
    hd_trace_release(&crowd);
    return good;
}

SUPPORT_SUITE(random_solve) {
    const unsigned units = SUPPORT_SEMAPHORES | SUPPORT_LOCKS | SUPPORT_RMW;
    const unsigned locks = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_TRYFAIL | SUPPORT_RMW;
    const support_property properties[] = {
        {"answers equal brute force", {4, 16, 3, 2, SUPPORT_ALL}, check_kept},
        {"answers about locks equal brute force", {4, 16, 2, 2, locks}, check_kept},
        {"answers without reads equal brute force", {4, 14, 3, 2, SUPPORT_ALL}, check_let_go},
        {"answers about semaphores equal brute force", {4, 16, 2, 2, units}, check_kept},
        {"answers about semaphores alone equal brute force",
         {5, 14, 1, 1, SUPPORT_SEMAPHORES},
         check_let_go},
        {"answers on many threads equal brute force", {16, 24, 2, 2, locks}, check_kept},
        {"answers on crowded locks equal brute force", {1, 1, 1, 1, 0}, check_crowd},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu feasible, %lu infeasible, %lu with branches, %lu with too many states\n",
           answers[HD_ORDER_FEASIBLE], answers[HD_ORDER_INFEASIBLE], branched, too_many);
    return status;
}
