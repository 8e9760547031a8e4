/* The process that leads a search of several (explore_team.h). */
#include "explore_share.h"
#include "explore_team.h"

/* A node that is shared. */
struct node {
    struct node *parent;
    uint32_t users;                /* nodes below it, and units that hang on it */
    hd_explore_crossing state;     /* parent: scratch, its number while the search is kept, + 1 */
    bool lent;                     /* to a unit: what the state says is old */
    bool queued;                   /* something is left to be explored from it */
    HD_VEC(hd_explore_told) later; /* what was added while it was lent */
};

/* What one member explores; or waits until one is free. */
struct unit {
    uint32_t member;  /* 0: it waits */
    struct node *at;  /* the last node of the lead on its way; NULL: none */
    struct node *own; /* that was lent to it, below the other; NULL: none */
    bool fresh;       /* nothing was told: it begins at the root */
    hd_explore_way way;
};

struct hd_explore_lead {
    enum hd_explore_algorithm algorithm;
    uint32_t threads;
    hd_explore_result counts;
    hd_explore_source_search adding; /* how races are entered */
    HD_VEC(struct node *) queue;
    HD_VEC(struct unit *) units;
};

/* ---- Nodes ---- */

static hd_explore_source_node sets_of(const hd_explore_crossing *state) {
    return (hd_explore_source_node){.inherited = state->inherited,
                                    .sleep = state->sleep,
                                    .explored = state->explored,
                                    .backtrack = state->backtrack};
}

static bool has_left(const hd_explore_crossing *state) {
    hd_explore_source_node sets = sets_of(state);
    return hd_explore_set_any(hd_explore_source_left(&sets, state->enabled));
}

static void add_to(const struct hd_explore_lead *lead, hd_explore_crossing *state,
                   const hd_explore_told *told) {
    hd_explore_source_node sets = sets_of(state);
    if (told->all)
        sets.backtrack |= state->enabled;
    else
        hd_explore_source_add(&lead->adding, &sets, state->enabled, &told->addition);
    state->backtrack = sets.backtrack;
}

static void queue_node(struct hd_explore_lead *lead, struct node *node) {
    if (node->lent || node->queued || !has_left(&node->state))
        return;
    node->queued = true;
    hd_vec_push(&lead->queue, node);
}

/* A user less; what has no users, and nothing left, is done with. */
static void leave_node(struct hd_explore_lead *lead, struct node *node) {
    while (node) {
        assert(node->users);
        node->users--;
        queue_node(lead, node);
        if (node->users || node->lent || node->queued)
            return;
        struct node *parent = node->parent;
        hd_vec_release(&node->later);
        free(node);
        node = parent;
    }
}

static struct node *make_node(struct node *parent, const hd_explore_crossing *state) {
    struct node *node = HD_NEW(struct node);
    node->parent = parent;
    node->state = *state;
    node->state.depth = parent ? parent->state.depth + 1 : 0;
    node->state.parent = 0;
    if (parent)
        parent->users++;
    return node;
}

/* ---- Units ---- */

static void remove_unit(struct hd_explore_lead *lead, struct unit *unit) {
    size_t i = 0;
    while (lead->units.data[i] != unit)
        i++;
    lead->units.data[i] = lead->units.data[--lead->units.length];
    hd_explore_way_release(&unit->way);
    free(unit);
}

static struct unit *add_unit(struct hd_explore_lead *lead) {
    struct unit *unit = HD_NEW(struct unit);
    hd_vec_push(&lead->units, unit);
    return unit;
}

static struct unit *unit_of(const struct hd_explore_lead *lead, uint32_t member) {
    for (size_t i = 0; i < lead->units.length; i++)
        if (lead->units.data[i]->member == member)
            return lead->units.data[i];
    return NULL;
}

/* The shallowest node that waits: most is below it. */
static struct unit *lend_node(struct hd_explore_lead *lead) {
    size_t best = 0;
    if (!lead->queue.length)
        return NULL;
    for (size_t i = 1; i < lead->queue.length; i++)
        if (lead->queue.data[i]->state.depth < lead->queue.data[best]->state.depth)
            best = i;
    struct node *node = lead->queue.data[best];
    lead->queue.data[best] = lead->queue.data[--lead->queue.length];
    node->queued = false;
    node->lent = true;
    node->users++;
    struct unit *unit = add_unit(lead);
    unit->own = node;
    unit->at = node->parent;
    hd_explore_place_on_way place = {.sleep = node->state.sleep,
                                     .inherited = node->state.inherited,
                                     .explored = node->state.explored,
                                     .backtrack = node->state.backtrack};
    hd_vec_resize(&unit->way.places, node->state.depth);
    hd_vec_push(&unit->way.places, place);
    for (const struct node *n = node; n->parent; n = n->parent)
        unit->way.places.data[n->parent->state.depth].step = n->state.step;
    return unit;
}

/* The nodes down to one, and their numbers. */
static uint32_t put_nodes(struct node *node, hd_explore_frontier *to) {
    if (node->state.parent)
        return node->state.parent;
    uint32_t parent = node->parent ? put_nodes(node->parent, to) : 0;
    hd_explore_crossing state = node->state;
    state.parent = parent ? parent - 1 : HD_EXPLORE_NONE;
    hd_vec_push(&to->crossings, state);
    node->state.parent = (uint32_t)to->crossings.length;
    return node->state.parent;
}

static void forget_numbers(struct node *node) {
    for (; node && node->state.parent; node = node->parent)
        node->state.parent = 0;
}

static void copy_places(const hd_explore_way *from, hd_explore_way *to) {
    for (size_t i = 0; i < from->places.length; i++)
        hd_vec_push(&to->places, from->places.data[i]);
}

bool hd_explore_lead_give(struct hd_explore_lead *lead, uint32_t member, hd_vec_char *to) {
    struct unit *unit = unit_of(lead, 0);
    assert(member && !unit_of(lead, member));
    if (!unit)
        unit = lend_node(lead);
    if (!unit)
        return false;
    unit->member = member;
    hd_bytes_put(to, unit->fresh);
    hd_bytes_put(to, unit->own != NULL);
    hd_explore_frontier frontier = {.algorithm = lead->algorithm, .threads = lead->threads};
    hd_vec_char bytes = {0};
    if (!unit->fresh) {
        hd_explore_way way = {0};
        if (unit->at) {
            way.last = put_nodes(unit->at, &frontier) - 1;
            way.shared = unit->at->state.depth + 1;
            forget_numbers(unit->at);
        }
        copy_places(&unit->way, &way);
        hd_vec_push(&frontier.ways, way);
    }
    hd_explore_frontier_put(&frontier, &bytes);
    hd_bytes_put_text(to, bytes.data, bytes.length);
    hd_vec_release(&bytes);
    hd_explore_frontier_release(&frontier);
    return true;
}

/* ---- Reports ---- */

/* The node of the lead at this depth of a unit's way. */
static struct node *node_at(const struct unit *unit, uint32_t depth) {
    struct node *node = unit->at;
    while (node && node->state.depth > depth)
        node = node->parent;
    return node && node->state.depth == depth ? node : NULL;
}

static void take_addition(struct hd_explore_lead *lead, const struct unit *unit, hd_bytes *from) {
    hd_explore_told told = {.depth = (uint32_t)hd_bytes_get(from, UINT32_MAX)};
    told.all = hd_bytes_get(from, 1);
    told.addition.thread = (uint32_t)hd_bytes_get(from, lead->threads - 1);
    told.addition.first_varies = hd_bytes_get(from, 1);
    told.addition.initials = hd_explore_set_get(from, lead->threads);
    struct node *node = node_at(unit, told.depth);
    if (!node)
        from->bad = true;
    if (from->bad)
        return;
    if (node->lent) {
        hd_vec_push(&node->later, told);
        return;
    }
    add_to(lead, &node->state, &told);
    queue_node(lead, node);
}

/* The first node of the unit's own is now the lead's: the one that was lent, or a new one. */
static void take_node(struct hd_explore_lead *lead, struct unit *unit,
                      const hd_explore_crossing *state) {
    struct node *node = unit->own;
    if (node) {
        hd_step step = node->state.step;
        uint32_t depth = node->state.depth;
        node->state = *state;
        node->state.step = step;
        node->state.depth = depth;
        node->state.parent = 0;
        node->lent = false;
        for (size_t i = 0; i < node->later.length; i++)
            add_to(lead, &node->state, &node->later.data[i]);
        hd_vec_clear(&node->later);
        unit->own = NULL;
    } else {
        node = make_node(unit->at, state);
        node->users++; /* the unit hangs on it, */
        if (unit->at)
            unit->at->users--; /* and no more on the one above, which has the node */
    }
    unit->at = node;
    queue_node(lead, node);
}

/* So many nodes of the lead are on the unit's way: it may have left some.  False if there are
 * fewer. */
static bool move_up(struct hd_explore_lead *lead, struct unit *unit, uint32_t count) {
    uint32_t now = unit->at ? unit->at->state.depth + 1 : 0;
    if (count >= now || unit->own)
        return count == now;
    struct node *old = unit->at, *up = count ? node_at(unit, count - 1) : NULL;
    if (up)
        up->users++;
    unit->at = up;
    leave_node(lead, old);
    return true;
}

static bool take_given(struct hd_explore_lead *lead, struct unit *unit, hd_bytes *from) {
    enum { LEAST = 8 };
    size_t count = hd_bytes_get_count(from, LEAST);
    for (size_t i = 0; i < count && !from->bad; i++) {
        hd_explore_crossing state;
        uint32_t depth = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        hd_explore_crossing_get(&state, lead->threads, from);
        if (!move_up(lead, unit, depth))
            from->bad = true;
        if (!from->bad)
            take_node(lead, unit, &state);
    }
    return !from->bad;
}

static void end_unit(struct hd_explore_lead *lead, struct unit *unit) {
    struct node *at = unit->at;
    assert(!unit->own);
    remove_unit(lead, unit);
    if (at)
        leave_node(lead, at);
}

bool hd_explore_lead_take(struct hd_explore_lead *lead, uint32_t member, hd_bytes *from,
                          bool *done) {
    enum { LEAST = 5 };
    struct unit *unit = unit_of(lead, member);
    hd_explore_result counts;
    size_t length;
    if (!unit)
        return false;
    hd_explore_counts_get(&counts, from);
    size_t additions = hd_bytes_get_count(from, LEAST);
    for (size_t i = 0; i < additions && !from->bad; i++)
        take_addition(lead, unit, from);
    if (from->bad || !take_given(lead, unit, from))
        return false;
    const char *text = hd_bytes_get_text(from, &length);
    hd_explore_counts_add(&lead->counts, &counts);
    unit->fresh = false;
    *done = !length;
    if (*done) {
        bool good = !from->bad && !unit->own;
        if (good)
            end_unit(lead, unit);
        return good;
    }
    hd_explore_frontier now;
    hd_bytes way = {text, text + length, false};
    if (!hd_explore_frontier_get(&now, &way))
        return false;
    bool good = now.ways.length == 1 && move_up(lead, unit, now.ways.data[0].shared);
    if (good) {
        hd_explore_way_release(&unit->way);
        unit->way = now.ways.data[0];
        now.ways.length = 0;
    }
    hd_explore_frontier_release(&now);
    return good;
}

/* ---- The whole search ---- */

/* A unit that was lent a node, or explores what is its own, as a way of a search that is kept. */
static void keep_unit(const struct hd_explore_lead *lead, const struct unit *unit,
                      hd_explore_frontier *to) {
    hd_explore_way way = {0};
    struct node *last = unit->own ? unit->own : unit->at;
    copy_places(&unit->way, &way);
    if (last) {
        way.last = put_nodes(last, to) - 1;
        way.shared = last->state.depth + 1;
    }
    if (unit->own) { /* as the member has it, with what was added since */
        hd_explore_crossing *listed = &to->crossings.data[way.last];
        hd_explore_crossing now =
            hd_explore_crossing_of(&way.places.data[listed->depth], listed->enabled);
        for (size_t i = 0; i < unit->own->later.length; i++)
            add_to(lead, &now, &unit->own->later.data[i]);
        listed->sleep = now.sleep;
        listed->explored = now.explored;
        listed->backtrack = now.backtrack;
    }
    hd_vec_push(&to->ways, way);
}

/* False if nothing was told yet. */
bool hd_explore_lead_keep(struct hd_explore_lead *lead, hd_vec_char *to) {
    hd_explore_frontier frontier = {
        .algorithm = lead->algorithm, .threads = lead->threads, .counts = lead->counts};
    for (size_t i = 0; i < lead->units.length; i++)
        if (lead->units.data[i]->fresh)
            return false;
    for (size_t i = 0; i < lead->units.length; i++)
        keep_unit(lead, lead->units.data[i], &frontier);
    for (size_t i = 0; i < lead->queue.length; i++) {
        struct node *node = lead->queue.data[i];
        hd_explore_way way = {.last = put_nodes(node, &frontier) - 1,
                              .shared = node->state.depth + 1};
        hd_vec_resize(&way.places, way.shared);
        for (const struct node *n = node; n->parent; n = n->parent)
            way.places.data[n->parent->state.depth].step = n->state.step;
        hd_vec_push(&frontier.ways, way);
    }
    for (size_t i = 0; i < lead->units.length; i++)
        forget_numbers(lead->units.data[i]->own ? lead->units.data[i]->own
                                                : lead->units.data[i]->at);
    for (size_t i = 0; i < lead->queue.length; i++)
        forget_numbers(lead->queue.data[i]);
    hd_explore_frontier_put(&frontier, to);
    hd_explore_frontier_release(&frontier);
    return true;
}

/* The nodes and ways of a search that was kept: the ways wait for members. */
static void go_on(struct hd_explore_lead *lead, hd_explore_frontier *from) {
    struct node **nodes = HD_NEW_ARRAY(struct node *, from->crossings.length + 1);
    lead->counts = from->counts;
    for (size_t i = 0; i < from->crossings.length; i++) {
        const hd_explore_crossing *crossing = &from->crossings.data[i];
        nodes[i] = make_node(crossing->parent == HD_EXPLORE_NONE ? NULL : nodes[crossing->parent],
                             crossing);
        nodes[i]->users++; /* for now */
    }
    for (size_t i = 0; i < from->ways.length; i++) {
        struct unit *unit = add_unit(lead);
        unit->way = from->ways.data[i];
        if (!unit->way.shared)
            continue;
        unit->at = nodes[unit->way.last];
        unit->at->users++;
    }
    from->ways.length = 0;
    for (size_t i = from->crossings.length; i-- > 0;)
        leave_node(lead, nodes[i]);
    free(nodes);
}

struct hd_explore_lead *hd_explore_lead_new(uint32_t threads, enum hd_explore_algorithm algorithm,
                                            const hd_vec_char *bytes) {
    struct hd_explore_lead *lead = HD_NEW(struct hd_explore_lead);
    lead->algorithm = algorithm;
    lead->threads = threads;
    lead->adding.persistent = algorithm == HD_EXPLORE_DPOR;
    if (!bytes) {
        add_unit(lead)->fresh = true;
        return lead;
    }
    hd_explore_frontier frontier;
    hd_bytes from = {bytes->data, bytes->data + bytes->length, false};
    bool good = hd_explore_frontier_get(&frontier, &from) && frontier.threads == threads &&
                frontier.algorithm == algorithm;
    if (good)
        go_on(lead, &frontier);
    hd_explore_frontier_release(&frontier);
    if (good)
        return lead;
    free(lead);
    return NULL;
}

void hd_explore_lead_free(struct hd_explore_lead *lead) {
    while (lead->units.length) {
        struct unit *unit = lead->units.data[0];
        struct node *node = unit->own ? unit->own : unit->at;
        if (unit->own)
            unit->own->lent = false;
        remove_unit(lead, unit);
        if (node)
            leave_node(lead, node);
    }
    while (lead->queue.length) {
        struct node *node = hd_vec_pop(&lead->queue);
        node->state.backtrack = HD_EXPLORE_NO_THREADS;
        node->queued = false;
        node->users++;
        leave_node(lead, node);
    }
    hd_vec_release(&lead->units);
    hd_vec_release(&lead->queue);
    free(lead);
}

const hd_explore_result *hd_explore_lead_counts(const struct hd_explore_lead *lead) {
    return &lead->counts;
}

void hd_explore_lead_count(struct hd_explore_lead *lead, const hd_explore_result *more) {
    hd_explore_counts_add(&lead->counts, more);
}

bool hd_explore_lead_over(const struct hd_explore_lead *lead) {
    return !lead->units.length && !lead->queue.length;
}

/* The units of members that are gone wait again, from where they were last told. */
void hd_explore_lead_lose(struct hd_explore_lead *lead, uint32_t member) {
    struct unit *unit = unit_of(lead, member);
    if (unit)
        unit->member = 0;
}
