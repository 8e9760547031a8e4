/*
 * From pairs of events to findings: places in the program, words, fingerprints,
 * and the check that every schedule passes before it goes out.  Private to race.
 */
#ifndef HD_RACE_FINDING_H
#define HD_RACE_FINDING_H

#include "race.h"

typedef struct hd_race_push {
    const hd_trace *trace;
    hd_finding_sink *sink;
    void *context;
    hd_error *error;
    hd_witness_checker *checker; /* made when the first schedule comes */
    hd_map places;               /* location, or thread and object -> place + 1 */
    uint32_t place_count;
    hd_map proved; /* pairs of places that were proved to race; of events, if all are asked for */
    hd_map passed; /* the same, with the variable and who called: suppressed, so others there
                      still count */
    hd_map stacks; /* of events: a sum of the functions that led there, + 1 */
    bool all;
    bool dropped; /* the last finding is not to be told */
    bool failed, stopped;
} hd_race_push;

void hd_race_push_release(hd_race_push *push);

static inline bool hd_race_push_over(const hd_race_push *push) {
    return push->failed || push->stopped || hd_clock_over();
}

/* Where the event is in the program, as a number: its location; where that is not
 * known, what its thread does with this object is one place. */
uint32_t hd_race_place(hd_race_push *push, uint32_t event);

static inline uint64_t hd_race_pair_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* The functions that led to an event, as a number: rules can name each of them.  0: not known. */
uint32_t hd_race_callers(hd_race_push *push, uint32_t event);

/* Is it known that the pair races: its places, or its events if all are asked for? */
bool hd_race_is_proved(hd_race_push *push, uint32_t a, uint32_t b);

/* Notes it, when it was told.  True: it was dropped, so only for this variable and these callers.
 */
bool hd_race_note_proved(hd_race_push *push, uint32_t a, uint32_t b);

enum hd_race_pair { HD_RACE_SHOWN, HD_RACE_REPORTED, HD_RACE_UNPROVED };

/* A pair of accesses, in any order; the schedule, if there is one, is taken. */
void hd_race_push_pair(hd_race_push *push, enum hd_race_pair pair, uint32_t a, uint32_t b,
                       hd_vec_u32 *schedule);

/* A pair that is shown by a schedule that keeps decisions, not all reads. */
void hd_race_push_certain(hd_race_push *push, uint32_t a, uint32_t b, hd_vec_u32 *schedule);

/* A pair of which the first does not happen before the second in the order of the trace. */
void hd_race_push_unordered(hd_race_push *push, uint32_t first, uint32_t second);

/* The same in another order, if its check holds; `told`: it is handed on. */
bool hd_race_show_unordered(hd_race_push *push, uint32_t first, uint32_t second,
                            hd_vec_u32 *schedule, bool told);

/* Checks a finding's witness, if it has one, and hands it to the sink. */
void hd_race_push_finding(hd_race_push *push, hd_finding *finding);

/* A witness of a finding with this schedule, which is taken. */
void hd_race_attach(hd_finding *finding, const char *question, hd_witness_claim claim,
                    hd_vec_u32 *schedule);

/* Its location, or "thread object"; to be freed. */
char *hd_race_place_text(const hd_trace *trace, uint32_t event);

/* Fingerprint of a rule and the places of some events. */
uint64_t hd_race_fingerprint(const hd_trace *trace, const char *rule, const uint32_t *events,
                             size_t count);

#endif
