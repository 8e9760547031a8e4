/*
 * Reachable states of a loset by running its events on one thread: the two exact
 * algorithms of Chang, 6.3.3, breadth first and depth first.  A state is met
 * along many ways, so what was met is kept: two levels, or everything.
 *
 * Time: the square of the threads for each state.
 */
#include <string.h>

#include "cut_reach.h"
#include "cut_table.h"

struct simulation {
    const hd_cut_loset *loset;
    hd_cut_table now, next;
    uint64_t *key;
};

/* Those that can be come to from the state at hand go into `to`. */
static void add_successors(struct simulation *s, hd_cut_table *to, hd_vec_u32 *stack) {
    const hd_cut_space *space = s->loset->space;
    uint32_t *state = (uint32_t *)s->key;
    for (uint32_t p = 0; p < space->threads; p++) {
        if (state[p] == space->length[p] || !hd_cut_step_is_feasible(s->loset, state, p))
            continue;
        bool added;
        state[p]++;
        size_t number = hd_cut_table_add(to, s->key, &added);
        if (added && stack)
            hd_vec_push(stack, (uint32_t)number);
        state[p]--;
    }
}

/* How many events has a state? */
HD_ASSERT_ONLY static uint64_t count_events(const struct simulation *s, const hd_cut_table *from,
                                            size_t number) {
    const uint32_t *state = (const uint32_t *)hd_cut_table_record(from, number);
    uint64_t events = 0;
    for (uint32_t p = 0; p < s->loset->space->threads; p++)
        events += state[p];
    return events;
}

static int visit_state(struct simulation *s, const hd_cut_table *from, size_t number,
                       hd_cut_visitor *visitor) {
    memcpy(s->key, hd_cut_table_record(from, number), from->width * sizeof *s->key);
    HD_COSTLY_ASSERT(hd_cut_seems_feasible(s->loset, (const uint32_t *)s->key));
    return hd_cut_emit(visitor, (const uint32_t *)s->key, 1);
}

static int by_levels(struct simulation *s, size_t memory, hd_cut_visitor *visitor) {
    int why = 0;
    HD_ASSERT_ONLY uint64_t level = 0;
    for (; s->now.count && !why; level++) {
        hd_cut_table_clear(&s->next, s->now.width, 0);
        for (size_t i = 0; i < s->now.count && !why; i++) {
            assert(count_events(s, &s->now, i) == level);
            why = visit_state(s, &s->now, i, visitor);
            add_successors(s, &s->next, NULL);
            if (!why && hd_cut_table_bytes(&s->now) + hd_cut_table_bytes(&s->next) > memory)
                why = HD_CUT_LIMITED;
        }
        hd_cut_table done = s->now;
        s->now = s->next;
        s->next = done;
    }
    return why;
}

static int by_depth(struct simulation *s, size_t memory, hd_cut_visitor *visitor) {
    hd_vec_u32 stack = {0};
    int why = 0;
    hd_vec_push(&stack, 0);
    while (stack.length && !why) {
        assert(stack.length <= s->now.count); /* each is there once */
        why = visit_state(s, &s->now, hd_vec_pop(&stack), visitor);
        add_successors(s, &s->now, &stack);
        if (!why && hd_cut_table_bytes(&s->now) > memory)
            why = HD_CUT_LIMITED;
    }
    hd_vec_release(&stack);
    return why;
}

int hd_cut_simulate(const hd_cut_loset *loset, bool depth_first, size_t memory,
                    hd_cut_visitor *visitor) {
    struct simulation s = {.loset = loset};
    size_t width = hd_cut_table_words(loset->space->threads);
    hd_cut_table_init(&s.now, width, 0);
    hd_cut_table_init(&s.next, width, 0);
    s.key = HD_NEW_ARRAY(uint64_t, width + 1);
    bool added;
    hd_cut_table_add(&s.now, s.key, &added);
    int why = depth_first ? by_depth(&s, memory, visitor) : by_levels(&s, memory, visitor);
    hd_cut_table_release(&s.now);
    hd_cut_table_release(&s.next);
    free(s.key);
    return why;
}
