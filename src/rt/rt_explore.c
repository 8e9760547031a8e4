/*
 * The steps of a run, for an explorer (heddle/wire.h says what a step is).  A run follows the
 * decisions that it was given, then takes the lowest thread that can go on, or rather what the
 * explorer would take: not one that is asleep there.  Each step is logged: the thread that took it,
 * the next operations that are new after it, and which threads can go on then.
 */
#include "rt_explore.h"

#include <sys/syscall.h>

#include "rt_external_wait.h"
#include "rt_foreign.h"
#include "rt_heap.h"
#include "rt_reuse.h"
#include "rt_spin.h"
#include "rt_string.h"
#include "rt_stuck.h"
#include "rt_sync.h"

heddle_wire_explore *hd_rt_explore;
hd_rt_run hd_rt_explored;

hd_rt_run_sets hd_rt_explored_sets;

static hd_rt_run *const run = &hd_rt_explored;
static hd_rt_run_sets *const sets = &hd_rt_explored_sets;

uint32_t hd_rt_set_words = 1;

/* --- what threads would do next ------------------------------------------------------------- */

/* Can it always be done, with the same result? */
static bool is_free(const hd_rt_thread *thread) {
    if (thread->wire->pending.flags & HEDDLE_WIRE_SPINS)
        return false;
    switch (thread->wire->pending.kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_READ + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
    case HEDDLE_RELEASE + 1:
    case HEDDLE_READ_RELEASE + 1:
    case HEDDLE_FORK + 1:
    case HEDDLE_WIRE_START:
    case HEDDLE_WIRE_CALL:
    case HEDDLE_WIRE_CHOICE:
        return true;
    case HEDDLE_ATOMIC_RMW + 1:
        return !thread->with;
    default:
        return false;
    }
}

static void note_nesting(const hd_rt_thread *thread) {
    heddle_wire_operation *pending = &thread->wire->pending;
    bool giving = pending->kind == HEDDLE_RELEASE + 1;
    if ((giving || pending->kind == HEDDLE_ACQUIRE + 1) && pending->size == HEDDLE_WIRE_MUTEX &&
        hd_rt_mutex_nested((const pthread_mutex_t *)(uintptr_t)pending->address, thread, giving))
        pending->flags |= HEDDLE_WIRE_NESTED;
    else if (hd_rt_explore->polls &&
             (giving || pending->kind == HEDDLE_ACQUIRE + 1 || pending->kind == HEDDLE_WAIT + 1))
        pending->flags |= HEDDLE_WIRE_POLLED;
}

/* The thread has reached a point, or has ended. */
static void note_next(hd_rt_thread *self) {
    bool ended = self->wire->state == HEDDLE_WIRE_ENDED;
    self->accesses = self->patience = 0;
    hd_rt_spin_arrives(self);
    if (HD_RT_UNLIKELY(hd_rt_explore->awaits.asked))
        hd_rt_atomic_wait_next(self, ended);
    if (HD_RT_UNLIKELY(hd_rt_explore->states_wanted) && !ended)
        hd_rt_state_arrives(self);
    hd_rt_set_put(&sets->live, self->id, !ended);
    hd_rt_set_put(&sets->bound, self->id, !ended && !is_free(self));
    note_nesting(self);
    if (!ended)
        hd_rt_object_next(self);
    if (!ended && hd_rt_got_inside(self->wire->pending.code) < HEDDLE_WIRE_MODULES)
        self->wire->pending.flags |= HEDDLE_WIRE_INSIDE;
    if (self->callee && !ended)
        hd_rt_foreign_inside(self);
    if (!run->present)
        return;
    uint32_t number = run->present->nexts++;
    heddle_wire_next *next = &hd_rt_explore->next[number];
    next->operation = self->wire->pending;
    hd_rt_spin_words(self, next);
    if (ended)
        next->with = (uintptr_t)self->result;
    next->joined = self->joined;
    if (hd_rt_set_words > 1)
        hd_rt_explore_note_joined(self, number);
    next->thread = (uint16_t)self->id;
    next->ended = ended;
    next->first = !self->stepped;
    next->inner = 0;
    if (HD_RT_UNLIKELY(hd_rt_explore->locals_wanted))
        hd_rt_explore->local[number] = hd_rt_spin_local(self);
}

static bool is_read(unsigned kind) {
    return kind == HEDDLE_READ + 1 || kind == HEDDLE_ATOMIC_READ + 1;
}

/* The value of a write comes when it is done.  Of very long sections only the beginning is told,
 * and that there is more. */
void hd_rt_explore_inner(const hd_rt_thread *self) {
    enum { ROOM = HEDDLE_WIRE_NEXTS / 2 };
    const heddle_wire_operation *about = &self->wire->pending;
    if (!run->present || !hd_rt.lane.full || run->present->nexts > ROOM)
        return;
    heddle_wire_next *next = &hd_rt_explore->next[run->present->nexts++];
    *next = (heddle_wire_next){.operation = *about, .thread = (uint16_t)self->id, .inner = 1};
    if (run->present->nexts > ROOM)
        next->operation.kind = HEDDLE_WIRE_NOTHING;
    unsigned kind = next->operation.kind;
    uint32_t size = about->size;
    bool writes = kind == HEDDLE_WRITE + 1 || kind == HEDDLE_ATOMIC_WRITE + 1;
    if ((!is_read(kind) && !writes) || size > 8 || !size || (size & (size - 1)))
        return;
    hd_rt.lane.write_slot = writes ? &next->also[0] : &next->with;
    hd_rt.lane.write_address = (const void *)(uintptr_t)about->address;
    hd_rt.lane.write_size = (uint32_t)__builtin_ctz(size);
    if (!writes)
        hd_rt_settle();
}

static bool stuck; /* no thread can go on */

static bool others_live(uint32_t but) {
    HD_RT_EACH(i, rest, &sets->live)
    if (hd_rt_set_thread(i, rest) != but)
        return true;
    return false;
}

/* A wait that another thread ends by a notification is left alone as long as others can go on. */
void hd_rt_explore_interrupt(hd_rt_thread *thread) {
    if (thread->wire->state != HEDDLE_WIRE_LIVE || thread->looks || !hd_rt_signal_due(thread))
        return;
    if (thread->outside) {
        thread->woken |= !hd_rt_outside_has(thread);
        return;
    }
    if (hd_rt_possible(thread) || hd_rt_cancel_due(thread))
        return;
    /* Who notifies it while its handler runs does not find it, so that this is not exact. */
    unsigned kind = thread->wire->pending.kind;
    if (kind == HEDDLE_WAKE + 1 || kind == HEDDLE_BARRIER_OUT + 1 || kind == HEDDLE_WIRE_FUTEX) {
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_HANDLERS;
        if (others_live(thread->id) && !stuck)
            return;
    }
    thread->looks = true;
    thread->wire->pending = (heddle_wire_operation){.kind = HEDDLE_WIRE_FENCE,
                                                    .flags = HEDDLE_WIRE_LOOKS,
                                                    .size = 1,
                                                    .address = heddle_wire_signals(thread->id),
                                                    .code = thread->wire->pending.code};
    note_next(thread);
}

/* No thread can go on, but one that waits has been sent a signal. */
static void interrupt_all(void) {
    stuck = true;
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        hd_rt_explore_interrupt(hd_rt.live[i]);
    stuck = false;
}

static uint64_t look_at_word(uint32_t i, hd_rt_set *enabled, hd_rt_set *succeeds) {
    uint64_t able = sets->live.word[i] & ~sets->bound.word[i], well = able;
    for (uint64_t rest = sets->bound.word[i]; rest; rest &= rest - 1) {
        const hd_rt_thread *thread = hd_rt_thread_at(64 * i + (uint32_t)__builtin_ctzll(rest));
        uint64_t bit = rest & (0 - rest);
        able |= hd_rt_able(thread) ? bit : 0;
        well |= hd_rt_explore_succeeds(thread) ? bit : 0;
    }
    enabled->word[i] = able;
    succeeds->word[i] = well;
    return able;
}

static bool waits_for_time(const hd_rt_thread *thread) {
    return thread->wire->pending.flags & HEDDLE_WIRE_TIMED && !hd_rt_possible(thread);
}

static bool all_wait_for_time(const hd_rt_set *threads) {
    HD_RT_EACH(i, rest, threads)
    if (!waits_for_time(hd_rt_thread_at(hd_rt_set_thread(i, rest))))
        return false;
    return true;
}

/* True if one can go on. */
static bool look_around(hd_rt_set *enabled, hd_rt_set *succeeds) {
    uint64_t some = look_at_word(0, enabled, succeeds);
    HD_RT_MORE_WORDS(i)
    some |= look_at_word(i, enabled, succeeds);
    return some != 0;
}

/* Is a random run over, although threads can go on?  A search must see those that wait for a time
 * as they are: else what can go on would depend on all threads. */
static bool is_stuck(const hd_rt_set *enabled) {
    return hd_rt_explore->seed && all_wait_for_time(enabled) && hd_rt_stuck_in_ring();
}

/* --- what is part of a step ----------------------------------------------------------------- */

/* A join that need not be a step: the other has ended.  The one after which the thread is
 * alone is one, so that what comes then, an assertion that fails for example, has a step of
 * its own.  Where threads are cancelled all are: a cancellation comes before or after them. */
static bool passes(const hd_rt_thread *thread) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    return pending->kind == HEDDLE_JOIN + 1 && !(pending->flags & ~HEDDLE_WIRE_INSIDE) &&
           hd_rt.wire->thread[pending->address].state == HEDDLE_WIRE_ENDED &&
           run->births != run->joins + 1 && !(hd_rt_explore->exits & HEDDLE_WIRE_CANCELS) &&
           !(hd_rt_explore->ends & HEDDLE_WIRE_ENDS_APART);
}

/* The thread that joins one of those that ended with this step, even if another has begun since. */
static hd_rt_thread *joins_along(void) {
    if (!hd_rt_set_any(&sets->ended))
        return NULL;
    HD_RT_EACH(i, rest, &sets->bound) {
        hd_rt_thread *waiting = hd_rt_thread_at(hd_rt_set_thread(i, rest));
        if (passes(waiting) && hd_rt_set_has(&sets->ended, waiting->wire->pending.address))
            return waiting;
    }
    hd_rt_set_clear(&sets->ended);
    return NULL;
}

static hd_rt_thread *goes_along(hd_rt_thread *self) {
    if (self->wire->state == HEDDLE_WIRE_ENDED)
        hd_rt_set_put(&sets->ended, self->id, true);
    else if (passes(self))
        return self;
    hd_rt_thread *newborn = run->newborn;
    run->newborn = NULL;
    if (newborn && hd_rt_explore->ends & HEDDLE_WIRE_ENDS_APART) {
        note_next(newborn);
        newborn = NULL;
    }
    return newborn ? newborn : joins_along();
}

/* --- steps ---------------------------------------------------------------------------------- */

/* The value of an access; of a write when it has been done. */
static void keep_value(const heddle_wire_operation *operation) {
    unsigned kind = operation->kind;
    bool reads = is_read(kind);
    bool writes = kind == HEDDLE_WRITE + 1 || kind == HEDDLE_ATOMIC_WRITE + 1 ||
                  kind == HEDDLE_ATOMIC_RMW + 1;
    uint32_t size = operation->size;
    if ((!reads && !writes) || size > 8 || !size || (size & (size - 1)))
        return;
    hd_rt.lane.write_slot = &run->present->value;
    hd_rt.lane.write_address = (const void *)(uintptr_t)operation->address;
    hd_rt.lane.write_size = (uint32_t)__builtin_ctz(size);
    if (reads)
        hd_rt_settle();
}

/* What the step finds that others may have changed, where its value does not say it. */
static void keep_before(const heddle_wire_operation *operation) {
    const void *address = (const void *)(uintptr_t)operation->address;
    switch (operation->kind) {
    case HEDDLE_ATOMIC_RMW + 1:
        if (operation->size <= 8)
            hd_rt_copy(&run->present->before, address, operation->size);
        break;
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        if (operation->flags & HEDDLE_WIRE_TELLS)
            hd_rt_copy(&run->present->before, address, operation->size);
        break;
    case HEDDLE_WIRE_ONCE:
        run->present->before = operation->size == HEDDLE_WIRE_BY_ONCE ? *(const uint32_t *)address
                                                                      : *(const uint16_t *)address;
        break;
    case HEDDLE_SEND + 1:
    case HEDDLE_RECV + 1:
        run->present->before = *(const uint32_t *)address;
        break;
    case HEDDLE_BARRIER_IN + 1:
        run->present->before = *(const uint64_t *)address;
        break;
    default:
        break;
    }
}

/* Does a step leave the handle of its thread, or the address of something that is the thread's own,
 * where others find it?  The handle and what is thread-local lie close to the thread pointer. */
static void look_for_identity(const heddle_wire_step *step) {
    const uint64_t around = 1 << 14;
    const hd_rt_thread *thread = hd_rt_thread_at(step->thread);
    bool local = step->value - (thread->thread_pointer - around) < 2 * around;
    if (HD_RT_UNLIKELY(local))
        hd_rt_explore->hidden |= HEDDLE_WIRE_STORES_IDENTITY;
    if (HD_RT_UNLIKELY(local || step->value - thread->wire->stack < thread->wire->stack_size ||
                       hd_rt_heap_owned(thread->id, step->value)))
        hd_rt_explore->name[step->thread].shows = 1;
}

static hd_rt_thread *begin_step(heddle_wire_decision decision) {
    heddle_wire_explore *explore = hd_rt_explore;
    uint32_t number = explore->steps;
    run->present = &explore->step[number];
    if (number)
        look_for_identity(run->present - 1);
    *run->present = (heddle_wire_step){.thread = decision.thread,
                                       .choice = decision.choice,
                                       .nexts = number ? run->present[-1].nexts : 0};
    explore->steps = number + 1;
    hd_rt_thread *next = hd_rt_thread_at(decision.thread);
    next->joined = 0;
    if (hd_rt_set_words > 1)
        hd_rt_explore_forget_joined(next);
    next->stepped = true;
    next->taken++;
    next->latest = explore->steps;
    explore->progress += next->wire->pending.kind != HEDDLE_WIRE_YIELD ||
                         !(next->wire->pending.flags & HEDDLE_WIRE_RUNS_ON);
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_leave(next);
    hd_rt_spin_takes(next);
    if (hd_rt.lane.full) { /* else the record has it */
        keep_value(&next->wire->pending);
        keep_before(&next->wire->pending);
    }
    return next;
}

/* The lowest that does not yield; if all do, the one that has waited longest.  As the search has
 * it (hd_explore_foremost). */
static uint32_t foremost(const hd_rt_set *able) {
    uint32_t longest = hd_rt_set_next(able, 0);
    HD_RT_EACH(i, rest, able) {
        uint32_t thread = hd_rt_set_thread(i, rest);
        if (!hd_rt_draw_yields(thread))
            return thread;
        if (hd_rt_thread_at(thread)->latest < hd_rt_thread_at(longest)->latest)
            longest = thread;
    }
    return longest;
}

static bool has_several(const hd_rt_set *set) {
    uint32_t first = hd_rt_set_next(set, 0);
    return hd_rt_set_next(set, first + 1) < (uint32_t)HEDDLE_WIRE_EXPLORED;
}

/* Can another thread go on that does not wait for time to pass?  One that looks round now and then
 * until it is told to end would do so for ever. */
static bool others_go_on(const hd_rt_set *able, uint32_t but) {
    HD_RT_EACH(i, rest, able) {
        uint32_t thread = hd_rt_set_thread(i, rest);
        if (thread != but && !hd_rt_draw_yields(thread))
            return true;
    }
    return false;
}

/* After the decisions: one of those that are able and awake. */
static uint32_t go_on(hd_rt_set *able) {
    uint32_t last = run->present ? run->present->thread : 0, first = hd_rt_explore->first;
    if (hd_rt_set_has(able, last) && hd_rt_explore->loops && hd_rt_draw_keeps_rounds() &&
        hd_rt_spin_unsure(hd_rt_thread_at(last)))
        return last;
    bool tired = (!hd_rt_explore->decisions || hd_rt_explore->drawing) &&
                 hd_rt_set_has(able, last) && has_several(able) &&
                 hd_rt_spin_tired(hd_rt_thread_at(last));
    if (tired)
        hd_rt_set_put(able, last, false);
    bool late = first > HEDDLE_WIRE_EXPLORED;
    uint32_t about = late ? UINT32_MAX - first : first - 1;
    if (first && hd_rt_set_has(able, about)) {
        if (!late || !others_go_on(able, about))
            return about;
        hd_rt_set_put(able, about, false);
    }
    return hd_rt_explore->seed ? hd_rt_draw_thread(able, last, tired) : foremost(able);
}

/* Leaves the threads that may take more steps; false if none may. */
static bool keep_unspent(hd_rt_set *threads) {
    HD_RT_EACH(i, rest, threads)
    if (hd_rt_thread_at(hd_rt_set_thread(i, rest))->taken >= hd_rt_explore->most_own)
        hd_rt_set_put(threads, hd_rt_set_thread(i, rest), false);
    return hd_rt_set_any(threads);
}

/* Leaves those that are neither asleep nor parked; false if none is left. */
static bool keep_awake(hd_rt_set *threads) {
    uint32_t parked = hd_rt_explore->parked;
    threads->word[0] &= ~run->asleep;
    if (parked == UINT32_MAX)
        return false;
    if (parked)
        hd_rt_set_put(threads, parked - 1, false);
    return hd_rt_set_any(threads);
}

/* Wakes the sleepers whose next operation conflicts with what the thread does. */
static void wake_sleepers(uint32_t chosen) {
    const heddle_wire_operation *taken = &hd_rt.wire->thread[chosen].pending;
    for (uint64_t rest = run->asleep; rest; rest &= rest - 1) {
        uint32_t sleeper = (uint32_t)__builtin_ctzll(rest);
        if (sleeper == chosen || heddle_wire_meet(taken, &hd_rt.wire->thread[sleeper].pending))
            run->asleep &= ~(rest & (0 - rest));
    }
}

static hd_rt_thread *stop_at(uint32_t stopped, enum heddle_wire_ending ending,
                             const char *message) {
    hd_rt_explore->stopped = stopped;
    hd_rt.wire->ending = ending;
    hd_rt_text(hd_rt.wire->message, sizeof hd_rt.wire->message, message);
    return NULL;
}

/* What comes from outside, such as the answer of another process, needs a moment; that is not a
 * step, so no virtual time passes. */
static bool awaits_outside(void) {
    enum { MOMENT = 20000000 };
    int64_t now = hd_rt.now;
    bool came = hd_rt_outside_await(MOMENT);
    hd_rt.now = now;
    return came;
}

/* The tool reads as many. */
static uint32_t words_of(uint32_t threads) {
    return threads > 64 ? (threads + 63) / 64 : 1;
}

/* After the present step. */
static void note_sets(const hd_rt_set *enabled, const hd_rt_set *succeeds) {
    uint64_t words = hd_rt_explore->more_words;
    uint64_t *more =
        &hd_rt_explore->more[2 * words * (uint64_t)(run->present - hd_rt_explore->step)];
    run->present->enabled = enabled->word[0];
    run->present->succeeds = succeeds->word[0];
    for (uint64_t i = 0; HD_RT_UNLIKELY(words) && i < words; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): rt_set.h says why
        more[i] = i + 1 < hd_rt_set_words ? enabled->word[i + 1] : 0;
        more[words + i] = i + 1 < hd_rt_set_words ? succeeds->word[i + 1] : 0;
        HD_RT_BARRIER();
    }
}

/* Does a thread not wait for ever?  In a loop, something from outside may end the wait,
 * or a counter of the processor. */
static bool any_in_vain(void) {
    enum { OUTSIDE = HEDDLE_WIRE_HIDES_TIMERS | HEDDLE_WIRE_HIDES_CANCELS, TOLD = 64 };
    bool any = false;
    for (uint32_t i = 0; i < hd_rt.wire->threads; i++) {
        const hd_rt_thread *thread = hd_rt_thread_at(i);
        bool spins =
            hd_rt_set_has(&sets->live, i) && (thread->wire->pending.flags & HEDDLE_WIRE_SPINS ||
                                              thread->wire->pending.kind == HEDDLE_WIRE_ROUND);
        any |= spins && (hd_rt_explore->hidden & OUTSIDE || hd_rt_explore->counters ||
                         hd_rt_spin_in_vain(thread));
        if (i < TOLD)
            hd_rt_explore->rounds[i] = spins ? hd_rt_spin_round(thread) : 0;
    }
    return any;
}

hd_rt_thread *hd_rt_explore_choose(void) {
    heddle_wire_explore *explore = hd_rt_explore;
    hd_rt_set enabled, succeeds;
    uint32_t number = explore->steps;
    heddle_wire_decision decision = {0, 0};
    hd_rt_set_words = words_of(explore->threads);
    if (HD_RT_UNLIKELY(hd_rt_set_words > explore->more_words + 1))
        hd_rt_explore_widen();
    bool some = look_around(&enabled, &succeeds);
    if (!some && hd_rt.targets) {
        interrupt_all();
        some = look_around(&enabled, &succeeds);
    }
    if (!some && awaits_outside())
        some = look_around(&enabled, &succeeds);
    if (run->present)
        note_sets(&enabled, &succeeds);
    if (run->present && HD_RT_UNLIKELY(explore->states_wanted))
        explore->state[run->present - explore->step] = explore->seed || number <= explore->decisions
                                                           ? hd_rt_state_now(&enabled, &succeeds)
                                                           : 0; /* not asked for */
    if (number < explore->decisions) {
        decision = explore->decision[number];
        if (!hd_rt_set_has(&enabled, decision.thread))
            return stop_at(HEDDLE_WIRE_AT_END, HEDDLE_WIRE_DIVERGED,
                           "the next thread of the schedule cannot go on");
    } else {
        if (!some || is_stuck(&enabled))
            return any_in_vain() ? stop_at(HEDDLE_WIRE_IN_VAIN, HEDDLE_WIRE_RUNNING, "")
                                 : stop_at(HEDDLE_WIRE_AT_END, HEDDLE_WIRE_DEADLOCK,
                                           hd_rt_stuck_rightly() ? HEDDLE_WIRE_RIGHTLY
                                                                 : "every thread waits");
        if (number == explore->decisions)
            run->asleep = explore->asleep;
        if (number >= explore->most_own && !keep_unspent(&enabled))
            return stop_at(HEDDLE_WIRE_CUT, HEDDLE_WIRE_RUNNING, "");
        if (!keep_awake(&enabled))
            return stop_at(HEDDLE_WIRE_ASLEEP, HEDDLE_WIRE_RUNNING, "");
        decision.thread = (uint16_t)go_on(&enabled);
        decision.choice = hd_rt_draw_way(decision.thread);
        wake_sleepers(decision.thread);
    }
    if (number == explore->most_steps || number == HEDDLE_WIRE_STEPS)
        return stop_at(HEDDLE_WIRE_CUT, HEDDLE_WIRE_RUNNING, "");
    return begin_step(decision);
}

void hd_rt_explore_leave(void) {
    hd_rt_replay_stop();
    hd_rt_server_leave(0);
    hd_rt_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

void hd_rt_explore_cut(void) {
    if (hd_rt_explore->steps < hd_rt_explore->decisions)
        return; /* so far it must come */
    stop_at(HEDDLE_WIRE_CUT, HEDDLE_WIRE_RUNNING, "");
    hd_rt_explore_leave();
}

static hd_rt_thread *decide(hd_rt_thread *self) {
    hd_rt_settle();
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_point();
    note_next(self);
    hd_rt_thread *next = goes_along(self);
    if (next)
        return next;
    if (hd_rt_in_memory && hd_rt_reset_due(hd_rt_explore->steps)) {
        hd_rt_server_hold(self);
        return self;
    }
    if (hd_rt_explore->steps && hd_rt_explore->steps == hd_rt_explore->stop_at)
        hd_rt_replay_stop();
    next = hd_rt_explore_choose();
    if (!next) {
        if (hd_rt.wire->ending == HEDDLE_WIRE_DEADLOCK ||
            hd_rt_explore->stopped == HEDDLE_WIRE_ASLEEP)
            hd_rt_stack_of_all();
        hd_rt_explore_leave();
    }
    return next;
}

hd_rt_thread *hd_rt_explore_decide(hd_rt_thread *self) {
    hd_rt.deciding = true;
    hd_rt_thread *next = decide(self);
    hd_rt.deciding = false;
    return next;
}

uint32_t hd_rt_explore_choice(void) {
    return run->present ? run->present->choice : 0;
}

void hd_rt_explore_over(void) {
    if (!hd_rt.exploring || run->over)
        return;
    run->over = true;
    hd_rt_settle();
    if (run->present)
        run->present->over = run->last ? HEDDLE_WIRE_OVER_LAST : HEDDLE_WIRE_OVER;
    hd_rt.ended = true;
}

void hd_rt_explore_drop(void) {
    hd_rt_explore_over();
    if (run->present)
        run->present->over = HEDDLE_WIRE_OVER_PRUNED;
    hd_rt_server_leave(0);
    hd_rt_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}
