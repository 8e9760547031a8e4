#include "explore_symmetry.h"

#include <stdlib.h>

#include "explore_path_races.h"
#include "explore_without.h"

static const char *created_apart = "their creator does something else between creating them";
static const char *born_apart = "they are not always created in the same way";
static const char *joined_apart = "something comes after the end of some of them, not of all";

/* ---- Classes ---- */

static void release(hd_explore_symmetry *s) {
    free(s->class_of);
    free(s->before);
    free(s->milestone);
    free(s->creator);
    free(s->members);
    free(s->joined);
    hd_vec_release(&s->joined_before);
    hd_map_release(&s->own_places);
    free(s);
}

/* The machine names of each class its first thread. */
static hd_explore_symmetry *find_classes(const hd_explore_path *path, uint32_t *count) {
    uint32_t threads = path->threads;
    hd_explore_symmetry *s = HD_NEW(hd_explore_symmetry);
    uint32_t *last = HD_NEW_ARRAY(uint32_t, threads + 1);
    s->class_of = HD_NEW_ARRAY(uint32_t, threads + 1);
    s->before = HD_NEW_ARRAY(uint32_t, threads + 1);
    s->milestone = HD_NEW_ARRAY(uint32_t, threads + 1);
    s->creator = HD_NEW_ARRAY(uint32_t, threads + 1);
    s->members = HD_NEW_ARRAY(hd_explore_set, threads + 1);
    s->joined = HD_NEW_ARRAY(hd_explore_set, threads + 1);
    *count = 0;
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t creator = HD_EXPLORE_NONE;
        uint32_t first = path->machine->type->alike(path->machine, t, &creator);
        assert(first <= t);
        s->before[t] = s->class_of[t] = HD_EXPLORE_NONE;
        last[t] = t;
        if (first == t)
            continue;
        if (s->class_of[first] == HD_EXPLORE_NONE) {
            s->class_of[first] = (*count)++;
            s->members[s->class_of[first]] = HD_EXPLORE_BIT(first);
            s->creator[s->class_of[first]] = creator;
        }
        s->class_of[t] = s->class_of[first];
        s->members[s->class_of[t]] |= HD_EXPLORE_BIT(t);
        s->before[t] = last[first];
        last[first] = t;
    }
    free(last);
    return s;
}

/* ---- Places ---- */

enum { CHANGES = HD_MACHINE_WRITE | HD_MACHINE_ACQUIRE, MOST = 1 << 14 };

/* Of each location: who used it, as a class and one of its threads, or several. */
typedef struct use {
    uint32_t class, thread;
    bool several;
} use;

static void note_uses(const hd_explore_path *path, const hd_explore_symmetry *s, use *uses) {
    for (uint32_t k = 0; k < path->events.length; k++) {
        const hd_explore_operation *taken = hd_explore_taken(path, k);
        uint32_t class = s->class_of[taken->thread];
        for (uint32_t i = 0; class != HD_EXPLORE_NONE && i < taken->count; i++) {
            use *u = &uses[path->accesses.data[taken->accesses + i].location];
            u->several |= u->class == class + 1 && u->thread != taken->thread;
            u->class = class + 1;
            u->thread = taken->thread;
        }
    }
}

static bool meets_there(const hd_explore_path *path, const hd_explore_operation *taken,
                        const use *uses) {
    const hd_machine_access *accesses = path->accesses.data + taken->accesses;
    for (uint32_t i = 0; i < taken->count; i++)
        if (accesses[i].mode & CHANGES && uses[accesses[i].location].several)
            return true;
    return false;
}

/* By one execution of the program as it is. */
static void find_places(hd_explore_path *path, hd_explore_symmetry *s) {
    enum hd_machine_result result = HD_MACHINE_WENT_ON;
    while (result == HD_MACHINE_WENT_ON && hd_explore_set_any(path->enabled) &&
           path->events.length < MOST && !hd_machine_changed(path->machine) && !hd_stop_asked())
        result = hd_explore_push(path, hd_explore_foremost(path, path->enabled), 0);
    use *uses = HD_NEW_ARRAY(use, path->locations + 1);
    note_uses(path, s, uses);
    for (uint32_t k = 0; k < path->events.length; k++) {
        const hd_explore_operation *taken = hd_explore_taken(path, k);
        if (s->class_of[taken->thread] != HD_EXPLORE_NONE && meets_there(path, taken, uses))
            *hd_map_at(&s->own_places, taken->position, NULL) = 1;
    }
    free(uses);
    while (path->events.length)
        hd_explore_pop(path);
}

void hd_explore_symmetry_begin(hd_explore_path *path, const hd_explore_symmetry *first) {
    uint32_t count = 0;
    assert(!path->events.length && !path->symmetry);
    if (!path->machine->type->alike)
        return;
    hd_explore_symmetry *s = find_classes(path, &count);
    if (!count) {
        release(s);
        return;
    }
    if (!first)
        find_places(path, s);
    s->places = first ? first->places : &s->own_places;
    path->symmetry = s;
    path->tokens = count;
    path->result->classes = count;
    for (uint32_t i = 0; i < count; i++)
        path->result->alike += hd_explore_set_count(s->members[i]);
    hd_explore_path_renew(path);
}

void hd_explore_symmetry_release(hd_explore_path *path) {
    if (path->symmetry)
        release(path->symmetry);
    path->symmetry = NULL;
}

/* ---- Milestones ---- */

/* Not by what the operation does now: one that writes in some states only, such as a
 * compare-and-swap, would be a milestone in these. */
bool hd_explore_symmetry_marks(const hd_explore_path *path, uint32_t thread,
                               const hd_machine_operation *operation) {
    const hd_explore_symmetry *s = path->symmetry;
    if (s->class_of[thread] == HD_EXPLORE_NONE || s->milestone[thread] || operation->idle)
        return false;
    return !s->places->length || hd_map_find(s->places, operation->position);
}

bool hd_explore_symmetry_holds(const hd_explore_path *path, uint32_t thread) {
    uint32_t before = path->symmetry->before[thread];
    return before != HD_EXPLORE_NONE && !path->symmetry->milestone[before];
}

static bool is_milestone(const hd_explore_path *path, const hd_explore_operation *operation) {
    return operation->count && path->accesses.data[operation->accesses].location < path->tokens;
}

uint32_t hd_explore_symmetry_before(const hd_explore_path *path,
                                    const hd_explore_operation *operation) {
    if (!path->symmetry || !is_milestone(path, operation))
        return 0;
    uint32_t before = path->symmetry->before[operation->thread];
    return before == HD_EXPLORE_NONE ? 0 : path->symmetry->milestone[before];
}

bool hd_explore_symmetry_waits(const hd_explore_path *path) {
    for (uint32_t t = 0; path->symmetry && t < path->threads; t++)
        if (hd_explore_next(path, t)->held)
            return true;
    return false;
}

/* ---- What tells threads apart ---- */

static hd_explore_set created(const hd_explore_path *path, uint32_t class) {
    hd_explore_set all = HD_EXPLORE_NO_THREADS;
    HD_EXPLORE_EACH(rest, path->symmetry->members[class]) {
        uint32_t thread = hd_explore_set_first(rest);
        if (path->last_event[thread] || !hd_explore_next(path, thread)->idle)
            all |= HD_EXPLORE_BIT(thread);
    }
    return all;
}

/* Some are there, some are not: the creator's next step must create one. */
static bool is_partial(const hd_explore_path *path, uint32_t class, hd_explore_set *now) {
    *now = created(path, class);
    return hd_explore_set_any(*now) && hd_explore_set_any(path->symmetry->members[class] & ~*now);
}

void hd_explore_symmetry_check(hd_explore_path *path, const hd_explore_operation *operation) {
    hd_explore_symmetry *s = path->symmetry;
    s->partial = HD_EXPLORE_NONE;
    for (uint32_t i = 0; i < path->tokens; i++) {
        hd_explore_set joined =
            (s->joined[operation->thread] | operation->ended_before) & s->members[i];
        if (hd_explore_set_any(joined) && hd_explore_set_any(s->members[i] & ~joined) &&
            !operation->joins)
            s->broken = joined_apart;
        hd_explore_set now;
        if (s->creator[i] == operation->thread && is_partial(path, i, &now)) {
            s->partial = i;
            s->there = now;
        }
    }
}

/* Does the machine still say that they are all alike? */
static bool are_alike(const hd_explore_path *path, hd_explore_set threads) {
    HD_EXPLORE_EACH(rest, threads) {
        uint32_t thread = hd_explore_set_first(rest), creator;
        uint32_t class = path->symmetry->class_of[thread];
        if (path->machine->type->alike(path->machine, thread, &creator) !=
            hd_explore_set_first(path->symmetry->members[class]))
            return false;
    }
    return true;
}

void hd_explore_symmetry_created(hd_explore_path *path) {
    hd_explore_symmetry *s = path->symmetry;
    if (s->partial == HD_EXPLORE_NONE)
        return;
    hd_explore_set born = created(path, s->partial) & ~s->there;
    if (!hd_explore_set_any(born))
        s->broken = created_apart;
    else if (!are_alike(path, born))
        s->broken = born_apart;
}

const char *hd_explore_symmetry_end(const hd_explore_path *path) {
    for (uint32_t i = 0; path->symmetry && i < path->tokens; i++)
        if (!are_alike(path, path->symmetry->members[i]))
            return born_apart;
    return NULL;
}

void hd_explore_symmetry_passed(hd_explore_path *path, uint32_t event) {
    hd_explore_symmetry *s = path->symmetry;
    const hd_explore_operation *operation = hd_explore_taken(path, event);
    uint32_t thread = operation->thread;
    assert(s->joined_before.length == event);
    hd_vec_push(&s->joined_before, s->joined[thread]);
    s->joined[thread] |= operation->ended_before;
    assert(!is_milestone(path, operation) || !s->milestone[thread]);
    if (is_milestone(path, operation))
        s->milestone[thread] = event + 1;
}

void hd_explore_symmetry_forget(hd_explore_path *path, uint32_t event) {
    hd_explore_symmetry *s = path->symmetry;
    uint32_t thread = path->events.data[event].thread;
    if (s->milestone[thread] == event + 1)
        s->milestone[thread] = 0;
    s->joined[thread] = hd_vec_pop(&s->joined_before);
}
