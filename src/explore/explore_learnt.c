#include "explore_learnt.h"

#include "explore_search.h"
#include "explore_without.h"

/* What a thread did after a history; the history is that of its parent, and this. */
struct node {
    uint32_t parent;         /* HD_EXPLORE_NONE: none, it is the beginning of a thread */
    uint32_t child, sibling; /* the first of those after it; the next one after its parent */
    uint32_t accesses, count;
    uint32_t position;
    uint8_t memory, order;
    bool awaits, varies, acquires, yields, ends, fails, updates, fence;
    bool several;          /* it goes in several ways */
    bool waits;            /* what comes next had to wait, not for a lock */
    hd_explore_set joined; /* threads that had ended before it */
    bool last;             /* the thread ended after it */
};

/* Marks of places in the program. */
enum { ENDS_AFTER = 1, ENDS_BEFORE = 2 };

/* The list of one thread. */
struct list {
    HD_VEC(hd_machine_ahead) entries;
    hd_vec_u32 nodes;
    HD_VEC(hd_explore_set) joins;
};

struct hd_explore_learnt {
    uint32_t threads;
    uint32_t *born_by; /* of each thread: the node that created it; HD_EXPLORE_NONE: not known */
    HD_VEC(struct node) nodes; /* first the beginnings of the threads */
    HD_VEC(hd_machine_access) accesses;
    hd_map marks; /* position -> ENDS_... */
    struct list *lists;
};

/* Histories that are kept. */
enum { MOST_NODES = 1 << 20 };

struct hd_explore_learnt *hd_explore_learnt_new(uint32_t threads) {
    struct hd_explore_learnt *learnt = HD_NEW(struct hd_explore_learnt);
    learnt->threads = threads;
    learnt->lists = HD_NEW_ARRAY(struct list, threads);
    learnt->born_by = HD_NEW_ARRAY(uint32_t, threads);
    for (uint32_t i = 0; i < threads; i++)
        learnt->born_by[i] = HD_EXPLORE_NONE;
    for (uint32_t i = 0; i < threads; i++)
        hd_vec_push(&learnt->nodes, (struct node){.parent = HD_EXPLORE_NONE,
                                                  .child = HD_EXPLORE_NONE,
                                                  .sibling = HD_EXPLORE_NONE});
    return learnt;
}

void hd_explore_learnt_free(struct hd_explore_learnt *learnt) {
    if (!learnt)
        return;
    for (uint32_t i = 0; i < learnt->threads; i++) {
        hd_vec_release(&learnt->lists[i].entries);
        hd_vec_release(&learnt->lists[i].nodes);
        hd_vec_release(&learnt->lists[i].joins);
    }
    free(learnt->lists);
    free(learnt->born_by);
    hd_vec_release(&learnt->nodes);
    hd_vec_release(&learnt->accesses);
    hd_map_release(&learnt->marks);
    free(learnt);
}

/* ---- Marks ---- */

static bool is_marked(const struct hd_explore_learnt *learnt, const struct node *node,
                      uint32_t mark) {
    const uint32_t *marks = hd_map_find(&learnt->marks, node->position);
    return marks && *marks & mark;
}

static void mark_position(struct hd_explore_learnt *learnt, uint32_t position, uint32_t mark) {
    *hd_map_at(&learnt->marks, position, NULL) |= mark;
}

/* The history went on in several ways: so it may elsewhere, after the same operation. */
static void mark_branching(const hd_explore_path *path, uint32_t history) {
    const struct node *node = &path->learnt->nodes.data[history];
    if (node->parent != HD_EXPLORE_NONE)
        mark_position(path->learnt, node->position, ENDS_AFTER);
}

/* ---- The trees ---- */

/* Where the thread is: after its last event. */
static uint32_t history_of(const hd_explore_path *path, uint32_t thread) {
    uint32_t last = path->last_event[thread];
    return last ? path->events.data[last - 1].learnt : thread;
}

static bool is_same(const hd_explore_path *path, const struct node *node,
                    const hd_explore_operation *operation) {
    const hd_machine_access *own = path->learnt->accesses.data + node->accesses;
    const hd_machine_access *other = path->accesses.data + operation->accesses;
    bool same = node->count == operation->count && node->position == operation->position &&
                node->memory == operation->memory && node->order == operation->order &&
                node->awaits == operation->awaits && node->varies == operation->varies &&
                node->yields == operation->yields && node->updates == operation->updates &&
                node->fence == operation->fence && node->fails == operation->fails;
    for (uint32_t i = 0; i < node->count && same; i++)
        same = own[i].location == other[i].location && own[i].mode == other[i].mode;
    return same;
}

/* The operation after a history; HD_EXPLORE_NONE if it was not taken there. */
static uint32_t find_child(const hd_explore_path *path, uint32_t history,
                           const hd_explore_operation *operation) {
    const struct hd_explore_learnt *learnt = path->learnt;
    uint32_t child =
        history == HD_EXPLORE_NONE ? HD_EXPLORE_NONE : learnt->nodes.data[history].child;
    while (child != HD_EXPLORE_NONE && !is_same(path, &learnt->nodes.data[child], operation))
        child = learnt->nodes.data[child].sibling;
    return child;
}

static uint32_t add_child(const hd_explore_path *path, uint32_t history,
                          const hd_explore_operation *operation) {
    struct hd_explore_learnt *learnt = path->learnt;
    uint32_t number = (uint32_t)learnt->nodes.length;
    if (number >= MOST_NODES)
        return HD_EXPLORE_NONE;
    struct node node = {.parent = history,
                        .child = HD_EXPLORE_NONE,
                        .sibling = learnt->nodes.data[history].child,
                        .accesses = (uint32_t)learnt->accesses.length,
                        .count = operation->count,
                        .position = operation->position,
                        .memory = operation->memory,
                        .order = operation->order,
                        .awaits = operation->awaits,
                        .varies = operation->varies,
                        .acquires = operation->acquires,
                        .yields = operation->yields,
                        .updates = operation->updates,
                        .fence = operation->fence,
                        .fails = operation->fails,
                        .joined = operation->ended_before};
    for (uint32_t i = 0; i < operation->count; i++)
        hd_vec_push(&learnt->accesses, path->accesses.data[operation->accesses + i]);
    hd_vec_push(&learnt->nodes, node);
    learnt->nodes.data[history].child = number;
    if (node.sibling != HD_EXPLORE_NONE || learnt->nodes.data[history].last)
        mark_branching(path, history);
    return number;
}

/* It may end the program, go in several ways or fail one time, and not another. */
void hd_explore_learn_event(hd_explore_path *path, enum hd_machine_result result) {
    uint32_t last = (uint32_t)path->events.length - 1;
    hd_explore_event *event = &path->events.data[last];
    const hd_explore_operation *operation = hd_explore_taken(path, last);
    uint32_t history =
        event->previous ? path->events.data[event->previous - 1].learnt : event->thread;
    event->learnt = HD_EXPLORE_NONE;
    if (history == HD_EXPLORE_NONE)
        return;
    uint32_t child = find_child(path, history, operation);
    if (child == HD_EXPLORE_NONE)
        child = add_child(path, history, operation);
    event->learnt = child;
    if (child == HD_EXPLORE_NONE)
        return;
    struct node *node = &path->learnt->nodes.data[child];
    node->ends |= operation->ends;
    node->several |= operation->choices > 1;
    if (result != HD_MACHINE_WENT_ON)
        hd_explore_learnt_mark(path, child, HD_EXPLORE_UNWANTED);
}

bool hd_explore_learnt_ended(const hd_explore_path *path, uint32_t thread) {
    const hd_explore_operation *operation = hd_explore_next(path, thread);
    return !operation->runs || (operation->idle && path->last_event[thread]);
}

/* Of a thread that has ended, too: it does nothing next. */
void hd_explore_learn_wait(const hd_explore_path *path, uint32_t thread) {
    const hd_explore_operation *operation = hd_explore_next(path, thread);
    uint32_t history = history_of(path, thread);
    if (history == HD_EXPLORE_NONE)
        return;
    struct node *node = &path->learnt->nodes.data[history];
    if (hd_explore_learnt_ended(path, thread)) {
        node->last = true;
        if (node->child != HD_EXPLORE_NONE)
            mark_branching(path, history);
    } else if (!operation->idle && !operation->cut && !operation->acquires)
        node->waits = true;
}

void hd_explore_learn_birth(const hd_explore_path *path, uint32_t thread) {
    path->learnt->born_by[thread] = hd_vec_last(&path->events)->learnt;
}

uint32_t hd_explore_learnt_birth(const hd_explore_path *path, uint32_t thread) {
    return path->learnt->born_by[thread];
}

void hd_explore_learnt_mark(const hd_explore_path *path, uint32_t node,
                            enum hd_explore_deviation how) {
    struct hd_explore_learnt *learnt = path->learnt;
    const struct node *listed = &learnt->nodes.data[node];
    struct node *before = &learnt->nodes.data[listed->parent];
    if (how == HD_EXPLORE_WAITS)
        before->waits = true;
    if (how == HD_EXPLORE_OTHER && before->parent != HD_EXPLORE_NONE)
        mark_position(learnt, before->position, ENDS_AFTER);
    else
        mark_position(learnt, listed->position, ENDS_BEFORE);
}

static enum hd_explore_deviation compare(const hd_explore_path *path, uint32_t thread,
                                         uint32_t node) {
    const hd_explore_operation *operation = hd_explore_next(path, thread);
    if (!operation->runs || !is_same(path, &path->learnt->nodes.data[node], operation))
        return HD_EXPLORE_OTHER;
    if (!operation->enabled)
        return HD_EXPLORE_WAITS;
    return operation->choices == 1 && (!operation->ends || path->learnt->nodes.data[node].ends)
               ? HD_EXPLORE_AS_LISTED
               : HD_EXPLORE_UNWANTED;
}

bool hd_explore_learnt_holds(const hd_explore_path *path, uint32_t thread, uint32_t node) {
    enum hd_explore_deviation how = compare(path, thread, node);
    if (how == HD_EXPLORE_AS_LISTED)
        return true;
    hd_explore_learnt_mark(path, node, how);
    return !HD_EXPLORE_CURE(23) && hd_explore_set_has(path->enabled, thread);
}

enum hd_explore_deviation hd_explore_learnt_compare_now(const hd_explore_path *path,
                                                        uint32_t thread, uint32_t number) {
    hd_machine *machine = path->machine;
    hd_machine_operation now = {0};
    const struct node *node = &path->learnt->nodes.data[number];
    const hd_machine_access *own = path->learnt->accesses.data + node->accesses;
    if (!machine->type->next(machine, thread, &now))
        return HD_EXPLORE_OTHER;
    bool same = node->count == now.count && node->position == now.position &&
                node->memory == now.memory && node->order == now.order &&
                node->awaits == now.awaits && node->varies == now.varies &&
                node->yields == now.yields && node->updates == now.updates &&
                node->fence == now.fence && node->fails == now.fails;
    for (uint32_t i = 0; i < node->count && same; i++)
        same = own[i].location == now.accesses[i].location && own[i].mode == now.accesses[i].mode;
    if (!same)
        return HD_EXPLORE_CURE(23) || !now.enabled ? HD_EXPLORE_OTHER : HD_EXPLORE_AS_LISTED;
    if (!now.enabled)
        return HD_EXPLORE_WAITS;
    bool wanted = now.choices == 1 && (!now.ends || node->ends);
    return wanted || !HD_EXPLORE_CURE(23) ? HD_EXPLORE_AS_LISTED : HD_EXPLORE_UNWANTED;
}

/* ---- Lists ---- */

/* Does another thread have a lock that the operation takes? */
static bool is_held(const hd_explore_path *path, uint32_t thread, const struct node *node) {
    const hd_machine_access *accesses = path->learnt->accesses.data + node->accesses;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!(accesses[i].mode & HD_MACHINE_ACQUIRE) || accesses[i].location >= path->locations)
            continue;
        const hd_explore_place *place = &path->places[accesses[i].location];
        if (place->last_acquire && place->last_acquire == place->last_write &&
            path->events.data[place->last_acquire - 1].thread != thread)
            return true;
    }
    return false;
}

/* The only way in which the history went on; HD_EXPLORE_NONE: none, or one that cannot be
 * listed.  In `joins`, the threads that it waits for. */
static uint32_t only_child(const hd_explore_path *path, uint32_t thread, uint32_t history,
                           hd_explore_set *joins) {
    const struct hd_explore_learnt *learnt = path->learnt;
    const struct node *node = &learnt->nodes.data[history];
    uint32_t child = node->child;
    *joins = HD_EXPLORE_NO_THREADS;
    if (child == HD_EXPLORE_NONE || node->last ||
        (node->parent != HD_EXPLORE_NONE && is_marked(learnt, node, ENDS_AFTER)))
        return HD_EXPLORE_NONE;
    const struct node *next = &learnt->nodes.data[child];
    if (next->sibling != HD_EXPLORE_NONE || next->awaits || next->yields || next->several ||
        (next->ends && !hd_explore_set_any(next->joined)) || is_marked(learnt, next, ENDS_BEFORE) ||
        is_held(path, thread, next))
        return HD_EXPLORE_NONE;
    if (node->waits)
        *joins = next->joined;
    return node->waits && !hd_explore_set_any(next->joined) ? HD_EXPLORE_NONE : child;
}

static void push_entry(struct list *list, const hd_explore_path *path, uint32_t number,
                       hd_explore_set joins) {
    const struct node *node = &path->learnt->nodes.data[number];
    hd_machine_ahead entry = {
        .operation = {.accesses = path->learnt->accesses.data + node->accesses,
                      .count = node->count,
                      .choices = 1,
                      .enabled = true,
                      .awaits = node->awaits,
                      .varies = node->varies,
                      .ends = node->ends,
                      .memory = node->memory,
                      .order = node->order,
                      .updates = node->updates,
                      .fence = node->fence,
                      .fails = node->fails,
                      .position = node->position},
        .last = node->last && node->child == HD_EXPLORE_NONE};
    hd_vec_push(&list->entries, entry);
    hd_vec_push(&list->nodes, number);
    hd_vec_push(&list->joins, joins);
}

hd_explore_list hd_explore_learnt_ahead(hd_explore_path *path, uint32_t thread) {
    enum { MOST = 64 };
    const struct hd_explore_learnt *learnt = path->learnt;
    struct list *list = &path->learnt->lists[thread];
    const hd_explore_operation *first = hd_explore_next(path, thread);
    uint32_t history = history_of(path, thread), node = HD_EXPLORE_NONE;
    hd_explore_set joins = HD_EXPLORE_NO_THREADS;
    hd_vec_clear(&list->entries);
    hd_vec_clear(&list->nodes);
    hd_vec_clear(&list->joins);
    if (!first->enabled && history != HD_EXPLORE_NONE)
        node = only_child(path, thread, history, &joins);
    else if (first->enabled && first->choices == 1 && !first->yields)
        node = find_child(path, history, first); /* it is known, but not what comes of it */
    if (node != HD_EXPLORE_NONE && is_marked(learnt, &learnt->nodes.data[node], ENDS_BEFORE))
        node = HD_EXPLORE_NONE;
    while (node != HD_EXPLORE_NONE && list->entries.length < MOST) {
        push_entry(list, path, node, joins);
        node = only_child(path, thread, node, &joins);
    }
    return (hd_explore_list){list->entries.data, list->nodes.data, list->joins.data,
                             (uint32_t)list->entries.length};
}

/* ---- The first executions ---- */

/* Which thread goes on: the lowest, the highest, the first thread as long as it can and then the
 * highest, each in turn. */
enum manner { LOWEST, HIGHEST, FIRST_THEN_HIGHEST, IN_TURNS, MANNERS };

/* One that can go on and does not yield; if all do, the one that waited longest. */
static uint32_t choose_thread(const hd_explore_path *path, enum manner manner) {
    hd_explore_set threads = path->enabled, higher = HD_EXPLORE_NO_THREADS;
    uint32_t lowest = hd_explore_foremost(path, threads);
    if (manner == LOWEST || hd_explore_next(path, lowest)->yields ||
        (manner == FIRST_THEN_HIGHEST && lowest == 0))
        return lowest;
    HD_EXPLORE_EACH(rest, path->enabled) {
        uint32_t thread = hd_explore_set_first(rest);
        if (hd_explore_next(path, thread)->yields)
            threads &= ~HD_EXPLORE_BIT(thread);
        else if (path->events.length && thread > hd_vec_last(&path->events)->thread)
            higher |= HD_EXPLORE_BIT(thread);
    }
    if (manner == IN_TURNS)
        return hd_explore_set_first(hd_explore_set_any(higher) ? higher : threads);
    return hd_explore_set_last(threads);
}

/* To its end. */
static void learn_run(hd_explore_search *search, enum manner manner) {
    hd_explore_path *path = &search->path;
    enum { MOST_STEPS = 10000 };
    uint64_t most = search->options->most_length;
    while (hd_explore_set_any(path->enabled) && path->events.length < MOST_STEPS &&
           (!most || path->events.length < most)) {
        hd_explore_look_at_clock(search);
        if (search->stop || search->halt || hd_machine_changed(path->machine) ||
            hd_explore_push(path, choose_thread(path, manner), 0) != HD_MACHINE_WENT_ON)
            break;
    }
    while (path->events.length)
        hd_explore_pop(path);
}

void hd_explore_learn(hd_explore_search *search) {
    hd_explore_path *path = &search->path;
    if (path->machine->type->ahead || path->learnt)
        return;
    hd_explore_collide *collide = path->collide;
    path->collide = NULL; /* what there is to tell is told when it is met again */
    path->learnt = hd_explore_learnt_new(path->threads);
    uint32_t lessons = search->options->lessons;
    for (uint32_t i = 0; i < MANNERS && (!lessons || i < lessons) && !search->stop; i++)
        learn_run(search, (enum manner)i);
    path->collide = collide;
}
