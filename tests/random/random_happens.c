/*
 * Happens-before with memory orders, by the definition of C++20, against the clock machine, the
 * stored clocks, the checker of witnesses, the race methods and the predicate `race`, of a whole
 * trace and online; and hb of a file that is read twice against hb of the
 * trace in memory.
 *
 * The relation is a matrix over the events: sequenced-before and synchronises-with, closed under
 * transitivity.  Of synchronisation: threads, locks, semaphores, atomics and fences.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "predicate/predicate.h"
#include "race/race.h"
#include "support_random.h"

enum { MOST = 64 };

typedef struct relation {
    const hd_trace *trace;
    uint32_t length;
    bool before[MOST + 1][MOST + 1];
} relation;

static unsigned long ordered, unordered, proved, streamed, sighted, unsighted;

static const heddle_event *at(const relation *r, uint32_t number) {
    return hd_trace_event(r->trace, number);
}

/* ---- Synchronises-with ---- */

static bool is_atomic(const heddle_event *e) {
    return e->kind == HEDDLE_ATOMIC_READ || e->kind == HEDDLE_ATOMIC_WRITE ||
           e->kind == HEDDLE_ATOMIC_RMW;
}

static bool is_release(const heddle_event *e) {
    enum heddle_order order = heddle_event_order(e);
    return order == HEDDLE_ORDER_RELEASE || order == HEDDLE_ORDER_ACQ_REL ||
           order == HEDDLE_ORDER_SEQ_CST;
}

static bool is_acquire(const heddle_event *e) {
    enum heddle_order order = heddle_event_order(e);
    return order == HEDDLE_ORDER_ACQUIRE || order == HEDDLE_ORDER_ACQ_REL ||
           order == HEDDLE_ORDER_SEQ_CST;
}

/* The write whose value the access has: the last one before it. */
static uint32_t reads_from(const relation *r, uint32_t read) {
    uint32_t from = 0;
    for (uint32_t n = 1; n < read; n++)
        if (hd_trace_is_access(at(r, n)) && hd_trace_writes(at(r, n)) &&
            at(r, n)->object == at(r, read)->object)
            from = n;
    return from;
}

/* Is the write in the release sequence of the head, or in the one that it would head? */
static bool in_sequence(const relation *r, uint32_t head, uint32_t write) {
    while (write && write != head) {
        if (at(r, write)->kind != HEDDLE_ATOMIC_RMW)
            return false;
        write = reads_from(r, write);
    }
    return write == head;
}

static bool sequenced(const relation *r, uint32_t a, uint32_t b) {
    return a < b && at(r, a)->thread == at(r, b)->thread;
}

/* Everything that synchronises because of the read, whose value comes from the head's sequence. */
static void synchronise(relation *r, uint32_t head, uint32_t read) {
    for (uint32_t a = 1; a <= r->length; a++) {
        bool source = a == head ? is_release(at(r, a))
                                : at(r, a)->kind == HEDDLE_FENCE && is_release(at(r, a)) &&
                                      sequenced(r, a, head);
        for (uint32_t b = 1; source && b <= r->length; b++) {
            bool target = b == read ? is_acquire(at(r, b))
                                    : at(r, b)->kind == HEDDLE_FENCE && is_acquire(at(r, b)) &&
                                          sequenced(r, read, b);
            if (target)
                r->before[a][b] = true;
        }
    }
}

static void add_atomics(relation *r) {
    for (uint32_t read = 1; read <= r->length; read++) {
        if (!is_atomic(at(r, read)) || !hd_trace_reads(at(r, read)))
            continue;
        uint32_t from = reads_from(r, read);
        for (uint32_t head = 1; from && head < read; head++)
            if (is_atomic(at(r, head)) && hd_trace_writes(at(r, head)) &&
                at(r, head)->object == at(r, read)->object && in_sequence(r, head, from))
                synchronise(r, head, read);
    }
}

static bool changes_lock(const heddle_event *e, bool acquires) {
    return !(e->flags & HEDDLE_REENTRANT) &&
           (acquires ? hd_trace_acquires(e) : hd_trace_releases(e));
}

static bool synchronises(const relation *r, uint32_t a, uint32_t b) {
    const heddle_event *x = at(r, a), *y = at(r, b);
    if (x->thread == y->thread || (x->kind == HEDDLE_FORK && x->object == y->thread) ||
        (y->kind == HEDDLE_JOIN && y->object == x->thread))
        return true;
    if (changes_lock(x, false) && changes_lock(y, true) && x->object == y->object)
        return !hd_trace_is_shared(x) || !hd_trace_is_shared(y);
    return x->kind == HEDDLE_POST && y->kind == HEDDLE_TAKE && x->object == y->object;
}

static void relate(relation *r, const hd_trace *trace) {
    *r = (relation){.trace = trace, .length = hd_trace_length(trace)};
    for (uint32_t b = 1; b <= r->length; b++)
        for (uint32_t a = 1; a < b; a++)
            r->before[a][b] = synchronises(r, a, b);
    add_atomics(r);
    for (uint32_t k = 1; k <= r->length; k++)
        for (uint32_t a = 1; a <= r->length; a++)
            for (uint32_t b = 1; b <= r->length && r->before[a][k]; b++)
                r->before[a][b] |= r->before[k][b];
}

/* ---- The clock machine ---- */

static bool check_clocks(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    relation r;
    uint32_t position[MOST + 1];
    bool good = true;
    relate(&r, trace);
    hd_order_machine *machine = hd_order_machine_create(HD_ORDER_POSET);
    hd_order_machine_count_orders(machine);
    for (uint32_t b = 1; b <= r.length && good; b++) {
        hd_order_time time = hd_order_machine_step(machine, at(&r, b));
        position[b] = hd_order_time_at(time, at(&r, b)->thread);
        for (uint32_t a = 1; a < b && good; a++) {
            bool before = hd_order_time_at(time, at(&r, a)->thread) >= position[a];
            ordered += before;
            unordered += !before;
            good = before == r.before[a][b];
            if (!good)
                snprintf(why, why_size, "clocks say %d of events %u and %u", before, a, b);
        }
    }
    hd_order_machine_free(machine);
    return good;
}

static bool check_stored_clocks(const hd_trace *trace, hd_random *random, char *why,
                                size_t why_size) {
    relation r;
    hd_order order;
    hd_error error = {""};
    relate(&r, trace);
    hd_order_init(&order, trace);
    bool late = hd_random_chance(random, 500); /* the poset of all reads was there before */
    if (late)
        hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX, &error);
    hd_order_count_orders(&order);
    bool good = hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX,
                              &error);
    for (uint32_t b = 1; b <= r.length && good; b++)
        for (uint32_t a = 1; a <= r.length && good; a++) {
            if (at(&r, a)->thread == at(&r, b)->thread)
                continue;
            bool before = hd_order_before(&order, HD_ORDER_POSET, a, b);
            bool after = hd_order_clocks_at(&order.reverse[HD_ORDER_POSET], a, at(&r, b)->thread) <
                         order.index.position[b];
            good = before == r.before[a][b] && after == before;
            if (!good)
                snprintf(why, why_size, "stored clocks say %d and %d of events %u and %u", before,
                         after, a, b);
        }
    hd_order_release(&order);
    return good;
}

/* ---- The checker ---- */

static bool conflict(const heddle_event *x, const heddle_event *y) {
    return hd_trace_is_access(x) && hd_trace_is_access(y) && x->thread != y->thread &&
           x->object == y->object && (hd_trace_writes(x) || hd_trace_writes(y)) &&
           !(is_atomic(x) && is_atomic(y)) && !hd_trace_is_exempt(x) && !hd_trace_is_exempt(y);
}

static bool check_claims(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    relation r;
    hd_witness witness;
    bool good = true;
    relate(&r, trace);
    hd_witness_init(&witness);
    hd_witness_checker *checker = hd_witness_checker_create(trace);
    for (uint32_t b = 1; b <= r.length && good; b++) {
        for (uint32_t a = 1; a < b && good; a++) {
            if (!conflict(at(&r, a), at(&r, b)))
                continue;
            witness.claim =
                (hd_witness_claim){.kind = HD_WITNESS_UNORDERED, .first = a, .second = b};
            bool shown = hd_witness_checker_run(checker, &witness, NULL, NULL);
            good = shown == !r.before[a][b];
            if (!good)
                snprintf(why, why_size, "the checker says %d of events %u and %u", shown, a, b);
        }
        hd_vec_push(&witness.schedule, b);
    }
    hd_witness_checker_free(checker);
    hd_witness_release(&witness);
    return good;
}

/* ---- The methods ---- */

typedef struct answer {
    bool said[MOST + 1][MOST + 1];
} answer;

static int take(void *context, hd_finding *finding) {
    answer *a = context;
    a->said[finding->events.data[0]][finding->events.data[1]] = true;
    return 0;
}

static bool run(const hd_trace *trace, enum hd_race_method method, answer *a, hd_error *error) {
    hd_race_options options;
    hd_race_result result;
    memset(a, 0, sizeof *a);
    hd_race_options_init(&options);
    options.method = method;
    options.all = true;
    return hd_race_run(trace, &options, &result, take, a, error);
}

/* Every access that races with an earlier one is reported with such a one. */
static bool check_hb(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    relation r;
    answer found;
    hd_error error = {""};
    bool good = run(trace, HD_RACE_HB, &found, &error);
    relate(&r, trace);
    for (uint32_t b = 1; b <= r.length && good; b++) {
        bool races = false, reported = false;
        for (uint32_t a = 1; a < b; a++) {
            bool pair = conflict(at(&r, a), at(&r, b)) && !r.before[a][b];
            races |= pair;
            reported |= found.said[a][b];
            good &= pair || !found.said[a][b];
        }
        good &= races == reported;
    }
    if (!good)
        snprintf(why, why_size, "hb reports other pairs%s%s", *error.text ? ": " : "", error.text);
    return good;
}

/* ---- The predicate ---- */

/* The last events of each thread in the state that the detector saw. */
typedef struct sights {
    const relation *r;
    uint32_t first; /* event with which one became possible */
    bool wrong;
} sights;

static uint32_t event_of(const relation *r, uint32_t thread, uint32_t count) {
    for (uint32_t n = 1; n <= r->length && count; n++)
        if (at(r, n)->thread == thread && --count == 0)
            return n;
    return 0;
}

static bool races(const relation *r, uint32_t a, uint32_t b) {
    return a && b && conflict(at(r, a), at(r, b)) && !r->before[a][b] && !r->before[b][a];
}

static bool in_sight(const sights *s, const hd_predicate_sight *sight, uint32_t event) {
    for (uint32_t p = 0; p < sight->places; p++)
        for (uint32_t c = 1; sight->threads[p] == at(s->r, event)->thread && c <= sight->state[p];
             c++)
            if (event_of(s->r, sight->threads[p], c) == event)
                return true;
    return false;
}

/* Two last events race, and all that happens before an event of the state is in it. */
static int sight_race(void *context, const hd_predicate_sight *sight) {
    sights *s = context;
    bool race = false;
    for (uint32_t p = 0; p < sight->places; p++)
        for (uint32_t q = 0; q < p; q++)
            race |= races(s->r, event_of(s->r, sight->threads[p], sight->state[p]),
                          event_of(s->r, sight->threads[q], sight->state[q]));
    s->wrong |= !race;
    for (uint32_t b = 1; b <= s->r->length; b++)
        for (uint32_t a = 1; a <= s->r->length && in_sight(s, sight, b); a++)
            s->wrong |= s->r->before[a][b] && !in_sight(s, sight, a);
    if (!s->first)
        s->first = sight->event;
    return 0;
}

/* The first event that races with an earlier one; 0 if none exists. */
static uint32_t first_race(const relation *r) {
    for (uint32_t b = 1; b <= r->length; b++)
        for (uint32_t a = 1; a < b; a++)
            if (races(r, a, b))
                return b;
    return 0;
}

static bool detect_whole(const hd_trace *trace, const hd_predicate *predicate, bool *found) {
    hd_order order;
    hd_predicate_instance instance;
    hd_predicate_error wrong = {0};
    hd_predicate_answer said;
    hd_error error = {""};
    hd_predicate_request request = {.class = HD_CUT_CONSISTENT,
                                    .algorithm = HD_CUT_AUTO,
                                    .workers = 1,
                                    .memory = SIZE_MAX,
                                    .ask = HD_PREDICATE_LEAST_STATE};
    hd_order_init(&order, trace);
    bool good = hd_predicate_instance_init(&instance, &order, predicate, HD_ORDER_POSET, SIZE_MAX,
                                           &wrong);
    if (good) {
        good = hd_predicate_detect(&instance, &request, &said, &error) && said.complete;
        *found = said.found;
        hd_predicate_answer_release(&said);
        hd_predicate_instance_release(&instance);
    }
    hd_order_release(&order);
    return good;
}

static bool detect_online(const relation *r, const hd_predicate *predicate, hd_random *random,
                          sights *s) {
    hd_predicate_error wrong = {0};
    hd_predicate_online_options options = {.workers = 1,
                                           .singly = r->length < 24 && hd_random_chance(random, 300)};
    *s = (sights){.r = r};
    hd_predicate_online *online =
        hd_predicate_online_create(predicate, &r->trace->tables, &options, &wrong);
    bool good = online != NULL;
    for (uint32_t n = 1; n <= r->length && good; n++) {
        good = hd_predicate_online_take(online, at(r, n), &wrong);
        if (good && hd_random_chance(random, 300))
            hd_predicate_online_look(online, sight_race, s);
    }
    if (good)
        hd_predicate_online_finish(online, sight_race, s);
    hd_predicate_online_free(online);
    return good;
}

/* A state is seen with the first access that races with an earlier one, and every one that is seen
 * is a state of happens-before and has a race. */
static bool check_predicate(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    relation r;
    sights seen;
    hd_predicate predicate;
    hd_predicate_error wrong = {0};
    bool found = false;
    relate(&r, trace);
    if (!r.length)
        return true;
    hd_predicate_init(&predicate, "race(all)", &wrong);
    bool good = detect_online(&r, &predicate, random, &seen) &&
                detect_whole(trace, &predicate, &found);
    uint32_t first = first_race(&r);
    sighted += first != 0;
    unsighted += first == 0;
    if (!good || seen.wrong || seen.first != first || found != (first != 0)) {
        snprintf(why, why_size, "race since event %u, online since %u%s; of the whole trace: %d",
                 first, seen.first, seen.wrong ? ", and with a state that has none" : "", found);
        good = false;
    }
    hd_predicate_release(&predicate);
    return good;
}

/* ---- A file that is read twice ---- */

typedef struct told {
    const hd_trace *trace;
    hd_vec_u32 numbers; /* of each finding: both events, and the locks held there */
} told;

static int tell(void *context, hd_finding *finding) {
    told *to = context;
    hd_vec_u32 locks = {0};
    for (size_t i = 0; i < finding->events.length; i++) {
        hd_vec_push(&to->numbers, finding->events.data[i]);
        hd_order_held_at(to->trace, finding->events.data[i], &locks);
        for (size_t j = 0; j < locks.length; j++)
            hd_vec_push(&to->numbers, UINT32_MAX - locks.data[j]);
    }
    hd_vec_release(&locks);
    return 0;
}

static bool tell_all(const hd_trace *trace, enum hd_race_method method, const hd_race_known *known,
                     told *to) {
    hd_race_options options;
    hd_race_result result;
    hd_error error = {""};
    *to = (told){.trace = trace};
    hd_race_options_init(&options);
    options.method = method;
    options.known = known;
    return hd_race_run(trace, &options, &result, tell, to, &error);
}

static bool streams_alike(const char *path, enum hd_race_method method) {
    hd_trace whole, sparse;
    hd_race_known known = {0};
    hd_error error = {""};
    told one = {0}, other = {0};
    if (!hd_trace_load(&whole, path, 0, &error))
        return false;
    bool good = tell_all(&whole, method, NULL, &one);
    if (good && hd_race_stream(path, method == HD_RACE_SHB, &sparse, &known)) {
        streamed++;
        good = tell_all(&sparse, method, &known, &other) &&
               one.numbers.length == other.numbers.length &&
               (!one.numbers.length || memcmp(one.numbers.data, other.numbers.data,
                                              one.numbers.length * sizeof *one.numbers.data) == 0);
        hd_trace_release(&sparse);
    }
    hd_vec_release(&one.numbers);
    hd_vec_release(&other.numbers);
    hd_vec_release(&known.pairs);
    hd_trace_release(&whole);
    return good;
}

static bool check_stream(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    char path[4096];
    hd_error error = {""};
    if (!hd_trace_length(trace))
        return true;
    snprintf(path, sizeof path, "%s/heddle-stream-XXXXXX", hd_file_temporary());
    int file = mkstemp(path);
    bool binary = hd_random_chance(random, 500);
    bool good = file >= 0 && close(file) == 0 &&
                hd_trace_save(trace, path, binary ? HD_TRACE_BINARY : HD_TRACE_TEXT, &error) &&
                streams_alike(path, HD_RACE_HB) && streams_alike(path, HD_RACE_SHB);
    unlink(path);
    if (!good)
        snprintf(why, why_size, "the file that is read twice has other pairs%s%s",
                 *error.text ? ": " : "", error.text);
    return good;
}

/* ---- What is predicted ---- */

/* Does what the event does rest on a plain write that was read, or on an earlier plain read of any
 * write?  To keep what that read saw is to keep the two apart. */
static bool rests_on_plain(const relation *r, uint32_t event) {
    for (uint32_t n = 1; n <= event; n++) {
        uint32_t from =
            hd_trace_is_access(at(r, n)) && hd_trace_reads(at(r, n)) ? reads_from(r, n) : 0;
        if (from && (!is_atomic(at(r, from)) || (n < event && !is_atomic(at(r, n)))))
            return true;
    }
    return false;
}

static bool has_weaker(const relation *r) {
    for (uint32_t n = 1; n <= r->length; n++)
        if (heddle_event_order(at(r, n)))
            return true;
    return false;
}

/* Where no read sees a plain write, and some order is weaker than the strongest, every access that
 * is unordered with an earlier one is found by the predictive method; and every witness that it
 * gives passes the check. */
static bool check_predictive(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    relation r;
    answer found;
    hd_error error = {""};
    relate(&r, trace);
    if (!run(trace, HD_RACE_PREDICTIVE, &found, &error)) {
        snprintf(why, why_size, "%s", error.text);
        return false;
    }
    for (uint32_t b = 1; b <= r.length; b++) {
        bool races = false, reported = false;
        for (uint32_t a = 1; a <= r.length; a++) {
            races |= a < b && conflict(at(&r, a), at(&r, b)) && !r.before[a][b];
            reported |= found.said[a][b] || found.said[b][a];
            proved += found.said[a][b];
        }
        if (races && !reported && has_weaker(&r) && !rests_on_plain(&r, b)) {
            snprintf(why, why_size, "event %u races, but was not found", b);
            return false;
        }
    }
    return true;
}

SUPPORT_SUITE(random_happens) {
    enum {
        ORDERS = SUPPORT_ATOMICS | SUPPORT_RMW | SUPPORT_ORDERS,
        MORE = ORDERS | SUPPORT_LOCKS | SUPPORT_REENTRANT | SUPPORT_RWLOCKS | SUPPORT_FORKS |
               SUPPORT_SEMAPHORES | SUPPORT_TRYFAIL
    };
    static const support_property properties[] = {
        {"clocks of atomics are happens-before", {3, 30, 0, 2, ORDERS}, check_clocks},
        {"clocks are happens-before", {5, 60, 3, 3, MORE}, check_clocks},
        {"stored clocks of atomics are happens-before", {3, 30, 0, 2, ORDERS}, check_stored_clocks},
        {"stored clocks are happens-before", {5, 60, 3, 3, MORE}, check_stored_clocks},
        {"claims about atomics are happens-before", {3, 30, 0, 2, ORDERS}, check_claims},
        {"claims are happens-before", {5, 60, 3, 3, MORE}, check_claims},
        {"hb reports what is unordered", {5, 60, 3, 3, MORE}, check_hb},
        {"the predicate race is of what is unordered", {3, 30, 0, 2, ORDERS}, check_predicate},
        {"the predicate race, with locks", {5, 60, 3, 3, MORE}, check_predicate},
        {"a file is read twice as it is from memory", {5, 80, 3, 3, SUPPORT_ALL}, check_stream},
        {"what is unordered is predicted", {3, 14, 0, 2, ORDERS}, check_predictive},
        {"what is unordered is predicted, with locks", {4, 16, 2, 2, MORE}, check_predictive},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu pairs ordered, %lu unordered, %lu proved, %lu files read twice; %lu traces with a "
           "race, %lu without\n",
           ordered, unordered, proved, streamed, sighted, unsighted);
    return status;
}
