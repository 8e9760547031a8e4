#include "explore_share.h"

#include "explore_team.h"

void hd_explore_share_leave(hd_explore_shared *shared) {
    while (shared && atomic_fetch_sub(&shared->users, 1) == 1) {
        hd_explore_shared *parent = shared->parent;
        pthread_mutex_destroy(&shared->lock);
        free(shared);
        shared = parent;
    }
}

/* With the lock held: what others may look at without it.  It only grows. */
static void publish_known(hd_explore_shared *shared) {
    hd_explore_set known = shared->backtrack | shared->sleep;
    assert(!hd_explore_set_any(shared->known & ~known));
    assert(!hd_explore_set_any(shared->backtrack & ~shared->enabled));
    shared->known = known;
}

void hd_explore_share_add(const hd_explore_source_search *source, hd_explore_shared *shared,
                          const hd_explore_source_addition *addition) {
    if (shared->foreign) {
        hd_explore_member_add(source->search, shared->depth, false, addition);
        return;
    }
    hd_mem_lock(&shared->lock);
    hd_explore_source_node node = {
        .inherited = shared->inherited, .sleep = shared->sleep, .backtrack = shared->backtrack};
    hd_explore_source_add(source, &node, shared->enabled, addition);
    shared->backtrack = node.backtrack;
    publish_known(shared);
    hd_mem_unlock(&shared->lock);
}

void hd_explore_share_add_all(const hd_explore_source_search *source, hd_explore_shared *shared) {
    if (shared->foreign) {
        hd_explore_member_add(source->search, shared->depth, true, NULL);
        return;
    }
    hd_mem_lock(&shared->lock);
    shared->backtrack |= shared->enabled;
    publish_known(shared);
    hd_mem_unlock(&shared->lock);
}

/* Makes a node shared whose thread is being explored: for others that sleeps. */
static void share_node(hd_explore_source_search *source, uint32_t depth) {
    const hd_explore_event *event = &source->search->path.events.data[depth];
    hd_explore_source_node *node = &source->nodes.data[depth];
    hd_explore_shared *shared = HD_NEW(hd_explore_shared);
    hd_explore_set thread = HD_EXPLORE_BIT(node->thread);
    assert(!node->shared && event->thread == node->thread);
    shared->depth = depth;
    shared->enabled = event->enabled;
    shared->inherited = node->inherited;
    shared->sleep = node->sleep | thread;
    shared->explored = node->explored | thread;
    shared->backtrack = node->backtrack;
    shared->known = shared->backtrack | shared->sleep;
    atomic_init(&shared->users, 1);
    pthread_mutex_init(&shared->lock, NULL);
    if (depth) {
        shared->parent = source->nodes.data[depth - 1].shared;
        assert(shared->parent && shared->parent->depth == depth - 1);
        shared->step = (hd_step){event[-1].thread, event[-1].choice};
        atomic_fetch_add(&shared->parent->users, 1);
    }
    node->shared = shared;
}

bool hd_explore_share_find(const hd_explore_source_search *source, uint32_t *found) {
    const hd_explore_path *path = &source->search->path;
    uint32_t depth = source->shared, end = (uint32_t)source->nodes.length - 1;
    while (depth < end) {
        hd_explore_source_node node = source->nodes.data[depth];
        node.explored |= HD_EXPLORE_BIT(node.thread);
        if (hd_explore_set_any(hd_explore_source_left(&node, path->events.data[depth].enabled)))
            break;
        depth++;
    }
    *found = depth;
    return depth < end;
}

void hd_explore_share_give(hd_explore_source_search *source) {
    uint32_t depth;
    if (!hd_explore_share_find(source, &depth))
        return;
    for (; source->shared <= depth; source->shared++)
        share_node(source, source->shared);
    hd_explore_source_item *item = HD_NEW(hd_explore_source_item);
    item->shared = source->nodes.data[depth].shared;
    atomic_fetch_add(&item->shared->users, 1);
    hd_explore_give(source->search->crew, item);
}

/* Whether the step fails, and so does not sleep, must be known before another worker takes
 * another: it is taken with the lock held. */
bool hd_explore_share_take(hd_explore_source_search *source, hd_explore_set *sleep,
                           enum hd_machine_result *result) {
    hd_explore_path *path = &source->search->path;
    hd_explore_source_node *node = hd_vec_last(&source->nodes);
    hd_explore_shared *shared = node->shared;
    hd_mem_lock(&shared->lock);
    bool same = node->choice + 1 < node->choices;
    hd_explore_source_node left = {
        .sleep = shared->sleep, .explored = shared->explored, .backtrack = shared->backtrack};
    hd_explore_set next = hd_explore_source_left(&left, shared->enabled);
    if (!same && (shared->foreign || !hd_explore_set_any(next))) {
        hd_mem_unlock(&shared->lock);
        return false;
    }
    node->thread = same ? node->thread : hd_explore_set_first(next);
    node->choice = same ? node->choice + 1 : 0;
    node->choices = hd_explore_next(path, node->thread)->choices;
    hd_explore_set thread = HD_EXPLORE_BIT(node->thread);
    assert(same || !hd_explore_set_any((shared->explored | shared->sleep) & thread));
    /* Of the next choice: what slept when its thread was taken. */
    *sleep = node->sleep = same ? node->sleep : shared->sleep;
    shared->explored |= thread;
    *result = hd_explore_source_take(source, node->thread, node->choice, sleep);
    if (*result != HD_MACHINE_FAILED)
        shared->sleep |= thread;
    publish_known(shared);
    hd_mem_unlock(&shared->lock);
    return true;
}

/* Can it be the node of the state that the path has come to? */
static bool is_here(const hd_explore_path *path, hd_explore_shared *shared) {
    hd_mem_lock(&shared->lock);
    hd_explore_set asleep = shared->sleep & ~shared->enabled;
    hd_mem_unlock(&shared->lock);
    return !hd_explore_set_any(path->enabled ^ shared->enabled) &&
           (!hd_explore_set_any(asleep) || hd_explore_may_disable(path));
}

bool hd_explore_share_go_to(hd_explore_source_search *source, hd_explore_shared *shared) {
    hd_explore_path *path = &source->search->path;
    uint32_t depth = shared->depth;
    hd_vec_resize(&source->nodes, depth + 1);
    source->nodes.data[depth] = (hd_explore_source_node){.shared = shared};
    for (uint32_t i = depth; i > 0; i--) {
        hd_explore_shared *at = source->nodes.data[i].shared;
        source->nodes.data[i - 1] = (hd_explore_source_node){.shared = at->parent};
        atomic_fetch_add(&at->parent->users, 1);
    }
    for (uint32_t i = 0; i < depth; i++) {
        hd_explore_shared *at = source->nodes.data[i].shared;
        if (!is_here(path, at) ||
            !hd_explore_keep_follow(source, source->nodes.data[i + 1].shared->step)) {
            hd_explore_keep_leave(source);
            return false;
        }
    }
    assert(path->events.length == depth);
    if (!is_here(path, shared)) {
        hd_explore_keep_leave(source);
        return false;
    }
    source->shared = depth + 1;
    return true;
}
