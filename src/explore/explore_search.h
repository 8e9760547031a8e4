/*
 * What the searches share: the path, the limits, and the end of an execution.
 */
#ifndef HD_EXPLORE_SEARCH_H
#define HD_EXPLORE_SEARCH_H

#include "explore_path.h"
#include "explore_reverse.h"

typedef struct hd_explore_search {
    const hd_explore_options *options;
    hd_explore_result *result;
    hd_explore_path path;
    HD_VEC(hd_explore_step) schedule; /* scratch, for the visitor */
    double started;
    uint32_t until_clock; /* executions until the time is looked at again */
    bool stop;
} hd_explore_search;

/* Counts an execution that has ended and shows it to the visitor. */
void hd_explore_ended(hd_explore_search *search, enum hd_explore_end end);

/* Threads whose next operation is enabled; `running`: those that have not ended. */
uint64_t hd_explore_enabled(hd_explore_search *search, uint64_t *running);

/* Is the path as long as it may be?  Then the search is cut off there. */
bool hd_explore_too_long(hd_explore_search *search);

/* Of the sleeping threads, those whose next operation is independent of the one
 * that `thread` takes next. */
uint64_t hd_explore_still_asleep(hd_explore_search *search, uint64_t sleep, uint32_t thread);

void hd_explore_bound(hd_explore_search *search);
void hd_explore_naive(hd_explore_search *search);
void hd_explore_source(hd_explore_search *search);
void hd_explore_optimal(hd_explore_search *search);

#endif
