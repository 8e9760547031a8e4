#include "predicate_path.h"

#include <string.h>

struct path {
    const hd_cut_space *space;
    const hd_cut_loset *loset;
    const uint32_t *wanted;
    hd_cut_table met;
    uint64_t *key;
    uint32_t *now;   /* the state, in the key */
    hd_vec_u32 next; /* for each step so far, and one more: the thread to try next */
};

/* Takes the first step, from a thread on, to a state that was not met. */
static bool step(struct path *path, hd_vec_u32 *schedule) {
    uint32_t *from = hd_vec_last(&path->next);
    for (; *from < path->space->threads; ++*from) {
        uint32_t p = *from;
        bool added = false;
        if (path->now[p] == path->wanted[p] || !hd_cut_step_is_feasible(path->loset, path->now, p))
            continue;
        path->now[p]++;
        hd_cut_table_add(&path->met, path->key, &added);
        if (added) {
            hd_vec_push(schedule, hd_cut_event(path->space, p, path->now[p]));
            return true;
        }
        path->now[p]--;
    }
    return false;
}

static bool is_there(const struct path *path) {
    return memcmp(path->now, path->wanted, path->space->threads * sizeof *path->now) == 0;
}

enum hd_order_answer hd_predicate_path(const hd_predicate_instance *instance,
                                       const hd_cut_loset *loset, const uint32_t *state,
                                       size_t memory, hd_vec_u32 *schedule) {
    struct path path = {.space = &instance->space, .loset = loset, .wanted = state};
    size_t width = hd_cut_table_words(path.space->threads);
    bool added;
    hd_vec_clear(schedule);
    if (!hd_cut_feasible(loset, state))
        return HD_ORDER_INFEASIBLE;
    path.key = HD_NEW_ARRAY(uint64_t, width + 1);
    path.now = (uint32_t *)path.key;
    hd_cut_table_init(&path.met, width, 0);
    hd_cut_table_add(&path.met, path.key, &added);
    hd_vec_push(&path.next, 0);
    enum hd_order_answer answer = HD_ORDER_INFEASIBLE;
    while (path.next.length) {
        if (is_there(&path)) {
            answer = HD_ORDER_FEASIBLE;
            break;
        }
        if (hd_clock_over() || hd_cut_table_bytes(&path.met) > memory) {
            answer = HD_ORDER_UNKNOWN;
            break;
        }
        if (step(&path, schedule)) {
            hd_vec_push(&path.next, 0);
            continue;
        }
        path.next.length--; /* back */
        if (path.next.length) {
            schedule->length--;
            path.now[(*hd_vec_last(&path.next))++]--;
        }
    }
    hd_vec_release(&path.next);
    hd_cut_table_release(&path.met);
    free(path.key);
    return answer;
}
