/*
 * Lex: all consistent states in lexical order, with no memory but the state.
 *
 * Ganter, "Two Basic Algorithms in Concept Analysis"; Garg, "Enumerating Global
 * States of a Distributed Computation"; bounded as in Chang, Algorithm 3, and
 * with the loops of 4.5.1: only threads up to k are asked, only those after
 * are reset.
 *
 *   paper                    here
 *   G, Gmin(e), Gbnd(e)      state, least, most
 *   e_k                      event state[k] + 1 of thread k
 *   e_j.vc[i]                hd_cut_low(space, j, state[j])[i]
 *
 * Mended: the bound of line 7 is strict, as there must be a next event; line 18
 * takes the clock of e_j, not e_i.
 *
 * Time: the square of the threads for each state.
 */
#include <string.h>

#include "cut_visit.h"

static bool is_enabled(const hd_cut_space *space, const uint32_t *state, uint32_t k) {
    const uint32_t *clock = hd_cut_low(space, k, state[k] + 1);
    for (uint32_t j = 0; j < space->threads; j++)
        if (clock[j] > state[j])
            return false;
    return true;
}

/* Lines 6-11: the last thread that can go on; HD_ORDER_NONE if none can. */
static uint32_t select_thread(const hd_cut_space *space, const uint32_t *state,
                              const uint32_t *most) {
    for (uint32_t k = space->threads; k-- > 0;)
        if (state[k] < most[k] && is_enabled(space, state, k))
            return k;
    return HD_ORDER_NONE;
}

/* Lines 13-20: the threads after k go back as far as the others let them. */
static void reset(const hd_cut_space *space, uint32_t *state, const uint32_t *least, uint32_t k) {
    for (uint32_t i = k + 1; i < space->threads; i++)
        state[i] = least[i];
    for (uint32_t j = 0; j <= k; j++) {
        const uint32_t *clock = hd_cut_low(space, j, state[j]);
        for (uint32_t i = k + 1; i < space->threads; i++)
            state[i] = state[i] < clock[i] ? clock[i] : state[i];
    }
}

int hd_cut_lex(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
               hd_cut_visitor *visitor) {
    uint32_t *state = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    memcpy(state, least, space->threads * sizeof *state);
    HD_COSTLY_ASSERT(hd_cut_is_between(space, least, most, most));
    int why;
    while ((why = hd_cut_emit(visitor, state, 1)) == 0) {
        uint32_t k = select_thread(space, state, most);
        if (k == HD_ORDER_NONE)
            break;
        state[k]++;
        assert(state[k] <= most[k]);
        reset(space, state, least, k);
        HD_COSTLY_ASSERT(hd_cut_is_between(space, least, state, most));
    }
    free(state);
    return why;
}
