/*
 * The order with the fewest context switches, by best-first search (A*) over
 * cuts: how many steps of each thread were taken.
 *
 * A thread that has the turn keeps it as long as it can go on.  That is never
 * worse: take the steps that it could still do out of what follows and put them
 * here; the rest keeps its order, and taking steps out of a sequence adds no
 * switch.  So every arc of the search is a whole run of a thread, after which
 * that thread cannot go on; the last thread of a cut needs no place in the state,
 * since it is not one of those that can be next.  Every arc but the first is one
 * switch.  Each thread with steps left needs an arc at least, which is the
 * estimate; no arc finishes two threads, so it never drops faster than the cost
 * grows, and the first time the end is taken from the queue is the best.
 *
 * Cost: a state takes 4 bytes a thread and some more; there may be as many as
 * the product of the threads' lengths, hence the budget.
 */
#include "replay_order.h"

typedef struct node {
    uint32_t parent;
    uint32_t column; /* that ran last */
    uint32_t runs;   /* so far */
    bool done;       /* taken from the queue */
} node;

typedef struct search {
    const hd_replay_order *order;
    size_t budget;
    HD_VEC(node) nodes;
    hd_vec_u32 cuts;    /* [node * width + column] */
    hd_map by_cut;      /* hash: node */
    hd_vec_u32 *queues; /* [runs + estimate]: nodes, the newest on top */
    size_t queue_count;
    size_t queue;  /* that nodes are being taken from */
    uint32_t *cut; /* scratch */
} search;

/* Is the step after the cut in its column possible? */
static bool is_possible(const hd_replay_order *order, const uint32_t *cut, uint32_t column) {
    assert(cut[column] <= hd_replay_order_count(order, column));
    if (cut[column] == hd_replay_order_count(order, column))
        return false;
    const uint32_t *clock =
        hd_replay_order_clock(order, hd_replay_order_step(order, column, cut[column]));
    for (uint32_t i = 0; i < order->width; i++)
        if (i != column && clock[i] > cut[i])
            return false;
    return true;
}

/* Runs the column as far as it goes; how far that was. */
static uint32_t run_column(const hd_replay_order *order, uint32_t *cut, uint32_t column) {
    uint32_t before = cut[column];
    while (is_possible(order, cut, column))
        cut[column]++;
    return cut[column] - before;
}

static uint32_t count_unfinished(const hd_replay_order *order, const uint32_t *cut) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < order->width; i++)
        count += cut[i] < hd_replay_order_count(order, i);
    return count;
}

static uint64_t hash_of(const uint32_t *cut, uint32_t width) {
    uint64_t hash = width;
    for (uint32_t i = 0; i < width; i++) {
        hash = (hash ^ cut[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

/* The node of the cut in hand; *added: a new one. */
static uint32_t node_of(search *s, bool *added) {
    uint32_t width = s->order->width;
    for (uint64_t key = hash_of(s->cut, width);; key++) {
        uint32_t *number = hd_map_at(&s->by_cut, key, added);
        if (!*added &&
            memcmp(s->cuts.data + (size_t)*number * width, s->cut, width * sizeof *s->cut) != 0)
            continue; /* another cut with this hash */
        if (*added) {
            *number = (uint32_t)s->nodes.length;
            hd_vec_push(&s->nodes, (node){.runs = UINT32_MAX});
            for (uint32_t i = 0; i < width; i++)
                hd_vec_push(&s->cuts, s->cut[i]);
            assert(s->cuts.length == s->nodes.length * width);
        }
        return *number;
    }
}

static void reach_cut(search *s, uint32_t parent, uint32_t column, uint32_t runs) {
    bool added;
    uint32_t number = node_of(s, &added);
    node *n = &s->nodes.data[number];
    if (n->runs <= runs)
        return;
    /* The estimate never drops faster than the cost grows: what was taken from a queue was
     * reached with the fewest runs, and nothing goes into a queue before the one at hand. */
    assert(!n->done && runs + count_unfinished(s->order, s->cut) >= s->queue);
    assert(runs + count_unfinished(s->order, s->cut) < s->queue_count);
    *n = (node){.parent = parent, .column = column, .runs = runs};
    hd_vec_push(&s->queues[runs + count_unfinished(s->order, s->cut)], number);
}

/* The columns from the last on, so that the first is on top of the queue. */
static void expand_node(search *s, uint32_t number) {
    uint32_t width = s->order->width, runs = s->nodes.data[number].runs + 1;
    for (uint32_t column = width; column-- > 0;) {
        memcpy(s->cut, s->cuts.data + (size_t)number * width, width * sizeof *s->cut);
        if (run_column(s->order, s->cut, column) > 0)
            reach_cut(s, number, column, runs);
    }
}

/* The best node of the queues, false if the budget is spent before the end is. */
static bool find_end(search *s, uint32_t *end) {
    for (size_t q = 0; q < s->queue_count; q++)
        while (s->queues[q].length > 0) {
            uint32_t number = hd_vec_pop(&s->queues[q]);
            s->queue = q;
            if (s->nodes.data[number].done)
                continue; /* it was reached by fewer runs, too */
            assert(
                s->nodes.data[number].runs +
                    count_unfinished(s->order, s->cuts.data + (size_t)number * s->order->width) ==
                q);
            s->nodes.data[number].done = true;
            assert(number == 0 || s->nodes.data[s->nodes.data[number].parent].done);
            *end = number;
            if (count_unfinished(s->order, s->cuts.data + (size_t)number * s->order->width) == 0)
                return true;
            if (s->nodes.length >= s->budget)
                return false;
            expand_node(s, number);
        }
    return false;
}

/* The steps of a list of runs. */
static void write_runs(const hd_replay_order *order, const hd_vec_u32 *runs, hd_vec_u32 *sequence) {
    uint32_t *cut = HD_NEW_ARRAY(uint32_t, (size_t)order->width + 1);
    for (size_t i = runs->length; i-- > 0;) {
        uint32_t column = runs->data[i], from = cut[column];
        run_column(order, cut, column);
        assert(cut[column] > from); /* a run without a step is no run */
        for (uint32_t k = from; k < cut[column]; k++)
            hd_vec_push(sequence, hd_replay_order_step(order, column, k));
    }
    free(cut);
}

/* Every step once, each after those that it depends on? */
HD_ASSERT_ONLY static bool is_order(const hd_replay_order *order, const hd_vec_u32 *sequence) {
    uint32_t *cut = HD_NEW_ARRAY(uint32_t, (size_t)order->width + 1);
    bool good = sequence->length == order->columns.length;
    for (size_t i = 0; i < sequence->length && good; i++) {
        uint32_t column = order->columns.data[sequence->data[i]];
        good = is_possible(order, cut, column) &&
               hd_replay_order_step(order, column, cut[column]) == sequence->data[i];
        cut[column]++;
    }
    free(cut);
    return good;
}

static bool best_first(const hd_replay_order *order, size_t budget, hd_vec_u32 *sequence) {
    search s = {.order = order, .budget = budget};
    uint32_t end;
    s.cut = HD_NEW_ARRAY(uint32_t, (size_t)order->width + 1);
    s.queue_count = order->columns.length + order->width + 1;
    s.queues = HD_NEW_ARRAY(hd_vec_u32, s.queue_count);
    reach_cut(&s, 0, 0, 0);
    bool found = find_end(&s, &end);
    if (found) {
        hd_vec_u32 runs = {0};
        uint32_t wanted = s.nodes.data[end].runs;
        for (; end != 0; end = s.nodes.data[end].parent)
            hd_vec_push(&runs, s.nodes.data[end].column);
        assert(runs.length == wanted && wanted == s.queue);
        (void)wanted;
        write_runs(order, &runs, sequence);
        HD_COSTLY_ASSERT(is_order(order, sequence));
        hd_vec_release(&runs);
    }
    for (size_t q = 0; q < s.queue_count; q++)
        hd_vec_release(&s.queues[q]);
    free(s.queues);
    free(s.cut);
    hd_vec_release(&s.nodes);
    hd_vec_release(&s.cuts);
    hd_map_release(&s.by_cut);
    return found;
}

/* Always the thread that can go the farthest. */
static uint32_t farthest(const hd_replay_order *order, uint32_t *cut) {
    uint32_t best = 0, most = 0;
    for (uint32_t column = 0; column < order->width; column++) {
        uint32_t before = cut[column], length = run_column(order, cut, column);
        cut[column] = before;
        if (length > most) {
            most = length;
            best = column;
        }
    }
    assert(most); /* an order of all steps is there, so some thread can go on */
    return best;
}

static void greedy_order(const hd_replay_order *order, hd_vec_u32 *sequence) {
    uint32_t *cut = HD_NEW_ARRAY(uint32_t, (size_t)order->width + 1);
    while (sequence->length < order->columns.length) {
        uint32_t column = farthest(order, cut), from = cut[column];
        run_column(order, cut, column);
        for (uint32_t k = from; k < cut[column]; k++)
            hd_vec_push(sequence, hd_replay_order_step(order, column, k));
    }
    free(cut);
}

bool hd_replay_order_fewest(const hd_replay_order *order, size_t budget, hd_vec_u32 *sequence) {
    if (best_first(order, budget, sequence))
        return true;
    greedy_order(order, sequence);
    HD_COSTLY_ASSERT(is_order(order, sequence));
    return false;
}
