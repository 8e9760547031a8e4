/*
 * Variables whose numbers are given out again, against variables that all have one of their own.
 * The accesses of each variable of a random trace are cut into lives, as those of memory that is
 * freed and allocated again; and those of a lock, where nobody holds it.  Two detectors watch for
 * races: for one every life is a variable of its own; for the other it is retired when it ends, and
 * a new one gets a number that the detector gives out, if it does.  Both must see the same states,
 * and forget the same.
 */
#include <stdio.h>
#include <string.h>

#include "predicate/predicate.h"
#include "predicate/predicate_online.h"
#include "support_random.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

enum { MOST = 256, VARIABLES = 8 };

typedef struct sights {
    hd_vec_u32 seen; /* the event, then the counts of the threads */
} sights;

static int sight(void *context, const hd_predicate_sight *it) {
    sights *s = context;
    hd_vec_push(&s->seen, it->event);
    for (uint32_t p = 0; p < it->places; p++)
        hd_vec_push(&s->seen, it->state[p]);
    return 0;
}

/* What is drawn before both watch. */
typedef struct plan {
    uint32_t life[MOST + 1]; /* [event]: of what it is on; those of a class are numbered */
    bool ends[MOST + 1];     /* the life ends after it */
    bool looks[MOST + 1];
    uint32_t lives[2];
} plan;

/* 0: variables, 1: locks; -1: others. */
static int sort_of(const heddle_event *event) {
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[event->kind].class;
    return class == HEDDLE_CLASS_VARIABLE ? 0 : class == HEDDLE_CLASS_LOCK ? 1 : -1;
}

static const enum heddle_class classes[] = {HEDDLE_CLASS_VARIABLE, HEDDLE_CLASS_LOCK};

static void draw(plan *p, const hd_trace *trace, hd_random *random) {
    uint32_t now[2][VARIABLES] = {{0}}; /* of each, + 1; 0: none */
    int held[VARIABLES] = {0};
    *p = (plan){0};
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        int sort = sort_of(event);
        p->looks[n] = hd_random_below(random, 3) == 0;
        if (sort < 0)
            continue;
        uint32_t *own = &now[sort][event->object];
        if (!*own)
            *own = ++p->lives[sort];
        p->life[n] = *own - 1;
        if (sort == 1 && hd_trace_traits(event) & HEDDLE_T_LOCK)
            held[event->object] += hd_trace_traits(event) & HEDDLE_T_ACQUIRES ? 1 : -1;
        p->ends[n] = hd_random_below(random, 3) == 0 && !(sort == 1 && held[event->object]);
        if (p->ends[n])
            *own = 0;
    }
}

/* Watches; the effort. */
static hd_predicate_online_effort watch(const plan *p, const hd_trace *trace,
                                        const hd_predicate *predicate,
                                        hd_predicate_online_options options, bool reuses,
                                        sights *seen) {
    hd_predicate_error wrong = {0};
    uint32_t number[2][MOST], next[2] = {0}; /* [life] */
    for (size_t i = 0; i < MOST; i++)
        number[0][i] = number[1][i] = HD_PREDICATE_NONE;
    hd_predicate_online *online =
        hd_predicate_online_create(predicate, &trace->tables, &options, &wrong);
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        heddle_event event = *hd_trace_event(trace, n);
        int sort = sort_of(&event);
        if (sort >= 0) {
            uint32_t *own = &number[sort][p->life[n]];
            if (*own == HD_PREDICATE_NONE &&
                !(reuses && hd_predicate_online_reuse(online, classes[sort], own)))
                *own = next[sort]++;
            event.object = *own;
        }
        hd_predicate_online_take(online, &event, &wrong);
        if (p->ends[n] && reuses)
            hd_predicate_online_retire(online, classes[sort], event.object);
        if (p->looks[n])
            hd_predicate_online_look(online, sight, seen);
    }
    hd_predicate_online_end(online, &wrong);
    hd_predicate_online_finish(online, sight, seen);
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(online);
    hd_predicate_online_free(online);
    return effort;
}

static bool same_sights(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    static const char *const texts[] = {"race", "race || false", "race && true"};
    plan p;
    hd_predicate predicate;
    hd_predicate_error wrong = {0};
    sights apart = {0}, again = {0};
    hd_predicate_online_options options = {.workers = 1, .window = 1 + hd_random_below(random, 12)};
    if (hd_trace_length(trace) > MOST)
        return true;
    draw(&p, trace, random);
    if (!hd_predicate_init(&predicate, texts[hd_random_below(random, 3)], &wrong))
        return WRONG("the predicate is wrong: %s", wrong.error.text);
    hd_predicate_online_effort one = watch(&p, trace, &predicate, options, false, &apart);
    hd_predicate_online_effort two = watch(&p, trace, &predicate, options, true, &again);
    bool good = apart.seen.length == again.seen.length &&
                (!apart.seen.length || memcmp(apart.seen.data, again.seen.data,
                                              apart.seen.length * sizeof *apart.seen.data) == 0);
    if (!good)
        good = WRONG(
            "%zu numbers are seen with variables of their own, %zu if numbers are given out again",
            apart.seen.length, again.seen.length);
    else if (one.kept != two.kept || one.unseen != two.unseen)
        good = WRONG("it forgets other events");
    hd_vec_release(&apart.seen);
    hd_vec_release(&again.seen);
    hd_predicate_release(&predicate);
    return good;
}

/* It is not all in vain: with enough events some are given out. */
static bool some_are_given_out(const hd_trace *trace, hd_random *random, char *why,
                               size_t why_size) {
    plan p;
    hd_predicate predicate;
    hd_predicate_error wrong = {0};
    sights seen = {0};
    static uint64_t asked, given[2];
    if (hd_trace_length(trace) > MOST || hd_trace_length(trace) < 30)
        return true;
    draw(&p, trace, random);
    hd_predicate_init(&predicate, "race", &wrong);
    hd_predicate_online_options options = {.workers = 1, .window = 4};
    hd_predicate_online_effort effort = watch(&p, trace, &predicate, options, true, &seen);
    given[0] += effort.reused[0] > 0;
    given[1] += effort.reused[1] > 0;
    asked++;
    hd_vec_release(&seen.seen);
    hd_predicate_release(&predicate);
    if (asked >= 200 && (given[0] * 20 < asked || given[1] * 20 < asked))
        return WRONG("numbers are given out too seldom");
    return true;
}

SUPPORT_SUITE(random_reuse) {
    enum { KINDS = SUPPORT_ALL & ~(unsigned)SUPPORT_SEMAPHORES };
    static const support_property properties[] = {
        {"the same states", {4, 60, 2, VARIABLES, KINDS}, same_sights},
        {"the same states, few threads", {2, 40, 1, VARIABLES, KINDS}, same_sights},
        {"some are given out", {3, 60, 2, VARIABLES, KINDS}, some_are_given_out},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
