/*
 * Which thread waits for what.  A machine does not say who holds a lock, but the steps do.
 */
#include "replay_waits.h"

void hd_replay_follow_locks(hd_map *holders, uint32_t thread,
                            const hd_machine_operation *operation) {
    for (uint32_t i = 0; i < operation->count; i++) {
        const hd_machine_access *access = &operation->accesses[i];
        if (!(access->mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE)))
            continue;
        bool added;
        *hd_map_at(holders, access->location, &added) =
            access->mode & HD_MACHINE_ACQUIRE ? thread + 1 : 0;
    }
}

static int follow_locks(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    hd_machine_operation operation;
    machine->type->next(machine, step->thread, &operation);
    hd_replay_follow_locks(context, step->thread, &operation);
    return 0;
}

static void add_wait(uint32_t thread, const hd_machine_operation *operation, const hd_map *holders,
                     hd_replay_waits *waits) {
    hd_replay_wait wait = {.thread = thread, .kind = HD_REPLAY_WAITS_CONDITION};
    for (uint32_t i = 0; i < operation->count; i++) {
        const uint32_t *holder = hd_map_find(holders, operation->accesses[i].location);
        if (operation->accesses[i].mode & HD_MACHINE_ACQUIRE && holder && *holder) {
            wait.kind = HD_REPLAY_WAITS_LOCK;
            wait.location = operation->accesses[i].location;
            wait.holder = *holder - 1;
        }
    }
    hd_vec_push(waits, wait);
}

bool hd_replay_find_waits(hd_machine *machine, const hd_steps *schedule, hd_replay_waits *waits,
                          hd_error *error) {
    hd_map holders = {0};
    hd_replay_watch watch = {.before = follow_locks, .context = &holders};
    hd_replay_outcome outcome;
    HD_ASSERT_ONLY size_t before = waits->length;
    bool good = hd_replay_run(machine, schedule, &watch, &outcome, error);
    for (uint32_t thread = 0; good && !outcome.failed && thread < machine->threads; thread++) {
        hd_machine_operation operation;
        if (machine->type->next(machine, thread, &operation) && !operation.enabled &&
            !operation.idle && !operation.retries)
            add_wait(thread, &operation, &holders, waits);
    }
    assert(!good || waits->length - before <= outcome.unfinished);
    hd_map_release(&holders);
    return good;
}

/* The holder of the lock that the thread waits for; itself if it waits for none. */
static uint32_t holder_before(hd_machine *machine, const hd_map *holders, uint32_t thread) {
    hd_machine_operation operation;
    uint32_t holder = thread;
    if (!machine->type->next(machine, thread, &operation) || operation.enabled || operation.idle ||
        operation.retries)
        return thread;
    hd_replay_waits waits = {0};
    add_wait(thread, &operation, holders, &waits);
    if (hd_vec_last(&waits)->kind == HD_REPLAY_WAITS_LOCK)
        holder = hd_vec_last(&waits)->holder;
    hd_vec_release(&waits);
    return holder;
}

bool hd_replay_in_ring(hd_machine *machine, const hd_map *holders) {
    for (uint32_t first = 0; first < machine->threads; first++) {
        uint32_t at = first, next = holder_before(machine, holders, at);
        for (uint32_t steps = 0; next != at && next != first && steps < machine->threads; steps++) {
            at = next;
            next = holder_before(machine, holders, at);
        }
        if (next != at && next == first)
            return true;
    }
    return false;
}
