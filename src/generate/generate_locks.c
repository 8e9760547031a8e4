/*
 * Random programs with locks, run once.  The main thread forks the others as it goes and joins
 * them; a drawn thread does one thing at a time: it takes a lock that is free, up to three within
 * one another, gives back the one taken last, waits on that lock's condition, notifies, passes a
 * barrier, uses a semaphore, or reads or writes a variable.  Nothing is planned, so nothing is
 * consistent: locks are taken in any order, and variables are protected only by chance.
 *
 * The trace has exactly the wanted number of events, and nothing is left held
 * or waiting at its end: `owed` counts the events that this still needs, and
 * when no more than those are left, only they are done.
 */
#include "generate_emit.h"

enum { DEEPEST = 3 };

/* Permille of a running thread's steps. */
enum { FORKS = 300, RELEASES = 300, ACQUIRES = 400, NOTIFIES = 300, WRITES = 400 };
enum { STAYS = 600, READS_RWLOCK = 700, TIMEOUTS = 20 };

enum state { UNBORN, RUNNING, WAITING, REACQUIRING, IN_BARRIER, JOINED };

struct hold {
    uint32_t lock;
    bool reading;
};

struct actor {
    enum state state;
    uint32_t depth;             /* of the holds */
    struct hold holds[DEEPEST]; /* the last taken is the first given back */
    uint32_t wanted;            /* lock and condition, while waiting and reacquiring */
    bool notified;
};

struct lock {
    bool rwlock;
    uint32_t writers, readers; /* that hold it */
    uint32_t waiting;          /* on its condition, not notified */
};

struct program {
    hd_trace *trace;
    hd_random random;
    uint64_t left, owed; /* events to do; those of them that close what is open */
    struct actor *actors;
    uint32_t actor_count, born, in_barrier, current;
    struct lock *locks;
    uint32_t lock_count;
    int64_t *values;
    uint32_t variable_count;
    int64_t written;
    uint64_t units; /* of the semaphore */
    uint32_t waits, barriers, semaphores, joins;
};

static uint32_t draw_below(struct program *program, uint32_t limit) {
    return (uint32_t)hd_random_below(&program->random, limit);
}

static void say(struct program *program, uint32_t thread, enum heddle_kind kind, uint32_t object) {
    hd_generate_emit(program->trace, thread, kind, object);
    program->left--;
}

/* Is there room for so many events, and so many more owed after them? */
static bool has_room(const struct program *program, uint64_t events, uint64_t more_owed) {
    return program->left >= program->owed + events + more_owed;
}

static bool is_free(const struct lock *lock, bool reading) {
    return lock->writers == 0 && (reading || lock->readers == 0);
}

static bool holds(const struct actor *actor, uint32_t lock) {
    for (uint32_t i = 0; i < actor->depth; i++)
        if (actor->holds[i].lock == lock)
            return true;
    return false;
}

static void acquire(struct program *program, uint32_t thread, uint32_t lock, bool reading) {
    struct actor *actor = &program->actors[thread];
    actor->holds[actor->depth++] = (struct hold){lock, reading};
    program->locks[lock].readers += reading;
    program->locks[lock].writers += !reading;
    say(program, thread, reading ? HEDDLE_READ_ACQUIRE : HEDDLE_ACQUIRE, lock);
}

static void release_lock(struct program *program, uint32_t thread) {
    struct actor *actor = &program->actors[thread];
    struct hold last = actor->holds[--actor->depth];
    program->locks[last.lock].readers -= last.reading;
    program->locks[last.lock].writers -= !last.reading;
    say(program, thread, last.reading ? HEDDLE_READ_RELEASE : HEDDLE_RELEASE, last.lock);
    program->owed--;
}

static bool try_acquire(struct program *program, uint32_t thread) {
    const struct actor *actor = &program->actors[thread];
    if (program->lock_count == 0 || actor->depth == DEEPEST || !has_room(program, 1, 1))
        return false;
    uint32_t lock = draw_below(program, program->lock_count);
    bool reading = program->locks[lock].rwlock && hd_random_chance(&program->random, READS_RWLOCK);
    if (holds(actor, lock) || !is_free(&program->locks[lock], reading))
        return false;
    program->owed++;
    acquire(program, thread, lock, reading);
    return true;
}

/* A thread that waits holds nothing else, so that all can be let go again. */
static bool try_wait(struct program *program, uint32_t thread) {
    struct actor *actor = &program->actors[thread];
    if (actor->depth != 1 || actor->holds[0].reading || !has_room(program, 1, 3))
        return false;
    uint32_t lock = actor->holds[0].lock;
    release_lock(program, thread);
    say(program, thread, HEDDLE_WAIT, lock);
    actor->state = WAITING;
    actor->wanted = lock;
    actor->notified = false;
    program->locks[lock].waiting++;
    program->owed += 3; /* wake, acquire, release */
    return true;
}

static void wake_waiter(struct program *program, uint32_t thread) {
    struct actor *actor = &program->actors[thread];
    program->locks[actor->wanted].waiting -= !actor->notified;
    actor->state = REACQUIRING;
    say(program, thread, HEDDLE_WAKE, actor->wanted);
    program->owed--;
}

static bool try_reacquire(struct program *program, uint32_t thread) {
    struct actor *actor = &program->actors[thread];
    if (!is_free(&program->locks[actor->wanted], false))
        return false;
    actor->state = RUNNING;
    acquire(program, thread, actor->wanted, false);
    program->owed--;
    return true;
}

/* Marks the first waiter, or all, in thread order. */
static void mark_notified(struct program *program, uint32_t condition, bool all) {
    for (uint32_t i = 0; i < program->actor_count && program->locks[condition].waiting > 0; i++) {
        struct actor *actor = &program->actors[i];
        if (actor->state != WAITING || actor->wanted != condition || actor->notified)
            continue;
        actor->notified = true;
        program->locks[condition].waiting--;
        if (!all)
            return;
    }
}

static bool try_notify(struct program *program, uint32_t thread) {
    const struct actor *actor = &program->actors[thread];
    if (actor->depth == 0)
        return false;
    uint32_t condition = actor->holds[actor->depth - 1].lock;
    if (program->locks[condition].waiting == 0)
        return false;
    bool all = draw_below(program, 4) == 0;
    say(program, thread, all ? HEDDLE_NOTIFYALL : HEDDLE_NOTIFY, condition);
    mark_notified(program, condition, all);
    return true;
}

static void enter_barrier(struct program *program, uint32_t thread) {
    program->actors[thread].state = IN_BARRIER;
    program->in_barrier++;
    program->owed++;
    say(program, thread, HEDDLE_BARRIER_IN, 0);
}

static void leave_barrier(struct program *program, uint32_t thread) {
    program->actors[thread].state = RUNNING;
    program->in_barrier--;
    program->owed--;
    say(program, thread, HEDDLE_BARRIER_OUT, 0);
}

/* This thread and about half of the other running ones arrive together. */
static bool try_barrier(struct program *program, uint32_t thread) {
    if (program->in_barrier > 0 || !has_room(program, program->born, program->born))
        return false;
    for (uint32_t i = 0; i < program->actor_count; i++)
        if (program->actors[i].state == RUNNING && (i == thread || draw_below(program, 2) == 0))
            enter_barrier(program, i);
    return true;
}

static void use_semaphore(struct program *program, uint32_t thread) {
    bool take = program->units > 0 && draw_below(program, 2) == 0;
    program->units += take ? UINT64_MAX : 1;
    say(program, thread, take ? HEDDLE_TAKE : HEDDLE_POST, 0);
}

static void access_variable(struct program *program, uint32_t thread) {
    uint32_t variable = draw_below(program, program->variable_count);
    bool write = hd_random_chance(&program->random, WRITES);
    if (write)
        program->values[variable] = ++program->written;
    hd_generate_emit_value(program->trace, thread, write ? HEDDLE_WRITE : HEDDLE_READ, variable,
                           program->values[variable]);
    program->left--;
}

static bool try_fork(struct program *program, uint32_t thread) {
    if (thread != 0 || program->born == program->actor_count || !has_room(program, 1, 1))
        return false;
    program->actors[program->born].state = RUNNING;
    program->owed++;
    say(program, 0, HEDDLE_FORK, program->born++);
    return true;
}

static bool try_join(struct program *program, uint32_t thread, uint32_t child) {
    struct actor *actor = &program->actors[child];
    if (thread != 0 || child == 0 || actor->state != RUNNING || actor->depth > 0)
        return false;
    actor->state = JOINED;
    program->owed--;
    say(program, 0, HEDDLE_JOIN, child);
    return true;
}

static bool chance(struct program *program, uint32_t permille) {
    return permille > 0 && hd_random_chance(&program->random, permille);
}

/* Tries an action that involves other threads; false if none was drawn or possible. */
static bool try_meeting(struct program *program, uint32_t thread) {
    if (thread == 0 && chance(program, FORKS) && try_fork(program, thread))
        return true;
    if (thread == 0 && chance(program, program->joins) &&
        try_join(program, thread, draw_below(program, program->born)))
        return true;
    if (chance(program, program->barriers) && try_barrier(program, thread))
        return true;
    if (chance(program, program->semaphores)) {
        use_semaphore(program, thread);
        return true;
    }
    return chance(program, NOTIFIES) && try_notify(program, thread);
}

static void run_step(struct program *program, uint32_t thread) {
    if (try_meeting(program, thread))
        return;
    if (program->actors[thread].depth > 0 && chance(program, RELEASES)) {
        if (!chance(program, program->waits) || !try_wait(program, thread))
            release_lock(program, thread);
    } else if (!chance(program, ACQUIRES) || !try_acquire(program, thread)) {
        access_variable(program, thread);
    }
}

/* One action of a drawn thread, unless it cannot act. */
static void take_step(struct program *program) {
    if (!chance(program, STAYS))
        program->current = draw_below(program, program->born);
    struct actor *actor = &program->actors[program->current];
    if (actor->state == RUNNING)
        run_step(program, program->current);
    else if (actor->state == WAITING && (actor->notified || chance(program, TIMEOUTS)))
        wake_waiter(program, program->current);
    else if (actor->state == REACQUIRING)
        (void)try_reacquire(program, program->current);
    else if (actor->state == IN_BARRIER)
        leave_barrier(program, program->current);
}

/* Closes something that this thread has open, by one event; false if nothing is open, or it must
 * wait. */
static bool close_one(struct program *program, uint32_t thread) {
    const struct actor *actor = &program->actors[thread];
    if (actor->state == RUNNING && actor->depth > 0)
        release_lock(program, thread);
    else if (actor->state == WAITING)
        wake_waiter(program, thread);
    else if (actor->state == REACQUIRING)
        return try_reacquire(program, thread);
    else if (actor->state == IN_BARRIER)
        leave_barrier(program, thread);
    else
        return false;
    return true;
}

static void close_all(struct program *program) {
    bool closed = true;
    while (closed) {
        closed = false;
        for (uint32_t thread = 0; thread < program->born; thread++)
            closed |= close_one(program, thread);
    }
    for (uint32_t child = 1; child < program->born; child++)
        (void)try_join(program, 0, child);
    assert(program->left == 0 && program->owed == 0);
}

static void name_objects(const struct program *program, uint64_t rwlocks) {
    hd_trace *trace = program->trace;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 0, program->actor_count);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, program->variable_count);
    hd_generate_emit_names(trace, HEDDLE_CLASS_LOCK, "l", 1, program->lock_count);
    hd_generate_emit_names(trace, HEDDLE_CLASS_CONDITION, "q", 1, program->lock_count);
    hd_generate_emit_names(trace, HEDDLE_CLASS_BARRIER, "b", 1, 1);
    hd_generate_emit_names(trace, HEDDLE_CLASS_SEMAPHORE, "s", 1, 1);
    for (uint32_t i = 0; i < program->lock_count; i++)
        program->locks[i].rwlock = i < program->lock_count * rwlocks / 1000;
}

static void release_program(struct program *program) {
    free(program->actors);
    free(program->locks);
    free(program->values);
}

bool hd_generate_locks(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    const uint64_t *numbers = request->numbers;
    if (!hd_generate_emit_fits(1, numbers[1], error))
        return false;
    struct program program = {
        .trace = trace,
        .left = numbers[1],
        .actors = HD_NEW_ARRAY(struct actor, numbers[0]),
        .actor_count = (uint32_t)numbers[0],
        .born = 1,
        .locks = HD_NEW_ARRAY(struct lock, numbers[2] + 1),
        .lock_count = (uint32_t)numbers[2],
        .values = HD_NEW_ARRAY(int64_t, numbers[3]),
        .variable_count = (uint32_t)numbers[3],
        .waits = (uint32_t)numbers[5],
        .barriers = (uint32_t)numbers[6],
        .semaphores = (uint32_t)numbers[7],
        .joins = (uint32_t)numbers[8],
    };
    program.actors[0].state = RUNNING;
    hd_random_seed(&program.random, request->seed);
    name_objects(&program, numbers[4]);
    while (program.left > program.owed && !hd_clock_over())
        take_step(&program);
    close_all(&program);
    release_program(&program);
    return true;
}
