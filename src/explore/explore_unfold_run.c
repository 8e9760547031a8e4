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

/* What a thread does next, and with which sources it waits. */
static void look_at(hd_unfold *u, const hd_explore_operation *next,
                    const hd_machine_access *accesses) {
    uint32_t at = u->at.data[next->thread];
    hd_explore_unfold_describe(u, at, next, accesses);
    if (next->runs && !next->enabled && !next->cut && !hd_unfold_locks(u, next, accesses))
        hd_explore_unfold_note_blocked(u, at, next, accesses);
}

static void look_at_thread(hd_unfold *u, uint32_t thread, bool over) {
    const hd_explore_path *path = &u->search->path;
    const hd_explore_operation *next = hd_explore_next(path, thread);
    if (!over || !next->runs)
        look_at(u, next, path->accesses.data + next->accesses);
}

/* Before the first step. */
static void look_around(hd_unfold *u) {
    const hd_explore_path *path = &u->search->path;
    hd_explore_unfold_grow(u, path->machine->locations);
    for (uint32_t t = 0; t < u->threads; t++)
        look_at_thread(u, t, is_over(path));
}

/* After a step: of the others only those were asked again that it has met.  What the rest do, and
 * with which sources they wait, is as it was. */
static void look_after_step(hd_unfold *u) {
    const hd_explore_path *path = &u->search->path;
    const hd_explore_event *last = hd_vec_last(&path->events);
    hd_explore_unfold_grow(u, path->machine->locations);
    look_at_thread(u, last->thread, is_over(path));
    for (uint32_t i = last->operations; i < path->operations.length; i++)
        if (path->operations.data[i].thread != last->thread)
            look_at_thread(u, path->operations.data[i].thread, is_over(path));
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

static void forget_overwritten(hd_unfold *u, size_t mark) {
    while (u->overwritten.length > mark) {
        hd_unfold_want was = hd_vec_pop(&u->overwritten);
        u->last.data[was.location] = was.source;
    }
}

/* Takes back what note_writes has done. */
static void forget_writes(hd_unfold *u) {
    const hd_unfold_event *e = hd_unfold_at(u, hd_vec_pop(&u->run));
    forget_overwritten(u, hd_vec_pop(&u->marks));
    u->at.data[e->thread] = e->parent;
}

/* What a blind run shows after so many steps. */
static void forget_entries(hd_unfold *u, size_t length) {
    while (u->entries.length && hd_vec_last(&u->entries)->step >= length)
        u->shown.length = hd_vec_pop(&u->entries).sources;
}

void hd_explore_unfold_run_back(hd_unfold *u, size_t length) {
    while (u->run.length > length) {
        forget_writes(u);
        hd_explore_pop(&u->search->path);
    }
    if (u->seen.length > length)
        u->seen.length = length;
    forget_entries(u, length);
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
static bool is_same(hd_unfold *u, uint32_t event, bool added, uint64_t print, bool fails) {
    hd_unfold_event *e = hd_unfold_at(u, event);
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

/* Takes a step of the path, and looks at what it does. */
static hd_unfold_seen push_step(hd_explore_path *path, uint32_t thread, uint32_t choice) {
    hd_machine *machine = path->machine;
    bool ends = hd_explore_next(path, thread)->ends;
    enum hd_machine_result result = hd_explore_push(path, thread, choice);
    bool prints = machine->type->print && !hd_machine_changed(machine);
    return (hd_unfold_seen){.result = result,
                            .print = prints ? machine->type->print(machine) : 0,
                            .ends = ends,
                            .over = is_over(path)};
}

/* A step of the run was taken: its event is known from now on. */
static void enter_step(hd_unfold *u, uint32_t event, bool added, hd_unfold_seen seen) {
    note_writes(u, event);
    if (added)
        add_choices(u, event);
    if (!hd_machine_changed(u->search->path.machine) &&
        !is_same(u, event, added, seen.print, seen.ends || seen.result != HD_MACHINE_WENT_ON))
        hd_explore_differ(u->search, "a step that was to be the same finds or does another thing");
    if (seen.result != HD_MACHINE_WENT_ON || !added)
        return;
    if (releases_other(u, event))
        hd_explore_differ(u->search, "a lock that another thread than its holder releases");
    if (!seen.ends)
        hd_explore_unfold_enter(u, event);
}

static enum hd_machine_result take_step(hd_unfold *u, uint32_t thread, uint32_t choice,
                                        bool *added) {
    hd_explore_path *path = &u->search->path;
    const hd_explore_operation *next = hd_explore_next(path, thread);
    uint32_t event = hd_explore_unfold_intern(u, u->at.data[thread], next,
                                              path->accesses.data + next->accesses, choice, added);
    hd_unfold_seen seen = push_step(path, thread, choice);
    enter_step(u, event, *added, seen);
    if (seen.result == HD_MACHINE_WENT_ON)
        look_after_step(u);
    return seen.result;
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

/* ---- What a blind run shows ----
 *
 * Who takes a step without entering it looks up which event it is, and writes down what is not
 * known, with its parent and its sources.  Then who leads looks at that alone, which is what all
 * others wait for. */

/* Would it tell something new that a thread has come to where it is? */
static bool tells_of(const hd_unfold *u, uint32_t thread, bool over) {
    const hd_explore_path *path = &u->search->path;
    const hd_explore_operation *next = hd_explore_next(path, thread);
    const hd_machine_access *accesses = path->accesses.data + next->accesses;
    uint32_t at = u->at.data[thread];
    if (over && next->runs)
        return false;
    if (at & HD_UNFOLD_NEW || !hd_unfold_at(u, at)->described)
        return true;
    for (uint32_t i = 0; i < next->count; i++)
        if (accesses[i].location >= u->locations)
            return true;
    return next->runs && !next->enabled && !next->cut && !hd_unfold_locks(u, next, accesses) &&
           !hd_explore_unfold_waits(u, at, u->last.data);
}

/* An operation, of the last step or after it. */
static void add_entry(hd_unfold *u, uint32_t number, bool taken) {
    const hd_explore_path *path = &u->search->path;
    const hd_explore_operation *operation = &path->operations.data[number];
    hd_vec_push(&u->entries, (hd_unfold_entry){.step = (uint32_t)path->events.length - 1,
                                               .at = u->at.data[operation->thread],
                                               .operation = number,
                                               .sources = (uint32_t)u->shown.length,
                                               .taken = taken});
    for (uint32_t i = 0; i < operation->count; i++) {
        uint32_t location = path->accesses.data[operation->accesses + i].location;
        hd_vec_push(&u->shown, location < u->last.length ? u->last.data[location] : 0);
    }
}

static void add_looks(hd_unfold *u, bool over) {
    const hd_explore_path *path = &u->search->path;
    const hd_explore_event *last = hd_vec_last(&path->events);
    if (tells_of(u, last->thread, over))
        add_entry(u, path->next[last->thread], false);
    for (uint32_t i = last->operations; i < path->operations.length; i++) {
        uint32_t thread = path->operations.data[i].thread;
        if (thread != last->thread && tells_of(u, thread, over))
            add_entry(u, i, false);
    }
}

/* A step of a blind run: its event is found by where the threads are.  `wanted`: which it should
 * be; 0: any. */
static enum hd_machine_result take_blindly(hd_unfold *u, uint32_t thread, uint32_t choice,
                                           uint32_t wanted) {
    hd_explore_path *path = &u->search->path;
    const hd_explore_operation *next = hd_explore_next(path, thread);
    uint32_t parent = u->at.data[thread], event = 0;
    if (!(parent & HD_UNFOLD_NEW))
        event =
            hd_explore_unfold_known(u, parent, next, path->accesses.data + next->accesses, choice);
    hd_unfold_seen seen = push_step(path, thread, choice);
    bool fails = seen.ends || seen.result != HD_MACHINE_WENT_ON;
    if (event && ((wanted && event != wanted) || hd_unfold_at(u, event)->print != seen.print ||
                  hd_unfold_at(u, event)->fails != fails))
        event = 0;
    if (!event)
        add_entry(u, hd_vec_last(&path->events)->operation, true);
    seen.event = event;
    hd_vec_push(&u->seen, seen);
    return seen.result;
}

/* May it be a write?  Of a location that is not known to the others yet, who leads will say. */
static bool may_write(const hd_unfold *u, const hd_machine_access *access) {
    enum { ANY = HD_MACHINE_WRITE | HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE };
    return access->location < u->locations ? hd_unfold_mode(u, access) & HD_MACHINE_WRITE
                                           : access->mode & ANY;
}

/* Its writes are the last ones, though they may be of no known event. */
static void note_blindly(hd_unfold *u) {
    const hd_explore_path *path = &u->search->path;
    uint32_t step = (uint32_t)path->events.length - 1;
    const hd_explore_operation *taken = hd_explore_taken(path, step);
    const hd_unfold_seen *seen = hd_vec_last(&u->seen);
    if (u->last.length < path->machine->locations)
        hd_vec_resize(&u->last, path->machine->locations);
    for (uint32_t i = 0; i < taken->count; i++) {
        const hd_machine_access *access = &path->accesses.data[taken->accesses + i];
        if (!may_write(u, access))
            continue;
        uint32_t *last = &u->last.data[access->location];
        hd_vec_push(&u->overwritten, (hd_unfold_want){access->location, *last});
        if (seen->event) {
            *last = hd_unfold_at(u, seen->event)->accesses + i;
            continue;
        }
        *last = HD_UNFOLD_NEW | (uint32_t)u->fresh.length;
        hd_vec_push(&u->fresh, (hd_unfold_written){step, i});
    }
    u->at.data[taken->thread] = seen->event ? seen->event : HD_UNFOLD_NEW | step;
    add_looks(u, seen->over);
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
    enum hd_machine_result result;
    if (u->blind) {
        result = take_blindly(u, thread, choice, event);
        note_writes(u, event);
        add_looks(u, hd_vec_last(&u->seen)->over);
    } else
        result = take_step(u, thread, choice, &added);
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
    if (!u->run.length && !u->saturated && !u->blind)
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

/* The next step of a run that goes on in any way; false: it is cut off, or no thread can. */
static bool find_step(hd_unfold *u, uint32_t *thread, uint32_t *choice, hd_step *step) {
    const hd_explore_path *path = &u->search->path;
    if (!hd_explore_set_any(path->enabled) || hd_explore_too_long(u->search) || u->search->stop)
        return false;
    bool goes_on = *thread != HD_EXPLORE_NONE && hd_explore_set_has(path->enabled, *thread);
    uint32_t next = goes_on ? *thread : hd_explore_foremost(path, path->enabled);
    *step = (hd_step){next, goes_on ? *choice : 0};
    *choice = 0; /* if the thread waits, that is known now */
    if (!path->machine->type->foresee)
        *thread = HD_EXPLORE_NONE;
    return true;
}

void hd_explore_unfold_run_on(hd_unfold *u, uint32_t thread, uint32_t choice) {
    const hd_explore_path *path = &u->search->path;
    enum hd_machine_result result = HD_MACHINE_WENT_ON;
    bool added = false;
    hd_step step;
    while (result == HD_MACHINE_WENT_ON && find_step(u, &thread, &choice, &step))
        result = take_step(u, step.thread, step.choice, &added);
    if (result != HD_MACHINE_WENT_ON || !hd_explore_set_any(path->enabled))
        end_run(u, result, added);
}

/* ---- Blind runs, and what they showed ---- */

/* Each run is an execution; of classes only those that are cut off are told here. */
static void end_blind_run(hd_unfold *u, hd_unfold_record *record) {
    const hd_explore_path *path = &u->search->path;
    bool failed = hd_vec_last(&u->seen)->result != HD_MACHINE_WENT_ON;
    if (!failed && hd_explore_set_any(path->enabled))
        return;
    record->ended = true;
    record->retries = !failed && hd_machine_retries(path->machine);
    if (!u->classes || (!failed && hd_explore_set_any(path->cut)))
        hd_explore_ended(u->search, failed ? hd_explore_end_by(hd_vec_last(&u->seen)->result)
                                           : HD_EXPLORE_DEADLOCK);
}

#define COPY(to, from)                                                                             \
    do {                                                                                           \
        hd_vec_reserve(to, (from)->length);                                                        \
        (to)->length = (from)->length;                                                             \
        if ((from)->length)                                                                        \
            memcpy((to)->data, (from)->data, (from)->length * sizeof *(from)->data);               \
    } while (0)

static void write_entry(const hd_unfold *u, const hd_unfold_entry *entry,
                        hd_unfold_record *record) {
    const hd_explore_path *path = &u->search->path;
    hd_explore_operation operation = path->operations.data[entry->operation];
    const hd_machine_access *accesses = path->accesses.data + operation.accesses;
    operation.accesses = (uint32_t)record->accesses.length;
    for (uint32_t i = 0; i < operation.count; i++)
        hd_vec_push(&record->accesses, accesses[i]);
    hd_vec_push(&record->operations, operation);
    hd_vec_push(&record->seen, u->seen.data[entry->step]);
    hd_vec_push(&record->choices, path->events.data[entry->step].choice);
}

static void write_record(const hd_unfold *u, hd_unfold_record *record) {
    const hd_explore_path *path = &u->search->path;
    const hd_explore_event *last = hd_vec_last(&path->events);
    record->locations = path->machine->locations;
    record->last = (hd_step){last->thread, last->choice};
    assert(u->seen.length == path->events.length);
    COPY(&record->entries, &u->entries);
    COPY(&record->sources, &u->shown);
    COPY(&record->written, &u->fresh);
    hd_vec_clear(&record->operations);
    hd_vec_clear(&record->seen);
    hd_vec_clear(&record->choices);
    hd_vec_clear(&record->accesses);
    for (size_t i = 0; i < u->entries.length; i++)
        write_entry(u, &u->entries.data[i], record);
    hd_vec_clear(&record->events);
    for (size_t i = 0; i < u->seen.length; i++)
        hd_vec_push(&record->events, u->seen.data[i].event);
    hd_vec_clear(&record->at);
    if (!u->classes)
        COPY(&record->at, &u->at);
}

bool hd_explore_unfold_run_blindly(hd_unfold *u, uint32_t thread, uint32_t choice,
                                   hd_unfold_record *record) {
    hd_explore_path *path = &u->search->path;
    hd_step step;
    record->ended = false;
    if (!hd_explore_unfold_run_along(u, u->plan.data, u->plan.length, thread))
        return false;
    size_t mark = u->overwritten.length;
    COPY(&u->next, &u->at);
    hd_vec_clear(&u->fresh);
    while (find_step(u, &thread, &choice, &step) &&
           take_blindly(u, step.thread, step.choice, 0) == HD_MACHINE_WENT_ON)
        note_blindly(u);
    bool good = !u->search->stop && u->seen.length && !hd_machine_changed(path->machine);
    if (good) {
        write_record(u, record);
        end_blind_run(u, record);
    }
    forget_overwritten(u, mark);
    COPY(&u->at, &u->next);
    while (path->events.length > u->run.length)
        hd_explore_pop(path);
    u->seen.length = u->run.length;
    forget_entries(u, u->run.length);
    return good;
}

/* A failure counts once in each class, and so does a step that ends all threads: who leads runs it
 * again, as only now it is known that it is new. */
static void show_again(hd_unfold *u, const hd_unfold_record *record) {
    bool added;
    hd_vec_clear(&u->plan);
    for (size_t i = 0; i + 1 < record->events.length; i++)
        hd_vec_push(&u->plan, record->events.data[i] ? record->events.data[i] : u->next.data[i]);
    if (hd_explore_unfold_run_along(u, u->plan.data, u->plan.length, HD_EXPLORE_NONE)) {
        enum hd_machine_result result =
            take_step(u, record->last.thread, record->last.choice, &added);
        hd_explore_ended(u->search, result == HD_MACHINE_WENT_ON ? HD_EXPLORE_DEADLOCK
                                                                 : hd_explore_end_by(result));
    }
    hd_explore_unfold_run_back(u, 0);
}

/* Events and accesses of a record, as they are known now; those of its steps are in u->next. */
static uint32_t event_now(const hd_unfold *u, uint32_t event) {
    return event & HD_UNFOLD_NEW ? u->next.data[event & ~HD_UNFOLD_NEW] : event;
}

static uint32_t source_now(const hd_unfold *u, const hd_unfold_record *record, uint32_t source) {
    if (!(source & HD_UNFOLD_NEW))
        return source;
    hd_unfold_written written = record->written.data[source & ~HD_UNFOLD_NEW];
    return hd_unfold_at(u, u->next.data[written.step])->accesses + written.number;
}

/* Where the run was then, as far as the operation depends on it; and nowhere again. */
static void go_to_entry(hd_unfold *u, const hd_unfold_record *record, size_t number) {
    const hd_unfold_entry *entry = &record->entries.data[number];
    const hd_explore_operation *operation = &record->operations.data[number];
    for (uint32_t i = 0; i < operation->count; i++)
        u->last.data[record->accesses.data[operation->accesses + i].location] =
            source_now(u, record, record->sources.data[entry->sources + i]);
    u->at.data[operation->thread] = event_now(u, entry->at);
}

static void leave_entry(hd_unfold *u, const hd_unfold_record *record, size_t number) {
    const hd_explore_operation *operation = &record->operations.data[number];
    for (uint32_t i = 0; i < operation->count; i++)
        u->last.data[record->accesses.data[operation->accesses + i].location] = 0;
    u->at.data[operation->thread] = operation->thread + 1;
}

/* True if it is a step whose event was not known. */
static bool enter_one(hd_unfold *u, const hd_unfold_record *record, size_t number) {
    const hd_unfold_entry *entry = &record->entries.data[number];
    const hd_explore_operation *operation = &record->operations.data[number];
    const hd_machine_access *accesses = record->accesses.data + operation->accesses;
    bool added = false;
    go_to_entry(u, record, number);
    if (entry->taken) {
        uint32_t event = hd_explore_unfold_intern(u, u->at.data[operation->thread], operation,
                                                  accesses, record->choices.data[number], &added);
        u->next.data[entry->step] = event;
        enter_step(u, event, added, record->seen.data[number]);
        forget_writes(u);
    } else
        look_at(u, operation, accesses);
    leave_entry(u, record, number);
    return added;
}

/* A run has ended where all threads that are left wait. */
static void note_stuck(hd_unfold *u, const hd_unfold_record *record) {
    bool new;
    hd_vec_clear(&u->targets);
    for (size_t t = 0; t < record->at.length; t++)
        hd_vec_push(&u->targets, event_now(u, record->at.data[t]));
    hd_map_at(&u->stuck, hd_explore_unfold_hash(u, u->targets.data), &new);
}

void hd_explore_unfold_enter_record(hd_unfold *u, const hd_unfold_record *record) {
    uint32_t last = (uint32_t)record->events.length - 1;
    bool added = false; /* the last step */
    assert(!u->run.length && record->events.length);
    hd_explore_unfold_grow(u, record->locations);
    hd_vec_resize(&u->next, record->events.length);
    for (size_t i = 0; i < record->entries.length && !u->search->stop; i++)
        added |= enter_one(u, record, i) && record->entries.data[i].step == last;
    if (!record->ended || u->search->stop)
        return;
    uint32_t event = record->events.data[last] ? record->events.data[last] : u->next.data[last];
    bool ends = hd_unfold_at(u, event)->fails;
    if (!u->classes && !ends && !record->retries)
        note_stuck(u, record);
    if (u->classes && added && ends)
        show_again(u, record);
}

void hd_explore_unfold_record_release(hd_unfold_record *record) {
    hd_vec_release(&record->entries);
    hd_vec_release(&record->operations);
    hd_vec_release(&record->seen);
    hd_vec_release(&record->choices);
    hd_vec_release(&record->sources);
    hd_vec_release(&record->written);
    hd_vec_release(&record->events);
    hd_vec_release(&record->at);
    hd_vec_release(&record->accesses);
}
