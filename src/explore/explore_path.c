#include "explore_path.h"

#include <string.h>

void hd_explore_path_init(hd_explore_path *path, hd_machine *machine, hd_explore_result *result) {
    *path = (hd_explore_path){.machine = machine, .result = result, .threads = machine->threads};
}

void hd_explore_path_release(hd_explore_path *path) {
    hd_vec_release(&path->events);
    hd_vec_release(&path->accesses);
    hd_vec_release(&path->races);
    hd_vec_release(&path->clocks);
    hd_vec_release(&path->undo);
    hd_vec_release(&path->direct);
    hd_vec_release(&path->rivals);
    free(path->last_write);
    free(path->last_acquire);
    free(path->last_read);
    *path = (hd_explore_path){0};
}

/* Tables for every location that the machine has by now.  Undo entries hold
 * indices, so the tables may move. */
static void make_room(hd_explore_path *path) {
    uint32_t wanted = path->machine->locations;
    if (wanted <= path->locations)
        return;
    if (wanted < 2 * path->locations)
        wanted = 2 * path->locations;
    uint32_t added = wanted - path->locations;
    path->last_write = hd_mem_resize(path->last_write, wanted, sizeof *path->last_write);
    path->last_acquire = hd_mem_resize(path->last_acquire, wanted, sizeof *path->last_acquire);
    path->last_read =
        hd_mem_resize(path->last_read, (size_t)wanted * path->threads, sizeof *path->last_read);
    memset(path->last_write + path->locations, 0, added * sizeof *path->last_write);
    memset(path->last_acquire + path->locations, 0, added * sizeof *path->last_acquire);
    memset(path->last_read + (size_t)path->locations * path->threads, 0,
           (size_t)added * path->threads * sizeof *path->last_read);
    path->locations = wanted;
}

/* Was the event before the thread's last one? */
static bool in_own_past(const hd_explore_path *path, uint32_t thread, uint32_t event) {
    uint32_t last = path->last_event[thread];
    return last && hd_explore_before(path, event, last - 1);
}

/* An event of another thread that the operation directly depends on; 0: none. */
static void add_direct(hd_explore_path *path, uint32_t thread, uint32_t number, bool may_race) {
    if (!number || path->events.data[number - 1].thread == thread)
        return;
    hd_vec_push(&path->direct, number - 1);
    if (may_race)
        hd_vec_push(&path->rivals, number - 1);
}

/* The earlier events that an operation directly depends on, from the tables of
 * last accesses, and those among them that it may be in a race with. */
static void find_direct(hd_explore_path *path, uint32_t thread, const hd_machine_access *accesses,
                        uint32_t count) {
    hd_vec_clear(&path->direct);
    hd_vec_clear(&path->rivals);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t location = accesses[i].location;
        uint32_t write = path->last_write[location];
        bool of_lock = accesses[i].mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE);
        add_direct(path, thread, write, !of_lock);
        if (!(accesses[i].mode & HD_MACHINE_WRITE))
            continue;
        const uint32_t *reads = path->last_read + (size_t)location * path->threads;
        for (uint32_t other = 0; other < path->threads; other++)
            if (reads[other] > write)
                add_direct(path, thread, reads[other], true);
    }
    path->result->dependency_checks += path->direct.length;
}

/* Is the event before another one that the operation directly depends on? */
static bool behind_another(const hd_explore_path *path, uint32_t event) {
    for (size_t i = 0; i < path->direct.length; i++)
        if (path->direct.data[i] != event && hd_explore_before(path, event, path->direct.data[i]))
            return true;
    return false;
}

static void add_race(hd_vec_u32 *races, size_t from, uint32_t event) {
    for (size_t i = from; i < races->length; i++)
        if (races->data[i] == event)
            return;
    hd_vec_push(races, event);
}

/* The races of an operation whose direct predecessors were found. */
static void find_races(hd_explore_path *path, uint32_t thread, const hd_machine_access *accesses,
                       uint32_t count, hd_vec_u32 *races) {
    size_t from = races->length;
    path->result->race_checks++;
    for (size_t i = 0; i < path->rivals.length; i++) {
        uint32_t event = path->rivals.data[i];
        if (!in_own_past(path, thread, event) && !behind_another(path, event))
            add_race(races, from, event);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t acquire = path->last_acquire[accesses[i].location];
        if (accesses[i].mode & HD_MACHINE_ACQUIRE && acquire &&
            path->events.data[acquire - 1].thread != thread &&
            !in_own_past(path, thread, acquire - 1))
            add_race(races, from, acquire - 1);
    }
}

static uint32_t *table_of(hd_explore_path *path, uint32_t table) {
    switch (table) {
    case HD_EXPLORE_WRITES:
        return path->last_write;
    case HD_EXPLORE_ACQUIRES:
        return path->last_acquire;
    case HD_EXPLORE_READS:
        return path->last_read;
    default:
        return path->last_event;
    }
}

static void enter(hd_explore_path *path, uint32_t table, size_t index, uint32_t value) {
    uint32_t *place = table_of(path, table) + index;
    hd_vec_push(&path->undo, (hd_explore_undo){.table = table, .index = index, .value = *place});
    *place = value;
}

static void update_tables(hd_explore_path *path, const hd_explore_event *event, uint32_t number) {
    for (uint32_t i = 0; i < event->access_count; i++) {
        const hd_machine_access *access = &path->accesses.data[event->accesses + i];
        if (access->mode & HD_MACHINE_WRITES)
            enter(path, HD_EXPLORE_WRITES, access->location, number);
        else
            enter(path, HD_EXPLORE_READS, (size_t)access->location * path->threads + event->thread,
                  number);
        if (access->mode & HD_MACHINE_ACQUIRE)
            enter(path, HD_EXPLORE_ACQUIRES, access->location, number);
    }
    enter(path, HD_EXPLORE_EVENTS, event->thread, number);
}

static void compute_clock(hd_explore_path *path, uint32_t thread, uint32_t sequence) {
    uint32_t index = (uint32_t)path->events.length;
    size_t start = (size_t)index * path->threads;
    hd_vec_reserve(&path->clocks, start + path->threads);
    uint32_t *clock = path->clocks.data + start;
    uint32_t last = path->last_event[thread];
    if (last)
        memcpy(clock, hd_explore_clock(path, last - 1), path->threads * sizeof *clock);
    else
        memset(clock, 0, path->threads * sizeof *clock);
    for (size_t i = 0; i < path->direct.length; i++) {
        const uint32_t *other = hd_explore_clock(path, path->direct.data[i]);
        for (uint32_t t = 0; t < path->threads; t++)
            clock[t] = clock[t] > other[t] ? clock[t] : other[t];
    }
    clock[thread] = sequence;
}

static uint32_t own_length(const hd_explore_path *path, uint32_t thread) {
    uint32_t last = path->last_event[thread];
    return last ? path->events.data[last - 1].sequence : 0;
}

enum hd_machine_result hd_explore_push(hd_explore_path *path, uint32_t thread, uint32_t choice) {
    hd_machine_operation operation;
    bool runs = path->machine->type->next(path->machine, thread, &operation);
    assert(runs && operation.enabled && choice < operation.choices);
    (void)runs;
    make_room(path);
    hd_explore_event event = {.thread = thread,
                              .choice = choice,
                              .choices = operation.choices,
                              .sequence = own_length(path, thread) + 1,
                              .accesses = (uint32_t)path->accesses.length,
                              .access_count = operation.count,
                              .undo = (uint32_t)path->undo.length,
                              .races = (uint32_t)path->races.length,
                              .awaits = operation.awaits,
                              .varies = operation.varies};
    hd_vec_reserve(&path->accesses, path->accesses.length + operation.count);
    for (uint32_t i = 0; i < operation.count; i++)
        path->accesses.data[path->accesses.length++] = operation.accesses[i];
    const hd_machine_access *accesses = path->accesses.data + event.accesses;
    find_direct(path, thread, accesses, event.access_count);
    find_races(path, thread, accesses, event.access_count, &path->races);
    event.race_count = (uint32_t)path->races.length - event.races;
    compute_clock(path, thread, event.sequence);
    hd_vec_push(&path->events, event);
    update_tables(path, &event, (uint32_t)path->events.length);
    path->result->steps++;
    return path->machine->type->step(path->machine, thread, choice);
}

void hd_explore_pop(hd_explore_path *path) {
    hd_explore_event event = hd_vec_pop(&path->events);
    while (path->undo.length > event.undo) {
        hd_explore_undo undo = hd_vec_pop(&path->undo);
        table_of(path, undo.table)[undo.index] = undo.value;
    }
    path->accesses.length = event.accesses;
    path->races.length = event.races;
    path->machine->type->undo(path->machine);
}

void hd_explore_pending_races(hd_explore_path *path, uint32_t thread,
                              const hd_machine_operation *operation, hd_vec_u32 *races) {
    make_room(path);
    find_direct(path, thread, operation->accesses, operation->count);
    find_races(path, thread, operation->accesses, operation->count, races);
}
