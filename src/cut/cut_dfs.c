/*
 * DFS: all consistent states by running the events in every order, on one stack.
 *
 * Chang, "Predicate Detection for Parallel Computations", 6.3.3: events are added one at a time; as
 * a state is met along many ways, all states met are kept.
 *
 * Time: the square of the threads for each state.  Memory: all states.
 */
#include <string.h>

#include "cut_table.h"
#include "cut_visit.h"

struct dfs {
    const hd_cut_space *space;
    const uint32_t *most;
    hd_cut_table met;
    hd_vec_u32 stack; /* numbers of states in `met` still to expand */
    uint64_t *key;    /* the state at hand */
};

static void meet_state(struct dfs *dfs) {
    bool added;
    size_t number = hd_cut_table_add(&dfs->met, dfs->key, &added);
    assert(number < dfs->met.count && (!added || number == dfs->met.count - 1));
    if (added)
        hd_vec_push(&dfs->stack, (uint32_t)number);
}

/* The last thread first onto the stack, so that the first goes on first. */
static void dfs_expand(struct dfs *dfs) {
    uint32_t *state = (uint32_t *)dfs->key;
    for (uint32_t p = dfs->space->threads; p-- > 0;)
        if (state[p] < dfs->most[p] && hd_cut_enabled(dfs->space, state, p)) {
            state[p]++;
            meet_state(dfs);
            state[p]--;
        }
}

int hd_cut_dfs(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
               size_t memory, hd_cut_visitor *visitor) {
    struct dfs dfs = {.space = space, .most = most};
    size_t width = hd_cut_table_words(space->threads);
    hd_cut_table_init(&dfs.met, width, 0);
    dfs.key = HD_NEW_ARRAY(uint64_t, width + 1);
    memcpy(dfs.key, least, space->threads * sizeof *least);
    meet_state(&dfs);
    int why = 0;
    while (dfs.stack.length) {
        memcpy(dfs.key, hd_cut_table_record(&dfs.met, hd_vec_pop(&dfs.stack)),
               width * sizeof *dfs.key);
        HD_COSTLY_ASSERT(hd_cut_is_between(space, least, (const uint32_t *)dfs.key, most));
        assert(dfs.stack.length <
               dfs.met.count); /* what waits was met, and this one waits no more */
        if ((why = hd_cut_emit(visitor, (const uint32_t *)dfs.key, 1)))
            break;
        dfs_expand(&dfs);
        if (hd_cut_table_bytes(&dfs.met) > memory) {
            why = HD_CUT_LIMITED;
            break;
        }
    }
    hd_cut_table_release(&dfs.met);
    hd_vec_release(&dfs.stack);
    free(dfs.key);
    return why;
}
