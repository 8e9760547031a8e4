/*
 * Stage III of room drive on random traces: the prefix of Fig. 5, extended, is a
 * reordering that keeps all reads, after which a1 is next, and the access that it says
 * races with a1 does (by the checker); one that races right behind the prefix is not
 * passed over.  The rings of locks of room race against paths.
 */
#include <stdio.h>

#include "drive/drive_state.h"
#include "race/race_rings.h"
#include "support_random.h"

static unsigned long extended, raced, rings;

/* ---- Fig. 5 ---- */

static bool check_witness(const hd_trace *trace, hd_witness_claim claim, const hd_vec_u32 *events,
                          char *why, size_t why_size) {
    hd_witness witness;
    hd_error error = {""};
    hd_witness_init(&witness);
    witness.claim = claim;
    witness.schedule = *events;
    bool good = hd_witness_check(&witness, trace, &error);
    if (!good)
        snprintf(why, why_size, "%s", error.text);
    return good;
}

static bool check_pair(const hd_drive_run *run, uint32_t first, uint32_t second, char *why,
                       size_t why_size) {
    hd_vec_u32 events = {0};
    uint32_t racing = hd_drive_extend(run, first, second, &events);
    hd_witness_claim claim = {.kind = HD_WITNESS_REORDERING};
    extended += events.length - (first - 1);
    raced += racing != 0;
    bool good = check_witness(&run->trace, claim, &events, why, why_size);
    if (good && racing) {
        claim = (hd_witness_claim){.kind = HD_WITNESS_RACE, .first = first, .second = racing};
        good = check_witness(&run->trace, claim, &events, why, why_size);
    }
    if (good && !racing && second == first + 1 &&
        check_witness(&run->trace,
                      (hd_witness_claim){.kind = HD_WITNESS_RACE, .first = first, .second = second},
                      &events, why, why_size)) {
        snprintf(why, why_size, "events %u and %u race, and nothing is between them", first,
                 second);
        good = false;
    }
    hd_vec_release(&events);
    return good;
}

static bool check_extension(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_drive_run run = {.trace = *trace};
    hd_drive_run_index(&run);
    bool good = true;
    for (uint32_t b = 2; good && b <= hd_trace_length(trace); b++)
        for (uint32_t a = 1; good && a < b; a++) {
            const heddle_event *first = hd_trace_event(trace, a),
                               *second = hd_trace_event(trace, b);
            if (hd_trace_is_access(first) && hd_trace_is_access(second) &&
                hd_race_conflict(first, second))
                good = check_pair(&run, a, b, why, why_size);
        }
    run.trace = (hd_trace){0}; /* lent */
    hd_drive_run_release(&run);
    return good;
}

/* ---- Rings ---- */

enum { LOCKS = 9 };

static bool check_rings(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    hd_race_edges edges = {0};
    bool path[LOCKS][LOCKS] = {{false}};
    uint32_t component[LOCKS], count = (uint32_t)hd_random_below(random, 2 * LOCKS);
    for (uint32_t i = 0; i < count; i++) {
        hd_race_edge edge = {(uint32_t)hd_random_below(random, LOCKS),
                             (uint32_t)hd_random_below(random, LOCKS)};
        hd_vec_push(&edges, edge);
        path[edge.held][edge.wanted] = true;
    }
    for (int k = 0; k < LOCKS; k++)
        for (int i = 0; i < LOCKS; i++)
            for (int j = 0; j < LOCKS; j++)
                path[i][j] |= path[i][k] && path[k][j];
    hd_race_rings(&edges, LOCKS, component);
    hd_vec_release(&edges);
    for (int i = 0; i < LOCKS; i++)
        for (int j = 0; j < LOCKS; j++) {
            bool together = i == j || (path[i][j] && path[j][i]);
            rings += i != j && together;
            if ((component[i] == component[j]) != together) {
                snprintf(why, why_size, "locks %d and %d", i, j);
                return false;
            }
        }
    return true;
}

SUPPORT_SUITE(random_drive) {
    static const support_property properties[] = {
        {"the extended prefix is a reordering, and what races with a1 does",
         {.threads = 4,
          .events = 30,
          .variables = 3,
          .locks = 3,
          .features = SUPPORT_LOCKS | SUPPORT_FORKS},
         check_extension},
        {"the same, of every kind of event",
         {.threads = 4, .events = 30, .variables = 2, .locks = 2, .features = SUPPORT_ALL},
         check_extension},
        {"rings of locks equal paths both ways", {.threads = 1, .events = 1}, check_rings},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof properties[0]);
    printf("# %lu events in extensions, %lu races, %lu pairs of locks in a ring\n", extended, raced,
           rings);
    return status;
}
