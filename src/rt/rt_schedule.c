/*
 * Which thread runs next.  A thread comes here with its pending operation published; the decision
 * is among the threads whose operation can be done now, and those that wait for a time, for which
 * time is then made to pass.
 *
 * By seed: a thread runs for a random number of points, then any other thread that
 * can go on is as likely as the next.  How many points at most is drawn once a run, so
 * that some runs change threads all the time and others seldom; a long run draws again, for
 * threads that take turns at every point may back off from each other for ever.  Now and then one
 * that waits for a time is chosen though others could go on, as on a machine that is slow.  Seed 0:
 * a thread goes on until it must wait.  By schedule: each run of the schedule is followed for its
 * number of steps.
 *
 * A point costs a few nanoseconds where the same thread goes on, and a look at
 * every live thread where it does not.
 */
#include <semaphore.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "rt.h"
#include "rt_annotate.h"
#include "rt_arch.h"
#include "rt_calls.h"
#include "rt_external_wait.h"
#include "rt_freed.h"
#include "rt_identity.h"
#include "rt_misuse.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_stuck.h"
#include "rt_sync.h"
#include "rt_world.h"

/* Points that a thread passes before others may run, at most: of a random
 * schedule a power of two up to the first, and of the one of seed 0, which must not
 * starve anyone either, the second. */
enum { RANDOM_RUNS = 5, LONG_RUN = 2000, SELDOM = 24 };

/* Decisions by seed after which the longest run is drawn again. */
enum { SAME_PACE = 1 << 17 };

static uint64_t longest_run, decisions;

enum able { NO, EXTERNAL, TIME, NOW };

static hd_rt_thread *candidates[HEDDLE_WIRE_THREADS];

/* --- what can be done ----------------------------------------------------------------------- */

static bool possible(const hd_rt_thread *thread) {
    const heddle_wire_operation *operation = &thread->wire->pending;
    const void *address = (const void *)(uintptr_t)operation->address;
    if (operation->flags & HEDDLE_WIRE_SPINS && !hd_rt_spin_possible(thread))
        return false;
    if (operation->flags & HEDDLE_WIRE_TRY)
        return true;
    switch (operation->kind) {
    case HEDDLE_ACQUIRE + 1:
        return hd_rt_sync_available(operation->size, address, thread);
    case HEDDLE_READ_ACQUIRE + 1:
        return hd_rt_sync_readable(operation->size, address);
    case HEDDLE_JOIN + 1:
        return hd_rt.wire->thread[operation->address].state == HEDDLE_WIRE_ENDED;
    case HEDDLE_WAKE + 1:
    case HEDDLE_BARRIER_OUT + 1:
    case HEDDLE_WIRE_FUTEX:
        return thread->signalled;
    case HEDDLE_RECV + 1:
        return *(const uint32_t *)address > 0 || hd_rt_misuse_bad(HD_RT_A_SEMAPHORE, address);
    case HEDDLE_WIRE_ONCE:
        return hd_rt_once_available(operation->size, address);
    case HEDDLE_WIRE_SLEEP:
        return operation->deadline <= hd_rt.now && !operation->size;
    case HEDDLE_WIRE_EXTERNAL:
        return hd_rt_outside_ready(thread);
    case HEDDLE_WIRE_OUTPUT:
        return hd_rt_stream_available(address, thread);
    case HEDDLE_WIRE_ASSUME:
    case HEDDLE_WIRE_ROUND:
        return false;
    default:
        return true;
    }
}

bool hd_rt_possible(const hd_rt_thread *thread) {
    return possible(thread);
}

/* Whether there is something for a thread that waits outside is asked only now and then, because
 * that is a system call; but an explorer must know. */
static enum able able(const hd_rt_thread *thread) {
    bool outside = thread->outside && !hd_rt.exploring;
    if ((!outside && possible(thread)) || hd_rt_cancel_due(thread))
        return NOW;
    return thread->wire->pending.flags & HEDDLE_WIRE_TIMED ? TIME : outside ? EXTERNAL : NO;
}

bool hd_rt_able(const hd_rt_thread *thread) {
    return able(thread) != NO;
}

/* --- the decision --------------------------------------------------------------------------- */

static void draw_pace(void) {
    longest_run = (uint64_t)1 << hd_rt_random(RANDOM_RUNS + 1);
}

static int64_t draw_quantum(void) {
    return hd_rt.wire->seed ? (int64_t)hd_rt_random(longest_run) + 1 : LONG_RUN;
}

static hd_rt_thread *earliest(void) {
    hd_rt_thread *best = NULL;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        hd_rt_thread *thread = hd_rt.live[i];
        if (able(thread) == TIME &&
            (!best || thread->wire->pending.deadline < best->wire->pending.deadline))
            best = thread;
    }
    return best;
}

/* Those that are able in that way, without `but` unless it is the only one. */
static uint32_t gather(enum able way, const hd_rt_thread *but) {
    uint32_t count = 0;
    bool only = false;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        hd_rt_thread *thread = hd_rt.live[i];
        if (able(thread) != way)
            continue;
        if (thread == but)
            only = true;
        else
            candidates[count++] = thread;
    }
    if (!count && only)
        for (uint32_t i = 0; i < hd_rt.live_count; i++)
            if (hd_rt.live[i] == but)
                candidates[count++] = hd_rt.live[i];
    return count;
}

/* Those that wait outside and have something there. */
static uint32_t gather_outside(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        if (hd_rt.live[i]->outside && hd_rt_outside_ready(hd_rt.live[i]))
            candidates[count++] = hd_rt.live[i];
    return count;
}

/* The next in order of birth after `self`, of those gathered. */
static hd_rt_thread *next_in_turn(const hd_rt_thread *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (candidates[i]->id > self->id)
            return candidates[i];
    return candidates[0];
}

static hd_rt_thread *by_seed(hd_rt_thread *self) {
    bool yields = self->wire->pending.kind == HEDDLE_WIRE_YIELD;
    bool ended = self->wire->state == HEDDLE_WIRE_ENDED;
    if (--hd_rt.quantum > 0 && !yields && !ended && able(self) == NOW)
        return self;
    bool random = hd_rt.wire->seed != 0;
    if (++decisions % SAME_PACE == 0 && random)
        draw_pace();
    hd_rt.quantum = draw_quantum();
    uint32_t count = 0;
    if (random && hd_rt_random(SELDOM) == 0)
        count = hd_rt_random(2) ? gather(TIME, NULL) : gather_outside();
    else if (!random && decisions % SELDOM == 0)
        count = gather_outside();
    if (!count)
        count = gather(NOW, self);
    while (!count) {
        hd_rt_thread *waiting = earliest();
        if (!hd_rt_outside_await(waiting ? waiting->wire->pending.deadline - hd_rt.now
                                         : HD_RT_FOREVER))
            return waiting && hd_rt_stuck_in_ring() ? NULL : waiting;
        count = gather_outside();
    }
    return random ? candidates[hd_rt_random(count)] : next_in_turn(self, count);
}

static const heddle_wire_run *schedule(void) {
    return (const heddle_wire_run *)((const char *)hd_rt.wire + hd_rt.wire->schedule);
}

/* After the last event. */
static void end_of_events(void) {
    hd_rt.following = false;
    if (!hd_rt.wire->stops)
        return;
    hd_rt_replay_stop();
    if (!hd_rt.watched)
        hd_rt_stop(HEDDLE_WIRE_STOPPED, "");
}

static hd_rt_thread *by_events(hd_rt_thread *self) {
    hd_rt_thread *next = hd_rt_follow_decide(self);
    if (next)
        return next;
    end_of_events();
    return by_seed(self);
}

static hd_rt_thread *by_schedule(hd_rt_thread *self) {
    heddle_wire *wire = hd_rt.wire;
    if (wire->decision == HEDDLE_WIRE_BY_EVENTS)
        return by_events(self);
    if (!hd_rt.run_left && ++wire->run < wire->schedule_runs)
        hd_rt.run_left = schedule()[wire->run].steps;
    if (wire->run >= wire->schedule_runs) {
        hd_rt.following = false;
        return by_seed(self);
    }
    uint32_t id = schedule()[wire->run].thread;
    hd_rt_thread *thread = id < wire->threads ? hd_rt_thread_at(id) : NULL;
    if (thread && thread->outside && !hd_rt_outside_await_one(thread))
        hd_rt_stop(HEDDLE_WIRE_DIVERGED,
                   "the schedule's next thread waits for something outside that does not come");
    if (!thread || thread->wire->state != HEDDLE_WIRE_LIVE || able(thread) == NO)
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "the schedule's next thread cannot go on");
    if (hd_rt.run_left)
        hd_rt.run_left--; /* the step that it takes now */
    return thread;
}

/* --- the end -------------------------------------------------------------------------------- */

void hd_rt_stop(enum heddle_wire_ending ending, const char *message) {
    hd_rt.ended = true;
    hd_rt.mode = HD_RT_OFF;
    hd_rt.lane.left = 0;
    heddle_wire *wire = hd_rt.wire;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        heddle_wire_thread *thread = hd_rt.live[i]->wire;
        if (thread->pending.kind == HEDDLE_ACQUIRE + 1)
            thread->holder = hd_rt_sync_holder(thread->pending.size,
                                               (const void *)(uintptr_t)thread->pending.address);
    }
    wire->ending = ending;
    hd_rt_text(wire->message, sizeof wire->message, message);
    if (ending == HEDDLE_WIRE_DEADLOCK)
        hd_rt_stack_of_all();
    hd_rt_replay_stop();
    hd_rt_server_leave(70 << 8);
    hd_rt_real.fflush(NULL);
    hd_rt_syscall(SYS_exit_group, 70, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

/* Steps that the record shows by themselves. */
static bool is_plain(unsigned kind) {
    return kind == HEDDLE_READ + 1 || kind == HEDDLE_WRITE + 1 || kind == HEDDLE_MARK + 1 ||
           kind == HEDDLE_BEGIN + 1 || kind == HEDDLE_END + 1;
}

/* --- points --------------------------------------------------------------------------------- */

static void go_to(hd_rt_thread *self, hd_rt_thread *next) {
    hd_rt.wire->switches++;
    hd_rt.wire->current = next->id;
    hd_rt.current = next;
    hd_rt_record_thread();
    hd_rt_identity_turn(next);
    hd_rt_arch_switch(&self->stack_pointer, next->stack_pointer, next->thread_pointer);
}

/* When its time is up. */
static int64_t time_of(const heddle_wire_operation *operation) {
    int64_t from = operation->kind == HEDDLE_WIRE_SLEEP && operation->size ? hd_rt.now : 0;
    bool never = operation->deadline > INT64_MAX - 1 - from;
    return never ? INT64_MAX - 1 : from + operation->deadline;
}

void hd_rt_schedule_chosen(hd_rt_thread *next) {
    next->late = !possible(next);
    if (next->late && next->wire->pending.flags & HEDDLE_WIRE_TIMED &&
        time_of(&next->wire->pending) > hd_rt.now)
        hd_rt.now = time_of(&next->wire->pending);
}

/* The most frequent cases of `possible`: giving back, and taking a mutex that is free. */
static inline bool clearly_possible(const heddle_wire_operation *operation) {
    const pthread_mutex_t *mutex = (const pthread_mutex_t *)(uintptr_t)operation->address;
    return operation->kind == HEDDLE_RELEASE + 1 ||
           (operation->kind == HEDDLE_ACQUIRE + 1 && operation->size == HEDDLE_WIRE_MUTEX &&
            !mutex->__data.__lock);
}

/* Mostly it is the same thread by the seed, too: that is asked first, and once. */
static inline bool goes_on(hd_rt_thread *self) {
    const heddle_wire_operation *operation = &self->wire->pending;
    if (hd_rt.exploring || hd_rt.following || hd_rt.quantum <= 1 || self->outside ||
        operation->kind == HEDDLE_WIRE_YIELD || operation->flags & HEDDLE_WIRE_SPINS ||
        self->wire->state == HEDDLE_WIRE_ENDED || !(clearly_possible(operation) || possible(self)))
        return false;
    hd_rt.quantum--;
    self->late = false;
    return true;
}

static hd_rt_thread *decide(hd_rt_thread *self) {
    if (HD_RT_LIKELY(goes_on(self)))
        return self;
    hd_rt_thread *next = hd_rt.exploring   ? hd_rt_explore_decide(self)
                         : hd_rt.following ? by_schedule(self)
                                           : by_seed(self);
    if (next)
        hd_rt_schedule_chosen(next);
    else
        hd_rt_stop(HEDDLE_WIRE_DEADLOCK, "every thread waits");
    return next;
}

/* Nanoseconds that pass at a point.  A yield lets time go by, so that a loop that waits for a
 * sleeping thread ends. */
static int64_t span(unsigned kind) {
    enum { USUAL = 100, YIELD = 50000 };
    return is_plain(kind) ? 0 : kind == HEDDLE_WIRE_YIELD ? YIELD : USUAL;
}

/* A plain access in an atomic section is a step of the schedule, though it is no point. */
static void pass_step(const hd_rt_thread *self) {
    bool steps = hd_rt.following && hd_rt.wire->decision != HEDDLE_WIRE_BY_EVENTS;
    if (steps && hd_rt.run_left && is_plain(self->wire->pending.kind))
        hd_rt.run_left--;
}

static bool takes_lock(unsigned kind) {
    return kind == HEDDLE_OP_ACQUIRE || kind == HEDDLE_OP_READ_ACQUIRE;
}

static bool reach(hd_rt_thread *self) {
    if (hd_rt.ended)
        return false;
    if (HD_RT_UNLIKELY(hd_rt.atomic)) {
        if (possible(self)) {
            if (hd_rt.exploring)
                hd_rt_explore_inner(self);
            else if (takes_lock(self->wire->pending.kind))
                hd_rt_section_locks(self->wire->pending.code);
            pass_step(self);
            return false; /* not a point: no other thread goes on */
        }
        if (hd_rt.exploring)
            hd_rt_explore_drop(); /* it can never go on */
        hd_rt_section_waits(self->wire->pending.code);
    }
    if (HD_RT_UNLIKELY(self->within) && possible(self) && hd_rt_annotate_passes(self))
        return false;
    hd_rt.wire->points_passed++;
    self->called_at = hd_rt.called_from == self->wire->pending.code ? hd_rt.called_at : 0;
    self->announced = hd_rt.announced;
    /* Explored, time stands still: it must not tell how many steps others took. */
    hd_rt.now += hd_rt.exploring ? 0 : span(self->wire->pending.kind);
    /* Which plain accesses are points depends on the mode: names must not. */
    if (hd_rt.calls && (hd_rt.exploring || !is_plain(self->wire->pending.kind)))
        hd_rt_calls_show(self);
    hd_rt_thread *next = decide(self);
    if (next != self) {
        hd_rt_calls_show(self);
        go_to(self, next);
    }
    if (HD_RT_UNLIKELY(hd_rt.looking))
        hd_rt_stack_answer(self);
    hd_rt.wire->steps += !is_plain(self->wire->pending.kind);
    hd_rt_thread_reap();
    return self->late;
}

/* Does the call end when a handler has run in it?  Sleeps do, and waits for semaphores unless they
 * begin anew, which those with a time limit never do. */
static bool ends_early(const hd_rt_thread *self, const heddle_wire_operation *operation) {
    bool anew = self->restarts && !(operation->flags & HEDDLE_WIRE_TIMED);
    return self->interrupted &&
           (operation->kind == HEDDLE_WIRE_SLEEP || (operation->kind == HEDDLE_RECV + 1 && !anew));
}

/* A thread that waits, and was sent a signal, handles it and waits on.  If the call ends then, it
 * may have been about to end as it should: both are explored. */
static __attribute__((noinline)) bool reach_again(hd_rt_thread *self,
                                                  heddle_wire_operation operation) {
    bool late = false;
    while (self->looks) {
        self->looks = self->interrupted = self->restarts = false;
        hd_rt_signal_deliver();
        self->early = ends_early(self, &operation);
        if (self->early)
            operation.flags |=
                HEDDLE_WIRE_EITHER | (operation.kind == HEDDLE_RECV + 1 ? HEDDLE_WIRE_TRY : 0);
        self->wire->pending = operation;
        late = reach(self);
    }
    return late;
}

/* The fields go to their places one by one: if they are put together first and then copied, the
 * copy waits for them longer than the rest of a point takes. */
static inline __attribute__((always_inline)) bool
reach_with_signals(hd_rt_thread *self, const heddle_wire_operation operation) {
    heddle_wire_operation *pending = &self->wire->pending;
    pending->kind = operation.kind;
    pending->orders = operation.orders;
    pending->flags = operation.flags;
    pending->size = operation.size;
    pending->address = operation.address;
    pending->code = operation.code;
    pending->deadline = operation.deadline;
    bool late = reach(self);
    return HD_RT_UNLIKELY(self->looks) ? reach_again(self, operation) : late;
}

void hd_rt_signal_look(uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    self->wire->pending = (heddle_wire_operation){.kind = HEDDLE_WIRE_FENCE,
                                                  .flags = HEDDLE_WIRE_LOOKS,
                                                  .size = 1,
                                                  .address = heddle_wire_signals(self->id),
                                                  .code = code};
    reach(self);
    hd_rt_signal_deliver();
}

/* What annotations say of an access: in the place of memory orders. */
static unsigned annotated(unsigned kind, unsigned orders, const volatile void *address,
                          uint32_t size) {
    if (!hd_rt.exploring)
        return orders;
    hd_rt_annotate_uses(kind, (uintptr_t)address, size);
    return is_plain(kind) && hd_rt_annotate_exempts(kind, (uintptr_t)address, size)
               ? HEDDLE_WIRE_EXEMPT
               : orders;
}

static bool point_at(unsigned kind, unsigned orders, const volatile void *address, uint32_t size,
                     uintptr_t code) {
    hd_rt_settle();
    hd_rt_thread *self = hd_rt.current;
    if (hd_rt_signal_looks(self))
        hd_rt_signal_look(code);
    /* Not at plain accesses: which of them are points depends on the mode. */
    else if (HD_RT_UNLIKELY(hd_rt.signals | self->signals | hd_rt_world_on) && !is_plain(kind))
        hd_rt_signal_deliver();
    if (HD_RT_UNLIKELY(hd_rt.wire->annotations))
        orders = annotated(kind, orders, address, size);
    heddle_wire_operation operation = {.kind = (uint8_t)kind,
                                       .orders = (uint8_t)orders,
                                       .size = size,
                                       .address = (uintptr_t)address,
                                       .code = code};
    bool late = reach_with_signals(self, operation);
    if (kind != HEDDLE_WIRE_FENCE) /* a wake of futexes names an address, and accesses nothing */
        hd_rt_freed_check(kind, address, size, code);
    return late;
}

bool hd_rt_point(unsigned kind, const volatile void *address, uint32_t size, uintptr_t code) {
    return point_at(kind, 0, address, size, code);
}

bool hd_rt_point_atomic(unsigned kind, unsigned success, unsigned failure,
                        const volatile void *address, uint32_t size, uintptr_t code) {
    return point_at(kind, success | failure << 4, address, size, code);
}

/* Others can notify the thread from the step before this point on.  A handler that came first would
 * hide from them that it waits. */
static bool has_begun_to_wait(unsigned kind) {
    return kind == HEDDLE_WAKE + 1 || kind == HEDDLE_BARRIER_OUT + 1 || kind == HEDDLE_WIRE_FUTEX;
}

/* Whether the thread can go on depends on the object: a bad address must fail before that
 * is asked. */
static void touch(unsigned kind, uint32_t size, const volatile void *object) {
    if (kind == HEDDLE_OP_RECV || kind == HEDDLE_WIRE_ONCE ||
        (takes_lock(kind) && size != HEDDLE_WIRE_ANNOTATED))
        (void)*(const volatile char *)object;
}

bool hd_rt_point_with(unsigned kind, unsigned flags, const volatile void *address, uint32_t size,
                      uintptr_t code, int64_t deadline) {
    hd_rt_settle();
    hd_rt_thread *self = hd_rt.current;
    bool waits = has_begun_to_wait(kind);
    if (hd_rt.exploring)
        touch(kind, size, address);
    if (hd_rt_signal_looks(self) && !waits)
        hd_rt_signal_look(code);
    else if (HD_RT_UNLIKELY(hd_rt.signals | self->signals | hd_rt_world_on) && !is_plain(kind) &&
             !waits)
        hd_rt_signal_deliver();
    if (deadline != HD_RT_FOREVER && !(flags & HEDDLE_WIRE_ALSO))
        flags |= HEDDLE_WIRE_TIMED;
    heddle_wire_operation operation = {.kind = (uint8_t)kind,
                                       .flags = (uint16_t)flags,
                                       .size = size,
                                       .address = (uintptr_t)address,
                                       .code = code,
                                       .deadline = deadline};
    hd_rt.clock_step = self->asked = 0;
    bool late = reach_with_signals(self, operation);
    if (!(flags & HEDDLE_WIRE_FREES) && !self->leaves)
        hd_rt_freed_check(kind, address, size, code);
    self->leaves = false;
    return late;
}

bool hd_rt_point_outside(unsigned flags, const volatile void *address, uint32_t size,
                         uintptr_t code, int64_t deadline) {
    hd_rt_settle();
    hd_rt_thread *self = hd_rt.current;
    if (deadline != HD_RT_FOREVER)
        flags |= HEDDLE_WIRE_TIMED;
    self->wire->pending = (heddle_wire_operation){.kind = HEDDLE_WIRE_EXTERNAL,
                                                  .flags = (uint16_t)flags,
                                                  .size = size,
                                                  .address = (uintptr_t)address,
                                                  .code = code,
                                                  .deadline = deadline};
    hd_rt.clock_step = self->asked = 0;
    return reach(self);
}

void hd_rt_runs_on(uintptr_t code) {
    hd_rt_settle();
    hd_rt_thread *self = hd_rt.current;
    self->wire->pending = (heddle_wire_operation){
        .kind = HEDDLE_WIRE_YIELD, .flags = HEDDLE_WIRE_RUNS_ON, .code = code};
    reach(self);
}

void hd_rt_leave(void) {
    hd_rt_settle();
    hd_rt_thread *self = hd_rt.current;
    self->wire->state = HEDDLE_WIRE_ENDED;
    self->wire->pending = (heddle_wire_operation){0};
    uint32_t i = 0;
    while (hd_rt.live[i] != self)
        i++;
    hd_rt.live_count--;
    for (; i < hd_rt.live_count; i++) {
        hd_rt.live[i] = hd_rt.live[i + 1];
        HD_RT_BARRIER(); /* or the compiler makes it a call of memmove */
    }
    if (hd_rt.live_count && self->blocked != hd_rt.live[0]->blocked)
        hd_rt_signal_mask();
    go_to(self, decide(self));
    __builtin_unreachable();
}

void hd_rt_schedule_init(void) {
    heddle_wire *wire = hd_rt.wire;
    hd_rt_random_seed(hd_rt.random, wire->seed);
    hd_rt_random_seed(hd_rt.choices, ~wire->seed);
    draw_pace();
    hd_rt.quantum = draw_quantum();
    hd_rt.every_access = wire->points == HEDDLE_WIRE_AT_ACCESSES;
    hd_rt.now = 0;
    if (wire->decision == HEDDLE_WIRE_BY_SCHEDULE && wire->schedule_runs) {
        hd_rt.following = true;
        hd_rt.run_left = schedule()[0].steps;
    } else if (wire->decision == HEDDLE_WIRE_BY_EVENTS && wire->schedule_runs) {
        hd_rt.following = true;
        hd_rt_follow_init();
    }
}
