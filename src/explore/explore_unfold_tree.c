/*
 * The classes of a saturated unfolding, each once, as the leaves of a tree: a configuration grows
 * by one event of a chosen thread, with the past of that event, for each of the ways that the
 * thread can go on.  Siblings differ in what one operation reads, so no class is in two subtrees.
 *
 * A thread that takes a lock, or waits for a value, may also never go on: it is *frozen* there, and
 * in that subtree it stays so.  An execution in which no thread goes on is a class of its own.
 *
 * A configuration within the tree must have an order in which open locks count as released
 * (otherwise the holders of two open sections of one lock would never meet); a leaf must have a
 * real one, in which every frozen thread waits at the end.  So there are dead ends, but no class
 * comes twice, and each comes with a schedule, which is run.
 *
 * If only states are wanted in which no thread goes on, subtrees in which none can be frozen are
 * left out.
 *
 * Of a program, which memory is shared is learnt from runs, so that any two events that are in one
 * execution must be in one run.  There each class is run, unless the past of one of its events,
 * which was in a run, is all of it; and so is each that a step is about to end, a failure for
 * example, which others may come before.  Those are no executions.
 */
#include <stdlib.h>

#include "explore_crew.h"
#include "explore_unfold.h"
#include "explore_without.h"

typedef struct node {
    uint32_t thread; /* HD_EXPLORE_NONE: a leaf */
    uint32_t child;  /* the next event of it */
    bool freezes;    /* is still to be tried */

    bool ordered;
    uint32_t size; /* if so: events of the configuration */
} node;

static bool has_more(const node *at) {
    return at->thread != HD_EXPLORE_NONE && (at->child || at->freezes);
}

typedef struct class_tree {
    hd_unfold *u;
    HD_VEC(node) nodes;
    hd_vec_u32 configurations; /* of each node one */
    bool learns;               /* all must be run */
    hd_unfold_waits waits;
    size_t shared; /* nodes that have nothing left to be given away */

    /* An order of the configuration of each node that is `ordered`: the first `size` of these. */
    hd_vec_u32 order;
} class_tree;

/* ---- Where a thread can be stuck ---- */

static bool is_stuck_at(const class_tree *tree, const hd_unfold_event *event) {
    return event->lock != HD_EXPLORE_NONE
               ? HD_EXPLORE_CURE(11) && tree->waits.may_wait[event->lock]
               : HD_EXPLORE_CURE(12) && event->blocked != HD_EXPLORE_NONE;
}

/* Locks that a thread may have when it ends, or where it waits for a value, or for such a lock:
 * the greatest such set, so that cycles are in it. */
static void find_locks_kept(class_tree *tree) {
    hd_unfold *u = tree->u;
    uint8_t *kept = HD_NEW_ARRAY(uint8_t, (size_t)u->locations + 1);
    bool fewer = true;
    memset(tree->waits.may_wait, HD_EXPLORE_CURE(16), u->locations);
    while (fewer) {
        memset(kept, 0, u->locations);
        fewer = false;
        for (uint32_t i = 1; i < u->events.length; i++) {
            const hd_unfold_event *event = &u->events.data[i];
            bool ends = (HD_EXPLORE_CURE(15) && (event->over || event->cut)) ||
                        (tree->learns && event->may_end);
            if (!ends && !is_stuck_at(tree, event))
                continue;
            for (uint32_t k = 0; k < event->held; k++)
                kept[u->holds.data[event->holds + k]] = 1;
        }
        for (uint32_t i = 0; i < u->locations; i++) {
            fewer |= tree->waits.may_wait[i] && !kept[i];
            tree->waits.may_wait[i] &= kept[i];
        }
    }
    free(kept);
}

static void find_frozen(class_tree *tree) {
    hd_unfold *u = tree->u;
    for (uint32_t i = (uint32_t)u->events.length - 1; i > 0; i--) {
        const hd_unfold_event *event = &u->events.data[i];
        tree->waits.freezes[i] = !event->over && !event->cut && !event->fails &&
                                 (is_stuck_at(tree, event) || (tree->learns && event->may_end));
        tree->waits.leads[i] |= tree->waits.freezes[i];
        if (event->parent)
            tree->waits.leads[event->parent] |= tree->waits.leads[i];
    }
}

/* ---- Walking ---- */

static uint32_t *top_of(const class_tree *tree) {
    return tree->configurations.data + (tree->nodes.length - 1) * tree->u->threads;
}

/* Those whose ways are few first; a lock, which only waits, last. */
static int rank_of(const hd_unfold_event *event) {
    return event->lock != HD_EXPLORE_NONE      ? 3
           : event->blocked != HD_EXPLORE_NONE ? 2
           : event->known_reads                ? 1
                                               : 0;
}

/* The thread that goes on there; false if that leads to no leaf that is wanted. */
static bool choose_thread(class_tree *tree) {
    hd_unfold *u = tree->u;
    const uint32_t *top = top_of(tree);
    node *at = hd_vec_last(&tree->nodes);
    int best = 4;
    bool wanted = u->classes || tree->learns;
    at->thread = HD_EXPLORE_NONE;
    at->child = 0;
    at->freezes = false;
    for (uint32_t t = 0; t < u->threads; t++) {
        if (top[t] & HD_UNFOLD_FROZEN) {
            wanted = true;
            continue;
        }
        const hd_unfold_event *event = hd_unfold_at(u, top[t]);
        wanted |= tree->waits.leads[top[t]];
        if (event->over || event->cut || rank_of(event) >= best)
            continue;
        best = rank_of(event);
        at->thread = t;
    }
    if (at->thread != HD_EXPLORE_NONE) {
        at->child = hd_unfold_at(u, top[at->thread])->child;
        at->freezes = tree->waits.freezes[top[at->thread]];
    }
    return wanted;
}

static void push_copy(class_tree *tree) {
    uint32_t threads = tree->u->threads;
    hd_vec_push(&tree->nodes, (node){0});
    hd_vec_resize(&tree->configurations, tree->nodes.length * threads);
    uint32_t *top = top_of(tree);
    memcpy(top, top - threads, threads * sizeof *top);
}

static void pop_node(class_tree *tree) {
    (void)hd_vec_pop(&tree->nodes);
    tree->configurations.length -= tree->u->threads;
}

static bool is_kept(const class_tree *tree, uint32_t lock) {
    const hd_unfold *u = tree->u;
    for (uint32_t t = 0; t < u->threads; t++) {
        uint32_t at = top_of(tree)[t];
        const hd_unfold_event *event = hd_unfold_at(u, at & ~HD_UNFOLD_FROZEN);
        for (uint32_t k = 0; at & HD_UNFOLD_FROZEN && k < event->held; k++)
            if (u->holds.data[event->holds + k] == lock)
                return true;
    }
    return false;
}

/* The configuration below has an order.  Can what was added, one event or a frozen thread, simply
 * come at its end?  Nothing is read there, and locks are free; but if the thread has a lock, others
 * may have taken it in that order after its last event. */
static bool fits_at_end(const class_tree *tree, uint32_t thread, uint32_t child) {
    const hd_unfold *u = tree->u;
    const uint32_t *top = top_of(tree), *below = top - u->threads;
    if (hd_unfold_at(u, below[thread])->held)
        return false;
    if (!child)
        return true;
    const hd_unfold_event *event = hd_unfold_at(u, child);
    for (uint32_t t = 0; t < u->threads; t++)
        if (t != thread && top[t] != below[t])
            return false;
    for (uint32_t i = 0; i < event->count; i++) {
        const hd_unfold_access *access = &u->accesses.data[event->accesses + i];
        if (access->mode & HD_MACHINE_READ ||
            (access->mode & HD_MACHINE_ACQUIRE && is_kept(tree, access->location)))
            return false;
    }
    return true;
}

/* Is an event in the configuration? */
HD_ASSERT_ONLY static bool has_event(const hd_unfold *u, const uint32_t *configuration,
                                     uint32_t event) {
    uint32_t thread = hd_unfold_at(u, event)->thread;
    return hd_explore_unfold_is_before(u, event, configuration[thread] & ~HD_UNFOLD_FROZEN);
}

/* The last known write of the location that a thread has, up to this event of it; 0: none. */
static uint32_t last_write(const hd_unfold *u, uint32_t event, uint32_t location) {
    uint64_t bit = UINT64_C(1) << (location & 63);
    const hd_unfold_event *e = hd_unfold_at(u, event);
    for (; e->wrote & bit; e = hd_unfold_at(u, e->parent))
        for (uint32_t i = 0; i < e->count; i++) {
            const hd_unfold_access *access = &u->accesses.data[e->accesses + i];
            if (access->location == location && access->number && access->mode & HD_MACHINE_WRITE)
                return e->accesses + i;
        }
    return 0;
}

/* Can a write that the configuration has, or the initial value, be the last of its location?  Not
 * if another one certainly comes after it; then so does the last of that thread. */
static bool may_be_last(const hd_unfold *u, const uint32_t *configuration, uint32_t location,
                        uint32_t source) {
    for (uint32_t t = 0; t < u->threads; t++) {
        uint32_t write = last_write(u, configuration[t] & ~HD_UNFOLD_FROZEN, location);
        if (!write || write == source)
            continue;
        uint32_t event = u->accesses.data[write].event, from = u->accesses.data[source].event;
        if (!source || hd_explore_unfold_is_before(
                           u, from, hd_unfold_past(u, event)[hd_unfold_at(u, from)->thread]))
            return false;
    }
    return true;
}

/* The same of all known writes, one after the other. */
HD_ASSERT_ONLY static bool no_write_comes_after(const hd_unfold *u, const uint32_t *configuration,
                                                uint32_t location, uint32_t source) {
    const hd_unfold_place *place = &u->places[location];
    for (size_t i = 0; i < place->writes.length; i++) {
        uint32_t write = place->writes.data[i], event = u->accesses.data[write].event;
        if (write == source || !has_event(u, configuration, event))
            continue;
        uint32_t from = u->accesses.data[source].event;
        if (!source || hd_explore_unfold_is_before(
                           u, from, hd_unfold_past(u, event)[hd_unfold_at(u, from)->thread]))
            return false;
    }
    return true;
}

/* Can the thread that is frozen after this event still be one that waits for ever, by what is in
 * the configuration? */
static bool may_wait_on(const class_tree *tree, uint32_t number) {
    const hd_unfold *u = tree->u;
    const hd_unfold_event *event = hd_unfold_at(u, number);
    if (event->lock != HD_EXPLORE_NONE || (tree->learns && event->may_end))
        return true;
    for (uint32_t b = event->blocked; b != HD_EXPLORE_NONE; b = u->blocked.data[b].next) {
        const hd_unfold_blocked *blocked = &u->blocked.data[b];
        bool may = true;
        for (uint32_t i = 0; i < blocked->count && may; i++) {
            const hd_unfold_access *access = &u->accesses.data[blocked->accesses + i];
            if (!(access->mode & HD_MACHINE_READ))
                continue;
            may = may_be_last(u, top_of(tree), access->location, access->source);
            assert(may == no_write_comes_after(u, top_of(tree), access->location, access->source));
        }
        if (may)
            return true;
    }
    return false;
}

/* The same for all that are frozen. */
static bool may_all_wait(const class_tree *tree) {
    const uint32_t *top = top_of(tree);
    for (uint32_t t = 0; HD_EXPLORE_CURE(14) && t < tree->u->threads; t++)
        if (top[t] & HD_UNFOLD_FROZEN && !may_wait_on(tree, top[t] & ~HD_UNFOLD_FROZEN))
            return false;
    return true;
}

/* An order of the configuration on top was found.  Those below may have had another one. */
static void keep_order(class_tree *tree) {
    const uint32_t *taken = tree->u->order.taken.data;
    size_t count = tree->u->order.taken.length, same = 0;
    while (same < count && same < tree->order.length && tree->order.data[same] == taken[same])
        same++;
    for (size_t i = tree->nodes.length - 1; i-- > 0;) {
        node *below = &tree->nodes.data[i];
        if (below->ordered && below->size <= same)
            break; /* so are all below that one */
        below->ordered = false;
    }
    hd_vec_resize(&tree->order, same);
    for (size_t i = same; i < count; i++)
        hd_vec_push(&tree->order, taken[i]);
    *hd_vec_last(&tree->nodes) = (node){.size = (uint32_t)count, .ordered = true};
}

/* Do the events of the order from a place on read what was written last before them, and need no
 * lock? */
static bool reads_fit(class_tree *tree, size_t from) {
    hd_unfold *u = tree->u;
    bool fit = true;
    hd_vec_resize(&u->order.last, u->locations);
    uint32_t *last = u->order.last.data;
    for (size_t k = 0; k < tree->order.length && fit; k++) {
        const hd_unfold_event *event = hd_unfold_at(u, tree->order.data[k]);
        for (uint32_t i = 0; i < event->count && fit; i++) {
            const hd_unfold_access *access = &u->accesses.data[event->accesses + i];
            fit = k < from ||
                  (!(access->mode & HD_MACHINE_ACQUIRE) &&
                   (!(access->mode & HD_MACHINE_READ) || last[access->location] == access->source));
            if (access->mode & HD_MACHINE_WRITE)
                last[access->location] = event->accesses + i;
        }
    }
    for (size_t k = 0; k < tree->order.length; k++) {
        const hd_unfold_event *event = hd_unfold_at(u, tree->order.data[k]);
        for (uint32_t i = 0; i < event->count; i++)
            last[u->accesses.data[event->accesses + i].location] = 0;
    }
    return fit;
}

/* Can what the configuration on top has beyond the one below come at the end of its order, in the
 * order in which it became known? */
static bool extends_order(class_tree *tree) {
    const hd_unfold *u = tree->u;
    node *top = hd_vec_last(&tree->nodes), *below = top - 1;
    const uint32_t *targets = top_of(tree), *others = targets - u->threads;
    if (!below->ordered)
        return false;
    hd_vec_resize(&tree->order, below->size);
    for (uint32_t t = 0; t < u->threads; t++)
        for (uint32_t event = targets[t] & ~HD_UNFOLD_FROZEN;
             event != (others[t] & ~HD_UNFOLD_FROZEN); event = hd_unfold_at(u, event)->parent)
            hd_vec_push(&tree->order, event);
    size_t count = tree->order.length - below->size;
    if (count > 1)
        qsort(tree->order.data + below->size, count, sizeof *tree->order.data, hd_unfold_by_number);
    if (!reads_fit(tree, below->size)) {
        hd_vec_resize(&tree->order, below->size);
        return false;
    }
    *top = (node){.size = below->size + (uint32_t)count, .ordered = true};
    return true;
}

/* Has the configuration on top an order, if open locks count as released? */
static bool is_possible(class_tree *tree) {
    hd_unfold *u = tree->u;
    hd_unfold_goal goal = {.targets = top_of(tree),
                           .lock = HD_EXPLORE_NONE,
                           .parked = HD_EXPLORE_NONE,
                           .optimistic = HD_EXPLORE_CURE(7)};
    bool possible = hd_explore_unfold_order_first(u, &goal);
    if (possible && !u->order.locks) /* it is one as it is */
        keep_order(tree);
    hd_explore_unfold_order_end(u);
    return possible;
}

/* Was all of the configuration in the run that showed one of its events? */
static bool was_run(const class_tree *tree) {
    const hd_unfold *u = tree->u;
    const uint32_t *top = top_of(tree);
    for (uint32_t t = 0; t < u->threads; t++) {
        const uint32_t *past = hd_unfold_past(u, top[t] & ~HD_UNFOLD_FROZEN);
        uint32_t same = 0;
        while (same < u->threads && past[same] == (top[same] & ~HD_UNFOLD_FROZEN))
            same++;
        if (same == u->threads)
            return true;
    }
    return false;
}

/* No execution ends so, but what it has must be run. */
static void run_part(class_tree *tree, hd_unfold_goal goal) {
    hd_unfold *u = tree->u;
    goal.parks = true;
    if (was_run(tree))
        return;
    if (hd_explore_unfold_order_first(u, &goal))
        hd_explore_unfold_run_along(u, u->order.taken.data, u->order.taken.length, HD_EXPLORE_NONE);
    hd_explore_unfold_order_end(u);
}

/* False if that does not end as it should. */
static bool run_leaf(hd_unfold *u, const hd_vec_u32 *order) {
    if (!hd_explore_unfold_run_along(u, order->data, order->length, HD_EXPLORE_NONE) ||
        (!HD_EXPLORE_CURE(13) && hd_explore_set_any(u->search->path.enabled)))
        return false;
    if (HD_EXPLORE_CURE(14) && hd_explore_set_any(u->search->path.enabled)) {
        hd_explore_differ(u->search, "a thread that should wait goes on");
        return false;
    }
    return true;
}

static bool has_frozen(const class_tree *tree) {
    for (uint32_t t = 0; t < tree->u->threads; t++)
        if (top_of(tree)[t] & HD_UNFOLD_FROZEN)
            return true;
    return false;
}

/* An execution in which a thread only retries is no deadlock; another order of the same class may
 * be one. */
static void search_leaf(class_tree *tree, bool frozen) {
    hd_unfold *u = tree->u;
    hd_unfold_goal goal = {.targets = top_of(tree),
                           .lock = HD_EXPLORE_NONE,
                           .parked = HD_EXPLORE_NONE,
                           .stuck = HD_EXPLORE_CURE(13) && HD_EXPLORE_CURE(14)};
    bool found = hd_explore_unfold_order_first(u, &goal), shown = found || !tree->learns;
    while (found && !u->search->stop &&
           (u->classes || frozen || (tree->learns && !was_run(tree)))) {
        if (!run_leaf(u, &u->order.taken))
            break;
        found = HD_EXPLORE_CURE(21) && frozen && hd_machine_retries(u->search->path.machine) &&
                hd_explore_unfold_order_next(u);
        if (!found)
            hd_explore_ended(u->search, HD_EXPLORE_DEADLOCK);
    }
    hd_explore_unfold_order_end(u);
    if (!shown && !u->search->stop)
        run_part(tree, goal);
}

static void visit_leaf(class_tree *tree) {
    hd_unfold *u = tree->u;
    bool frozen = has_frozen(tree);
    if (!u->classes && hd_map_find(&u->stuck, hd_explore_unfold_hash(u, top_of(tree))))
        return; /* a run has ended so */
    if (frozen || !hd_vec_last(&tree->nodes)->ordered)
        search_leaf(tree, frozen);
    else if ((u->classes || (tree->learns && !was_run(tree))) && run_leaf(u, &tree->order))
        hd_explore_ended(u->search, HD_EXPLORE_DEADLOCK);
}

/* The next subtree of the node on top, as the new top; false if there is none. */
static bool go_down(class_tree *tree) {
    hd_unfold *u = tree->u;
    while (!hd_unfold_is_over(u)) {
        node *at = hd_vec_last(&tree->nodes);
        uint32_t thread = at->thread, child = at->child;
        if (!has_more(at))
            return false;
        if (child)
            at->child = hd_unfold_at(u, child)->sibling;
        else
            at->freezes = false;
        if (child && hd_unfold_at(u, child)->fails)
            continue;
        push_copy(tree);
        bool fits = true;
        if (child)
            fits = hd_explore_unfold_merge(u, top_of(tree), child);
        else
            top_of(tree)[thread] |= HD_UNFOLD_FROZEN;
        fits = fits && may_all_wait(tree) &&
               (extends_order(tree) || (HD_EXPLORE_CURE(7) && fits_at_end(tree, thread, child)) ||
                is_possible(tree));
        if (fits && choose_thread(tree))
            return true;
        pop_node(tree);
    }
    return false;
}

/* Another worker waits: it gets what is left of the node that is nearest to the root.  Not of the
 * one on top: who gave that would be the next to wait, and workers would only pass it on. */
static void give_part(class_tree *tree) {
    hd_unfold *u = tree->u;
    size_t top = tree->nodes.length - 1;
    if (tree->shared > top)
        tree->shared = top;
    while (tree->shared < top && !has_more(&tree->nodes.data[tree->shared]))
        tree->shared++;
    if (tree->shared == top)
        return;
    node *at = &tree->nodes.data[tree->shared];
    size_t size = u->threads * sizeof(uint32_t);
    hd_unfold_part *part = hd_mem_zero(1, sizeof *part + size);
    part->thread = at->thread;
    part->child = at->child;
    part->freezes = at->freezes;
    memcpy(part->configuration, tree->configurations.data + tree->shared * u->threads, size);
    at->child = 0;
    at->freezes = false;
    hd_explore_unfold_crew_give(u, part);
}

static void walk(class_tree *tree) {
    hd_unfold *u = tree->u;
    while (tree->nodes.length && !u->search->stop) {
        hd_explore_unfold_report(u);
        if (hd_vec_last(&tree->nodes)->thread == HD_EXPLORE_NONE)
            visit_leaf(tree);
        if (hd_explore_is_wanted(u->search))
            give_part(tree);
        if (!go_down(tree))
            pop_node(tree);
    }
    hd_vec_release(&tree->nodes);
    hd_vec_release(&tree->configurations);
    hd_vec_release(&tree->order);
}

static class_tree tree_of(hd_unfold *u) {
    return (class_tree){.u = u, .learns = u->search->path.machine->reads};
}

static void find_waits(class_tree *tree) {
    tree->waits.may_wait = HD_NEW_ARRAY(uint8_t, (size_t)tree->u->locations + 1);
    tree->waits.freezes = HD_NEW_ARRAY(uint8_t, tree->u->events.length);
    tree->waits.leads = HD_NEW_ARRAY(uint8_t, tree->u->events.length);
    find_locks_kept(tree);
    find_frozen(tree);
}

void hd_explore_unfold_waits_release(hd_unfold_waits *waits) {
    free(waits->may_wait);
    free(waits->freezes);
    free(waits->leads);
    *waits = (hd_unfold_waits){0};
}

void hd_explore_unfold_tree(hd_unfold *u) {
    class_tree tree = tree_of(u);
    find_waits(&tree);
    if (u->crew)
        *hd_explore_unfold_crew_waits(u) = tree.waits;
    hd_vec_push(&tree.nodes, (node){.ordered = true});
    for (uint32_t t = 0; t < u->threads; t++)
        hd_vec_push(&tree.configurations, t + 1);
    if (!choose_thread(&tree))
        (void)hd_vec_pop(&tree.nodes);
    walk(&tree);
    if (!u->crew)
        hd_explore_unfold_waits_release(&tree.waits);
}

void hd_explore_unfold_tree_part(hd_unfold *u, const hd_unfold_waits *waits,
                                 const hd_unfold_part *part) {
    class_tree tree = tree_of(u);
    tree.waits = *waits;
    hd_vec_push(&tree.nodes,
                (node){.thread = part->thread, .child = part->child, .freezes = part->freezes});
    for (uint32_t t = 0; t < u->threads; t++)
        hd_vec_push(&tree.configurations, part->configuration[t]);
    walk(&tree);
}
