/*
 * The strongly feasible or reachable states of a loset in stages: whether a state is one follows
 * from those before it, so a count can be left only between two levels of a sweep (cut_cells.h),
 * with what is known of the last one, and gone on with from there.
 *
 *     good = hd_cut_stages_init(&stages, &order, &request, &error);
 *     while (stages.done < stages.levels && !why)
 *         why = hd_cut_stages_take(&stages, 4);
 *     hd_cut_stages_put(&stages, &bytes);        between two stages
 *     hd_cut_stages_release(&stages);
 */
#ifndef HD_CUT_STAGES_H
#define HD_CUT_STAGES_H

#include "cut_filter.h"
#include "cut_states.h"

struct hd_cut_sweeping;

typedef struct hd_cut_stages {
    uint32_t levels, done; /* of one thread: its counts */
    hd_cut_count states;   /* with those that are done */
    bool late;             /* no time was left to begin */

    /* Inside. */
    hd_cut_request request;
    hd_cut_space space;
    hd_cut_rules rules;
    hd_cut_loset loset;
    hd_cut_pairs pairs;
    hd_cut_filter *filters;
    hd_cut_visitor *visitors, *counters; /* [worker]; the same without filters */
    struct hd_cut_sweeping *sweeping;
} hd_cut_stages;

/* Are the states of this question counted so?  Else in slices (cut_slices.h). */
bool hd_cut_staged(hd_order *order, const hd_cut_request *request);

/* False, with an error, if the slabs of a sweep do not fit into the memory, or a run needs units of
 * semaphores, which slabs do not count. */
bool hd_cut_stages_init(hd_cut_stages *stages, hd_order *order, const hd_cut_request *request,
                        hd_error *error);
void hd_cut_stages_release(hd_cut_stages *stages);

/* So many more levels; other than 0: why not, and then it cannot go on. */
int hd_cut_stages_take(hd_cut_stages *stages, uint32_t levels);

/* What was done, as bytes; and back, before the first stage.  False if they are of no such count,
 * or do not fit into the memory. */
void hd_cut_stages_put(const hd_cut_stages *stages, hd_vec_char *to);
bool hd_cut_stages_get(hd_cut_stages *stages, hd_bytes *from);

#endif
