#include "explore_reverse.h"

#include "explore_without.h"

/* The operation that is to come earlier: of an event, or a pending one. */
struct mover {
    hd_explore_reverser *reverser;
    hd_explore_path *path;
    uint32_t end;      /* its event; the length of the path for a pending one */
    uint32_t previous; /* number of its thread's event before it */
    hd_explore_operation operation;
    bool fails; /* and is moved only for that */
};

static bool depends_on_removed(const hd_explore_path *path, const hd_vec_u32 *removed,
                               uint32_t event) {
    for (size_t i = 0; i < removed->length; i++)
        if (hd_explore_before(path, removed->data[i], event))
            return true;
    return false;
}

/* Does the event depend on the mover?  With a race it then depends on what is removed
 * too; with an await, of which later writes may be removed as well, it need not. */
static bool is_after_mover(const struct mover *mover, uint32_t event) {
    return event >= mover->end && mover->operation.awaits &&
           hd_explore_before(mover->path, mover->end, event);
}

/* The events that stay, and which threads can begin with one of them. */
static void keep_events(const struct mover *mover) {
    const hd_explore_path *path = mover->path;
    hd_explore_reversal *reversal = &mover->reverser->reversal;
    const hd_vec_u32 *removed = &mover->reverser->removed;
    hd_vec_clear(&reversal->kept);
    reversal->initials = HD_EXPLORE_NO_THREADS;
    for (uint32_t k = reversal->at; k < path->events.length; k++) {
        if (k == mover->end || is_after_mover(mover, k) || depends_on_removed(path, removed, k))
            continue;
        hd_vec_push(&reversal->kept, k);
        if (path->latest_before.data[k] <= reversal->at)
            reversal->initials |= HD_EXPLORE_BIT(path->events.data[k].thread);
    }
    /* The first event that is removed takes all later ones of its thread with it. */
    assert(!hd_explore_set_has(reversal->initials, path->events.data[reversal->at].thread));
}

/* Is the operation independent of all that stays? */
static bool independent_of_kept(const struct mover *mover, const hd_explore_operation *operation) {
    hd_explore_path *path = mover->path;
    const hd_vec_u32 *kept = &mover->reverser->reversal.kept;
    for (size_t i = 0; i < kept->length; i++) {
        const hd_explore_event *event = &path->events.data[kept->data[i]];
        path->result->dependency_checks++;
        if (event->thread != operation->thread &&
            hd_explore_dependent(path, &path->operations.data[event->operation], operation))
            return false;
    }
    return true;
}

/* Takes the steps that stay, from the place of the first event that is removed, and no more: a
 * machine that executes runs need not go on after them. */
static void take_kept(const struct mover *mover) {
    hd_machine *machine = mover->path->machine;
    hd_explore_reverser *reverser = mover->reverser;
    const hd_vec_u32 *kept = &reverser->reversal.kept;
    uint64_t asleep = machine->asleep;
    hd_vec_clear(&reverser->steps);
    for (size_t i = 0; i < kept->length; i++) {
        const hd_explore_event *event = &mover->path->events.data[kept->data[i]];
        hd_vec_push(&reverser->steps, ((hd_step){event->thread, event->choice}));
    }
    machine->asleep = UINT64_MAX;
    if (machine->type->foresee && kept->length)
        machine->type->foresee(machine, reverser->steps.data, kept->length, UINT32_MAX);
    for (size_t i = 0; i < kept->length; i++)
        machine->type->step(machine, reverser->steps.data[i].thread,
                            reverser->steps.data[i].choice);
    machine->asleep = asleep;
}

/* Runs the machine without the removed events and looks at the mover there. */
static bool look_after_kept(const struct mover *mover) {
    hd_explore_path *path = mover->path;
    hd_machine *machine = path->machine;
    hd_explore_reversal *reversal = &mover->reverser->reversal;
    uint32_t length = (uint32_t)path->events.length;
    for (uint32_t k = length; k > reversal->at; k--)
        machine->type->undo(machine);
    take_kept(mover);
    bool enabled = hd_explore_evaluate(path, mover->operation.thread, &reversal->operation);
    for (size_t i = 0; i < reversal->kept.length; i++)
        machine->type->undo(machine);
    for (uint32_t k = reversal->at; k < length; k++)
        machine->type->step(machine, path->events.data[k].thread, path->events.data[k].choice);
    return enabled;
}

/* Did the thread wait before the first event that is removed, so that this may be what let it go
 * on, though neither a lock nor an await: a cancellation, say. */
static bool has_waited(const struct mover *mover) {
    const hd_explore_path *path = mover->path;
    uint32_t at = mover->reverser->reversal.at, thread = mover->operation.thread;
    return mover->previous <= at &&
           !path->operations.data[hd_explore_operation_at(path, thread, at)].enabled;
}

static uint8_t mode_at(const hd_explore_path *path, uint32_t event, uint32_t location) {
    const hd_explore_operation *operation = hd_explore_taken(path, event);
    for (uint32_t i = 0; i < operation->count; i++) {
        const hd_machine_access *access = &path->accesses.data[operation->accesses + i];
        if (access->location == location)
            return access->mode;
    }
    return 0;
}

static uint32_t held_after(const hd_explore_path *path, uint32_t event, uint32_t lock,
                           uint32_t held) {
    uint8_t mode = mode_at(path, event, lock);
    held += (mode & HD_MACHINE_ACQUIRE) != 0;
    return held - (mode & HD_MACHINE_RELEASE && held);
}

/* Is the lock, or a share of it, still held after what stays?  The event that gave it back may
 * depend on what is removed, on a try that found the lock taken for example. */
static bool may_be_held(const struct mover *mover, uint32_t lock) {
    const hd_explore_path *path = mover->path;
    const hd_explore_reversal *reversal = &mover->reverser->reversal;
    uint32_t held = 0;
    for (uint32_t k = 0; k < reversal->at; k++)
        held = held_after(path, k, lock, held);
    for (size_t i = 0; i < reversal->kept.length; i++)
        held = held_after(path, reversal->kept.data[i], lock, held);
    return held > 0;
}

/* May it have to wait after what stays for one of its locks? */
static bool may_find_lock_taken(const struct mover *mover) {
    const hd_explore_operation *operation = &mover->operation;
    for (uint32_t i = 0; operation->acquires && i < operation->count; i++) {
        hd_machine_access access = mover->path->accesses.data[operation->accesses + i];
        if (access.mode & HD_MACHINE_ACQUIRE && may_be_held(mover, access.location))
            return true;
    }
    return false;
}

/* The mover's operation after what stays; false if it is not enabled there. */
static bool evaluate_mover(const struct mover *mover) {
    hd_explore_reversal *reversal = &mover->reverser->reversal;
    reversal->operation = mover->operation;
    if (mover->fails)
        return true;
    if (HD_EXPLORE_CURE(1) && (mover->operation.awaits || mover->operation.varies))
        return look_after_kept(mover);
    return !(has_waited(mover) || may_find_lock_taken(mover)) || look_after_kept(mover);
}

/* An await that is false without some events may have read more than before. */
static void note_reads(const struct mover *mover, const hd_explore_operation *operation) {
    hd_vec_u32 *reads = &mover->reverser->reads;
    for (uint32_t i = 0; i < operation->count; i++) {
        uint32_t location = mover->path->accesses.data[operation->accesses + i].location;
        size_t j = 0;
        while (j < reads->length && reads->data[j] != location)
            j++;
        if (j == reads->length)
            hd_vec_push(reads, location);
    }
}

static bool thread_first_varies(const struct mover *mover) {
    const hd_explore_path *path = mover->path;
    const hd_vec_u32 *kept = &mover->reverser->reversal.kept;
    const hd_explore_operation *first = &mover->operation;
    for (size_t i = 0; i < kept->length; i++)
        if (path->events.data[kept->data[i]].thread == first->thread) {
            first = hd_explore_taken(path, kept->data[i]);
            break;
        }
    return first->varies || first->awaits;
}

/* The removed events are in the reverser. */
static void reverse_removed(const struct mover *mover) {
    hd_explore_reverser *reverser = mover->reverser;
    hd_explore_path *path = mover->path;
    hd_explore_reversal *reversal = &reverser->reversal;
    reversal->at = UINT32_MAX;
    for (size_t i = 0; i < reverser->removed.length; i++)
        if (reverser->removed.data[i] < reversal->at)
            reversal->at = reverser->removed.data[i];
    assert(reversal->at < mover->end && reversal->at < path->events.length);
    assert(path->events.data[reversal->at].thread != mover->operation.thread);
    keep_events(mover);
    bool learns = mover->operation.awaits && mover->operation.varies && !mover->fails;
    if (!learns && reverser->wanted &&
        !reverser->wanted(reverser->context, reversal->at, reversal->initials))
        return;
    size_t mark = path->accesses.length;
    if (evaluate_mover(mover)) {
        reversal->thread = mover->operation.thread;
        reversal->fails = mover->fails;
        reversal->choice = mover->fails ? path->events.data[mover->end].choice : 0;
        reversal->first_varies = thread_first_varies(mover);
        if (mover->previous <= reversal->at &&
            (mover->fails ? !reversal->kept.length
                          : independent_of_kept(mover, &reversal->operation)))
            reversal->initials |= HD_EXPLORE_BIT(reversal->thread);
        reverser->reverse(reverser->context, reversal);
    } else
        note_reads(mover, &reversal->operation);
    path->accesses.length = mark;
}

/* ---- Awaits ---- */

/* An await may write what it waits for, as one that takes a unit of a semaphore does; then
 * events that only read it are rivals too. */
static bool reads_what_mover_writes(const struct mover *mover, const hd_explore_operation *other) {
    const hd_explore_operation *own = &mover->operation;
    return own->writes & other->reads && hd_explore_dependent_exactly(mover->path, own, other);
}

static bool is_rival(const struct mover *mover, uint32_t event) {
    const hd_explore_path *path = mover->path;
    const hd_explore_operation *other = hd_explore_taken(path, event);
    const hd_vec_u32 *reads = &mover->reverser->reads;
    path->result->dependency_checks++;
    if (other->thread == mover->operation.thread)
        return false;
    if (reads_what_mover_writes(mover, other))
        return true;
    for (uint32_t i = 0; i < other->count; i++) {
        const hd_machine_access *access = &path->accesses.data[other->accesses + i];
        for (size_t j = 0; access->mode & HD_MACHINE_WRITES && j < reads->length; j++)
            if (reads->data[j] == access->location)
                return true;
    }
    return false;
}

static bool leaves(const hd_explore_reverser *reverser) {
    return reverser->leaves ? reverser->leaves(reverser->context) : hd_clock_over();
}

/* All antichains that add writes from candidates[next..] to the removed.  The first
 * removed is the earliest; only if that is before the await does the await move. */
static void antichains(const struct mover *mover, size_t next) {
    hd_explore_reverser *reverser = mover->reverser;
    for (size_t i = next; i < reverser->candidates.length && !leaves(reverser); i++) {
        uint32_t event = reverser->candidates.data[i];
        assert(!reverser->removed.length || *hd_vec_last(&reverser->removed) < event);
        bool unordered = true;
        for (size_t j = 0; j < reverser->removed.length; j++)
            unordered =
                unordered && !hd_explore_before(mover->path, reverser->removed.data[j], event);
        if (!unordered)
            continue;
        hd_vec_push(&reverser->removed, event);
        if (reverser->removed.data[0] < mover->end)
            reverse_removed(mover);
        if (HD_EXPLORE_CURE(4))
            antichains(mover, i + 1);
        reverser->removed.length--;
    }
}

static void reverse_await(const struct mover *mover) {
    hd_explore_reverser *reverser = mover->reverser;
    hd_vec_clear(&reverser->reads);
    hd_vec_clear(&reverser->removed);
    note_reads(mover, &mover->operation);
    size_t known;
    do { /* again, when it turned out to read more */
        known = reverser->reads.length;
        hd_vec_clear(&reverser->candidates);
        for (uint32_t k = 0; k < mover->path->events.length; k++)
            if (is_rival(mover, k) && !is_after_mover(mover, k) &&
                !(mover->previous && hd_explore_before(mover->path, k, mover->previous - 1)))
                hd_vec_push(&reverser->candidates, k);
        antichains(mover, 0);
        assert(!reverser->removed.length);
    } while (reverser->reads.length > known);
}

/* ---- Both kinds of movers ---- */

/* Those that are a race only because the mover fails, or the others. */
static void reverse_races(struct mover *mover, uint32_t start, uint32_t count, uint32_t section,
                          bool of_failure) {
    hd_explore_reverser *reverser = mover->reverser;
    mover->fails = of_failure;
    for (uint32_t i = start; i < start + count; i++) {
        uint32_t event = mover->path->races.data[i].event;
        if (mover->path->races.data[i].of_failure != of_failure)
            continue;
        if (section && mover->path->events.data[event].section == section)
            continue;
        hd_vec_clear(&reverser->removed);
        hd_vec_push(&reverser->removed, event);
        reverse_removed(mover);
    }
}

void hd_explore_reversals(hd_explore_reverser *reverser, uint32_t event) {
    hd_explore_path *path = reverser->path;
    const hd_explore_event about = path->events.data[event];
    struct mover mover = {.reverser = reverser,
                          .path = path,
                          .end = event,
                          .previous = about.previous,
                          .operation = path->operations.data[about.operation]};
    if (mover.operation.awaits)
        reverse_await(&mover);
    else
        reverse_races(&mover, about.races, about.race_count, about.section, false);
    reverse_races(&mover, about.races, about.race_count, about.section, true);
}

void hd_explore_pending_reversals(hd_explore_reverser *reverser, uint32_t thread) {
    hd_explore_path *path = reverser->path;
    struct mover mover = {.reverser = reverser,
                          .path = path,
                          .end = (uint32_t)path->events.length,
                          .previous = path->last_event[thread],
                          .operation = *hd_explore_next(path, thread)};
    if (!HD_EXPLORE_CURE(5) || !mover.operation.runs)
        return;
    if (mover.operation.awaits)
        reverse_await(&mover);
    else {
        uint32_t start = hd_explore_pending_races(path, thread);
        reverse_races(&mover, start, (uint32_t)path->races.length - start, 0, false);
        path->races.length = start;
    }
}

void hd_explore_reverser_release(hd_explore_reverser *reverser) {
    hd_vec_release(&reverser->reversal.kept);
    hd_vec_release(&reverser->reads);
    hd_vec_release(&reverser->candidates);
    hd_vec_release(&reverser->steps);
    hd_vec_release(&reverser->removed);
}
