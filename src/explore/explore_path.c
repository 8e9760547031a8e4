#include "explore_learnt.h"
#include "explore_path_races.h"
#include "explore_symmetry.h"

#include <string.h>

/* ---- Locations ---- */

/* Tables for every location that the machine has by now. */
static void make_room(hd_explore_path *path) {
    uint32_t wanted = path->machine->locations + path->tokens;
    if (wanted <= path->locations)
        return;
    if (wanted < 2 * path->locations)
        wanted = 2 * path->locations;
    uint32_t added = wanted - path->locations;
    path->places = hd_mem_resize(path->places, wanted, sizeof *path->places);
    path->last_read =
        hd_mem_resize(path->last_read, (size_t)wanted * path->threads, sizeof *path->last_read);
    path->meetings = hd_mem_resize(path->meetings, wanted, sizeof *path->meetings);
    memset(path->meetings + path->locations, 0, added * sizeof *path->meetings);
    memset(path->places + path->locations, 0, added * sizeof *path->places);
    memset(path->last_read + (size_t)path->locations * path->threads, 0,
           (size_t)added * path->threads * sizeof *path->last_read);
    path->locations = wanted;
}

/* ---- Next operations ---- */

static void list_next(hd_explore_path *path, const hd_explore_operation *operation) {
    const hd_machine_access *accesses = path->accesses.data + operation->accesses;
    hd_explore_set thread = HD_EXPLORE_BIT(operation->thread);
    for (uint32_t i = 0; i < operation->count; i++) {
        assert(accesses[i].location < path->locations);
        hd_explore_place *place = &path->places[accesses[i].location];
        assert(!hd_explore_set_any((place->next_reads | place->next_writes) & thread));
        if (accesses[i].mode & HD_MACHINE_WRITES)
            place->next_writes |= thread;
        else
            place->next_reads |= thread;
    }
}

static void unlist_next(hd_explore_path *path, const hd_explore_operation *operation) {
    const hd_machine_access *accesses = path->accesses.data + operation->accesses;
    hd_explore_set others = ~HD_EXPLORE_BIT(operation->thread);
    for (uint32_t i = 0; i < operation->count; i++) {
        hd_explore_place *place = &path->places[accesses[i].location];
        assert(hd_explore_set_any((place->next_reads | place->next_writes) & ~others));
        place->next_reads &= others;
        place->next_writes &= others;
    }
}

static void sign_operation(hd_explore_operation *operation, const hd_machine_access *accesses) {
    for (uint32_t i = 0; i < operation->count; i++) {
        assert(i == 0 || accesses[i - 1].location < accesses[i].location);
        assert(accesses[i].mode);
        uint64_t bit = UINT64_C(1) << (accesses[i].location & 63);
        if (accesses[i].mode & HD_MACHINE_WRITES)
            operation->writes |= bit;
        else
            operation->reads |= bit;
        operation->acquires |= (accesses[i].mode & HD_MACHINE_ACQUIRE) != 0;
    }
}

/* By fields, as it was written: to read what was just written in smaller pieces is slow. */
static void copy_access(hd_explore_path *path, const hd_machine_access *from) {
    hd_machine_access *to = &path->accesses.data[path->accesses.length++];
    to->location = from->location + path->tokens;
    to->mode = from->mode;
}

/* The access of a milestone to its token comes before the others. */
static void add_token(hd_explore_path *path, hd_explore_operation *operation) {
    uint32_t thread = operation->thread;
    hd_vec_push(&path->accesses,
                (hd_machine_access){path->symmetry->class_of[thread], HD_MACHINE_ORDER});
    operation->count++;
    operation->held = operation->enabled && hd_explore_symmetry_holds(path, thread);
    operation->enabled &= !operation->held;
}

bool hd_explore_evaluate(hd_explore_path *path, uint32_t thread, hd_explore_operation *operation) {
    hd_machine_operation *found = &path->found;
    *found = (hd_machine_operation){0};
    *operation =
        (hd_explore_operation){.thread = thread, .accesses = (uint32_t)path->accesses.length};
    if (!path->machine->type->next(path->machine, thread, found))
        return false;
    operation->runs = true;
    operation->enabled = found->enabled;
    operation->awaits = found->awaits;
    operation->varies = found->varies;
    operation->joins = found->joins;
    operation->ends = found->ends;
    operation->idle = found->idle;
    operation->yields = found->yields;
    operation->ended_before = hd_explore_set_from(found->ended_before, found->ended_more);
    operation->memory = found->memory;
    operation->order = found->order;
    operation->updates = found->updates;
    operation->fails = found->fails;
    operation->fence = found->fence;
    operation->position = found->position;
    operation->choices = found->choices;
    operation->count = found->count;
    if (path->symmetry && hd_explore_symmetry_marks(path, thread, found))
        add_token(path, operation);
    hd_vec_reserve(&path->accesses, path->accesses.length + found->count);
    for (uint32_t i = 0; i < found->count; i++)
        copy_access(path, &found->accesses[i]);
    sign_operation(operation, path->accesses.data + operation->accesses);
    return operation->enabled;
}

/* Was the last step one after which no thread goes on?  What the others would have done then
 * is a race with it. */
static bool is_over(const hd_explore_path *path) {
    return path->events.length && hd_explore_taken(path, (uint32_t)path->events.length - 1)->ends;
}

static bool is_at_limit(const hd_explore_path *path, uint32_t thread) {
    uint32_t last = path->last_event[thread];
    return path->most && last && path->events.data[last - 1].sequence >= path->most;
}

/* Asks the machine what the thread does next.  The operation is made in its place: to copy what was
 * just written field by field is slow. */
static void look_at_next(hd_explore_path *path, uint32_t thread) {
    hd_explore_set bit = HD_EXPLORE_BIT(thread);
    path->enabled &= ~bit;
    path->running &= ~bit;
    path->cut &= ~bit;
    hd_vec_reserve(&path->operations, path->operations.length + 1);
    hd_explore_operation *operation = path->operations.data + path->operations.length;
    bool enabled = hd_explore_evaluate(path, thread, operation);
    if (enabled && is_at_limit(path, thread)) {
        operation->cut = true;
        operation->enabled = false;
        path->cut |= bit;
    } else if (enabled)
        path->enabled |= bit;
    if (operation->runs && !operation->cut && (!operation->idle || is_over(path)))
        path->running |= bit;
    assert(!(operation->enabled && operation->idle));
    assert(!hd_explore_set_any(path->enabled & ~path->running));
    assert(!hd_explore_set_any(path->running & path->cut));
    operation->before = path->next[thread];
    path->next[thread] = (uint32_t)path->operations.length++;
    make_room(path);
    list_next(path, operation);
    if (path->learnt && !operation->enabled)
        hd_explore_learn_wait(path, thread);
    if (path->learnt && path->events.length && operation->runs && !operation->idle &&
        path->operations.data[operation->before].idle)
        hd_explore_learn_birth(path, thread);
}

static hd_explore_set threads_met(const hd_explore_path *path,
                                  const hd_explore_operation *operation) {
    const hd_machine_access *accesses = path->accesses.data + operation->accesses;
    hd_explore_set met = HD_EXPLORE_NO_THREADS;
    for (uint32_t i = 0; i < operation->count; i++) {
        const hd_explore_place *place = &path->places[accesses[i].location];
        met |= place->next_writes;
        if (accesses[i].mode & HD_MACHINE_WRITES)
            met |= place->next_reads;
    }
    return met & ~HD_EXPLORE_BIT(operation->thread);
}

hd_explore_set hd_explore_meets(const hd_explore_path *path, uint32_t thread) {
    return threads_met(path, hd_explore_next(path, thread));
}

#ifndef NDEBUG
/* Every thread's operation is what the machine says. */
static bool all_current(const hd_explore_path *path) {
    for (uint32_t thread = 0; thread < path->threads; thread++) {
        hd_machine_operation now;
        const hd_explore_operation *known = hd_explore_next(path, thread);
        bool runs = path->machine->type->next(path->machine, thread, &now);
        if (runs != known->runs)
            return false;
        if (!runs || known->cut)
            continue;
        if (now.enabled != (known->enabled || known->held) || now.choices != known->choices)
            return false;
        if (!now.enabled) /* what a join orders grows with what the other thread has joined */
            continue;
        uint32_t token =
            known->count && path->accesses.data[known->accesses].location < path->tokens;
        if (now.count + token != known->count)
            return false;
        const hd_machine_access *accesses = path->accesses.data + known->accesses + token;
        for (uint32_t i = 0; i < now.count; i++)
            if (accesses[i].location != now.accesses[i].location + path->tokens ||
                accesses[i].mode != now.accesses[i].mode)
                return false;
    }
    return true;
}
#endif

/* After a step of `thread`: its own next operation, and those of others that the
 * step met and that are not the same in every state. */
static void look_again(hd_explore_path *path, uint32_t thread, hd_explore_set met) {
    bool ends = hd_explore_next(path, thread)->ends;
    unlist_next(path, hd_explore_next(path, thread));
    look_at_next(path, thread);
    HD_EXPLORE_EACH(rest, met) {
        uint32_t other = hd_explore_set_first(rest);
        const hd_explore_operation *operation = hd_explore_next(path, other);
        if (!operation->varies && !operation->awaits && !operation->acquires &&
            operation->enabled && !ends)
            continue;
        unlist_next(path, operation);
        look_at_next(path, other);
    }
    assert(hd_machine_changed(path->machine) || all_current(path));
}

uint32_t hd_explore_foremost(const hd_explore_path *path, hd_explore_set threads) {
    assert(hd_explore_set_any(threads) && !hd_explore_set_any(threads & ~path->enabled));
    uint32_t longest = hd_explore_set_first(threads);
    HD_EXPLORE_EACH(rest, threads) {
        uint32_t thread = hd_explore_set_first(rest);
        if (!hd_explore_next(path, thread)->yields)
            return thread;
        if (path->last_event[thread] < path->last_event[longest])
            longest = thread;
    }
    return longest;
}

uint32_t hd_explore_operation_at(const hd_explore_path *path, uint32_t thread, uint32_t event) {
    uint32_t operation = path->next[thread];
    while (operation >= path->events.data[event].operations)
        operation = path->operations.data[operation].before;
    assert(path->operations.data[operation].thread == thread);
    return operation;
}

bool hd_explore_dependent_exactly(const hd_explore_path *path, const hd_explore_operation *a,
                                  const hd_explore_operation *b) {
    return hd_machine_dependent(path->accesses.data + a->accesses, a->count,
                                path->accesses.data + b->accesses, b->count);
}

/* ---- Taking and taking back ---- */

static void note_undo(hd_explore_path *path, uint32_t location, uint8_t mode, uint32_t old,
                      hd_explore_set readers) {
    hd_explore_undo *undo = &path->undo.data[path->undo.length++];
    undo->location = location;
    undo->mode = mode;
    undo->old = old;
    undo->readers = readers;
}

static void note_accesses(hd_explore_path *path, const hd_explore_operation *operation,
                          uint32_t number) {
    const hd_machine_access *accesses = path->accesses.data + operation->accesses;
    hd_vec_reserve(&path->undo, path->undo.length + 2 * (size_t)operation->count);
    for (uint32_t i = 0; i < operation->count; i++) {
        hd_explore_place *place = &path->places[accesses[i].location];
        assert(place->last_write < number && place->last_acquire < number);
        assert(place->last_acquire <= place->last_write);
        uint32_t location = accesses[i].location;
        if (accesses[i].mode & HD_MACHINE_WRITES) {
            note_undo(path, location, HD_MACHINE_WRITE, place->last_write, place->readers);
            place->last_write = number;
            place->readers = HD_EXPLORE_NO_THREADS;
        } else {
            uint32_t *read = &path->last_read[(size_t)location * path->threads + operation->thread];
            assert(*read < number);
            note_undo(path, location, HD_MACHINE_READ, *read, place->readers);
            *read = number;
            place->readers |= HD_EXPLORE_BIT(operation->thread);
        }
        if (!(accesses[i].mode & HD_MACHINE_ACQUIRE))
            continue;
        note_undo(path, location, HD_MACHINE_ACQUIRE, place->last_acquire, place->readers);
        place->last_acquire = number;
    }
}

/* Of the event `number`, the last one, from this place in path->undo on. */
static void forget_accesses(hd_explore_path *path, uint32_t thread, uint32_t number,
                            uint32_t mark) {
    assert(path->undo.length >= mark);
    while (path->undo.length > mark) {
        const hd_explore_undo *undo = &path->undo.data[--path->undo.length];
        hd_explore_place *place = &path->places[undo->location];
        if (undo->mode == HD_MACHINE_ACQUIRE) {
            assert(place->last_acquire == number);
            place->last_acquire = undo->old;
            continue;
        }
        place->readers = undo->readers;
        uint32_t *last = undo->mode == HD_MACHINE_WRITE
                             ? &place->last_write
                             : &path->last_read[(size_t)undo->location * path->threads + thread];
        assert(*last == number && undo->old < number);
        *last = undo->old;
    }
    (void)number;
}

static void forget_operations(hd_explore_path *path, const hd_explore_event *event) {
    while (path->operations.length > event->operations) {
        const hd_explore_operation *operation = &path->operations.data[--path->operations.length];
        assert(path->next[operation->thread] == path->operations.length);
        unlist_next(path, operation);
        path->next[operation->thread] = operation->before;
        list_next(path, &path->operations.data[operation->before]);
    }
    assert(path->accesses.length >= event->accesses);
    path->accesses.length = event->accesses;
    path->enabled = event->enabled;
    path->running = event->running;
    path->cut = event->cut;
}

/* Is nothing but the last event after this one, the last of its thread? */
static bool is_maximal(const hd_explore_path *path, uint32_t event) {
    uint32_t last = (uint32_t)path->events.length - 1;
    for (uint32_t t = 0; t < path->threads; t++) {
        uint32_t other = path->last_event[t];
        if (other == last + 1)
            other = path->events.data[last].previous;
        if (other && other - 1 != event && hd_explore_before(path, event, other - 1))
            return false;
    }
    return true;
}

/* Does the event's clock have every event of the path? */
static bool is_after_all(const hd_explore_path *path, uint32_t event) {
    for (uint32_t k = 0; k < path->events.length; k++)
        if (!hd_explore_before(path, k, event))
            return false;
    return true;
}

/* The last event failed: it is after all others, and in a race with those that
 * nothing else is after, unless it had to wait for them. */
static void put_after_all(hd_explore_path *path) {
    uint32_t last = (uint32_t)path->events.length - 1;
    hd_explore_event *event = &path->events.data[last];
    int32_t *clock = path->clocks.data + (size_t)last * path->stride;
    for (uint32_t t = 0; t < path->threads; t++) {
        uint32_t number = path->last_event[t];
        if (!number || t == event->thread)
            continue;
        bool ordered = clock[t] >= (int32_t)path->events.data[number - 1].sequence;
        if (!ordered && is_maximal(path, number - 1)) {
            size_t known = event->races;
            while (known < path->races.length && path->races.data[known].event != number - 1)
                known++;
            if (known == path->races.length)
                hd_vec_push(&path->races,
                            (hd_explore_race){.event = number - 1,
                                              .others = number == last ? last - 1 : last,
                                              .of_failure = true});
        }
    }
    for (uint32_t t = 0; t < path->threads; t++)
        if (path->last_event[t] && t != event->thread)
            hd_explore_clock_join(clock, hd_explore_clock(path, path->last_event[t] - 1),
                                  path->stride);
    HD_COSTLY_ASSERT(is_after_all(path, last));
    event->race_count = (uint32_t)path->races.length - event->races;
    path->latest_before.data[last] = last;
}

/* ---- Data races ---- */

/* The first half of each race of the last event is another thread's, and its thread did not
 * know of it before. */
static bool races_are_open(const hd_explore_path *path) {
    uint32_t last = (uint32_t)path->events.length - 1;
    const hd_explore_event *event = &path->events.data[last];
    for (uint32_t i = event->races; i < event->races + event->race_count; i++) {
        const hd_explore_race *race = &path->races.data[i];
        if (race->event >= last || race->others > last ||
            path->events.data[race->event].thread == event->thread ||
            (event->previous && hd_explore_before(path, race->event, event->previous - 1)))
            return false;
    }
    return true;
}

/* Does it order less than its place in the execution says? */
static bool is_weaker(const hd_explore_operation *operation) {
    return operation->order != HEDDLE_ORDER_SEQ_CST || operation->fails;
}

enum hd_machine_result hd_explore_push(hd_explore_path *path, uint32_t thread, uint32_t choice) {
    assert(thread < path->threads && hd_explore_set_has(path->enabled, thread));
    const hd_explore_operation *operation = hd_explore_next(path, thread);
    assert(operation->thread == thread);
    assert(operation->runs && operation->enabled && choice < operation->choices);
    uint32_t previous = path->last_event[thread];
    uint32_t number = (uint32_t)path->events.length + 1;
    hd_vec_reserve(&path->events, number);
    hd_explore_event *event = path->events.data + number - 1;
    *event =
        (hd_explore_event){.thread = thread,
                           .choice = choice,
                           .sequence = previous ? path->events.data[previous - 1].sequence + 1 : 1,
                           .previous = previous,
                           .operation = path->next[thread],
                           .operations = (uint32_t)path->operations.length,
                           .accesses = (uint32_t)path->accesses.length,
                           .undo = (uint32_t)path->undo.length,
                           .races = (uint32_t)path->races.length,
                           .enabled = path->enabled,
                           .running = path->running,
                           .cut = path->cut};
    if (path->symmetry)
        hd_explore_symmetry_check(path, operation);
    int32_t *clock = hd_explore_own_clock(path, thread);
    hd_explore_find_races(path, operation, clock);
    /* Others know of this thread only what it has done. */
    assert(clock[thread] == (int32_t)event->sequence - 1);
    clock[thread] = (int32_t)event->sequence;
    event->race_count = (uint32_t)path->races.length - event->races;
    uint32_t latest = path->direct.length ? path->direct.data[0] : 0;
    assert(latest < number && previous < number);
    hd_vec_push(&path->latest_before, latest > previous ? latest : previous);
    path->events.length = number;
    path->last_event[thread] = number;
    HD_COSTLY_ASSERT(races_are_open(path));
    if (path->collide && operation->memory != HD_MACHINE_NO_MEMORY)
        hd_explore_report_collisions(path);
    hd_explore_set met = threads_met(path, operation);
    note_accesses(path, operation, number);
    path->weaker += is_weaker(operation);
    path->plain += operation->memory == HD_MACHINE_PLAIN;
    path->result->steps++;
    const hd_machine_type *type = path->machine->type;
    enum hd_machine_result result = type->step(path->machine, thread, choice);
    if (type->over && type->over(path->machine))
        path->operations.data[path->next[thread]].ends = true;
    if (path->learnt)
        hd_explore_learn_event(path, result);
    if (path->symmetry)
        hd_explore_symmetry_passed(path, number - 1);
    if (result == HD_MACHINE_WENT_ON) {
        look_again(path, thread, met);
        if (path->symmetry)
            hd_explore_symmetry_created(path);
    } else if (result == HD_MACHINE_FAILED || !path->hangs_alone)
        put_after_all(path);
    return result;
}

void hd_explore_pop(hd_explore_path *path) {
    assert(path->events.length && path->latest_before.length == path->events.length);
    uint32_t number = (uint32_t)path->events.length;
    const hd_explore_event *event = &path->events.data[number - 1];
    assert(path->last_event[event->thread] == number);
    if (path->symmetry)
        hd_explore_symmetry_forget(path, number - 1);
    path->events.length--;
    path->latest_before.length--;
    if (path->shown > path->events.length)
        path->shown = (uint32_t)path->events.length;
    path->machine->type->undo(path->machine);
    forget_operations(path, event);
    forget_accesses(path, event->thread, number, event->undo);
    const hd_explore_operation *operation = &path->operations.data[event->operation];
    path->weaker -= is_weaker(operation);
    path->plain -= operation->memory == HD_MACHINE_PLAIN;
    assert(path->races.length == event->races + event->race_count);
    assert(path->next[event->thread] == event->operation);
    path->races.length = event->races;
    path->last_event[event->thread] = event->previous;
}

void hd_explore_path_init(hd_explore_path *path, hd_machine *machine, hd_explore_result *result) {
    *path = (hd_explore_path){.machine = machine,
                              .result = result,
                              .threads = machine->threads,
                              .stride = (machine->threads + 3) & ~3u};
    make_room(path);
    for (uint32_t thread = 0; thread < path->threads; thread++)
        look_at_next(path, thread);
}

void hd_explore_path_renew(hd_explore_path *path) {
    assert(!path->events.length);
    for (uint32_t thread = 0; thread < path->threads; thread++)
        unlist_next(path, hd_explore_next(path, thread));
    memset(path->next, 0, sizeof path->next);
    hd_vec_clear(&path->operations);
    hd_vec_clear(&path->accesses);
    make_room(path);
    for (uint32_t thread = 0; thread < path->threads; thread++)
        look_at_next(path, thread);
}

void hd_explore_path_release(hd_explore_path *path) {
    hd_explore_symmetry_release(path);
    hd_vec_release(&path->events);
    hd_vec_release(&path->latest_before);
    hd_vec_release(&path->clocks);
    hd_vec_release(&path->races);
    hd_vec_release(&path->undo);
    hd_vec_release(&path->operations);
    hd_vec_release(&path->accesses);
    hd_vec_release(&path->direct);
    free(path->meetings);
    hd_explore_learnt_free(path->learnt);
    hd_vec_release(&path->met);
    free(path->places);
    free(path->last_read);
    *path = (hd_explore_path){0};
}
