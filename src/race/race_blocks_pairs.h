/*
 * What race_blocks.h asks about two variables: two accesses of a block, and two accesses of another
 * thread that might come between them.  Private to race.
 *
 *     hd_race_pairs_init(&pairs, &parts, push);
 *     for each variable x: if (hd_race_pairs_spans(&pairs, x))
 *         for each run of spans with one variable y: hd_race_pairs_comers(&pairs, x, run, count)
 *
 * Spans and comers are put into the parts.
 */
#ifndef HD_RACE_BLOCKS_PAIRS_H
#define HD_RACE_BLOCKS_PAIRS_H

#include "race_blocks_parts.h"

typedef struct hd_race_pairs {
    hd_race_parts *parts;
    hd_race_push *push;
    hd_trace_lists all, writes; /* [variable]: its accesses, and writes, by thread */
    uint32_t *place, *held;     /* [access]: hd_race_place, the locks held */
} hd_race_pairs;

void hd_race_pairs_init(hd_race_pairs *pairs, hd_race_parts *parts, hd_race_push *push);
void hd_race_pairs_release(hd_race_pairs *pairs);

/* Those whose first access is of the variable; false if there are none. */
bool hd_race_pairs_spans(hd_race_pairs *pairs, uint32_t variable);

/* What may come between those of some spans of two variables. */
void hd_race_pairs_comers(hd_race_pairs *pairs, uint32_t variable, const struct hd_race_span *spans,
                          size_t count);

#endif
