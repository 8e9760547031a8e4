/*
 * Runs of the machine: every event of a run becomes known, with the operation after it.
 */
#include <math.h>

#include "explore_unfold.h"
#include "explore_without.h"

/* Did the last step end all threads, whatever they would have done? */
static bool is_over(const hd_explore_path *path) {
    uint32_t length = (uint32_t)path->events.length;
    return length && (hd_explore_taken(path, length - 1)->ends ||
                      (path->machine->type->over && path->machine->type->over(path->machine)));
}

/* What the threads do next, and with which sources they wait. */
static void look_around(hd_unfold *u) {
    const hd_explore_path *path = &u->search->path;
    hd_explore_unfold_grow(u);
    bool over = is_over(path);
    for (uint32_t t = 0; t < u->threads; t++) {
        const hd_explore_operation *next = hd_explore_next(path, t);
        if (over && next->runs)
            continue;
        hd_explore_unfold_describe(u, u->at.data[t], next);
        if (next->runs && !next->enabled && !next->cut && !hd_unfold_locks(u, next))
            hd_explore_unfold_note_blocked(u, u->at.data[t], next, u->last.data);
    }
}

static void note_writes(hd_unfold *u, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    hd_vec_push(&u->run, event);
    hd_vec_push(&u->marks, (uint32_t)u->overwritten.length);
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t location = u->accesses.data[e->accesses + i].location;
        if (!(u->accesses.data[e->accesses + i].mode & HD_MACHINE_WRITE))
            continue;
        hd_vec_push(&u->overwritten, (hd_unfold_want){location, u->last.data[location]});
        u->last.data[location] = e->accesses + i;
    }
    u->at.data[e->thread] = event;
}

void hd_explore_unfold_run_back(hd_unfold *u, size_t length) {
    while (u->run.length > length) {
        const hd_unfold_event *e = hd_unfold_at(u, hd_vec_pop(&u->run));
        uint32_t mark = hd_vec_pop(&u->marks);
        while (u->overwritten.length > mark) {
            hd_unfold_want was = hd_vec_pop(&u->overwritten);
            u->last.data[was.location] = was.source;
        }
        u->at.data[e->thread] = e->parent;
        hd_explore_pop(&u->search->path);
    }
}

void hd_explore_unfold_report(hd_unfold *u) {
    if (u->search->due)
        hd_explore_report(u->search, INFINITY);
}

/* The other ways of an operation that has several. */
static void add_choices(hd_unfold *u, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    for (uint32_t choice = 1; HD_EXPLORE_CURE(20) && choice < e->choices && e->choice == 0;
         choice++) {
        uint32_t first = (uint32_t)u->wants.length;
        for (uint32_t i = 0; i < e->count; i++) {
            const hd_unfold_access *access = &u->accesses.data[e->accesses + i];
            if (access->mode & HD_MACHINE_READ)
                hd_vec_push(&u->wants, (hd_unfold_want){access->location, access->source});
        }
        hd_vec_push(&u->agenda, (hd_unfold_candidate){.event = e->parent,
                                                      .choice = choice,
                                                      .wants = first,
                                                      .count = (uint32_t)u->wants.length - first});
    }
}

/* Did a known event do and find the same again? */
static bool is_same(hd_unfold *u, uint32_t event, bool added, bool fails) {
    hd_machine *machine = u->search->path.machine;
    hd_unfold_event *e = hd_unfold_at(u, event);
    uint64_t print = machine->type->print ? machine->type->print(machine) : 0;
    if (!added)
        return e->print == print && e->fails == fails;
    e->print = print;
    e->fails = fails;
    if (fails)
        hd_unfold_at(u, e->parent)->may_end = true;
    return true;
}

/* Does it release a lock that its thread does not have? */
static bool releases_other(const hd_unfold *u, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(u, event), *before = hd_unfold_at(u, e->parent);
    for (uint32_t i = 0; i < e->count; i++) {
        const hd_unfold_access *access = &u->accesses.data[e->accesses + i];
        bool held = !(access->mode & HD_MACHINE_RELEASE);
        for (uint32_t k = 0; k < before->held && !held; k++)
            held = u->holds.data[before->holds + k] == access->location;
        if (!held)
            return true;
    }
    return false;
}

static enum hd_machine_result take_step(hd_unfold *u, uint32_t thread, uint32_t choice,
                                        bool *added) {
    hd_explore_path *path = &u->search->path;
    uint32_t event = hd_explore_unfold_intern(u, u->at.data[thread], hd_explore_next(path, thread),
                                              choice, u->last.data, added);
    bool ends = hd_explore_next(path, thread)->ends;
    enum hd_machine_result result = hd_explore_push(path, thread, choice);
    note_writes(u, event);
    if (*added)
        add_choices(u, event);
    if (!hd_machine_changed(path->machine) &&
        !is_same(u, event, *added, ends || result != HD_MACHINE_WENT_ON))
        hd_explore_differ(u->search, "a step that was to be the same finds or does another thing");
    if (result == HD_MACHINE_WENT_ON && *added && releases_other(u, event))
        hd_explore_differ(u->search, "a lock that another thread than its holder releases");
    if (result == HD_MACHINE_WENT_ON && *added && !ends)
        hd_explore_unfold_enter(u, event);
    if (result == HD_MACHINE_WENT_ON)
        look_around(u);
    return result;
}

/* What the machine will be asked for. */
static void foresee(hd_unfold *u, const uint32_t *events, size_t count, uint32_t first) {
    hd_machine *machine = u->search->path.machine;
    hd_steps steps = {0};
    if (!machine->type->foresee)
        return;
    for (size_t i = 0; i < count; i++) {
        const hd_unfold_event *e = hd_unfold_at(u, events[i]);
        hd_vec_push(&steps, (hd_step){e->thread, e->choice});
    }
    machine->type->foresee(machine, steps.data, steps.length, first);
    hd_vec_release(&steps);
}

/* Takes a known event; false if that is not what happens. */
static bool take_known(hd_unfold *u, uint32_t event) {
    const hd_unfold_event *e = hd_unfold_at(u, event);
    uint32_t thread = e->thread, choice = e->choice;
    bool added = false;
    if (hd_explore_too_long(u->search))
        return false;
    if (!hd_explore_set_has(u->search->path.enabled, thread)) {
        hd_explore_differ(u->search, "a thread that should go on waits");
        return false;
    }
    if (u->saturated) { /* there is nothing to learn */
        hd_explore_push(&u->search->path, thread, choice);
        note_writes(u, event);
        return true;
    }
    enum hd_machine_result result = take_step(u, thread, choice, &added);
    if (hd_machine_changed(u->search->path.machine))
        return !hd_explore_too_long(u->search);
    if (added || *hd_vec_last(&u->run) != event || result != HD_MACHINE_WENT_ON)
        hd_explore_differ(u->search, "a step that was to be the same finds or does another thing");
    return !u->search->stop;
}

bool hd_explore_unfold_run_along(hd_unfold *u, const uint32_t *events, size_t count,
                                 uint32_t first) {
    size_t same = 0;
    while (same < count && same < u->run.length && u->run.data[same] == events[same])
        same++;
    hd_explore_unfold_run_back(u, same);
    if (!u->run.length && !u->saturated)
        look_around(u);
    foresee(u, events + same, count - same, first);
    for (size_t i = same; i < count; i++)
        if (!take_known(u, events[i]))
            return false;
    return true;
}

bool hd_explore_unfold_run_step(hd_unfold *u, uint32_t thread) {
    bool added;
    if (u->search->stop || !hd_explore_set_has(u->search->path.enabled, thread))
        return false;
    return take_step(u, thread, 0, &added) == HD_MACHINE_WENT_ON && !u->search->stop;
}

/* In a class each failure counts once, and each step that ends all threads; otherwise every run
 * does. */
static void end_run(hd_unfold *u, enum hd_machine_result result, bool added) {
    hd_explore_search *search = u->search;
    bool ends = u->run.length && hd_unfold_at(u, *hd_vec_last(&u->run))->fails;
    if (result != HD_MACHINE_WENT_ON) {
        if (!u->classes || added)
            hd_explore_ended(search, hd_explore_end_by(result));
    } else if (!u->classes || hd_explore_set_any(search->path.cut) || (ends && added)) {
        bool new;
        if (!ends && !hd_machine_retries(search->path.machine))
            hd_map_at(&u->stuck, hd_explore_unfold_hash(u, u->at.data), &new);
        hd_explore_ended(search, HD_EXPLORE_DEADLOCK);
    }
}

bool hd_explore_unfold_run_on(hd_unfold *u, uint32_t thread, uint32_t choice) {
    hd_explore_search *search = u->search;
    hd_explore_path *path = &search->path;
    bool news = false, added = false;
    if (thread != HD_EXPLORE_NONE && !hd_explore_set_has(path->enabled, thread))
        choice = 0; /* it waits: that is known now */
    while (hd_explore_set_any(path->enabled)) {
        if (hd_explore_too_long(search) || search->stop)
            return news;
        bool goes_on = thread != HD_EXPLORE_NONE && hd_explore_set_has(path->enabled, thread);
        uint32_t next = goes_on ? thread : hd_explore_foremost(path, path->enabled);
        enum hd_machine_result result = take_step(u, next, goes_on ? choice : 0, &added);
        news |= added;
        choice = 0;
        if (!path->machine->type->foresee)
            thread = HD_EXPLORE_NONE;
        if (result != HD_MACHINE_WENT_ON) {
            end_run(u, result, added);
            return news;
        }
    }
    end_run(u, HD_MACHINE_WENT_ON, added);
    return news;
}
