/*
 * Run after run, for an explorer.  The process that was started stays where main is about
 * to run and forks a child for each run, so that every run starts from the same state and a
 * crash ends nothing but the run.
 *
 * A child follows the decisions it was given, then takes the lowest thread that can go on, or
 * rather what the explorer would take: not one that is asleep there.
 * Each step is logged: who took it, what its thread would do next, and who can go on then.
 *
 * Which plain accesses are steps?  Those to words that more than one thread touches, at least
 * one of them writing.  These are not known at first: a shadow of the memory has for each
 * word who touched it, and words that turn out to be shared are reported, for the next runs.
 * What a thread does while it is the only one there is does not count: all it did before it
 * created another, and all that is left when the others have been joined, is ordered.
 */
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rt.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_sync.h"

#define STACKS ((uintptr_t)0x0f0000000000)
#define STACK_ROOM ((uintptr_t)1 << 30)

static heddle_wire_explore *explore;
static heddle_wire_step *present; /* the step that is being taken */
static uint32_t births, joins;    /* threads so far */
static bool over;

/* --- the server ----------------------------------------------------------------------------- */

static void await(uint32_t *word, uint32_t seen) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == seen)
        hd_rt_syscall(SYS_futex, (long)word, FUTEX_WAIT, (long)seen, 0, 0, 0);
}

/* A fresh start for what is shared and not the child's own. */
static void begin_run(void) {
    heddle_wire *wire = hd_rt.wire;
    for (uint32_t i = 1; i < wire->threads; i++)
        wire->thread[i] = (heddle_wire_thread){0};
    wire->threads = 1;
    wire->thread[0].state = HEDDLE_WIRE_LIVE;
    wire->ending = HEDDLE_WIRE_RUNNING;
    wire->message[0] = '\0';
    wire->current = 0;
    wire->refused = 0;
    explore->steps = 0;
    explore->cut = 0;
    explore->fresh = 0;
    hd_rt.exploring = true;
    hd_rt.full = true; /* nothing is recorded */
    hd_rt.left = 0;
    hd_rt.write_slot = NULL;
    hd_rt.write_site = NULL;
}

static void serve_run(uint32_t number) {
    int status = 0;
    pid_t child = hd_rt_real.fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        begin_run();
        return;
    }
    __atomic_store_n(&explore->child, child, __ATOMIC_RELEASE);
    if (child < 0)
        status = 71 << 8;
    else
        while (hd_rt_syscall(SYS_wait4, child, (long)&status, 0, 0, 0, 0) == -4)
            ; /* EINTR */
    __atomic_store_n(&explore->child, 0, __ATOMIC_RELEASE);
    explore->status = status;
    __atomic_store_n(&explore->answer, number, __ATOMIC_RELEASE);
    hd_rt_syscall(SYS_futex, (long)&explore->answer, FUTEX_WAKE, 1, 0, 0, 0);
}

void hd_rt_explore_serve(void) {
    heddle_wire *wire = hd_rt.wire;
    if (wire->decision != HEDDLE_WIRE_BY_DECISIONS)
        return;
    explore = (heddle_wire_explore *)((char *)wire + wire->explore);
    if (hd_rt.live_count > 1)
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "threads are created before main; it cannot be explored");
    for (uint32_t served = 0; !hd_rt.exploring; served++) {
        await(&explore->request, served);
        if (explore->what == HEDDLE_WIRE_QUIT)
            hd_rt_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
        serve_run(served + 1);
    }
    hd_rt_point(HEDDLE_WIRE_START, NULL, 0, 0);
}

/* --- threads -------------------------------------------------------------------------------- */

uint32_t hd_rt_explore_number(const hd_rt_thread *creator) {
    uint32_t birth = creator->births + 1, number = 1;
    while (number < explore->threads &&
           (explore->name[number].creator != creator->id || explore->name[number].birth != birth))
        number++;
    if (number >= HEDDLE_WIRE_EXPLORED) {
        explore->beyond = 1;
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "it has more than 64 threads");
    }
    if (number == explore->threads) {
        explore->name[number].creator = creator->id;
        explore->name[number].birth = birth;
        explore->threads++;
    }
    if (hd_rt.wire->threads <= number)
        hd_rt.wire->threads = number + 1;
    return number;
}

void hd_rt_explore_born(const hd_rt_thread *thread) {
    births++;
    if (present)
        present->born = (uint8_t)(thread->id + 1);
}

void hd_rt_explore_joined(void) {
    joins++;
}

void *hd_rt_explore_stack(const hd_rt_thread *thread, size_t size) {
    if (!hd_rt.exploring || size > STACK_ROOM)
        return NULL;
    return (void *)(STACKS + thread->id * STACK_ROOM);
}

/* --- steps ---------------------------------------------------------------------------------- */

static bool would_succeed(const hd_rt_thread *thread) {
    const heddle_wire_operation *operation = &thread->wire->pending;
    const void *address = (const void *)(uintptr_t)operation->address;
    if (operation->kind == HEDDLE_ATOMIC_RMW + 1 && thread->with)
        return hd_rt_starts(address, thread->with, operation->size);
    if (operation->kind == HEDDLE_WIRE_ONCE) /* it would run the initialisation */
        return operation->size == HD_RT_GUARD ? !*(const uint8_t *)address
                                              : *(const int *)address != 2;
    if (!(operation->flags & HEDDLE_WIRE_TRY))
        return hd_rt_possible(thread);
    switch (operation->kind) {
    case HEDDLE_ACQUIRE + 1:
        return hd_rt_sync_available(operation->size, address, thread);
    case HEDDLE_READ_ACQUIRE + 1:
        return hd_rt_rwlock_available(address, false);
    case HEDDLE_JOIN + 1:
        return hd_rt.wire->thread[operation->address].state == HEDDLE_WIRE_ENDED;
    case HEDDLE_RECV + 1:
        return *(const uint32_t *)address > 0;
    default:
        return true;
    }
}

static void look_around(uint64_t *enabled, uint64_t *succeeds) {
    *enabled = *succeeds = 0;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const hd_rt_thread *thread = hd_rt.live[i];
        uint64_t bit = (uint64_t)1 << thread->id;
        *enabled |= hd_rt_able(thread) ? bit : 0;
        *succeeds |= would_succeed(thread) ? bit : 0;
    }
}

static void note_nesting(const hd_rt_thread *thread) {
    heddle_wire_operation *pending = &thread->wire->pending;
    bool giving = pending->kind == HEDDLE_RELEASE + 1;
    if ((giving || pending->kind == HEDDLE_ACQUIRE + 1) && pending->size == HD_RT_MUTEX &&
        hd_rt_mutex_nested((const pthread_mutex_t *)(uintptr_t)pending->address, thread, giving))
        pending->flags |= HEDDLE_WIRE_NESTED;
}

static uint64_t end_step(const hd_rt_thread *self) {
    uint64_t enabled, succeeds;
    note_nesting(self);
    look_around(&enabled, &succeeds);
    if (!present)
        return enabled;
    present->next = self->wire->pending;
    present->with = (uintptr_t)self->with;
    present->ended = self->wire->state == HEDDLE_WIRE_ENDED;
    present->enabled = enabled;
    present->succeeds = succeeds;
    return enabled;
}

/* The value of an access; of a write when it has been done. */
static void keep_value(const heddle_wire_operation *operation) {
    unsigned kind = operation->kind;
    bool reads = kind == HEDDLE_READ + 1 || kind == HEDDLE_ATOMIC_READ + 1;
    bool writes = kind == HEDDLE_WRITE + 1 || kind == HEDDLE_ATOMIC_WRITE + 1 ||
                  kind == HEDDLE_ATOMIC_RMW + 1;
    uint32_t size = operation->size;
    if ((!reads && !writes) || size > 8 || !size || (size & (size - 1)))
        return;
    hd_rt.write_slot = &present->value;
    hd_rt.write_address = (const void *)(uintptr_t)operation->address;
    hd_rt.write_size = (uint32_t)__builtin_ctz(size);
    if (reads)
        hd_rt_settle();
}

static _Noreturn void leave_run(void) {
    hd_rt.ended = true;
    hd_rt_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

/* --- behind the decisions ------------------------------------------------------------------- */

/* As the explorer sees it, but roughly: it is only to guess how it will go on. */
static bool meet(const heddle_wire_operation *a, const heddle_wire_operation *b) {
    if (a->kind == HEDDLE_WIRE_EXIT || b->kind == HEDDLE_WIRE_EXIT)
        return true;
    if (!a->address || !b->address || a->kind == HEDDLE_FORK + 1 || a->kind == HEDDLE_JOIN + 1 ||
        b->kind == HEDDLE_FORK + 1 || b->kind == HEDDLE_JOIN + 1)
        return false;
    bool reads = (a->kind == HEDDLE_READ + 1 || a->kind == HEDDLE_ATOMIC_READ + 1) &&
                 (b->kind == HEDDLE_READ + 1 || b->kind == HEDDLE_ATOMIC_READ + 1);
    uint64_t a_size = a->size ? a->size : 1, b_size = b->size ? b->size : 1;
    return !reads && a->address < b->address + b_size && b->address < a->address + a_size;
}

static uint64_t asleep;

/* The lowest that is able and awake; who sleeps and is met by what it does wakes. */
static uint32_t go_on(uint64_t enabled) {
    if (explore->steps == explore->decisions)
        asleep = explore->asleep;
    uint64_t awake = enabled & ~asleep;
    uint32_t chosen = (uint32_t)__builtin_ctzll(awake ? awake : enabled);
    const heddle_wire_operation *taken = &hd_rt.wire->thread[chosen].pending;
    for (uint64_t rest = asleep; rest; rest &= rest - 1) {
        uint32_t sleeper = (uint32_t)__builtin_ctzll(rest);
        if (sleeper == chosen || meet(taken, &hd_rt.wire->thread[sleeper].pending))
            asleep &= ~((uint64_t)1 << sleeper);
    }
    return chosen;
}

hd_rt_thread *hd_rt_explore_decide(hd_rt_thread *self) {
    hd_rt_settle();
    uint64_t enabled = end_step(self);
    uint32_t number = explore->steps;
    heddle_wire_decision decision = {0, 0};
    if (number < explore->decisions) {
        decision = explore->decision[number];
        if (!(enabled >> decision.thread & 1))
            hd_rt_stop(HEDDLE_WIRE_DIVERGED, "the next thread of the schedule cannot go on");
    } else {
        if (!enabled)
            hd_rt_stop(HEDDLE_WIRE_DEADLOCK, "every thread waits");
        decision.thread = (uint8_t)go_on(enabled);
    }
    if (number == explore->most_steps || number == HEDDLE_WIRE_STEPS) {
        explore->cut = 1;
        leave_run();
    }
    present = &explore->step[number];
    *present = (heddle_wire_step){.thread = decision.thread, .choice = decision.choice};
    explore->steps = number + 1;
    hd_rt_thread *next = hd_rt_thread_at(decision.thread);
    keep_value(&next->wire->pending);
    return next;
}

uint32_t hd_rt_explore_choice(void) {
    return present ? present->choice : 0;
}

void hd_rt_explore_over(void) {
    if (!hd_rt.exploring || over)
        return;
    over = true;
    hd_rt_settle();
    if (present)
        present->over = 1;
    hd_rt.ended = true;
}

void hd_rt_explore_exit(uintptr_t code) {
    if (over)
        return;
    hd_rt_point(HEDDLE_WIRE_EXIT, NULL, 0, code);
    hd_rt_explore_over();
}

/* --- shared words --------------------------------------------------------------------------- */

/* Who has touched a word: word + 1, and then the first thread, whether that one wrote, whether
 * others read it, whether it was reported. */
typedef struct shade {
    uint64_t word;
    uint8_t thread, wrote, others, reported;
} shade;

static shade *shades;
static uint64_t shade_room, shade_count;

static bool is_shared(uint64_t word) {
    uint32_t place = heddle_wire_shared_place(word);
    for (; explore->shared[place]; place = (place + 1) & (HEDDLE_WIRE_SHARED - 1))
        if (explore->shared[place] == word + 1)
            return true;
    return false;
}

static shade *find_shade(uint64_t word) {
    uint64_t place = word * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (shade_room - 1);
    while (shades[place].word && shades[place].word != word + 1)
        place = (place + 1) & (shade_room - 1);
    return &shades[place];
}

static void grow_shades(void) {
    shade *old = shades;
    uint64_t old_room = shade_room;
    shade_room = shade_room ? 4 * shade_room : 1 << 10;
    shades = hd_rt_pages(shade_room * sizeof *shades);
    for (uint64_t i = 0; i < old_room; i++)
        if (old[i].word)
            *find_shade(old[i].word - 1) = old[i];
}

static void report(shade *it) {
    it->reported = 1;
    if (explore->fresh < HEDDLE_WIRE_FRESH)
        explore->fresh_word[explore->fresh++] = it->word - 1;
}

static void touch(uint64_t word, bool write) {
    if (2 * shade_count >= shade_room)
        grow_shades();
    shade *it = find_shade(word);
    uint8_t self = (uint8_t)hd_rt.current->id;
    if (!it->word) {
        *it = (shade){.word = word + 1, .thread = self, .wrote = write};
        shade_count++;
        return;
    }
    if (it->reported)
        return;
    if (it->thread != self)
        it->others = 1;
    it->wrote |= write;
    if (it->others && it->wrote)
        report(it);
}

/* True if one of the words is shared. */
static bool touch_all(bool write, const volatile void *address, size_t size) {
    bool shared = false;
    if (births == joins)
        return false;
    uint64_t last = ((uintptr_t)address + size - 1) / 8;
    for (uint64_t word = (uintptr_t)address / 8; word <= last; word++)
        if (is_shared(word))
            shared = true;
        else
            touch(word, write);
    return shared;
}

void hd_rt_explore_access(unsigned kind, const volatile void *address, size_t size,
                          uintptr_t code) {
    if (size && touch_all(kind == HEDDLE_WRITE + 1, address, size))
        hd_rt_point(kind, address, (uint32_t)size, code);
}

void hd_rt_explore_note(unsigned kind, const volatile void *address, size_t size) {
    touch_all(kind != HEDDLE_ATOMIC_READ + 1, address, size);
}
