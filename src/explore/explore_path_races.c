#include "explore_path_races.h"

#include <string.h>

#include "explore_symmetry.h"
#include "explore_without.h"

/* Enters the number of an event of another thread, latest first.  There is room for it. */
static void add_direct(hd_explore_path *path, uint32_t thread, uint32_t number) {
    if (!number || path->events.data[number - 1].thread == thread)
        return;
    uint32_t *direct = path->direct.data;
    size_t i = path->direct.length;
    while (i && direct[i - 1] < number)
        i--;
    if (i && direct[i - 1] == number)
        return;
    for (size_t j = path->direct.length++; j > i; j--)
        direct[j] = direct[j - 1];
    direct[i] = number;
    assert(i == 0 || direct[i - 1] > number);
    assert(i + 1 == path->direct.length || number > direct[i + 1]);
}

/* Threads that come later mostly read later: so they are entered first. */
static void add_direct_readers(hd_explore_path *path, uint32_t thread, uint32_t location) {
    const uint32_t *reads = path->last_read + (size_t)location * path->threads;
    for (hd_explore_set rest = path->places[location].readers; hd_explore_set_any(rest);) {
        uint32_t reader = hd_explore_set_last(rest);
        add_direct(path, thread, reads[reader]);
        rest &= ~HD_EXPLORE_BIT(reader);
    }
}

/* The earlier events that an operation directly depends on.  A lock's are not the
 * halves of a race, see below; `locks` says if there are any. */
static void find_direct(hd_explore_path *path, const hd_explore_operation *operation, bool *locks) {
    const hd_machine_access *accesses = path->accesses.data + operation->accesses;
    uint32_t thread = operation->thread;
    hd_vec_clear(&path->direct);
    hd_vec_reserve(&path->direct, (size_t)operation->count * (path->threads + 1));
    *locks = false;
    for (uint32_t i = 0; i < operation->count; i++) {
        uint32_t location = accesses[i].location;
        const hd_explore_place *place = &path->places[location];
        add_direct(path, thread, place->last_write);
        *locks |= (accesses[i].mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE)) != 0;
        if (accesses[i].mode & HD_MACHINE_WRITES && hd_explore_set_any(place->readers))
            add_direct_readers(path, thread, location);
    }
    path->result->dependency_checks += path->direct.length;
}

void hd_explore_clock_join(int32_t *restrict clock, const int32_t *restrict other,
                           uint32_t stride) {
    typedef int32_t four __attribute__((vector_size(4 * sizeof(int32_t))));
    for (uint32_t t = 0; t < stride; t += 4) {
        four own, theirs;
        memcpy(&own, clock + t, sizeof own);
        memcpy(&theirs, other + t, sizeof theirs);
        four less = own < theirs;
        own = (own & ~less) | (theirs & less);
        memcpy(clock + t, &own, sizeof own);
    }
}

/* Is an event that this one directly depends on a rival for another reason than
 * its lock?  Only then can they race in the plain sense. */
static bool rivals(const hd_explore_path *path, const hd_explore_operation *operation,
                   uint32_t number) {
    const hd_machine_access *own = path->accesses.data + operation->accesses;
    const hd_explore_operation *taken = hd_explore_taken(path, number - 1);
    const hd_machine_access *theirs = path->accesses.data + taken->accesses;
    for (uint32_t i = 0, j = 0; i < operation->count && j < taken->count;) {
        if (own[i].location != theirs[j].location) {
            if (own[i].location < theirs[j].location)
                i++;
            else
                j++;
            continue;
        }
        bool lock = own[i].mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE | HD_MACHINE_ORDER);
        bool tries = own[i].mode & HD_MACHINE_WRITE || !(theirs[j].mode & HD_MACHINE_WRITES);
        if ((own[i].mode | theirs[j].mode) & HD_MACHINE_WRITES && (!lock || tries))
            return true;
        i++;
        j++;
    }
    return false;
}

/* The latest direct predecessor but one, and but those after it. */
static uint32_t other_than(const hd_explore_path *path, uint32_t event, uint32_t previous) {
    for (size_t i = 0; i < path->direct.length; i++) {
        uint32_t number = path->direct.data[i];
        if (number <= previous)
            break;
        if (!hd_explore_before(path, event, number - 1))
            return number;
    }
    return previous;
}

static void add_race(hd_explore_path *path, uint32_t from, uint32_t event, uint32_t others) {
    for (size_t i = from; i < path->races.length; i++)
        if (path->races.data[i].event == event)
            return;
    assert(event < path->events.length && others <= path->events.length);
    hd_vec_push(&path->races, (hd_explore_race){.event = event, .others = others});
}

/* Is an event before the operation without its lock: before its thread's last event, or that
 * of a thread which has to end first? */
static bool is_past(const hd_explore_path *path, const hd_explore_operation *operation,
                    uint32_t event) {
    uint32_t previous = path->last_event[operation->thread];
    uint32_t waited_for = hd_explore_symmetry_before(path, operation);
    if ((previous && hd_explore_before(path, event, previous - 1)) ||
        (waited_for && hd_explore_before(path, event, waited_for - 1)))
        return true;
    HD_EXPLORE_EACH(rest, operation->ended_before) {
        uint32_t last = path->last_event[hd_explore_set_first(rest)];
        if (last && hd_explore_before(path, event, last - 1))
            return true;
    }
    return false;
}

/* An acquire races with the lock's last acquire, if that is not in its past anyway. */
static void find_lock_races(hd_explore_path *path, const hd_explore_operation *operation,
                            uint32_t from) {
    uint32_t thread = operation->thread, previous = path->last_event[thread];
    for (uint32_t i = 0; i < operation->count; i++) {
        hd_machine_access access = path->accesses.data[operation->accesses + i];
        uint32_t acquire = path->places[access.location].last_acquire;
        if (!(access.mode & HD_MACHINE_ACQUIRE) || !acquire)
            continue;
        if (path->events.data[acquire - 1].thread != thread &&
            !is_past(path, operation, acquire - 1))
            add_race(path, from, acquire - 1, other_than(path, acquire - 1, previous));
    }
}

/* Was the thread, which has taken no step, created by the event? */
static bool is_birth(const hd_explore_path *path, uint32_t thread, uint32_t event) {
    if (path->last_event[thread])
        return false;
    uint32_t after = event + 1 < path->events.length
                         ? hd_explore_operation_at(path, thread, event + 1)
                         : path->next[thread];
    return !path->operations.data[after].idle &&
           path->operations.data[hd_explore_operation_at(path, thread, event)].idle;
}

/* The clock of an operation that comes next, its races on the way: of its direct
 * predecessors, latest first, those that nothing later is after. */
void hd_explore_find_races(hd_explore_path *path, const hd_explore_operation *operation,
                           int32_t *clock) {
    bool locks;
    uint32_t thread = operation->thread, previous = path->last_event[thread];
    uint32_t from = (uint32_t)path->races.length;
    uint32_t waited_for = hd_explore_symmetry_before(path, operation);
    HD_ASSERT_ONLY int32_t own = clock[thread];
    find_direct(path, operation, &locks);
    path->result->race_checks++;
    for (size_t i = 0; i < path->direct.length; i++) {
        uint32_t number = path->direct.data[i];
        const hd_explore_event *event = &path->events.data[number - 1];
        assert(event->thread != thread);
        if (clock[event->thread] >= (int32_t)event->sequence)
            continue;
        hd_explore_clock_join(clock, hd_explore_clock(path, number - 1), path->stride);
        if (hd_explore_set_has(operation->ended_before, event->thread))
            continue;
        if (locks && (!rivals(path, operation, number) || is_birth(path, thread, number - 1)))
            continue;
        uint32_t others = path->direct.data[i ? 0 : 1];
        if (i == 0 && path->direct.length == 1)
            others = 0;
        hd_vec_reserve(&path->races, path->races.length + 1);
        hd_explore_race *race = &path->races.data[path->races.length++];
        race->event = number - 1;
        race->others = others > previous ? others : previous;
        race->of_failure = false;
        race->fixed = waited_for == number;
    }
    if (operation->acquires && HD_EXPLORE_CURE(3))
        find_lock_races(path, operation, from);
    assert(clock[thread] == own); /* no clock knows more of a thread than its own */
}

/* The clock that an operation of the thread starts from. */
int32_t *hd_explore_own_clock(hd_explore_path *path, uint32_t thread) {
    size_t start = path->events.length * path->stride;
    hd_vec_reserve(&path->clocks, start + path->stride);
    int32_t *clock = path->clocks.data + start;
    uint32_t previous = path->last_event[thread];
    const int32_t *before = previous ? hd_explore_clock(path, previous - 1) : NULL;
    for (uint32_t t = 0; t < path->stride; t += 4) /* a few entries: a call would cost more */
        if (before)
            memcpy(clock + t, before + t, 4 * sizeof *clock);
        else
            memset(clock + t, 0, 4 * sizeof *clock);
    return clock;
}

/* Of what waits for something, only the lock can have been free before: whatever else it touches,
 * it could not have come earlier.  Where it can, that is found in the run in which it got the
 * lock.  At the end of all (idle) a thread that did not wait could have come before that end. */
uint32_t hd_explore_pending_races(hd_explore_path *path, uint32_t thread) {
    uint32_t start = (uint32_t)path->races.length;
    const hd_explore_operation *operation = hd_explore_next(path, thread);
    assert(operation->runs);
    hd_explore_find_races(path, operation, hd_explore_own_clock(path, thread));
    if (operation->enabled || operation->idle || operation->awaits)
        return start;
    path->races.length = start;
    if (operation->acquires && HD_EXPLORE_CURE(3))
        find_lock_races(path, operation, start);
    return start;
}
