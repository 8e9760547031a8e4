/*
 * The predicate `race` by the definition of happens-before (support_happens.h), against its
 * detection online and in a whole trace.
 */
#include <stdio.h>

#include "predicate/predicate.h"
#include "support_happens.h"
#include "support_random.h"

static unsigned long racing, clean;

/* The last events of each thread in the state that the detector saw. */
typedef struct sights {
    const support_happens *r;
    uint32_t first; /* event with which one became possible */
    bool wrong;
} sights;

static uint32_t event_of(const support_happens *r, uint32_t thread, uint32_t count) {
    for (uint32_t n = 1; n <= r->length && count; n++)
        if (support_happens_at(r, n)->thread == thread && --count == 0)
            return n;
    return 0;
}

static bool races(const support_happens *r, uint32_t a, uint32_t b) {
    return a && b && support_happens_conflict(support_happens_at(r, a), support_happens_at(r, b)) &&
           !r->before[a][b] && !r->before[b][a];
}

static bool in_sight(const sights *s, const hd_predicate_sight *sight, uint32_t event) {
    for (uint32_t p = 0; p < sight->places; p++)
        for (uint32_t c = 1;
             sight->threads[p] == support_happens_at(s->r, event)->thread && c <= sight->state[p];
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
static uint32_t first_race(const support_happens *r) {
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
    bool good =
        hd_predicate_instance_init(&instance, &order, predicate, HD_ORDER_POSET, SIZE_MAX, &wrong);
    if (good) {
        good = hd_predicate_detect(&instance, &request, &said, &error) && said.complete;
        *found = said.found;
        hd_predicate_answer_release(&said);
        hd_predicate_instance_release(&instance);
    }
    hd_order_release(&order);
    return good;
}

static bool detect_online(const support_happens *r, const hd_predicate *predicate,
                          hd_random *random, sights *s) {
    hd_predicate_error wrong = {0};
    hd_predicate_online_options options = {
        .workers = 1, .singly = r->length < 24 && hd_random_chance(random, 300)};
    *s = (sights){.r = r};
    hd_predicate_online *online =
        hd_predicate_online_create(predicate, &r->trace->tables, &options, &wrong);
    bool good = online != NULL;
    for (uint32_t n = 1; n <= r->length && good; n++) {
        good = hd_predicate_online_take(online, support_happens_at(r, n), &wrong);
        if (good && hd_random_chance(random, 300))
            hd_predicate_online_look(online, sight_race, s);
    }
    good = good && hd_predicate_online_end(online, &wrong);
    if (good)
        hd_predicate_online_finish(online, sight_race, s);
    hd_predicate_online_free(online);
    return good;
}

/* A state is seen with the first access that races with an earlier one, and every one that is seen
 * is a state of happens-before and has a race. */
static bool check_predicate(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    support_happens r;
    sights seen;
    hd_predicate predicate;
    hd_predicate_error wrong = {0};
    bool found = false;
    support_happens_relate(&r, trace);
    if (!r.length)
        return true;
    hd_predicate_init(&predicate, "race(all)", &wrong);
    bool good =
        detect_online(&r, &predicate, random, &seen) && detect_whole(trace, &predicate, &found);
    uint32_t first = first_race(&r);
    racing += first != 0;
    clean += first == 0;
    if (!good || seen.wrong || seen.first != first || found != (first != 0)) {
        snprintf(why, why_size, "race since event %u, online since %u%s; of the whole trace: %d",
                 first, seen.first, seen.wrong ? ", and with a state that has none" : "", found);
        good = false;
    }
    hd_predicate_release(&predicate);
    return good;
}

SUPPORT_SUITE(random_sight) {
    enum {
        ORDERS = SUPPORT_ATOMICS | SUPPORT_RMW | SUPPORT_ORDERS,
        MORE = ORDERS | SUPPORT_LOCKS | SUPPORT_REENTRANT | SUPPORT_RWLOCKS | SUPPORT_FORKS |
               SUPPORT_SEMAPHORES | SUPPORT_TRYFAIL
    };
    static const support_property properties[] = {
        {"race is of what is unordered, few accesses", {2, 8, 0, 2, ORDERS}, check_predicate},
        {"race is of what is unordered", {3, 30, 0, 2, ORDERS}, check_predicate},
        {"race is of what is unordered, with locks", {5, 60, 3, 3, MORE}, check_predicate},
        {"race is of what several posters leave unordered",
         {5, 24, 0, 2, SUPPORT_SEMAPHORES},
         check_predicate},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu traces with a race, %lu without\n", racing, clean);
    return status;
}
