#include "trace_check.h"

#include <stdlib.h>
#include <string.h>

#define NO_THREAD UINT32_MAX

/* What a thread may do next. */
enum thread_state { NEW, RUNNING, WAITING, IN_BARRIER, JOINED };

struct thread {
    uint8_t state;
    bool forked;
    bool released;   /* its last event was a release */
    uint32_t blocks; /* begins that have no end yet */
    uint32_t inside; /* the condition or barrier it is in */
};

struct lock {
    uint32_t writer;  /* a thread, or NO_THREAD */
    uint32_t depth;   /* holds of the writer within one another */
    uint32_t readers; /* threads that hold it for reading */
};

struct hd_trace_check {
    HD_VEC(struct thread) threads;
    HD_VEC(struct lock) locks; /* [lock + 1]; [0] is not a lock and never held */
    hd_map read_depth;         /* (lock, thread) -> holds for reading within one another */
    uint32_t previous;         /* thread of the event before this one */
};

/* One event that is being checked. */
struct step {
    hd_trace_check *check;
    const hd_trace_tables *tables;
    heddle_event *event;
    hd_error *error;
};

hd_trace_check *hd_trace_check_create(void) {
    hd_trace_check *check = HD_NEW(hd_trace_check);
    check->previous = NO_THREAD;
    return check;
}

void hd_trace_check_free(hd_trace_check *check) {
    if (!check)
        return;
    hd_vec_release(&check->threads);
    hd_vec_release(&check->locks);
    hd_map_release(&check->read_depth);
    free(check);
}

/* State for every thread and lock that has a name by now. */
static void make_room(hd_trace_check *check, const hd_trace_tables *tables) {
    uint32_t threads = tables->names[HEDDLE_CLASS_THREAD].length;
    uint32_t locks = tables->names[HEDDLE_CLASS_LOCK].length;
    if (check->threads.length < threads)
        hd_vec_resize(&check->threads, threads);
    while (check->locks.length <= locks) /* one to spare, which is never held */
        hd_vec_push(&check->locks, (struct lock){.writer = NO_THREAD});
}

static struct thread *thread_at(hd_trace_check *check, uint32_t id) {
    return &check->threads.data[id];
}

static struct lock *lock_at(hd_trace_check *check, uint32_t id) {
    return &check->locks.data[id + 1];
}

static uint32_t *read_depth_at(struct step *step) {
    uint64_t key = (uint64_t)step->event->object << 32 | step->event->thread;
    return hd_map_at(&step->check->read_depth, key, NULL);
}

static const char *thread_name(const struct step *step, uint32_t thread) {
    return hd_trace_thread_name(step->tables, thread);
}

static const char *self(const struct step *step) {
    return thread_name(step, step->event->thread);
}

static const char *object(const struct step *step) {
    return hd_trace_object_name(step->tables, step->event);
}

static bool acquire(struct step *step) {
    struct lock *lock = lock_at(step->check, step->event->object);
    uint32_t thread = step->event->thread;
    if (lock->writer == thread) {
        lock->depth++;
        step->event->flags |= HEDDLE_REENTRANT;
        return true;
    }
    if (lock->writer != NO_THREAD)
        return hd_error_set(step->error, "%s acquires lock %s, which %s holds", self(step),
                            object(step), thread_name(step, lock->writer));
    if (lock->readers && *read_depth_at(step))
        return hd_error_set(step->error, "%s acquires lock %s for writing while it reads under it",
                            self(step), object(step));
    if (lock->readers)
        return hd_error_set(step->error,
                            "%s acquires lock %s for writing while others read under it",
                            self(step), object(step));
    lock->writer = thread;
    lock->depth = 1;
    return true;
}

static bool release_lock(struct step *step) {
    struct lock *lock = lock_at(step->check, step->event->object);
    if (lock->writer == NO_THREAD)
        return hd_error_set(step->error, "%s releases lock %s, which %s", self(step), object(step),
                            lock->readers ? "is held for reading" : "no thread holds");
    if (lock->writer != step->event->thread)
        return hd_error_set(step->error, "%s releases lock %s, which %s holds", self(step),
                            object(step), thread_name(step, lock->writer));
    if (--lock->depth)
        step->event->flags |= HEDDLE_REENTRANT;
    else
        lock->writer = NO_THREAD;
    return true;
}

static bool read_acquire(struct step *step) {
    struct lock *lock = lock_at(step->check, step->event->object);
    if (lock->writer == step->event->thread)
        return hd_error_set(step->error, "%s acquires lock %s for reading while it writes under it",
                            self(step), object(step));
    if (lock->writer != NO_THREAD)
        return hd_error_set(step->error, "%s acquires lock %s for reading, which %s holds",
                            self(step), object(step), thread_name(step, lock->writer));
    if ((*read_depth_at(step))++)
        step->event->flags |= HEDDLE_REENTRANT;
    else
        lock->readers++;
    return true;
}

static bool read_release(struct step *step) {
    struct lock *lock = lock_at(step->check, step->event->object);
    uint32_t *depth = read_depth_at(step);
    if (!*depth)
        return hd_error_set(step->error, "%s releases lock %s, which it does not hold for reading",
                            self(step), object(step));
    if (--*depth)
        step->event->flags |= HEDDLE_REENTRANT;
    else
        lock->readers--;
    return true;
}

static bool fork_thread(struct step *step) {
    if (step->event->object == step->event->thread)
        return hd_error_set(step->error, "%s forks itself", self(step));
    struct thread *child = thread_at(step->check, step->event->object);
    if (child->forked)
        return hd_error_set(step->error, "%s forks %s, which was forked before", self(step),
                            object(step));
    if (child->state != NEW)
        return hd_error_set(step->error, "%s forks %s, which %s", self(step), object(step),
                            child->state == JOINED ? "was joined before" : "has had events before");
    child->forked = true;
    return true;
}

static bool join_thread(struct step *step) {
    if (step->event->object == step->event->thread)
        return hd_error_set(step->error, "%s joins itself", self(step));
    struct thread *child = thread_at(step->check, step->event->object);
    if (child->state == WAITING || child->state == IN_BARRIER)
        return hd_error_set(step->error, "%s joins %s, which is still %s", self(step), object(step),
                            child->state == WAITING ? "waiting" : "at a barrier");
    child->state = JOINED;
    return true;
}

static bool end_block(struct step *step, struct thread *thread) {
    if (!thread->blocks)
        return hd_error_set(step->error, "%s ends a block, but has begun none", self(step));
    thread->blocks--;
    return true;
}

static bool start_wait(struct step *step, struct thread *thread) {
    if (thread->released && step->check->previous != step->event->thread)
        return hd_error_set(step->error,
                            "%s waits on %s: its release just before is part of the wait, but "
                            "an event of %s lies between",
                            self(step), object(step), thread_name(step, step->check->previous));
    thread->state = WAITING;
    thread->inside = step->event->object;
    return true;
}

static bool enter_barrier(struct step *step, struct thread *thread) {
    thread->state = IN_BARRIER;
    thread->inside = step->event->object;
    return true;
}

/* A thread that is not running: only the end of its wait is legal. */
static bool resume(struct step *step, struct thread *thread) {
    const heddle_event *event = step->event;
    bool same = thread->inside == event->object;
    switch ((enum thread_state)thread->state) {
    case NEW:
    case RUNNING:
        if (event->kind == HEDDLE_WAKE)
            return hd_error_set(step->error, "%s wakes on %s, but does not wait", self(step),
                                object(step));
        if (event->kind == HEDDLE_BARRIER_OUT)
            return hd_error_set(step->error, "%s leaves barrier %s, but has not arrived",
                                self(step), object(step));
        break;
    case WAITING:
        if (event->kind != HEDDLE_WAKE || !same)
            return hd_error_set(step->error, "%s acts while it waits on a condition", self(step));
        break;
    case IN_BARRIER:
        if (event->kind != HEDDLE_BARRIER_OUT || !same)
            return hd_error_set(step->error, "%s acts while it is at a barrier", self(step));
        break;
    case JOINED:
        return hd_error_set(step->error, "%s acts after it was joined", self(step));
    }
    thread->state = RUNNING;
    return true;
}

static bool apply(struct step *step, struct thread *thread) {
    switch ((enum heddle_kind)step->event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
        return acquire(step);
    case HEDDLE_RELEASE:
        return release_lock(step);
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        return read_acquire(step);
    case HEDDLE_READ_RELEASE:
        return read_release(step);
    case HEDDLE_FORK:
        return fork_thread(step);
    case HEDDLE_JOIN:
        return join_thread(step);
    case HEDDLE_BEGIN:
        thread->blocks++;
        return true;
    case HEDDLE_END:
        return end_block(step, thread);
    case HEDDLE_WAIT:
        return start_wait(step, thread);
    case HEDDLE_BARRIER_IN:
        return enter_barrier(step, thread);
    default:
        return true;
    }
}

/* Any event, by all the rules. */
static bool check_other(hd_trace_check *check, const hd_trace_tables *tables, heddle_event *event,
                        hd_error *error) {
    struct thread *thread = thread_at(check, event->thread);
    struct step step = {check, tables, event, error};
    bool ends_waiting = event->kind == HEDDLE_WAKE || event->kind == HEDDLE_BARRIER_OUT;
    if ((thread->state != RUNNING || ends_waiting) && !resume(&step, thread))
        return false;
    if (!apply(&step, thread))
        return false;
    thread->released = event->kind == HEDDLE_RELEASE;
    check->previous = event->thread;
    return true;
}

/* a if the condition is 1, b if it is 0, without a branch. */
static inline uint32_t either(uint32_t condition, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & (0 - condition));
}

/* What nearly all events are, without a call and without a branch on their
 * kind: an access, an acquire of a free lock, the last release of a held one.
 * An access is taken as an acquire of lock 0, which it leaves as it is.
 * False: not one of these, nothing was changed. */
static inline bool check_common(hd_trace_check *check, const heddle_event *event) {
    struct thread *thread = thread_at(check, event->thread);
    uint32_t acquires = event->kind == HEDDLE_ACQUIRE, releases = event->kind == HEDDLE_RELEASE;
    uint32_t locks = acquires | releases, access = hd_trace_is_access(event);
    struct lock *lock = &check->locks.data[(event->object + 1) & (0 - locks)];
    uint32_t holder = either(releases, event->thread, NO_THREAD);
    if ((thread->state ^ RUNNING) | ((locks | access) ^ 1) | (lock->writer ^ holder) |
        (lock->depth ^ releases) | lock->readers)
        return false;
    lock->writer = either(acquires, event->thread, NO_THREAD);
    lock->depth = acquires;
    thread->released = releases != 0;
    check->previous = event->thread;
    return true;
}

bool hd_trace_check_batch(hd_trace_check *check, const hd_trace_tables *tables,
                          heddle_event *events, size_t count, size_t *wrong, hd_error *error) {
    make_room(check, tables);
    for (size_t i = 0; i < count; i++) {
        if (check_common(check, &events[i]) || check_other(check, tables, &events[i], error))
            continue;
        *wrong = i;
        return false;
    }
    return true;
}

bool hd_trace_check_event(hd_trace_check *check, const hd_trace_tables *tables, heddle_event *event,
                          hd_error *error) {
    size_t wrong;
    return hd_trace_check_batch(check, tables, event, 1, &wrong, error);
}

void hd_trace_check_forget(hd_trace_check *check, const heddle_event *event) {
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[event->kind].class;
    *thread_at(check, event->thread) = (struct thread){0};
    if (class == HEDDLE_CLASS_THREAD)
        *thread_at(check, event->object) = (struct thread){0};
    if (class == HEDDLE_CLASS_LOCK)
        *lock_at(check, event->object) = (struct lock){.writer = NO_THREAD};
    if (check->read_depth.length)
        hd_map_release(&check->read_depth);
    check->previous = NO_THREAD;
}

bool hd_trace_check_all(hd_trace *trace, hd_error *error) {
    hd_trace_check *check = hd_trace_check_create();
    size_t wrong;
    for (size_t i = 0; i < trace->events.length; i++)
        trace->events.data[i].flags &= (uint8_t)~HEDDLE_REENTRANT;
    bool good = hd_trace_check_batch(check, &trace->tables, trace->events.data,
                                     trace->events.length, &wrong, error);
    if (!good)
        hd_error_prefix(error, "event %zu: ", wrong + 1);
    hd_trace_check_free(check);
    return good;
}
