#include "explore_reverse.h"

#include <string.h>

/* The operation that is to come earlier: the last event, or a pending one. */
struct mover {
    hd_explore_path *path;
    uint32_t thread;
    uint32_t end; /* its event; the length of the path for a pending one */
    const hd_machine_access *accesses;
    uint32_t access_count;
    uint32_t choices;
    bool awaits, varies;
    hd_explore_reverse *reverse;
    void *context;
    hd_explore_reversal reversal; /* scratch */
    hd_vec_u32 reads;             /* of an await: locations that it was seen to read */
};

static bool depends_on_removed(const hd_explore_path *path, const hd_vec_u32 *removed,
                               uint32_t event) {
    for (size_t i = 0; i < removed->length; i++)
        if (hd_explore_before(path, removed->data[i], event))
            return true;
    return false;
}

/* The events that stay, and which threads can begin with one of them. */
static void keep_events(struct mover *mover, const hd_vec_u32 *removed, uint32_t *first) {
    const hd_explore_path *path = mover->path;
    hd_explore_reversal *reversal = &mover->reversal;
    hd_vec_clear(&reversal->kept);
    reversal->initials = 0;
    memset(first, 0, path->threads * sizeof *first);
    for (uint32_t k = reversal->at; k < path->events.length; k++) {
        if (k == mover->end || depends_on_removed(path, removed, k))
            continue;
        hd_vec_push(&reversal->kept, k);
        uint32_t thread = path->events.data[k].thread;
        if (first[thread])
            continue;
        first[thread] = path->events.data[k].sequence;
        const uint32_t *clock = hd_explore_clock(path, k);
        bool initial = true;
        for (uint32_t t = 0; t < path->threads && initial; t++)
            initial = t == thread || !first[t] || clock[t] < first[t];
        if (initial)
            reversal->initials |= UINT64_C(1) << thread;
    }
}

/* Runs the machine without the removed events and looks at the mover there. */
static bool look_behind_kept(struct mover *mover) {
    hd_explore_path *path = mover->path;
    hd_machine *machine = path->machine;
    hd_explore_reversal *reversal = &mover->reversal;
    uint32_t length = (uint32_t)path->events.length;
    for (uint32_t k = length; k > reversal->at; k--)
        machine->type->undo(machine);
    for (size_t i = 0; i < reversal->kept.length; i++) {
        const hd_explore_event *event = &path->events.data[reversal->kept.data[i]];
        machine->type->step(machine, event->thread, event->choice);
    }
    bool runs = machine->type->next(machine, mover->thread, &reversal->operation);
    bool enabled = runs && reversal->operation.enabled;
    hd_vec_clear(&reversal->accesses);
    for (uint32_t i = 0; runs && i < reversal->operation.count; i++)
        hd_vec_push(&reversal->accesses, reversal->operation.accesses[i]);
    for (size_t i = 0; i < reversal->kept.length; i++)
        machine->type->undo(machine);
    for (uint32_t k = reversal->at; k < length; k++)
        machine->type->step(machine, path->events.data[k].thread, path->events.data[k].choice);
    return enabled;
}

static void use_known_accesses(struct mover *mover) {
    hd_explore_reversal *reversal = &mover->reversal;
    hd_vec_clear(&reversal->accesses);
    for (uint32_t i = 0; i < mover->access_count; i++)
        hd_vec_push(&reversal->accesses, mover->accesses[i]);
    reversal->operation = (hd_machine_operation){
        .count = mover->access_count, .choices = mover->choices, .enabled = true};
}

/* Is the mover, alone of its thread in v, independent of all that stays? */
static bool mover_is_initial(const struct mover *mover) {
    const hd_explore_path *path = mover->path;
    const hd_explore_reversal *reversal = &mover->reversal;
    for (size_t i = 0; i < reversal->kept.length; i++) {
        const hd_explore_event *event = &path->events.data[reversal->kept.data[i]];
        path->result->dependency_checks++;
        if (hd_machine_dependent(path->accesses.data + event->accesses, event->access_count,
                                 reversal->accesses.data, (uint32_t)reversal->accesses.length))
            return false;
    }
    return true;
}

/* An await that is false without some events may have read more than before. */
static void note_reads(struct mover *mover) {
    for (size_t i = 0; i < mover->reversal.accesses.length; i++) {
        uint32_t location = mover->reversal.accesses.data[i].location;
        size_t j = 0;
        while (j < mover->reads.length && mover->reads.data[j] != location)
            j++;
        if (j == mover->reads.length)
            hd_vec_push(&mover->reads, location);
    }
}

static bool thread_first_varies(const struct mover *mover) {
    const hd_explore_path *path = mover->path;
    for (size_t i = 0; i < mover->reversal.kept.length; i++) {
        const hd_explore_event *event = &path->events.data[mover->reversal.kept.data[i]];
        if (event->thread == mover->thread)
            return event->varies || event->awaits;
    }
    return mover->varies || mover->awaits;
}

static void reverse_without(struct mover *mover, const hd_vec_u32 *removed) {
    hd_explore_reversal *reversal = &mover->reversal;
    uint32_t first[HD_EXPLORE_MAX_THREADS];
    reversal->at = UINT32_MAX;
    for (size_t i = 0; i < removed->length; i++)
        if (removed->data[i] < reversal->at)
            reversal->at = removed->data[i];
    keep_events(mover, removed, first);
    if (!mover->awaits && !mover->varies)
        use_known_accesses(mover);
    else if (!look_behind_kept(mover)) {
        note_reads(mover);
        return;
    }
    reversal->operation.accesses = reversal->accesses.data;
    reversal->thread = mover->thread;
    reversal->first_varies = thread_first_varies(mover);
    if (!first[mover->thread] && mover_is_initial(mover))
        reversal->initials |= UINT64_C(1) << mover->thread;
    mover->reverse(mover->context, reversal);
}

/* ---- Awaits ---- */

static bool writes_what_mover_reads(const struct mover *mover, uint32_t event) {
    const hd_explore_path *path = mover->path;
    const hd_explore_event *other = &path->events.data[event];
    path->result->dependency_checks++;
    if (other->thread == mover->thread)
        return false;
    for (uint32_t i = 0; i < other->access_count; i++) {
        const hd_machine_access *access = &path->accesses.data[other->accesses + i];
        for (size_t j = 0; access->mode & HD_MACHINE_WRITES && j < mover->reads.length; j++)
            if (mover->reads.data[j] == access->location)
                return true;
    }
    return false;
}

/* All antichains that add writes from candidates[next..] to `removed`. */
static void antichains(struct mover *mover, const hd_vec_u32 *candidates, size_t next,
                       hd_vec_u32 *removed) {
    for (size_t i = next; i < candidates->length; i++) {
        uint32_t event = candidates->data[i];
        bool unordered = true;
        for (size_t j = 0; j < removed->length; j++)
            unordered = unordered && !hd_explore_before(mover->path, removed->data[j], event);
        if (!unordered)
            continue;
        hd_vec_push(removed, event);
        reverse_without(mover, removed);
        antichains(mover, candidates, i + 1, removed);
        removed->length--;
    }
}

static void reverse_await(struct mover *mover, uint32_t own_last) {
    hd_vec_u32 candidates = {0}, removed = {0};
    for (uint32_t i = 0; i < mover->access_count; i++)
        hd_vec_push(&mover->reads, mover->accesses[i].location);
    size_t known;
    do { /* again, when it turned out to read more */
        known = mover->reads.length;
        hd_vec_clear(&candidates);
        for (uint32_t k = 0; k < mover->end; k++)
            if (writes_what_mover_reads(mover, k) &&
                !(own_last && hd_explore_before(mover->path, k, own_last - 1)))
                hd_vec_push(&candidates, k);
        antichains(mover, &candidates, 0, &removed);
    } while (mover->reads.length > known);
    hd_vec_release(&candidates);
    hd_vec_release(&removed);
}

/* ---- Both kinds of movers ---- */

static void reverse_races(struct mover *mover, const uint32_t *races, size_t count) {
    hd_vec_u32 removed = {0};
    for (size_t i = 0; i < count; i++) {
        hd_vec_clear(&removed);
        hd_vec_push(&removed, races[i]);
        reverse_without(mover, &removed);
    }
    hd_vec_release(&removed);
}

static void mover_release(struct mover *mover) {
    hd_vec_release(&mover->reversal.kept);
    hd_vec_release(&mover->reversal.accesses);
    hd_vec_release(&mover->reads);
}

void hd_explore_reversals(hd_explore_path *path, uint32_t number, hd_explore_reverse *reverse,
                          void *context) {
    const hd_explore_event event = path->events.data[number];
    if (!event.race_count && !event.awaits)
        return;
    struct mover mover = {.path = path,
                          .thread = event.thread,
                          .end = number,
                          .accesses = path->accesses.data + event.accesses,
                          .access_count = event.access_count,
                          .choices = event.choices,
                          .awaits = event.awaits,
                          .varies = event.varies,
                          .reverse = reverse,
                          .context = context};
    /* The last entry that an event overwrites is its thread's last event. */
    uint32_t entries_end = number + 1 < path->events.length ? path->events.data[number + 1].undo
                                                            : (uint32_t)path->undo.length;
    if (event.awaits)
        reverse_await(&mover, path->undo.data[entries_end - 1].value);
    else
        reverse_races(&mover, path->races.data + event.races, event.race_count);
    mover_release(&mover);
}

void hd_explore_pending_reversals(hd_explore_path *path, uint32_t thread,
                                  hd_explore_reverse *reverse, void *context) {
    hd_machine_operation operation;
    if (!path->machine->type->next(path->machine, thread, &operation) || operation.enabled)
        return;
    /* The machine moves while we look around: keep a copy of the accesses. */
    HD_VEC(hd_machine_access) accesses = {0};
    for (uint32_t i = 0; i < operation.count; i++)
        hd_vec_push(&accesses, operation.accesses[i]);
    operation.accesses = accesses.data;
    struct mover mover = {.path = path,
                          .thread = thread,
                          .end = (uint32_t)path->events.length,
                          .accesses = accesses.data,
                          .access_count = operation.count,
                          .choices = operation.choices,
                          .awaits = operation.awaits,
                          .varies = operation.varies,
                          .reverse = reverse,
                          .context = context};
    if (operation.awaits)
        reverse_await(&mover, path->last_event[thread]);
    else {
        hd_vec_u32 races = {0};
        hd_explore_pending_races(path, thread, &operation, &races);
        reverse_races(&mover, races.data, races.length);
        hd_vec_release(&races);
    }
    mover_release(&mover);
    hd_vec_release(&accesses);
}
