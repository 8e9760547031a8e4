/*
 * Deadlocks: cycles of the lock order, each decided by the reordering solver.
 *
 * Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs" (SPIN
 * 2000), looks for cycles in the graph of locks taken while others are held; Bensalem
 * and Havelund, "Dynamic Deadlock Analysis of Multi-threaded Programs" (HVC 2005),
 * drop those that cannot be: in one thread, under a gate lock, or ordered by start and
 * join.  Here these are filters, and what they leave is decided exactly.
 *
 *   papers                     here
 *   edge l1 -> l2 by t         struct hd_race_node: thread, locks held, lock wanted, place
 *   cycle                      path of nodes, each waits for the next
 *   one-thread cycle           the threads of a path differ
 *   gate lock                  locks held by the nodes of a path do not conflict
 *   segments, start and join   hd_race_beside, which knows all must-edges and reads
 *
 * Acquires that are in no cycle of the graph of locks are dropped first (race_rings.h), and
 * a path goes on only to holders of the lock at a time that fits (race_holders.h); cycles of two
 * threads come before those of three, and so on: if the effort does not last for all, what is
 * likeliest was looked at.
 *
 * A path without chords is a deadlock with none in it.  With locks for writing alone
 * there are no chords: a lock has one holder.
 *
 * Cost: the paths of the graph of nodes, which is as large as the program is, not as
 * the trace, where there are places; and a question for each set of acquires that the
 * filters leave.
 */
#include "race_cycles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one asking costs apart from the solver's own work, and one step of a path; how
 * many times the limit of a question the whole search may take. */
enum { ASKING = 10000, STEP = 50, QUESTIONS = 4 };

/* ---- The graph ---- */

static hd_order_set held_at(const hd_order_space *space, const struct hd_race_node *node) {
    return hd_order_sets_at(&space->order->held.sets, node->held);
}

static void list_holders(hd_race_cycles_graph *graph, const hd_order_space *space) {
    for (uint32_t i = 0; i < graph->nodes.length; i++) {
        const struct hd_race_node *node = &graph->nodes.data[i];
        hd_order_set held = held_at(space, node);
        for (uint32_t j = 0; j < held.count; j++)
            for (uint32_t k = 0; k < node->count; k++)
                // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a set has its locks
                hd_race_holders_add(&graph->holders, hd_order_lock_number(held.locks[j]),
                                    node->thread, graph->events.data[node->start + k], i);
    }
    hd_race_holders_sort(&graph->holders, space->index->locks.count);
}

void hd_race_cycles_graph_init(hd_race_cycles_graph *graph, const hd_order_space *space) {
    *graph = (hd_race_cycles_graph){0};
    hd_race_nodes_make(space, &graph->nodes, &graph->events);
    list_holders(graph, space);
}

void hd_race_cycles_graph_release(hd_race_cycles_graph *graph) {
    hd_race_holders_release(&graph->holders);
    hd_vec_release(&graph->nodes);
    hd_vec_release(&graph->events);
}

static bool waits_for(const hd_race_cycles *s, const struct hd_race_node *a,
                      const struct hd_race_node *b) {
    hd_order_lock lock = hd_order_sets_find(&s->space->order->held.sets, b->held, a->lock);
    return a->thread != b->thread && lock != HD_ORDER_NONE &&
           !(a->reading && hd_order_lock_reading(lock));
}

static const struct hd_race_node *node_at(const hd_race_cycles *s, size_t i) {
    return &s->graph->nodes.data[s->path.data[i]];
}

static bool is_stopped(const hd_race_cycles *s) {
    return hd_race_push_over(s->push) ||
           (s->piece && __atomic_load_n(&s->hurried, __ATOMIC_RELAXED) == s->piece);
}

static bool is_over(const hd_race_cycles *s) {
    return s->ended || is_stopped(s);
}

/* ---- The acquires of a cycle ---- */

static bool is_spent(const hd_race_cycles *s) {
    return s->options->limit && !s->options->all && s->spent >= s->options->limit;
}

static bool is_settled(const hd_race_cycles *s) {
    return s->found || is_spent(s) || is_stopped(s);
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static char *message_of(const hd_vec_u32 *acquires) {
    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "%zu threads wait for each other, at events",
                                   acquires->length);
    for (size_t i = 0; i < acquires->length && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %u", acquires->data[i]);
    return hd_mem_string(text, strlen(text));
}

/* With its schedule, if it is proved. */
static void push_deadlock(hd_race_cycles *s, bool proved) {
    hd_finding finding;
    if (!s->push->sink || (proved && s->options->count_only))
        return;
    hd_finding_init(&finding, HD_FINDING_DEADLOCK, proved ? "deadlock" : "deadlock-unproved");
    finding.unproved = !proved;
    for (size_t i = 0; i < s->chosen.length; i++)
        hd_vec_push(&finding.events, s->chosen.data[i]);
    qsort(finding.events.data, finding.events.length, sizeof *finding.events.data, compare_numbers);
    finding.message = message_of(&finding.events);
    finding.fingerprint = hd_race_fingerprint(s->push->trace, finding.rule, finding.events.data,
                                              finding.events.length);
    if (proved) {
        hd_witness_claim claim = {.kind = HD_WITNESS_DEADLOCK};
        for (size_t i = 0; i < finding.events.length; i++)
            hd_vec_push(&claim.acquires, finding.events.data[i]);
        hd_race_attach(&finding, "deadlock", claim, &s->schedule);
    }
    hd_race_push_finding(s->push, &finding);
}

/* What is left for the cycle at hand; never 0, which would be no limit. */
static uint64_t limit_left(const hd_race_cycles *s) {
    uint64_t limit = s->options->limit;
    if (!limit || s->options->all)
        return limit;
    return s->spent < limit ? limit - s->spent : 1;
}

/* Is there an acquire of each node of the path, in its order? */
HD_ASSERT_ONLY static bool is_chosen_from_path(const hd_race_cycles *s) {
    for (size_t i = 0; i < s->chosen.length; i++) {
        const struct hd_race_node *node = node_at(s, i);
        const heddle_event *event = hd_order_event(s->space, s->chosen.data[i]);
        if (event->thread != node->thread || event->object != node->lock ||
            hd_order_held_before(&s->space->order->held, s->chosen.data[i]) != node->held)
            return false;
    }
    return s->chosen.length == s->path.length;
}

static enum hd_order_answer ask_solver(hd_race_cycles *s) {
    uint64_t before = s->asker.effort.work;
    hd_race_question question = {s->chosen.data, (uint32_t)s->chosen.length, limit_left(s), false};
    assert(!s->options->limit || question.limit);
    HD_COSTLY_ASSERT(is_chosen_from_path(s));
    s->result->candidates++;
    enum hd_order_answer answer = hd_race_ask(&s->asker, question);
    s->spent += s->asker.effort.work - before + ASKING;
    return answer;
}

/* Are the places of the path known, so that one proof is enough for them? */
static bool has_places(const hd_race_cycles *s) {
    for (size_t i = 0; i < s->path.length; i++)
        if (!node_at(s, i)->location)
            return false;
    return !s->options->all;
}

/* The places of the path, the locks there, and who called in what was chosen: one that is
 * suppressed stands for no others. */
static uint64_t passed_of(hd_race_cycles *s) {
    uint64_t sum = 0; /* in any order */
    for (size_t i = 0; i < s->path.length; i++) {
        const struct hd_race_node *node = node_at(s, i);
        uint64_t one = ((uint64_t)node->lock + 1) * UINT64_C(0x9e3779b97f4a7c15) + node->location;
        one = (one ^ one >> 29) * UINT64_C(0xbf58476d1ce4e5b9) +
              hd_race_callers(s->push, s->chosen.data[i]);
        sum += (one ^ one >> 31) * UINT64_C(0x94d049bb133111eb);
    }
    return sum;
}

static bool is_passed(hd_race_cycles *s) {
    return s->enough && s->passed.length && hd_map_find(&s->passed, passed_of(s));
}

/* What was told last is suppressed: of a trace with stacks, others may not be. */
static void note_passed(hd_race_cycles *s) {
    if (!s->push->dropped || !s->enough)
        return;
    *hd_map_at(&s->passed, passed_of(s), NULL) = 1;
    s->found = !s->push->trace->stacks;
}

static void decide_chosen(hd_race_cycles *s) {
    if (is_passed(s)) {
        s->push->dropped = true;
        s->found = !s->push->trace->stacks;
        return;
    }
    enum hd_order_answer answer = ask_solver(s);
    bool told = s->push->sink && !s->options->count_only;
    if (answer == HD_ORDER_FEASIBLE) {
        if (told && !hd_race_ask_schedule(&s->asker, &s->schedule))
            return; /* the time is over */
        s->result->deadlocks++;
        s->found = s->enough;
        push_deadlock(s, true);
        note_passed(s);
    } else if (answer == HD_ORDER_UNKNOWN) {
        s->result->unproved++;
        push_deadlock(s, false);
    }
    assert(s->result->deadlocks + s->result->unproved <= s->result->candidates);
}

/* An acquire for the next node, beside all those chosen. */
static void choose_acquires(hd_race_cycles *s) {
    if (s->chosen.length == s->path.length) {
        decide_chosen(s);
        return;
    }
    const struct hd_race_node *node = node_at(s, s->chosen.length);
    const uint32_t *events = s->graph->events.data + node->start;
    uint32_t from = 0, end = node->count;
    for (size_t i = 0; i < s->chosen.length; i++) {
        uint32_t low, high;
        hd_race_beside(s->space, s->chosen.data[i], events, node->count, &low, &high);
        from = low > from ? low : from;
        end = high < end ? high : end;
    }
    for (uint32_t i = from; i < end && !is_settled(s); i++) {
        s->spent++;
        hd_vec_push(&s->chosen, events[i]);
        choose_acquires(s);
        s->chosen.length--;
    }
}

/* The whole search may take what a few questions may. */
static void spend_work(hd_race_cycles *s, uint64_t work) {
    s->total += work;
    if (s->options->limit && !s->options->all && s->total / QUESTIONS > s->options->limit)
        s->ended = s->result->cut = true;
}

static uint64_t places_of(const hd_race_cycles *s) {
    hd_vec_u32 first = {0};
    for (size_t i = 0; i < s->path.length; i++)
        hd_vec_push(&first, s->graph->events.data[node_at(s, i)->start]);
    uint64_t places = hd_race_fingerprint(s->push->trace, "deadlock", first.data, first.length);
    hd_vec_release(&first);
    return places;
}

/* Each waits for the next one and for no other, and the first is the lowest. */
HD_ASSERT_ONLY static bool is_cycle(const hd_race_cycles *s) {
    size_t length = s->path.length;
    for (size_t i = 0; i < length; i++)
        for (size_t j = 0; j < length; j++)
            if (i != j && (waits_for(s, node_at(s, i), node_at(s, j)) != ((i + 1) % length == j) ||
                           node_at(s, i)->thread == node_at(s, j)->thread ||
                           s->path.data[i] < s->path.data[0]))
                return false;
    return true;
}

static void decide_cycle(hd_race_cycles *s) {
    assert(s->path.length == s->length);
    HD_COSTLY_ASSERT(is_cycle(s));
    bool grouped = has_places(s);
    uint64_t places = grouped ? places_of(s) : 0;
    s->result->cycles++;
    if (grouped && hd_map_find(&s->proved, places))
        return;
    bool bare = !grouped && !s->options->all;
    s->found = false;
    s->spent = bare ? s->bare : 0;
    if (bare && is_spent(s)) { /* all together have one limit; then one of each cycle */
        s->spent = s->options->limit - s->options->limit / 64;
        s->enough = s->result->cut = true;
        bare = false;
    } else {
        s->enough = grouped;
    }
    uint64_t before = s->spent;
    assert(!s->chosen.length);
    choose_acquires(s);
    assert(!s->chosen.length && s->spent >= before);
    if (s->found && grouped && !s->push->dropped)
        *hd_map_at(&s->proved, places, NULL) = 1;
    else if (!s->found && is_spent(s))
        s->result->cut = true;
    if (bare)
        s->bare = s->spent;
    spend_work(s, s->spent - before);
}

/* ---- Cycles ---- */

/* Can the node come after the path's last one?  It waits for none of the others but
 * perhaps the first, and none of them for it. */
static bool fits_path(const hd_race_cycles *s, const struct hd_race_node *node) {
    for (size_t i = 0; i < s->path.length; i++) {
        const struct hd_race_node *other = node_at(s, i);
        bool last = i + 1 == s->path.length;
        if (other->thread == node->thread || waits_for(s, other, node) != last ||
            (i > 0 && waits_for(s, node, other)) ||
            hd_order_sets_conflict(&s->space->order->held.sets, other->held, node->held))
            return false;
    }
    return true;
}

/* Have the two acquires that can be next together, as far as F2 says? */
static bool nodes_meet(hd_race_cycles *s, const struct hd_race_node *a,
                       const struct hd_race_node *b) {
    for (uint32_t i = 0; i < a->count && !is_over(s); i++) {
        uint32_t from, end;
        hd_race_beside(s->space, s->graph->events.data[a->start + i],
                       s->graph->events.data + b->start, b->count, &from, &end);
        spend_work(s, STEP);
        if (from < end)
            return true;
    }
    return false;
}

static bool meets_path(hd_race_cycles *s, const struct hd_race_node *node) {
    for (size_t i = 0; i + 1 < s->path.length && !s->options->untimed; i++)
        if (!nodes_meet(s, node_at(s, i), node))
            return false;
    return true;
}

static void enter_next(hd_race_cycles *s, uint32_t node) {
    if (node <= s->path.data[0] || s->stamp[node] == s->stamps)
        return;
    s->stamp[node] = s->stamps;
    hd_vec_push(&s->next, node);
}

/* Of one thread, nodes that hold the lock at an acquire beside one of the path's last
 * node.  Both go up, so that each holder is looked at once. */
static void enter_holders(hd_race_cycles *s, const struct hd_race_node *last,
                          const hd_race_holders_run *run) {
    const uint32_t *events = s->graph->holders.events.data + run->start;
    uint32_t seen = 0;
    uint32_t asked = s->options->untimed ? 1 : last->count;
    for (uint32_t i = 0; i < asked && !is_over(s); i++) {
        uint32_t from = 0, end = run->count;
        if (!s->options->untimed)
            hd_race_beside(s->space, s->graph->events.data[last->start + i], events, run->count,
                           &from, &end);
        for (uint32_t k = from > seen ? from : seen; k < end; k++)
            enter_next(s, s->graph->holders.nodes.data[run->start + k]);
        spend_work(s, STEP);
        seen = end > seen ? end : seen;
    }
}

static void find_next(hd_race_cycles *s) {
    assert(s->path.length && s->path.length < s->length);
    const struct hd_race_node *last = node_at(s, s->path.length - 1);
    const hd_race_holders *holders = &s->graph->holders;
    s->stamps++;
    for (uint32_t r = holders->first[last->lock]; r < holders->first[last->lock + 1]; r++)
        if (holders->runs.data[r].thread != last->thread)
            enter_holders(s, last, &holders->runs.data[r]);
}

/* Paths from their first node on, which has the lowest number in them. */
static void extend_path(hd_race_cycles *s) {
    size_t first = s->next.length;
    find_next(s);
    for (size_t i = first; i < s->next.length && !is_over(s); i++) {
        const struct hd_race_node *node = &s->graph->nodes.data[s->next.data[i]];
        spend_work(s, STEP);
        if (!fits_path(s, node) || !meets_path(s, node))
            continue;
        hd_vec_push(&s->path, s->next.data[i]);
        assert(s->path.length <= s->length && s->next.data[i] > s->path.data[0]);
        assert(s->path.length <= s->space->index->threads.count); /* each of another thread */
        bool closed = waits_for(s, node, node_at(s, 0)), full = s->path.length == s->length;
        if (closed && full)
            decide_cycle(s);
        else if (!closed && !full)
            extend_path(s);
        else if (!closed)
            s->longer = true;
        s->path.length--;
    }
    s->next.length = first;
}

void hd_race_cycles_from(hd_race_cycles *s, uint32_t from, uint32_t end) {
    for (uint32_t i = from; i < end && !is_over(s); i++) {
        hd_vec_clear(&s->path);
        hd_vec_push(&s->path, i);
        extend_path(s);
    }
    assert(!s->next.length && !s->chosen.length && s->path.length <= 1);
}

void hd_race_cycles_init(hd_race_cycles *s, const hd_order_space *space,
                         const hd_race_cycles_graph *graph, const hd_race_options *options,
                         hd_race_deadlock_result *result, hd_race_push *push) {
    *s = (hd_race_cycles){.space = space,
                          .graph = graph,
                          .options = options,
                          .result = result,
                          .push = push,
                          .stamp = HD_NEW_ARRAY(uint32_t, graph->nodes.length + 1)};
    hd_race_asker_init(&s->asker, space);
}

void hd_race_cycles_release(hd_race_cycles *s) {
    hd_race_asker_release(&s->asker);
    free(s->stamp);
    hd_vec_release(&s->next);
    hd_vec_release(&s->path);
    hd_vec_release(&s->chosen);
    hd_vec_release(&s->schedule);
    hd_map_release(&s->proved);
    hd_map_release(&s->passed);
}
