/* A process that explores a unit for another one (explore_team.h). */
#include "explore_share.h"
#include "explore_team.h"

/* ---- Additions ---- */

/* Does the lead, once it has been told the first, have no use for the second? */
static bool makes_idle(const hd_explore_told *first, const hd_explore_told *second,
                       bool persistent) {
    if (first->gone || first->depth != second->depth)
        return false;
    if (first->all)
        return true;
    if (second->all)
        return false;
    return persistent ? first->addition.thread == second->addition.thread &&
                            first->addition.first_varies == second->addition.first_varies
                      : !hd_explore_set_any(first->addition.initials & ~second->addition.initials);
}

void hd_explore_member_add(hd_explore_search *search, uint32_t depth, bool all,
                           const hd_explore_source_addition *addition) {
    hd_explore_membership *own = search->membership;
    hd_explore_told news = {.depth = depth, .all = all};
    bool persistent = search->algorithm == HD_EXPLORE_DPOR;
    if (addition)
        news.addition = *addition;
    for (size_t i = 0; i < own->told.length; i++)
        if (makes_idle(&own->told.data[i], &news, persistent))
            return;
    hd_vec_push(&own->told, news);
}

void hd_explore_member_left(hd_explore_search *search, uint32_t depth) {
    hd_explore_membership *own = search->membership;
    for (size_t i = 0; i < own->told.length; i++)
        own->told.data[i].gone |= own->told.data[i].depth >= depth;
}

/* ---- Nodes that are given back ---- */

hd_explore_crossing hd_explore_crossing_of(const hd_explore_place_on_way *place,
                                           hd_explore_set enabled) {
    hd_explore_set taken = place->choices ? HD_EXPLORE_BIT(place->thread) : HD_EXPLORE_NO_THREADS;
    return (hd_explore_crossing){.enabled = enabled,
                                 .inherited = place->inherited,
                                 .sleep = place->failed ? place->sleep : place->sleep | taken,
                                 .explored = place->explored | taken,
                                 .backtrack = place->backtrack};
}

static hd_explore_crossing crossing_of(const hd_explore_source_node *node, hd_explore_set enabled) {
    hd_explore_place_on_way place = hd_explore_place_of(node);
    return hd_explore_crossing_of(&place, enabled);
}

void hd_explore_member_close(hd_explore_source_search *source, const hd_explore_source_node *node) {
    hd_explore_membership *own = source->search->membership;
    if (!own->lent || source->nodes.length != source->shared)
        return;
    own->lent = false;
    hd_explore_crossing crossing = crossing_of(node, source->search->path.enabled);
    crossing.depth = (uint32_t)source->nodes.length;
    hd_vec_push(&own->given, crossing);
}

/* The shallowest node of ours with something left, and those above it. */
static void give_back(hd_explore_source_search *source) {
    hd_explore_membership *own = source->search->membership;
    const hd_explore_path *path = &source->search->path;
    uint32_t depth;
    if (!hd_explore_share_find(source, &depth))
        return;
    for (; source->shared <= depth; source->shared++) {
        uint32_t at = source->shared;
        hd_explore_source_node *node = &source->nodes.data[at];
        hd_explore_crossing crossing = crossing_of(node, path->events.data[at].enabled);
        crossing.depth = at;
        if (at)
            crossing.step =
                (hd_step){path->events.data[at - 1].thread, path->events.data[at - 1].choice};
        hd_vec_push(&own->given, crossing);
        node->shared =
            hd_explore_share_make(&crossing, at ? source->nodes.data[at - 1].shared : NULL);
        node->shared->foreign = true;
    }
    own->lent = false;
}

/* ---- Reports ---- */

static void put_report(hd_explore_search *search, const hd_vec_char *way, hd_vec_char *to) {
    hd_explore_membership *own = search->membership;
    hd_explore_counts_put(search->result, to);
    hd_bytes_put(to, own->told.length - own->sent);
    for (size_t i = own->sent; i < own->told.length; i++) {
        const hd_explore_told *told = &own->told.data[i];
        hd_bytes_put(to, told->depth);
        hd_bytes_put(to, told->all);
        hd_bytes_put(to, told->addition.thread);
        hd_bytes_put(to, told->addition.first_varies);
        hd_explore_set_put(to, told->addition.initials);
    }
    hd_bytes_put(to, own->given.length);
    for (size_t i = 0; i < own->given.length; i++) {
        hd_bytes_put(to, own->given.data[i].depth);
        hd_explore_crossing_put(to, &own->given.data[i]);
    }
    hd_bytes_put_text(to, way->data, way->length);
    own->sent = own->told.length;
    hd_vec_clear(&own->given);
    hd_explore_result *result = search->result;
    *result = (hd_explore_result){.threads = result->threads,
                                  .stopped = result->stopped,
                                  .strayed = result->strayed,
                                  .limit = result->limit};
}

void hd_explore_member_tell(hd_explore_source_search *source) {
    hd_explore_search *search = source->search;
    const hd_explore_member *member = search->options->member;
    hd_vec_char way = {0}, report = {0};
    enum hd_explore_wanted wanted = member->wanted(member->context, true);
    search->keep_due = false;
    search->membership->reported = hd_progress_clock();
    if (wanted == HD_EXPLORE_WANTED_END) {
        hd_explore_abandon(search);
        return;
    }
    if (wanted == HD_EXPLORE_WANTED_NODES)
        give_back(source);
    hd_explore_keep_way(source, &way);
    put_report(search, &way, &report);
    for (size_t i = 0; i < source->nodes.length; i++)
        source->nodes.data[i].since = 0;
    hd_machine *machine = search->path.machine;
    hd_explore_machines machines = {&machine, 1, 1};
    member->report(member->context, &machines, &report);
    hd_vec_release(&way);
    hd_vec_release(&report);
    if (wanted == HD_EXPLORE_WANTED_HALT)
        search->halt = HD_EXPLORE_LIMIT_INTERRUPT;
    hd_explore_has_kept(search);
}

/* What is left to say when the unit is done. */
void hd_explore_member_end(hd_explore_search *search) {
    const hd_explore_member *member = search->options->member;
    hd_explore_membership *own = search->membership;
    if (!search->stop) {
        hd_vec_char way = {0}, report = {0};
        put_report(search, &way, &report);
        hd_machine *machine = search->path.machine;
        hd_explore_machines machines = {&machine, 1, 1};
        member->report(member->context, &machines, &report);
        hd_vec_release(&report);
    }
    hd_vec_release(&own->told);
    hd_vec_release(&own->given);
    free(own);
    search->membership = NULL;
}
