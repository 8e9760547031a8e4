/*
 * A search with source or persistent sets is kept, and gone on with (explore_frontier.h).
 *
 * It is kept between two steps, where a worker's nodes and its path say the same.  One worker that
 * goes on has the same nodes as before, so it does what it would have done, to the last count.
 * Several share the nodes that were shared before; who takes which way does not matter.
 */
#include "explore_share.h"

/* ---- Writing ---- */

static void number_shared(hd_explore_shared *shared, hd_explore_frontier *to) {
    if (shared->number)
        return;
    if (shared->parent)
        number_shared(shared->parent, to);
    hd_explore_crossing crossing = {.parent = shared->parent ? shared->parent->number - 1
                                                             : HD_EXPLORE_NONE,
                                    .depth = shared->depth,
                                    .step = shared->step,
                                    .enabled = shared->enabled,
                                    .inherited = shared->inherited,
                                    .sleep = shared->sleep,
                                    .explored = shared->explored,
                                    .backtrack = shared->backtrack};
    hd_vec_push(&to->crossings, crossing);
    shared->number = (uint32_t)to->crossings.length;
}

static void forget_numbers(hd_explore_shared *shared) {
    for (; shared && shared->number; shared = shared->parent)
        shared->number = 0;
}

static hd_explore_shared *last_shared(const hd_explore_source_search *source) {
    return source->shared && source->nodes.length ? source->nodes.data[source->shared - 1].shared
                                                  : NULL;
}

static void add_worker(const hd_explore_source_search *source, hd_explore_frontier *to) {
    const hd_explore_path *path = &source->search->path;
    if (!source->nodes.length)
        return;
    hd_explore_way way = {.shared = source->shared};
    hd_explore_shared *last = last_shared(source);
    if (last) {
        number_shared(last, to);
        way.last = last->number - 1;
    }
    for (size_t i = 0; i < source->nodes.length; i++) {
        hd_explore_place_on_way place = hd_explore_place_of(&source->nodes.data[i]);
        if (i < path->events.length)
            place.step = (hd_step){path->events.data[i].thread, path->events.data[i].choice};
        hd_vec_push(&way.places, place);
    }
    hd_vec_push(&to->ways, way);
}

/* A node that waits, or a way that was not taken yet. */
static void add_item(const hd_explore_source_item *item, hd_explore_frontier *to) {
    hd_explore_way way = {0};
    if (item->shared) {
        number_shared(item->shared, to);
        way.last = item->shared->number - 1;
        way.shared = item->shared->depth + 1;
    }
    for (size_t i = 0; item->way && i < item->way->places.length; i++)
        hd_vec_push(&way.places, item->way->places.data[i]);
    if (!item->way)
        hd_vec_resize(&way.places, way.shared);
    hd_vec_push(&to->ways, way);
}

void hd_explore_keep_way(const hd_explore_source_search *source, hd_vec_char *to) {
    hd_explore_frontier frontier = {.algorithm = source->search->algorithm,
                                    .threads = source->search->path.threads};
    add_worker(source, &frontier);
    forget_numbers(last_shared(source));
    hd_explore_frontier_put(&frontier, to);
    hd_explore_frontier_release(&frontier);
}

static void hand_over(const hd_explore_search *search, const hd_explore_machines *machines,
                      hd_explore_frontier *frontier) {
    hd_vec_char bytes = {0};
    frontier->algorithm = search->algorithm;
    frontier->threads = search->path.threads;
    hd_explore_frontier_put(frontier, &bytes);
    search->options->keeper->keep(search->options->keeper->context, machines, &bytes);
    hd_vec_release(&bytes);
    hd_explore_frontier_release(frontier);
}

void hd_explore_keep_alone(hd_explore_source_search *source) {
    hd_explore_frontier frontier = {.counts = *source->search->result};
    add_worker(source, &frontier);
    forget_numbers(last_shared(source));
    hd_machine *machine = source->search->path.machine;
    hd_explore_machines machines = {&machine, 1, 1};
    hand_over(source->search, &machines, &frontier);
}

void hd_explore_keep_crew(const hd_explore_search *search, const hd_explore_crew *crew) {
    hd_explore_frontier frontier = {.counts = *search->result};
    hd_explore_machines machines = {0};
    for (uint32_t i = 0; i < crew->workers; i++) {
        const hd_explore_source_search *source = crew->own[i];
        hd_explore_counts_add(&frontier.counts, crew->results[i]);
        if (!source)
            continue;
        add_worker(source, &frontier);
        hd_vec_push(&machines, source->search->path.machine);
    }
    for (size_t i = 0; i < crew->items.length; i++)
        add_item(crew->items.data[i], &frontier);
    for (uint32_t i = 0; i < crew->workers; i++)
        if (crew->own[i])
            forget_numbers(last_shared(crew->own[i]));
    for (size_t i = 0; i < crew->items.length; i++)
        forget_numbers(((const hd_explore_source_item *)crew->items.data[i])->shared);
    hand_over(search, &machines, &frontier);
    hd_vec_release(&machines);
}

/* ---- Going on ---- */

void hd_explore_keep_leave(hd_explore_source_search *source) {
    hd_explore_path *path = &source->search->path;
    while (path->events.length)
        hd_explore_source_step_back(source);
    while (source->nodes.length) {
        hd_explore_source_node node = hd_vec_pop(&source->nodes);
        if (node.shared)
            hd_explore_share_leave(node.shared);
    }
    source->shared = 0;
    hd_explore_stray(source->search);
}

bool hd_explore_keep_follow(hd_explore_source_search *source, hd_step step) {
    hd_explore_path *path = &source->search->path;
    hd_explore_set sleep = HD_EXPLORE_NO_THREADS;
    return step.thread < path->threads && hd_explore_set_has(path->enabled, step.thread) &&
           step.choice < hd_explore_next(path, step.thread)->choices &&
           hd_explore_source_take(source, step.thread, step.choice, &sleep) == HD_MACHINE_WENT_ON;
}

/* Can the node be one of the state that the path has come to? */
static bool fits(const hd_explore_path *path, const hd_explore_place_on_way *place) {
    return !hd_explore_set_any((place->explored | place->backtrack) & ~path->enabled) &&
           (!hd_explore_set_any(place->sleep & ~path->enabled) || hd_explore_may_disable(path)) &&
           (!place->choices || (hd_explore_set_has(path->enabled, place->thread) &&
                                hd_explore_next(path, place->thread)->choices == place->choices));
}

/* Can the way have taken that thread from a node before the last one of the path? */
static bool took(const hd_explore_path *path, uint32_t depth,
                 const hd_explore_place_on_way *place) {
    if (!place->choices)
        return true;
    hd_explore_set enabled = path->events.data[depth].enabled;
    if (!hd_explore_set_has(enabled, place->thread) ||
        hd_explore_set_any(place->sleep & ~enabled) ||
        hd_explore_set_has(place->sleep, place->thread))
        return false;
    uint32_t operation = hd_explore_operation_at(path, place->thread, depth);
    return path->operations.data[operation].choices == place->choices;
}

/* Is the step to the next node of the way the one that is being explored? */
static bool goes_on(const hd_explore_place_on_way *place) {
    return place->choices && place->step.thread == place->thread &&
           place->step.choice == place->choice;
}

static void enter_own(hd_explore_source_search *source, const hd_explore_place_on_way *place) {
    hd_vec_push(&source->nodes,
                (hd_explore_source_node){.inherited = place->inherited,
                                         .sleep = place->sleep,
                                         .explored = place->explored,
                                         .backtrack = place->backtrack,
                                         .thread = place->thread,
                                         .choice = place->choice,
                                         .choices = place->choices,
                                         .failed = place->failed,
                                         .since = source->search->result->executions,
                                         .section = HD_EXPLORE_NONE});
}

/* The part of a way that is shared, then its own. */
static bool go_along(hd_explore_source_search *source, hd_explore_shared *shared,
                     const hd_explore_way *way) {
    hd_explore_path *path = &source->search->path;
    uint32_t count = shared ? shared->depth + 1 : 0;
    if (shared && !hd_explore_share_go_to(source, shared))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const hd_explore_place_on_way *place = &way->places.data[i];
        hd_explore_source_node *node = &source->nodes.data[i];
        if (i + 1 < count && !took(path, i, place)) {
            hd_explore_keep_leave(source);
            return false;
        }
        node->thread = place->thread;
        node->choice = place->choice;
        node->choices = place->choices;
        node->sleep = place->sleep;
        node->since = source->search->result->executions;
    }
    for (size_t i = count; i < way->places.length; i++) {
        if ((i && !hd_explore_keep_follow(source, way->places.data[i - 1].step)) ||
            !fits(path, &way->places.data[i]) ||
            (i + 1 < way->places.length && !goes_on(&way->places.data[i]))) {
            hd_explore_keep_leave(source);
            return false;
        }
        enter_own(source, &way->places.data[i]);
    }
    const hd_explore_place_on_way *top = &way->places.data[way->places.length - 1];
    if (shared &&
        !(way->places.length == count ? fits(path, top)
                                      : took(path, count - 1, &way->places.data[count - 1]))) {
        hd_explore_keep_leave(source);
        return false;
    }
    return true;
}

/* What it takes to get there again is not counted. */
bool hd_explore_keep_go_to(hd_explore_source_search *source, hd_explore_source_item *item) {
    hd_explore_result *result = source->search->result, before = *result;
    bool good = true;
    if (!item->way)
        return hd_explore_share_go_to(source, item->shared);
    good = go_along(source, item->shared, item->way);
    before.stopped = result->stopped;
    before.strayed = result->strayed;
    *result = before;
    hd_explore_way_release(item->way);
    free(item->way);
    return good;
}

void hd_explore_keep_drop(void *dropped) {
    hd_explore_source_item *item = dropped;
    if (item->shared)
        hd_explore_share_leave(item->shared);
    if (item->way)
        hd_explore_way_release(item->way);
    free(item->way);
    free(item);
}

hd_explore_shared *hd_explore_share_make(const hd_explore_crossing *crossing,
                                         hd_explore_shared *parent) {
    hd_explore_shared *shared = HD_NEW(hd_explore_shared);
    shared->parent = parent;
    shared->depth = crossing->depth;
    shared->step = crossing->step;
    shared->enabled = crossing->enabled;
    shared->inherited = crossing->inherited;
    shared->sleep = crossing->sleep;
    shared->explored = crossing->explored;
    shared->backtrack = crossing->backtrack;
    shared->known = crossing->backtrack | crossing->sleep;
    atomic_init(&shared->users, 1);
    pthread_mutex_init(&shared->lock, NULL);
    if (parent)
        atomic_fetch_add(&parent->users, 1);
    return shared;
}

/* The shared nodes again; each has a user for now. */
static hd_explore_shared **make_shared(const hd_explore_frontier *from, bool foreign) {
    hd_explore_shared **made = HD_NEW_ARRAY(hd_explore_shared *, from->crossings.length + 1);
    for (size_t i = 0; i < from->crossings.length; i++) {
        const hd_explore_crossing *crossing = &from->crossings.data[i];
        made[i] = hd_explore_share_make(
            crossing, crossing->parent == HD_EXPLORE_NONE ? NULL : made[crossing->parent]);
        made[i]->foreign = foreign;
    }
    return made;
}

static hd_explore_source_item *make_item(hd_explore_way *way, hd_explore_shared **made) {
    hd_explore_source_item *item = HD_NEW(hd_explore_source_item);
    item->way = HD_NEW(hd_explore_way);
    *item->way = *way;
    *way = (hd_explore_way){0};
    if (!item->way->shared)
        return item;
    item->shared = made[item->way->last];
    atomic_fetch_add(&item->shared->users, 1);
    return item;
}

void hd_explore_keep_items(hd_explore_search *search, hd_explore_items *items) {
    hd_explore_frontier *from = search->from;
    hd_explore_shared **made = make_shared(from, search->membership != NULL);
    for (size_t i = from->ways.length; i-- > 0;)
        hd_vec_push(items, make_item(&from->ways.data[i], made));
    for (size_t i = from->crossings.length; i-- > 0;)
        hd_explore_share_leave(made[i]);
    free(made);
}

void hd_explore_keep_go_on(hd_explore_source_search *source) {
    hd_explore_items items = {0};
    hd_explore_keep_items(source->search, &items);
    assert(items.length == 1);
    hd_explore_keep_go_to(source, items.data[0]);
    free(items.data[0]);
    hd_vec_release(&items);
}

/* ---- Are these bytes such a search? ---- */

bool hd_explore_is_kept(const hd_vec_char *bytes, uint32_t *threads, uint64_t *executions) {
#ifdef HD_EXPLORE_WIDER
    hd_explore_frontier frontier;
    hd_bytes from = {bytes->data, bytes->data + bytes->length, false};
    if (!hd_explore_frontier_get(&frontier, &from))
        return HD_EXPLORE_WIDER(is_kept)(bytes, threads, executions);
#else
    hd_explore_frontier frontier;
    hd_bytes from = {bytes->data, bytes->data + bytes->length, false};
    if (!hd_explore_frontier_get(&frontier, &from))
        return false;
#endif
    *threads = frontier.threads;
    *executions = frontier.counts.executions;
    hd_explore_frontier_release(&frontier);
    return true;
}
