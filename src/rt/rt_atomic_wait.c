/*
 * Waits of C++'s atomics: std::atomic::wait, std::latch, std::barrier.  The C++ library spins for a
 * while, counts those who wait, and lets the thread sleep until another one notifies it.  All of
 * that is steps, and most of their orders make no difference.
 *
 * In an explored program such a wait is a loop instead that only reads (rt_cxx_atomic_wait.in), so
 * that all that is known of loops that wait holds for it (rt_spin.c); and to notify is no step.
 * What this does not show is a thread that sleeps although what it waits for has come, because
 * nobody notified it.  So it is seen to that there is none:
 *
 *   1. A step that changes a word from a value with which threads wait is followed by a
 * notification of that word, by the same thread, within MOST of its steps, none of which may have
 * to wait.
 *   2. A notification of one thread counts only if never more than one thread waits for the word;
 *      or if all wait with the same value, and each that has waited goes on by reading the word,
 * and then by an update that leaves this value there.
 *
 * Why that is enough: assume that in an execution with sleep a thread sleeps for ever, and the word
 * has another value than that with which it waits.  Take away from it all steps by which threads
 * fall asleep, wake up and find that they have to wait on; what is left is an execution of the
 * loops, so that it was seen what its steps are followed by.  Consider the last step that changed
 * the word from that value, after the thread had fallen asleep.  By 1, its thread notifies then.
 * If all are notified, or this thread is the one, it does not sleep for ever.  Otherwise another
 * one wakes up, finds another value, and so by 2 puts the value back: then that step was not the
 * last.
 *
 * For an update it is known what value it found; a store changes the word whatever value it has, as
 * in another execution it may be another.  Words and values are learnt while the program is run,
 * and the search starts over for each.  If a step is not followed by a notification, it starts over
 * with the waits as the C++ library makes them.
 */
#include "rt_explore.h"
#include "rt_spin.h"
#include "rt_spin_kinds.h"

enum { MOST = 64, MOST_READS = 16 };

/* Of a thread. */
typedef struct duty {
    uint64_t words;          /* of heddle_wire_awaits.word: others are to be notified of */
    uint32_t steps;          /* since the first of these was changed */
    uint64_t told, told_one; /* in the step that is being done, it has notified of these */
    uint32_t reads;
    uint64_t left; /* the word that it has waited for, and not changed since; 0: there is none */
} duty;

static duty duties[HEDDLE_WIRE_EXPLORED];

static heddle_wire_awaits *awaits(void) {
    return &hd_rt_explore->awaits;
}

static duty *own_duty(void) {
    return &duties[hd_rt.current->id];
}

static void add(const heddle_wire_awaited *word, uint32_t flag) {
    heddle_wire_awaits_join(
        awaits(),
        &(heddle_wire_awaited){.address = word->address, .size = word->size, .flags = flag});
}

/* --- what rt_cxx_atomic_wait.in calls -------------------------------------------------------- */

/* Are waits loops? */
HD_RT_EXPORT int heddle_rt_atomic_waits(void);
int heddle_rt_atomic_waits(void) {
    if (!hd_rt_controlled() || !hd_rt.exploring)
        return 0;
    awaits()->asked = 1;
    if (hd_rt.current->handling || hd_rt.current->id >= HEDDLE_WIRE_EXPLORED)
        awaits()->lost = 1;
    return awaits()->loops != 0;
}

/* How a thread waits: until the word has another value than this; than it has now; until it is 0.
 */
enum { FOR_ANOTHER, FOR_CHANGE, FOR_ZERO };

/* The thread has read the word, and has to wait. */
HD_RT_EXPORT void heddle_rt_atomic_wait(const void *word, unsigned size, uint64_t value, int how);
void heddle_rt_atomic_wait(const void *word, unsigned size, uint64_t value, int how) {
    heddle_wire_awaited it = {
        .address = (uintptr_t)word,
        .size = size,
        .thread = hd_rt.current->id + 1,
        .values = how != FOR_ZERO,
        .flags = how == FOR_ZERO ? HEDDLE_WIRE_AWAITED_ZERO : 0,
        .value = {how == FOR_CHANGE ? value_at((uintptr_t)word, size) : value}};
    own_duty()->left = 0;
    if (own_duty()->words)
        awaits()->lost = 1;
    heddle_wire_awaits_join(awaits(), &it);
}

/* It need not wait any more. */
HD_RT_EXPORT void heddle_rt_atomic_woken(const void *word, unsigned size, int how);
void heddle_rt_atomic_woken(const void *word, unsigned size, int how) {
    if (how == FOR_ZERO && value_at((uintptr_t)word, size))
        awaits()->lost = 1; /* it waits for something else */
    own_duty()->left = (uintptr_t)word;
    own_duty()->reads = 0;
}

HD_RT_EXPORT void heddle_rt_atomic_notify(const void *word, int all);
void heddle_rt_atomic_notify(const void *word, int all) {
    const heddle_wire_awaited *it = heddle_wire_awaits_find(awaits(), (uintptr_t)word);
    if (!it)
        return;
    duty *of = own_duty();
    uint64_t bit = UINT64_C(1) << (it - awaits()->word);
    if (of->words & bit && !all)
        add(it, HEDDLE_WIRE_AWAITED_ONE);
    of->words &= ~bit;
    of->told |= bit;
    of->told_one |= all ? 0 : bit;
}

/* --- steps ----------------------------------------------------------------------------------- */

void hd_rt_atomic_wait_born(uint32_t thread) {
    duties[thread] = (duty){0};
}

void hd_rt_atomic_wait_futex(bool timed) {
    if (timed)
        awaits()->lost = 1;
}

static bool overlaps(const heddle_wire_awaited *it, uint64_t address, uint32_t size) {
    return address < it->address + it->size && it->address < address + size;
}

/* May a thread wait with this value? */
static bool is_listed(const heddle_wire_awaited *it, uint64_t value) {
    if (it->flags & HEDDLE_WIRE_AWAITED_ANY)
        return true;
    for (uint32_t i = 0; i < it->values; i++)
        if (it->value[i] == value)
            return true;
    return it->flags & HEDDLE_WIRE_AWAITED_ZERO && value;
}

/* May a thread wait with another value than this? */
static bool is_other_listed(const heddle_wire_awaited *it, uint64_t value) {
    if (it->flags & HEDDLE_WIRE_AWAITED_ANY)
        return true;
    for (uint32_t i = 0; i < it->values; i++)
        if (it->value[i] != value)
            return true;
    return it->flags & HEDDLE_WIRE_AWAITED_ZERO && !value;
}

/* Does the step end a wait of another thread, or might it after other steps of others? */
static bool ends_wait(const heddle_wire_awaited *it, const hd_rt_did *did, bool exact) {
    uint64_t now = value_at(it->address, it->size);
    if (!exact || did->kind != HEDDLE_ATOMIC_RMW + 1)
        return is_other_listed(it, now);
    if (did->before == now || !is_listed(it, did->before))
        return false;
    return is_other_listed(it, now);
}

/* It has waited for this word, and took its first step since that is not a read of it. */
static void leave(const heddle_wire_awaited *it, bool exact, unsigned kind) {
    bool back = exact && kind == HEDDLE_ATOMIC_RMW + 1 && it->values == 1 &&
                value_at(it->address, it->size) == it->value[0];
    if (!back)
        add(it, HEDDLE_WIRE_AWAITED_GOES);
}

/* What the thread that has waited does about it. */
static void go_on(duty *of, const hd_rt_did *did) {
    const heddle_wire_awaited *it = heddle_wire_awaits_find(awaits(), of->left);
    bool exact = it && did->address == it->address && did->size == it->size;
    bool reads = exact && (did->kind == HEDDLE_ATOMIC_READ + 1 ||
                           (did->kind == HEDDLE_ATOMIC_RMW + 1 && did->before != it->value[0] &&
                            did->before == value_at(it->address, it->size)));
    if ((reads || is_idle(did->kind, did->address)) && ++of->reads <= MOST_READS)
        return;
    if (it)
        leave(it, exact, did->kind);
    of->left = 0;
}

static bool is_write(unsigned kind) {
    return kind == HEDDLE_WRITE + 1 || kind == HEDDLE_ATOMIC_WRITE + 1 ||
           kind == HEDDLE_ATOMIC_RMW + 1;
}

void hd_rt_atomic_wait_did(const hd_rt_thread *self, const hd_rt_did *did) {
    duty *of = &duties[self->id];
    bool alone = hd_rt_explored.births == hd_rt_explored.joins;
    if (of->left)
        go_on(of, did);
    if (of->words && ++of->steps > MOST)
        awaits()->lost = 1;
    uint64_t told = of->told, told_one = of->told_one;
    of->told = of->told_one = 0;
    if (!is_write(did->kind) || alone)
        return;
    for (uint32_t i = 0; i < awaits()->count; i++) {
        const heddle_wire_awaited *it = &awaits()->word[i];
        if (!overlaps(it, did->address, did->size) ||
            !ends_wait(it, did, did->address == it->address && did->size == it->size))
            continue;
        if (!of->words)
            of->steps = 0;
        if (told_one >> i & 1)
            add(it, HEDDLE_WIRE_AWAITED_ONE);
        of->words |= ~told & UINT64_C(1) << i;
    }
}

/* Is it done in any case, whatever others do? */
static bool goes_on(const heddle_wire_operation *it) {
    if (it->flags & (HEDDLE_WIRE_SPINS | HEDDLE_WIRE_TIMED))
        return false;
    switch (it->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_READ + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
    case HEDDLE_ATOMIC_RMW + 1:
    case HEDDLE_RELEASE + 1:
    case HEDDLE_READ_RELEASE + 1:
    case HEDDLE_SEND + 1:
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
    case HEDDLE_FORK + 1:
    case HEDDLE_MARK + 1:
    case HEDDLE_WIRE_FENCE:
    case HEDDLE_WIRE_YIELD:
    case HEDDLE_WIRE_CALL:
    case HEDDLE_WIRE_CHOICE:
    case HEDDLE_WIRE_OUTPUT:
    case HEDDLE_WIRE_EXIT: /* which ends the others, too */
        return true;
    default:
        return false;
    }
}

void hd_rt_atomic_wait_next(const hd_rt_thread *self, bool ended) {
    const duty *of = &duties[self->id];
    if (of->words && (ended || !goes_on(&self->wire->pending)))
        awaits()->lost = 1;
    if (of->left && ended) {
        const heddle_wire_awaited *it = heddle_wire_awaits_find(awaits(), of->left);
        if (it)
            leave(it, false, 0);
    }
}

char *hd_rt_atomic_wait_transfer(char *state, bool back, uint64_t count, hd_rt_transfer *transfer) {
    for (uint64_t i = count; back && i < hd_rt.wire->threads; i++)
        hd_rt_atomic_wait_born((uint32_t)i);
    return transfer(state, duties, count * sizeof *duties, back);
}
