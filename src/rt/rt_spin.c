/*
 * Loops that wait by reading.  A thread of an explored program that comes to the same read
 * again, with the same registers and the same stack, has changed nothing in between and read
 * the same values, will do just the same next time, unless one of the words that it read is
 * another by then.  So from the second time on the read waits for that: it *spins*.
 *
 * Why nothing is lost: a whole round that leaves the thread as it was, and everything else too,
 * can be taken out of an execution.  What is left is an execution with the same steps of all
 * others, and the thread does its next round, be it another, from the same state.  So it is enough
 * to see executions in which no thread goes round a second time before a word that it read has
 * changed.  The round need not have been undisturbed for that, nor read all its words at once.
 *
 * What the thread changed is seen by the points it passes and by the writes of instrumented code.
 * What a library changes is seen by the pages of memory, but only while no other thread takes a
 * step.  So no read spins before some thread went round the loop *alone*, with memory as it was:
 * then the loop is proved.  It is held against memory again whenever a thread goes round alone; one
 * in which memory changes is *restless* and never spins.  Which reads come again, are proved, are
 * restless is kept in a table; what is new in it holds from the next search on, and makes the
 * search start over, so that a read is the same in all runs of a search.
 *
 * A round may take locks, if it gives them back.  Others see that it had them only if they try or
 * give up waiting; as soon as a thread does that, no loop with locks is taken for one that waits.
 * Else two rounds differ in nothing for the others, and the argument holds: the first of the two
 * can be taken out, whatever others did while the thread was in the second.  An acquire that begins
 * such a round waits for the lock and for another value of a word.
 *
 * A store to memory that no other thread uses is no step, and is done when the thread comes to its
 * next point.  If memory is as it was then, the store changed nothing.  That no other thread uses
 * the word is known only because the store was seen; so a round with stores is run at least once.
 *
 * A round with more than four words, or with a look at the clock, is not taken for such a loop.
 * What writes, and leaves the word as it was, counts as a read.  In another run it may not leave
 * it, after the same history.  So no round has a write before this tells what it does: whether it
 * changed something is part of the history then, and of what the tool knows that it found.
 *
 * A pthread_once that is done counts as a read, too, and a try of a lock or a semaphore that fails,
 * if it is all that the round does: it waits until it would succeed.
 */
#include "rt_spin.h"
#include "rt_explore.h"
#include "rt_spin_head.h"
#include "rt_spin_kinds.h"

enum { YES = HEDDLE_WIRE_SPINS, SEEN = 6, STORES = 4 };

/* A round may pass its first read several times in different states, if the compiler made copies of
 * a loop for example.  So there are two heads: NEAR is where the thread came to a read last, FAR
 * moves on after 1, 2, 4, ... times (R. Brent, 1980, finds cycles of any length like that). */
enum { NEAR, FAR, HEADS };

/* Of a thread. */
typedef struct round {
    head head[HEADS];
    uint64_t taken_address;     /* of the operation that is being done, */
    uint64_t before;            /* and the value that it found */
    uint64_t seen[SEEN];        /* reads since the thread changed something */
    uint64_t history;           /* what the thread did and found so far; 0: not known */
    uint64_t own;               /* what it did to memory that is its own; 0: not known */
    uint64_t stored_own;        /* what it stored there, if that is wanted (rt_spin_own.c) */
    uint64_t taken_hash;        /* of the operation that is being done; 0: it may find anything */
    uint32_t taken, taken_size; /* kind and size of the operation that is being done */
    struct {
        uintptr_t address;
        uint64_t value; /* before it */
        uint32_t size;
    } store[STORES]; /* of these, where a round may have begun */
    uint32_t stores;
    uint32_t seen_count;
    uint32_t come;   /* times that the thread was where a head may be, since it changed something */
    uint32_t waits;  /* with this head, if it does */
    uint64_t stays;  /* 0, or the state: values are known that make it wait there */
    uint64_t from;   /* of a round that was gone for nothing: the state where it began */
    uint64_t code;   /* of the operation that is being done */
    bool proved;     /* the loop is, that the thread is in */
    bool goes_round; /* it has read the same before */
    bool taken_try;  /* the operation that is being done is one */
    bool taken_lock; /* it takes a lock or gives one back */
    bool taken_told; /* it is a write that tells whether it changed something */
    bool stored;     /* something, without a step, since the last point */
} round;

static round rounds[HEDDLE_WIRE_EXPLORED];
hd_rt_operand hd_rt_spin_given;

/* Who ran last, and how often that was another one: a thread that is new runs up to its first step
 * without one. */
static struct { uint32_t turns, last; } run;

static void note_turn(const hd_rt_thread *thread) {
    run.turns += run.last != thread->id;
    run.last = thread->id;
}

/* --- histories ------------------------------------------------------------------------------ */

static uint64_t add_to(uint64_t history, uint64_t word) {
    return hd_rt_spin_mix(history, word) | 1;
}

/* What a thread does next depends on what it did and found so far, and on nothing else.  Known is
 * what reads, updates and tries of locks find; operations that find nothing are known, too. */
static uint64_t hash_of(const heddle_wire_operation *it, const round *spin) {
    enum { ODD = HEDDLE_WIRE_TIMED | HEDDLE_WIRE_EITHER | HEDDLE_WIRE_LOOKS | HEDDLE_WIRE_WAKES };
    bool finds = spin->taken_try || reads(it->kind, it->size, it->address);
    bool plain = is_idle(it->kind, it->address) || spin->taken_lock ||
                 it->kind == HEDDLE_WIRE_START || it->kind == HEDDLE_FORK + 1 ||
                 it->kind == HEDDLE_WRITE + 1 || it->kind == HEDDLE_ATOMIC_WRITE + 1;
    if ((!finds && !plain) || it->flags & ODD || it->kind == HEDDLE_WIRE_SLEEP)
        return 0;
    uint64_t hash = add_to(it->kind, it->address);
    return add_to(add_to(hash, it->code), finds ? spin->before : it->size);
}

/* The step is done, and is part of the thread's history now. */
static void extend_history(round *spin) {
    spin->history = spin->history && spin->taken_hash && !hd_rt_explore->targets
                        ? add_to(spin->history, spin->taken_hash)
                        : 0;
}

/* --- what is forgotten ----------------------------------------------------------------------- */

static void forget(round *spin) {
    for (int i = 0; i < HEADS; i++)
        spin->head[i].code = 0;
    spin->seen_count = 0;
    spin->stores = 0;
    spin->come = 0;
    hd_rt_rounds_forget((uint32_t)(spin - rounds));
}

/* The thread changes memory that is no part of its stack, without a step.  What it does follows
 * from its history. */
static void change_own(round *spin) {
    uint64_t known = spin->taken ? spin->taken_hash : 1;
    spin->own =
        spin->own && spin->history && known ? add_to(add_to(spin->own, spin->history), known) : 0;
}

void hd_rt_spin_forget(const hd_rt_thread *thread) {
    if (thread->id >= HEDDLE_WIRE_EXPLORED)
        return;
    forget(&rounds[thread->id]);
    change_own(&rounds[thread->id]);
    hd_rt_spin_own_forget(); /* it may not be there any more */
}

/* Is it of the stack of the running thread, and of no other's business?  Then it is part of the
 * thread's state (rt_spin_state.c). */
static bool is_own_stack(uintptr_t address, size_t size) {
    const hd_rt_thread *self = hd_rt.current;
    return address >= self->wire->stack && address + size <= self->stack_top && size <= 8 &&
           !hd_rt_explore_is_shared(address / 8) &&
           !hd_rt_explore_is_shared((address + size - 1) / 8);
}

void hd_rt_spin_stores(uintptr_t address, size_t size) {
    uint32_t thread = hd_rt.current->id, i = 0;
    if (thread >= HEDDLE_WIRE_EXPLORED || is_own_stack(address, size))
        return;
    round *spin = &rounds[thread];
    if (HD_RT_UNLIKELY(hd_rt_explore->locals_wanted)) {
        if (!hd_rt_spin_own_stores(address, size))
            change_own(spin);
        return;
    }
    change_own(spin);
    spin->stored = true;
    while (i < spin->stores && (spin->store[i].address != address || spin->store[i].size != size))
        i++;
    if (i < spin->stores || (!spin->head[NEAR].code && !spin->seen_count))
        return;
    if (i == STORES || size > 8 || !is_word((uint32_t)size, address)) {
        forget(spin);
        return;
    }
    spin->store[i].address = address;
    spin->store[i].size = (uint32_t)size;
    spin->store[i].value = value_at(address, (uint32_t)size);
    spin->stores++;
}

/* The stores since the last point are done. */
static void settle_stores(round *spin) {
    if (!spin->stored)
        return;
    spin->stored = false;
    for (uint32_t i = 0; i < spin->stores; i++)
        if (value_at(spin->store[i].address, spin->store[i].size) != spin->store[i].value) {
            forget(spin);
            return;
        }
    for (int i = 0; i < HEADS; i++)
        spin->head[i].stores = true;
    spin->stores = 0;
    hd_rt_rounds_forget((uint32_t)(spin - rounds));
}

void hd_rt_spin_lose(const hd_rt_thread *thread) {
    hd_rt_spin_forget(thread);
    if (thread->id < HEDDLE_WIRE_EXPLORED)
        rounds[thread->id].history = rounds[thread->id].own = 0;
}

uint64_t hd_rt_spin_own(const hd_rt_thread *thread) {
    const round *spin = &rounds[thread->id];
    return spin->own ? add_to(spin->own, spin->stored_own) : 0;
}

void hd_rt_spin_born(const hd_rt_thread *thread) {
    rounds[thread->id].taken = 0;
    rounds[thread->id].stays = 0;
    hd_rt_backoff_born(thread->id);
    hd_rt_atomic_wait_born(thread->id);
    uint64_t creator = rounds[hd_rt.current->id].history;
    rounds[thread->id].history = creator ? add_to(creator, thread->id) : 0;
    rounds[thread->id].own = creator ? 1 : 0;
    rounds[thread->id].stored_own = 0;
    forget(&rounds[thread->id]);
}

/* Was the thread at this read since it last changed something?  From now on it was. */
static bool was_here(round *spin, const heddle_wire_operation *pending) {
    uint64_t key = pending->code ^ pending->address << 20;
    for (uint32_t i = 0; i < spin->seen_count; i++)
        if (spin->seen[i] == key)
            return true;
    if (spin->seen_count < SEEN)
        spin->seen[spin->seen_count++] = key;
    return false;
}

void hd_rt_spin_init(void) {
    uint64_t hash, live; /* what the unwinder does once is done before the first run */
    rounds[hd_rt.current->id].history = rounds[hd_rt.current->id].own = 1;
    hd_rt_spin_state(hd_rt.current, NULL, &hash, &live);
}

/* --- rounds --------------------------------------------------------------------------------- */

heddle_wire_loop *hd_rt_spin_find(uint64_t code) {
    for (uint32_t i = 0; i < hd_rt_explore->loops; i++)
        if (hd_rt_explore->loop[i].code == code)
            return &hd_rt_explore->loop[i];
    return NULL;
}

/* A read that came twice, for the next runs.  Where there is no place for it, it is a read like
 * others. */
static heddle_wire_loop *add_loop(uint64_t code) {
    if (hd_rt_explore->loops == HEDDLE_WIRE_LOOPS)
        return NULL;
    heddle_wire_loop *loop = &hd_rt_explore->loop[hd_rt_explore->loops++];
    *loop = (heddle_wire_loop){.code = code, .found = HEDDLE_WIRE_LOOP_SEEN};
    hd_rt_explore->loop_news++;
    return loop;
}

static void find_out(heddle_wire_loop *loop, uint32_t what) {
    hd_rt_explore->loop_news += (what & ~loop->found) != 0;
    loop->found |= what;
}

heddle_wire_loop *hd_rt_spin_know(uint64_t code, uint32_t what) {
    heddle_wire_loop *loop = hd_rt_spin_find(code);
    if (!loop)
        loop = add_loop(code);
    if (loop)
        find_out(loop, what);
    return loop;
}

void hd_rt_spin_came_back(uint64_t code) {
    hd_rt_spin_know(code, HEDDLE_WIRE_LOOP_BACK);
}

/* Others may see by it that a thread has a lock. */
static void note_try(const heddle_wire_operation *it) {
    if (!takes(it->kind) || !(it->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED)))
        return;
    for (uint32_t i = 0; i < hd_rt_explore->loops; i++)
        if (hd_rt_explore->loop[i].now & (HEDDLE_WIRE_LOOP_LOCKS | HEDDLE_WIRE_LOOP_BACKS))
            find_out(&hd_rt_explore->loop[i], HEDDLE_WIRE_LOOP_RESTLESS);
}

/* A thread that has come to a read. */
typedef struct arrival {
    hd_rt_thread *self;
    const heddle_wire_operation *pending;
    uint64_t hash, live, memory;
    bool summed;
    bool odd; /* it is where it was, but cannot wait there: perhaps where it comes next */
} arrival;

static uint64_t memory_of(arrival *at) {
    if (!at->summed)
        at->memory = hd_rt_spin_sum(at->self);
    at->summed = true;
    return at->memory;
}

/* A round begins here.  Before the loop is proved, memory is looked at only if the thread comes
 * back in the same state: most do not. */
static void begin_round(arrival *at, head *it, const heddle_wire_loop *loop) {
    bool looks = at->summed || loop->now & HEDDLE_WIRE_LOOP_PROVED;
    *it = (head){.code = at->pending->code,
                 .address = at->pending->address,
                 .hash = at->hash,
                 .memory = looks ? memory_of(at) : 0,
                 .stale = !looks,
                 .cancelled = at->self->cancelled,
                 .steps = hd_rt_explore->steps,
                 .turn = run.turns};
}

/* A pthread_once that is done is a read. */
static void take_once(round *spin) {
    enum { DONE = HEDDLE_WIRE_ONCE_DONE };
    if (spin->taken != HEDDLE_WIRE_ONCE || spin->taken_size != HEDDLE_WIRE_BY_ONCE)
        return;
    spin->before = value_at(spin->taken_address, sizeof(int));
    if (spin->before != DONE)
        return;
    spin->taken = HEDDLE_ATOMIC_READ + 1;
    spin->taken_size = sizeof(int);
}

void hd_rt_spin_takes(const hd_rt_thread *thread) {
    round *spin = &rounds[thread->id];
    const heddle_wire_operation *pending = &thread->wire->pending;
    spin->taken = pending->kind;
    spin->taken_size = pending->size;
    spin->taken_address = pending->address;
    spin->code = pending->code;
    if (hd_rt_explore->loops && hd_rt_explore->stays_wanted && !hd_rt_explore->locals_wanted)
        hd_rt_rounds_take(thread, hd_rt_spin_find(pending->code));
    for (int i = 0; i < HEADS; i++)
        spin->head[i].own++;
    spin->taken_try = tries(pending->kind, pending->flags);
    spin->taken_lock = locks(pending);
    spin->taken_told = tells(pending);
    take_once(spin);
    bool alone = hd_rt_explored.births == hd_rt_explored.joins; /* no round goes on meanwhile */
    if ((hd_rt_explore->polls || hd_rt_explore->backs) && !alone && !hd_rt_explore->locals_wanted &&
        !hd_rt_backoff_hides(thread))
        note_try(pending);
    hd_rt_backoff_takes(thread);
    if (spin->taken_try)
        spin->before = hd_rt_explore_succeeds(thread);
    else if (reads(pending->kind, pending->size, pending->address) ||
             writes(pending->kind, pending->size, pending->address))
        spin->before = value_at(pending->address, pending->size);
    spin->taken_hash = hash_of(pending, spin);
    if (pending->flags & YES && spin->goes_round) { /* a new round from here */
        head *it = &spin->head[spin->waits];
        it->count = it->points = it->held_count = it->untold_count = 0;
        it->cancelled = thread->cancelled;
        it->locks = it->stores = false;
        if (spin->taken_lock) /* it takes the lock as others do */
            thread->wire->pending.flags &= (uint16_t)~YES;
    }
}

/* Did the operation that was done change nothing? */
static bool left_all(const round *spin) {
    uint32_t kind = spin->taken, size = spin->taken_size;
    uint64_t address = spin->taken_address;
    if (spin->taken_try)
        return !spin->before;
    if (!reads(kind, size, address) && !writes(kind, size, address))
        return is_idle(kind, address);
    return kind == HEDDLE_READ + 1 || kind == HEDDLE_ATOMIC_READ + 1 ||
           value_at(address, size) == spin->before;
}

/* It was a write that may change something in another run after the same history. */
static bool is_untold(const round *spin) {
    return writes(spin->taken, spin->taken_size, spin->taken_address) && !spin->taken_told;
}

/* There is no place to note of one more write that it is to tell. */
static bool is_full(const round *spin) {
    return hd_rt_explore->loops == HEDDLE_WIRE_LOOPS && !hd_rt_spin_find(spin->code);
}

/* A read or a write that changed nothing, or a try that failed, is done. */
static void add_point(const hd_rt_thread *thread, const round *spin, uint64_t history) {
    bool atomic = spin->taken == HEDDLE_ATOMIC_READ + 1 || spin->taken == HEDDLE_ATOMIC_RMW + 1;
    if (spin->taken_try)
        hd_rt_rounds_forget(thread->id);
    else if (hd_rt_explore->loops || (atomic && hd_rt_explore->stays_wanted))
        hd_rt_rounds_read(thread, history,
                          &(hd_rt_read){.code = spin->code,
                                        .address = spin->taken_address,
                                        .value = spin->before,
                                        .size = spin->taken_size,
                                        .atomic = atomic,
                                        .untold = is_untold(spin)});
}

/* The step that the thread took is done. */
static void settle(round *spin) {
    const hd_rt_thread *thread = hd_rt_thread_at((uint32_t)(spin - rounds));
    uint64_t history = spin->history;
    if (!spin->taken)
        return;
    if (spin->taken_told && spin->taken_hash)
        spin->taken_hash = add_to(spin->taken_hash, left_all(spin));
    extend_history(spin);
    if (spin->taken_lock) {
        hd_rt_rounds_forget(thread->id);
        for (int i = 0; i < HEADS; i++)
            pass_lock(&spin->head[i], spin->taken, spin->taken_address);
    } else if (!left_all(spin) || (is_untold(spin) && is_full(spin)))
        forget(spin);
    else if (is_idle(spin->taken, spin->taken_address))
        hd_rt_rounds_idle(thread);
    else {
        for (int i = 0; i < HEADS; i++) {
            add_word(&spin->head[i], spin->taken_address,
                     spin->taken_try ? A_TRY : spin->taken_size, spin->before);
            if (is_untold(spin))
                add_untold(&spin->head[i], spin->code);
        }
        add_point(thread, spin, history);
    }
    spin->taken = 0;
}

/* Is memory as it was when the round began, as far as that can be seen?  While others take steps
 * it cannot; then it is enough that it was so once. */
static bool is_at_rest(arrival *at, head *it, heddle_wire_loop *loop) {
    uint32_t what = HEDDLE_WIRE_LOOP_PROVED | (it->locks ? HEDDLE_WIRE_LOOP_LOCKS : 0U);
    bool alone = hd_rt_explore->steps - it->steps == it->own && it->turn == run.turns;
    if (!alone || it->stale) {
        it->stale = !alone;
        if (alone)
            it->memory = memory_of(at);
        return !(what & ~loop->now);
    }
    bool same = memory_of(at) == it->memory;
    find_out(loop, same ? what : HEDDLE_WIRE_LOOP_RESTLESS);
    return same && !(it->locks && what & ~loop->now);
}

/* Do its writes tell that they changed nothing?  Else they do from the next search on. */
static bool is_told_whole(const head *it) {
    for (uint32_t i = 0; i < it->untold_count; i++)
        hd_rt_spin_know(it->untold[i], HEDDLE_WIRE_LOOP_WRITES);
    return !it->untold_count;
}

/* Is the thread where the round began, so that another would be just the same? */
static bool goes_round(arrival *at, head *it, heddle_wire_loop *loop) {
    if (!is_here(it, at->pending) || at->hash != it->hash)
        return false;
    if (!is_simple(it, at->pending)) {
        at->odd = true;
        return false;
    }
    if (!is_at_rest(at, it, loop) || !is_told_whole(it))
        return false;
    it->steps = hd_rt_explore->steps;
    it->own = 0;
    it->turn = run.turns;
    return true;
}

/* It is not: heads move on. */
static void move_on(arrival *at, round *spin, const heddle_wire_loop *loop) {
    head *near = &spin->head[NEAR], *far = &spin->head[FAR];
    spin->come++;
    begin_round(at, near, loop);
    near->history = spin->history;
    far->missed++;
    if (!far->code || 2 * far->missed > spin->come)
        *far = *near;
}

/* A round of one read of an atomic word, and no lock: this value leads back here.  Of several reads
 * of the word each may find another value. */
static void learn_stay(const arrival *at, const head *it) {
    const heddle_wire_operation *pending = at->pending;
    if (hd_rt_explore->stays_wanted && it->history && it->points == 1 && !it->locks &&
        !it->stores && it->word[0].address == pending->address &&
        it->word[0].size == pending->size &&
        (pending->kind == HEDDLE_ATOMIC_READ + 1 || pending->kind == HEDDLE_ATOMIC_RMW + 1))
        hd_rt_stay_add(it->history, it->word[0].value, 0);
}

static bool is_round(arrival *at, round *spin, heddle_wire_loop *loop) {
    for (uint32_t i = 0; i < HEADS; i++)
        if (goes_round(at, &spin->head[i], loop)) {
            learn_stay(at, &spin->head[i]);
            spin->waits = i;
            spin->history = spin->head[i].history; /* as if it had not gone round */
            hd_rt_rounds_back(at->self->id, spin->history);
            return true;
        }
    if (at->odd)
        spin->head[NEAR].code = spin->head[FAR].code = 0;
    else
        move_on(at, spin, loop);
    return false;
}

/* Has something changed that the last round found? */
static bool has_changed(const hd_rt_thread *thread) {
    const head *it = &rounds[thread->id].head[rounds[thread->id].waits];
    if (thread->cancelled != it->cancelled)
        return true; /* which the round may act on */
    for (uint32_t i = 0; i < it->count; i++)
        if (it->word[i].size == A_TRY
                ? hd_rt_explore_succeeds(thread)
                : value_at(it->word[i].address, (uint32_t)it->word[i].size) != it->word[i].value)
            return true;
    return false;
}

/* Did the thread come round for nothing?  Then it stays here for the rest of the run.  In runs that
 * are made to learn from, it goes on as if it had not gone round, and shows what other values do.
 */
static bool comes_back(round *spin, const arrival *at) {
    heddle_wire_operation *pending = &at->self->wire->pending;
    spin->from = hd_rt_rounds_arrive(at->self, spin->history, at->live);
    if (!spin->from)
        return false;
    if (hd_rt_explore->stays_wanted == HEDDLE_WIRE_STAYS_TO_LEARN &&
        !hd_rt_rounds_is_cut(at->self)) {
        hd_rt_rounds_back(at->self->id, spin->from);
        spin->history = spin->from;
        return false;
    }
    *pending = (heddle_wire_operation){.kind = HEDDLE_WIRE_ROUND, .code = pending->code};
    return true;
}

/* Is it known what it is given?  Of functions of libraries it is not. */
static bool is_told(const heddle_wire_operation *pending) {
    return !reads(pending->kind, pending->size, pending->address) ||
           hd_rt_spin_given.code == pending->code;
}

/* Rounds that only wait are steps like all others. */
static void pass_by(round *spin, const heddle_wire_operation *pending) {
    spin->stored_own ^= hd_rt_spin_own_settle();
    if (spin->taken)
        extend_history(spin);
    spin->taken = 0;
    spin->stored = spin->goes_round = false;
    spin->stays = 0;
    if ((hd_rt_explored.births && hd_rt_explored.births == hd_rt_explored.joins) ||
        pending->kind == HEDDLE_JOIN + 1)
        spin->history = 0;
    forget(spin);
}

/* A write that was part of a round. */
static bool is_to_tell(const heddle_wire_operation *pending) {
    if (!hd_rt_explore->loops || !writes(pending->kind, pending->size, pending->address))
        return false;
    const heddle_wire_loop *loop = hd_rt_spin_find(pending->code);
    return loop && loop->now & HEDDLE_WIRE_LOOP_WRITES;
}

void hd_rt_spin_arrives(hd_rt_thread *self) {
    round *spin = &rounds[self->id];
    heddle_wire_operation *pending = &self->wire->pending;
    note_turn(self);
    if (HD_RT_UNLIKELY(hd_rt_explore->awaits.asked) && spin->taken)
        hd_rt_atomic_wait_did(self, &(hd_rt_did){.kind = spin->taken,
                                                 .size = spin->taken_size,
                                                 .address = spin->taken_address,
                                                 .before = spin->before});
    if (HD_RT_UNLIKELY(hd_rt_explore->locals_wanted)) {
        pass_by(spin, pending);
        return;
    }
    if (self->wire->state == HEDDLE_WIRE_ENDED)
        return;
    settle(spin);
    settle_stores(spin);
    /* What it reads while it is alone is no step, nor is the join that finds another's result. */
    if ((hd_rt_explored.births && hd_rt_explored.births == hd_rt_explored.joins) ||
        pending->kind == HEDDLE_JOIN + 1)
        spin->history = 0;
    spin->stays = 0;
    spin->goes_round = false;
    if (is_to_tell(pending))
        pending->flags |= HEDDLE_WIRE_TELLS;
    if (hd_rt_backoff_arrives(self)) {
        pending->flags |= YES;
        return;
    }
    if (!begins(pending) || !is_told(pending) || hd_rt_explored.births == hd_rt_explored.joins)
        return;
    bool begun = is_here(&spin->head[NEAR], pending), here = was_here(spin, pending);
    heddle_wire_loop *loop = hd_rt_spin_find(pending->code);
    if (!loop && (here || hd_rt_rounds_again(self)))
        add_loop(pending->code);
    if (!loop || !loop->now || loop->now & HEDDLE_WIRE_LOOP_RESTLESS)
        return;
    bool heads = !spin->head[NEAR].code || begun || here;
    bool learns = spin->history && hd_rt_explore->stays_wanted;
    arrival at = {.self = self, .pending = pending};
    if ((heads || learns) && !hd_rt_spin_state(self, learns ? loop : NULL, &at.hash, &at.live)) {
        forget(spin);
        heads = learns = false;
    }
    if (learns && comes_back(spin, &at))
        return;
    if (heads) {
        spin->goes_round = is_round(&at, spin, loop);
        spin->seen_count = 0;
    }
    spin->proved = loop->now & HEDDLE_WIRE_LOOP_PROVED;
    if (spin->history && hd_rt_stay_known(spin->history, spin->proved))
        spin->stays = spin->history;
    if (spin->stays || spin->goes_round)
        pending->flags |= YES;
}

bool hd_rt_spin_unsure(const hd_rt_thread *thread) {
    enum { TIMES = 8 };
    const round *spin = &rounds[thread->id];
    const heddle_wire_loop *loop =
        spin->head[NEAR].code ? hd_rt_spin_find(spin->head[NEAR].code) : NULL;
    return loop && loop->found == HEDDLE_WIRE_LOOP_SEEN && spin->come <= TIMES;
}

bool hd_rt_spin_tired(const hd_rt_thread *thread) {
    enum { TIMES = 64 };
    return rounds[thread->id].come > TIMES;
}

bool hd_rt_spin_possible(const hd_rt_thread *thread) {
    const round *spin = &rounds[thread->id];
    const heddle_wire_operation *pending = &thread->wire->pending;
    if (hd_rt_backoff_waits(thread))
        return hd_rt_explore_succeeds(thread);
    if (spin->stays && !thread->cancelled &&
        hd_rt_stay_find(spin->stays, value_at(pending->address, pending->size), spin->proved))
        return false;
    return !spin->goes_round || has_changed(thread);
}

/* The history after which the thread began the round that it would go again; 0: not known. */
static uint64_t round_from(const hd_rt_thread *thread) {
    const round *spin = &rounds[thread->id];
    const heddle_wire_operation *pending = &thread->wire->pending;
    if (pending->kind == HEDDLE_WIRE_ROUND)
        return spin->from;
    if (!(pending->flags & YES) || !spin->stays)
        return 0;
    const heddle_wire_stay *stay =
        hd_rt_stay_find(spin->stays, value_at(pending->address, pending->size), spin->proved);
    return stay ? stay->from : 0;
}

bool hd_rt_spin_in_vain(const hd_rt_thread *thread) {
    if (hd_rt_backoff_waits(thread))
        return hd_rt_backoff_in_vain();
    uint64_t from = round_from(thread);
    return from && hd_rt_rounds_in_vain(thread, from);
}

uint16_t hd_rt_spin_round(const hd_rt_thread *thread) {
    uint64_t from = hd_rt_backoff_waits(thread) ? 0 : round_from(thread);
    return from ? hd_rt_rounds_length(thread, from) : 0;
}

/* The other words that the round reads, their sizes in the upper byte; 0 after the last. */
void hd_rt_spin_words(const hd_rt_thread *thread, heddle_wire_next *next) {
    const head *it = &rounds[thread->id].head[rounds[thread->id].waits];
    const heddle_wire_operation *pending = &thread->wire->pending;
    uint64_t others[WORDS] = {(uintptr_t)thread->with};
    uint32_t count = 0;
    if (pending->flags & YES && rounds[thread->id].goes_round && !thread->with)
        for (uint32_t i = 0; i < it->count; i++)
            if (it->word[i].address != pending->address)
                others[count++] = it->word[i].address | it->word[i].size << 56;
    next->with = others[0];
    next->also[0] = others[1];
    next->also[1] = others[2];
}

/* Without known loops, and if none is to be learnt, nothing depends on it. */
char *hd_rt_spin_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    static uint64_t count;
    bool used = hd_rt_explore->loops || hd_rt_explore->stays_wanted || hd_rt_explore->locals_wanted;
    count = used ? hd_rt.wire->threads : 0;
    state = transfer(state, &run, sizeof run, back);
    state = transfer(state, &count, sizeof count, back);
    if (back)
        for (uint64_t i = count; i < hd_rt.wire->threads; i++) {
            rounds[i].taken = 0;
            rounds[i].stays = rounds[i].history = 0;
            forget(&rounds[i]);
        }
    state = transfer(state, rounds, count * sizeof *rounds, back);
    state = hd_rt_backoff_transfer(state, back, count, transfer);
    static uint64_t waiters;
    waiters = hd_rt_explore->awaits.asked ? hd_rt.wire->threads : 0;
    state = transfer(state, &waiters, sizeof waiters, back);
    state = hd_rt_atomic_wait_transfer(state, back, waiters, transfer);
    return hd_rt_rounds_transfer(state, back, count, transfer);
}
