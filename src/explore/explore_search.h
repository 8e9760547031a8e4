/*
 * What the searches share: the path, the limits, and the end of an execution.
 */
#ifndef HD_EXPLORE_SEARCH_H
#define HD_EXPLORE_SEARCH_H

#include "explore_path.h"
#include "explore_reverse.h"

/* Statistics of the nodes at one depth of the search tree. */
typedef struct hd_explore_level {
    uint64_t nodes;      /* done with */
    uint64_t executions; /* below them */
} hd_explore_level;

typedef struct hd_explore_search {
    uint32_t words; /* of its sets (explore_wide.h); first, as nothing after it is where another
                       kind of search has it */
    const hd_explore_options *options;
    enum hd_explore_algorithm algorithm; /* never auto */
    hd_explore_result *result;
    hd_explore_path path;
    HD_VEC(hd_step) schedule; /* scratch, for the visitor */
    hd_step *walked;          /* the execution, where the path is not used */
    uint32_t walked_length;
    const struct hd_explore_section *whole; /* what the program is, if it is one section */
    double started, reported, clock; /* when it began, said how far it is, looked at the time */
    uint32_t between, until_clock; /* looks at the clock between two at the time; until the next */
    uint32_t asked;                /* times that it was asked whether the time is over */
    struct hd_explore_crew *crew;  /* that it is a part of, NULL: none */
    uint64_t counted;              /* of its executions, those that are counted there */
    HD_VEC(hd_explore_level) levels;
    struct hd_explore_estimate *estimate; /* of all executions; NULL: none yet */
    bool estimates;                       /* one was begun, or could not be */
    bool stop;
    uint64_t pause_at; /* steps and work at which the search pauses; 0: never, 1: at once */
    uint64_t effort;   /* work of the search that is neither steps nor the machine's */
    double slice_began;
    bool paused, began;
    void *own;                                       /* of a search that pauses, until it ends */
    void (*go_on)(struct hd_explore_search *search); /* with it */
    bool due;                                        /* a report on how much is covered is wanted */
    bool keep_due;              /* it is to be kept (hd_explore_keeper) as soon as it can be, */
    enum hd_explore_limit halt; /* and ends then, by this limit; none: it goes on */
    double kept;                /* when that was last done */
    double late;                /* when the time was over; 0: it is not */
    struct hd_explore_frontier *from;         /* that it goes on with; NULL: it begins */
    struct hd_explore_membership *membership; /* of a search by several processes; NULL: none */
} hd_explore_search;

/* How the path ends if no thread can go on: threads that its last step cut off are not stuck. */
enum hd_explore_end hd_explore_end_of(const hd_explore_path *path);

/* May the path's last step have disabled operations that do not depend on it?  For assertions: a
 * step that ends the program does, and a machine that turned out to be another one may. */
static inline bool hd_explore_may_disable(const hd_explore_path *path) {
    uint32_t length = (uint32_t)path->events.length;
    return hd_machine_changed(path->machine) ||
           (length && hd_explore_taken(path, length - 1)->ends);
}

/* The end that a step makes which does not go on. */
static inline enum hd_explore_end hd_explore_end_by(enum hd_machine_result result) {
    return result == HD_MACHINE_HUNG ? HD_EXPLORE_HANG : HD_EXPLORE_VIOLATION;
}

/* Counts an execution that has ended and shows it to the visitor. */
void hd_explore_ended(hd_explore_search *search, enum hd_explore_end end);

/* Is the slice used up?  Asked where a search that can pause keeps all that it needs to go on. */
static inline bool hd_explore_pauses(hd_explore_search *search) {
    if (!search->pause_at || search->stop ||
        search->result->steps + search->path.machine->work + search->effort < search->pause_at)
        return false;
    search->paused = true;
    return true;
}

/* At every step or every end: is there time left, is a report due? */
void hd_explore_look_at_clock(hd_explore_search *search);

/* The machine is not as it said it is (hd_machine_type.by_reads); `why` stays.  The search stops.
 */
void hd_explore_differ(hd_explore_search *search, const char *why);

/* In the midst of work that grows with the path: is there no time left?  Then the search stops. */
bool hd_explore_is_over(hd_explore_search *search);

/* The same where that would leave races out.  A search that is kept needs them, so it has some
 * seconds more; if they are not enough, it ends and is not kept again. */
bool hd_explore_leaves(hd_explore_search *search);

/* Is the path as long as it may be?  Then the search is cut off there.  Looks at the
 * clock too, and whether the machine changed: then the search stops. */
bool hd_explore_too_long(hd_explore_search *search);

/* It was kept: it goes on, or ends. */
void hd_explore_has_kept(hd_explore_search *search);

/* It ends, and nothing is told. */
void hd_explore_abandon(hd_explore_search *search);

/* The machine does not do what is known of it: the search stops. */
void hd_explore_stray(hd_explore_search *search);

/* How many executions are to come, node by node from the root on: `ways` known to be
 * left there, each as large as those of its depth that are done with were on average,
 * or if none exists yet, as large as the one being explored is by now.  `since`:
 * executions when the node above it was opened. */
double hd_explore_to_come(const hd_explore_search *search, size_t depth, uint32_t ways,
                          uint64_t since);

/* A node is done with that was opened after so many executions. */
static inline void hd_explore_closed(hd_explore_search *search, size_t depth, uint64_t since) {
    while (search->levels.length <= depth)
        hd_vec_push(&search->levels, (hd_explore_level){0, 0});
    search->levels.data[depth].nodes++;
    search->levels.data[depth].executions += search->result->executions - since;
}

/* So many executions are to come, by estimate: when a report is due, and when the
 * search was cut off. */
void hd_explore_report(hd_explore_search *search, double to_come);

void hd_explore_bound(hd_explore_search *search);
void hd_explore_naive(hd_explore_search *search);
void hd_explore_source(hd_explore_search *search);
void hd_explore_optimal(hd_explore_search *search);
void hd_explore_unfold(hd_explore_search *search);

/* With source sets, by several workers and not in sections. */
void hd_explore_source_crew(hd_explore_search *search);

/* With source sets, from where a walk through a section came to: all enabled threads that do not
 * sleep are explored from the states on the way, and from the last one. */
void hd_explore_source_after_walk(hd_explore_search *search, const hd_step *steps,
                                  const hd_explore_set *asleep, uint32_t depth);

/* False, and nothing done, if the program is not one section. */
bool hd_explore_whole(hd_explore_search *search);

#endif
