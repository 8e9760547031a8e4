/*
 * Which thread waits for what.  A machine does not say who holds a lock, but the steps do.
 */
#include "replay.h"

/* By location: the thread that holds it + 1, 0 if none does. */
static int follow_locks(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    hd_map *holders = context;
    hd_machine_operation operation;
    machine->type->next(machine, step->thread, &operation);
    for (uint32_t i = 0; i < operation.count; i++) {
        const hd_machine_access *access = &operation.accesses[i];
        if (!(access->mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE)))
            continue;
        bool added;
        *hd_map_at(holders, access->location, &added) =
            access->mode & HD_MACHINE_ACQUIRE ? step->thread + 1 : 0;
    }
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
    assert(!good || waits->length - before == outcome.unfinished - outcome.enabled);
    hd_map_release(&holders);
    return good;
}
