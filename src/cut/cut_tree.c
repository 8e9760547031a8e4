/*
 * Tree: all consistent states, each one event away from the one before in a
 * spanning tree of the lattice, from the greatest state down.
 *
 * Jegou, Medina and Nourine, "Linear Space Algorithm for On-line Detection of
 * Global Predicates"; Habib, Medina, Nourine and Steiner, "Efficient Algorithms
 * on Distributive Lattices"; with the two improvements of Chang, 4.5.1.
 *
 *   papers                     here
 *   linear extension           numbers of events in the trace
 *   ideal                      state
 *   SList                      next[]: the events that may be taken out, by number
 *   pool of nodes              a thread has at most one event in the list, so its
 *                              place is the node, and nothing is allocated
 *   counter, timestamp         the state itself: an event is in it iff its count
 *                              is, which needs no update at all
 *
 * The children of a state lack one more event x: maximal in it, and before every
 * event that is missing.  So the parent of a state is the state with its first
 * missing event.  Taking x out, the list before x stays, and x's predecessors
 * that are now maximal come in.
 *
 * Time: the edges of one event and the list, which is at most the threads, for
 * each state.  Memory: linear in the events, for the way back.
 */
#include <string.h>

#include "cut_covers.h"

struct step {
    uint32_t place;    /* whose last event was taken out */
    uint32_t before;   /* its neighbour in the list */
    uint32_t inserted; /* how many came into the list, on the stack below */
};

struct tree {
    const hd_cut_space *space;
    const hd_cut_covers *covers;
    const uint32_t *least;
    uint32_t *state;
    uint32_t *number; /* [place]: its last event in the state */
    uint32_t *next;   /* [place + 1]: next in the list; [0] is the head, 0 the end */
    HD_VEC(struct step) steps;
    hd_vec_u32 inserted; /* nodes before those that were inserted, in order */
};

static bool is_maximal(const struct tree *t, uint32_t place) {
    size_t event = t->space->start[place] + t->state[place];
    hd_cut_cover_list out = hd_cut_covers_out(t->covers, event);
    for (uint32_t i = 0; i < out.count; i++)
        if (out.covers[i].count <= t->state[out.covers[i].place])
            return false;
    return true;
}

/* Puts the thread's last event in, by its number; the node before it. */
static uint32_t insert_node(struct tree *t, uint32_t place) {
    t->number[place] = hd_cut_event(t->space, place, t->state[place]);
    uint32_t before = 0;
    while (t->next[before] && t->number[t->next[before] - 1] < t->number[place])
        before = t->next[before];
    t->next[place + 1] = t->next[before];
    t->next[before] = place + 1;
    assert(before == 0 || t->number[before - 1] < t->number[place]);
    assert(!t->next[place + 1] || t->number[t->next[place + 1] - 1] > t->number[place]);
    return before;
}

/* Is the list what it is for: all events that may be taken out, by number? */
HD_ASSERT_ONLY static bool has_maximal_events(const struct tree *t) {
    uint32_t listed = 0, maximal = 0;
    for (uint32_t node = t->next[0]; node; node = t->next[node]) {
        uint32_t after = t->next[node];
        if (t->number[node - 1] != hd_cut_event(t->space, node - 1, t->state[node - 1]) ||
            (after && t->number[after - 1] <= t->number[node - 1]))
            return false;
        listed++;
    }
    for (uint32_t p = 0; p < t->space->threads; p++)
        maximal += t->state[p] > t->least[p] && is_maximal(t, p);
    return listed == maximal;
}

/* If the event at this count of the thread is its last and may be taken out now. */
static void offer_event(struct tree *t, struct step *step, uint32_t place, uint32_t count) {
    if (t->state[place] != count || count <= t->least[place] || !is_maximal(t, place))
        return;
    hd_vec_push(&t->inserted, insert_node(t, place));
    step->inserted++;
}

/* Takes out the event of the node after `before`. */
static void remove_event(struct tree *t, uint32_t before) {
    assert(t->next[before]);
    uint32_t place = t->next[before] - 1;
    struct step step = {.place = place, .before = before};
    uint32_t count = t->state[place];
    assert(count > t->least[place]);
    HD_COSTLY_ASSERT(is_maximal(t, place));
    t->next[before] = t->next[place + 1];
    t->state[place]--;
    hd_cut_cover_list into = hd_cut_covers_into(t->covers, t->space->start[place] + count);
    offer_event(t, &step, place, count - 1);
    for (uint32_t i = 0; i < into.count; i++)
        offer_event(t, &step, into.covers[i].place, into.covers[i].count);
    hd_vec_push(&t->steps, step);
}

/* Back to the parent; the node before the event that comes back. */
static uint32_t put_back(struct tree *t) {
    struct step step = hd_vec_pop(&t->steps);
    assert(step.inserted <= t->inserted.length);
    while (step.inserted--) {
        uint32_t before = hd_vec_pop(&t->inserted);
        t->next[before] = t->next[t->next[before]];
    }
    t->state[step.place]++;
    t->number[step.place] = hd_cut_event(t->space, step.place, t->state[step.place]);
    assert(!t->next[step.before] || t->number[t->next[step.before] - 1] > t->number[step.place]);
    t->next[step.place + 1] = t->next[step.before];
    t->next[step.before] = step.place + 1;
    return step.before;
}

/* The number that events of the list must be below to be children: that of the
 * event taken out last. */
static uint32_t child_limit(const struct tree *t) {
    if (!t->steps.length)
        return UINT32_MAX;
    uint32_t place = hd_vec_last(&t->steps)->place;
    return hd_cut_event(t->space, place, t->state[place] + 1);
}

static int tree_traverse(struct tree *t, hd_cut_visitor *visitor) {
    uint32_t before = 0, most = UINT32_MAX;
    for (;;) {
        HD_COSTLY_ASSERT(hd_cut_seems_consistent(t->space, t->state) && has_maximal_events(t));
        int why = hd_cut_emit(visitor, t->state, 1);
        if (why)
            return why;
        /* The first child, or the next one of the nearest ancestor that has more. */
        while (!t->next[before] || t->number[t->next[before] - 1] >= most) {
            if (!t->steps.length) {
                assert(!t->inserted.length); /* back at the greatest state, with its list */
                return 0;
            }
            before = put_back(t);
            before = t->next[before];
            most = child_limit(t);
        }
        most = t->number[t->next[before] - 1];
        assert(most < child_limit(t)); /* its parent is this state, and no other */
        remove_event(t, before);
        before = 0;
    }
}

int hd_cut_tree(const hd_cut_space *space, const hd_cut_covers *covers, const uint32_t *least,
                const uint32_t *most, hd_cut_visitor *visitor) {
    struct tree t = {.space = space, .covers = covers, .least = least};
    t.state = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    memcpy(t.state, most, space->threads * sizeof *most);
    t.number = HD_NEW_ARRAY(uint32_t, space->threads + 1);
    t.next = HD_NEW_ARRAY(uint32_t, space->threads + 1);
    for (uint32_t p = 0; p < space->threads; p++)
        if (t.state[p] > least[p] && is_maximal(&t, p))
            insert_node(&t, p);
    int why = tree_traverse(&t, visitor);
    free(t.state);
    free(t.number);
    free(t.next);
    hd_vec_release(&t.steps);
    hd_vec_release(&t.inserted);
    return why;
}
