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
 * A round with more than two words, with a lock, or with a look at the clock is not taken for
 * such a loop.  What writes, and leaves the word as it was, counts as a read; so does a try
 * of a lock or a semaphore that fails, if it is all that the round does: it waits until it would
 * succeed.
 */
#include <link.h>
#include <unwind.h>

#include "rt_arch.h"
#include "rt_explore.h"

enum { YES = HEDDLE_WIRE_SPINS, SEEN = 6, A_TRY = 0 };

/* Where a round begins, and what it has read so far. */
typedef struct head {
    uint64_t code, address; /* of the read; code 0: there is none */
    uint64_t hash;          /* of the registers and the stack there */
    uint64_t memory;        /* sum of the pages then */
    struct {
        uint64_t address, value;
        uint64_t size; /* A_TRY: a lock, and the value is whether it could be had */
    } word[2];
    uint32_t steps, own; /* of the run then; of the thread since */
    uint32_t turn;       /* then */
    uint32_t count;      /* words */
    uint32_t missed;     /* times that the thread came back since, in another state */
    bool stale;          /* others have taken steps since `memory` */
} head;

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
    uint32_t taken, taken_size; /* kind and size of the operation that is being done */
    uint32_t seen_count;
    uint32_t come;  /* times that the thread was where a head may be, since it changed something */
    uint32_t waits; /* with this head, if it does */
    uint32_t taken_try; /* the operation that is being done is one */
} round;

static round rounds[HEDDLE_WIRE_EXPLORED];

/* Who ran last, and how often that was another one: a thread that is new runs up to its first step
 * without one. */
static struct { uint32_t turns, last; } run;

static void note_turn(const hd_rt_thread *thread) {
    run.turns += run.last != thread->id;
    run.last = thread->id;
}

static uint64_t value_at(uint64_t address, uint32_t size) {
    switch (size) {
    case 1:
        return *(const volatile uint8_t *)(uintptr_t)address;
    case 2:
        return *(const volatile uint16_t *)(uintptr_t)address;
    case 4:
        return *(const volatile uint32_t *)(uintptr_t)address;
    default:
        return *(const volatile uint64_t *)(uintptr_t)address;
    }
}

static bool is_word(uint32_t size, uint64_t address) {
    return (size == 1 || size == 2 || size == 4 || size == 8) && !(address & (size - 1));
}

static bool reads(unsigned kind, uint32_t size, uint64_t address) {
    return (kind == HEDDLE_READ + 1 || kind == HEDDLE_ATOMIC_READ + 1 ||
            kind == HEDDLE_ATOMIC_RMW + 1) &&
           is_word(size, address);
}

static bool writes(unsigned kind, uint32_t size, uint64_t address) {
    return (kind == HEDDLE_WRITE + 1 || kind == HEDDLE_ATOMIC_WRITE + 1) && is_word(size, address);
}

static bool tries(unsigned kind, unsigned flags) {
    return flags & HEDDLE_WIRE_TRY && !(flags & HEDDLE_WIRE_LOOKS) &&
           (kind == HEDDLE_ACQUIRE + 1 || kind == HEDDLE_READ_ACQUIRE + 1 ||
            kind == HEDDLE_RECV + 1);
}

/* Does it change nothing, and read nothing? */
static bool is_idle(unsigned kind, uint64_t address) {
    return kind == HEDDLE_WIRE_YIELD || kind == HEDDLE_WIRE_SLEEP ||
           (kind == HEDDLE_WIRE_FENCE && !address);
}

static void forget(round *spin) {
    for (int i = 0; i < HEADS; i++)
        spin->head[i].code = 0;
    spin->seen_count = 0;
    spin->come = 0;
}

void hd_rt_spin_forget(const hd_rt_thread *thread) {
    if (thread->id < HEDDLE_WIRE_EXPLORED)
        forget(&rounds[thread->id]);
}

void hd_rt_spin_born(const hd_rt_thread *thread) {
    rounds[thread->id].taken = 0;
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

/* --- the state of a thread at the call that the point is in --------------------------------- */

typedef struct look {
    const hd_rt_thread *thread;
    uint64_t hash;
    uint64_t floats[HD_RT_ARCH_FLOATS]; /* nothing between the program and here uses them */
    bool found;
} look;

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Words of the stack that others use too are left out: they change at any time, and to the thread
 * it matters only when it reads them, which is a step. */
static _Unwind_Reason_Code at_frame(struct _Unwind_Context *context, void *argument) {
    look *it = argument;
    if (_Unwind_GetIP(context) != it->thread->wire->pending.code)
        return _URC_NO_REASON;
#if defined __x86_64__
    static const uint8_t kept[] = {3, 6, 12, 13, 14, 15}; /* rbx rbp r12-r15 */
#else
    static const uint8_t kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#endif
    for (unsigned i = 0; i < sizeof kept; i++)
        it->hash = mix(it->hash, _Unwind_GetGR(context, kept[i]));
    for (int i = 0; i < HD_RT_ARCH_FLOATS; i++)
        it->hash = mix(it->hash, it->floats[i]);
    uintptr_t low = _Unwind_GetCFA(context) & ~(uintptr_t)7;
    if (low < it->thread->wire->stack || low >= it->thread->stack_top)
        return _URC_END_OF_STACK; /* a handler, on a stack of its own */
    for (uintptr_t at = low; at < it->thread->stack_top; at += 8)
        if (!hd_rt_explore_is_shared(at / 8))
            it->hash = mix(it->hash, *(const uint64_t *)at);
    it->found = true;
    return _URC_END_OF_STACK;
}

/* The unwinder's own calls are not part of the program. */
static bool hash_of(const hd_rt_thread *thread, uint64_t *hash) {
    look it = {.thread = thread, .hash = thread->wire->pending.code};
    hd_rt_arch_floats(it.floats);
    uint32_t mode = hd_rt.mode;
    hd_rt.mode = HD_RT_OFF;
    _Unwind_Backtrace(at_frame, &it);
    hd_rt.mode = mode;
    *hash = it.hash;
    return it.found;
}

void hd_rt_spin_init(void) {
    uint64_t hash; /* what the unwinder does once is done before the first run */
    hash_of(hd_rt.current, &hash);
}

/* --- memory --------------------------------------------------------------------------------- */

static int add_module(struct dl_phdr_info *info, size_t size, void *sum) {
    (void)size;
    uintptr_t relro_low = 0, relro_high = 0, here = (uintptr_t)add_module;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && here >= low && here < low + header->p_memsz)
            return 0; /* the runtime itself */
        if (header->p_type == PT_GNU_RELRO) {
            relro_low = low;
            relro_high = low + header->p_memsz;
        }
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        uintptr_t low = (info->dlpi_addr + header->p_vaddr + 7) & ~(uintptr_t)7;
        uintptr_t high = (info->dlpi_addr + header->p_vaddr + header->p_memsz) & ~(uintptr_t)7;
        for (uintptr_t at = low; at < high; at += 8)
            if (at < relro_low || at >= relro_high)
                *(uint64_t *)sum = mix(*(uint64_t *)sum, *(const uint64_t *)at);
    }
    return 0;
}

/* A checksum of everything that a library may have changed: the pages that are restored, or,
 * without these, the variables of all modules and the heap. */
static uint64_t sum_memory(const hd_rt_thread *self) {
    if (hd_rt_in_memory)
        return hd_rt_reset_sum(self);
    uint64_t sum = 0;
    uint32_t mode = hd_rt.mode;
    hd_rt.mode = HD_RT_OFF;
    dl_iterate_phdr(add_module, &sum);
    hd_rt.mode = mode;
    return hd_rt_heap_sum(sum);
}

/* --- rounds --------------------------------------------------------------------------------- */

static heddle_wire_loop *find_loop(uint64_t code) {
    for (uint32_t i = 0; i < hd_rt_explore->loops; i++)
        if (hd_rt_explore->loop[i].code == code)
            return &hd_rt_explore->loop[i];
    return NULL;
}

/* A read that came twice, for the next runs.  Where there is no place for it, it is a read like
 * others. */
static void add_loop(uint64_t code) {
    if (hd_rt_explore->loops == HEDDLE_WIRE_LOOPS)
        return;
    hd_rt_explore->loop[hd_rt_explore->loops++] =
        (heddle_wire_loop){.code = code, .found = HEDDLE_WIRE_LOOP_SEEN};
    hd_rt_explore->loop_news++;
}

static void find_out(heddle_wire_loop *loop, uint32_t what) {
    hd_rt_explore->loop_news += !(loop->found & what);
    loop->found |= what;
}

/* A thread that has come to a read. */
typedef struct arrival {
    hd_rt_thread *self;
    const heddle_wire_operation *pending;
    uint64_t hash, memory;
    bool summed;
} arrival;

static uint64_t memory_of(arrival *at) {
    if (!at->summed)
        at->memory = sum_memory(at->self);
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
                 .steps = hd_rt_explore->steps,
                 .turn = run.turns};
}

/* A word that the round has read.  One that it read twice, with two values, is not what the
 * next round would read. */
static void add_word(head *it, uint64_t address, uint32_t size, uint64_t value) {
    if (!it->code)
        return;
    for (uint32_t i = 0; i < it->count; i++)
        if (it->word[i].address == address) {
            if (it->word[i].value != value || it->word[i].size != size)
                it->code = 0;
            return;
        }
    if (it->count == 2) {
        it->code = 0;
        return;
    }
    it->word[it->count].address = address;
    it->word[it->count].size = size;
    it->word[it->count++].value = value;
}

void hd_rt_spin_takes(const hd_rt_thread *thread) {
    round *spin = &rounds[thread->id];
    const heddle_wire_operation *pending = &thread->wire->pending;
    spin->taken = pending->kind;
    spin->taken_size = pending->size;
    spin->taken_address = pending->address;
    for (int i = 0; i < HEADS; i++)
        spin->head[i].own++;
    spin->taken_try = tries(pending->kind, pending->flags);
    if (spin->taken_try)
        spin->before = hd_rt_explore_succeeds(thread);
    else if (reads(pending->kind, pending->size, pending->address) ||
             writes(pending->kind, pending->size, pending->address))
        spin->before = value_at(pending->address, pending->size);
    if (pending->flags & YES)
        spin->head[spin->waits].count = 0; /* a new round from here */
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

/* The step that the thread took is done. */
static void settle(round *spin) {
    if (spin->taken && !left_all(spin))
        forget(spin);
    else if (spin->taken && !is_idle(spin->taken, spin->taken_address))
        for (int i = 0; i < HEADS; i++)
            add_word(&spin->head[i], spin->taken_address,
                     spin->taken_try ? A_TRY : spin->taken_size, spin->before);
    spin->taken = 0;
}

/* Is memory as it was when the round began, as far as that can be seen?  While others take steps
 * it cannot; then it is enough that it was so once. */
static bool is_at_rest(arrival *at, head *it, heddle_wire_loop *loop) {
    bool alone = hd_rt_explore->steps - it->steps == it->own && it->turn == run.turns;
    if (!alone || it->stale) {
        it->stale = !alone;
        if (alone)
            it->memory = memory_of(at);
        return loop->now & HEDDLE_WIRE_LOOP_PROVED;
    }
    bool same = memory_of(at) == it->memory;
    find_out(loop, same ? HEDDLE_WIRE_LOOP_PROVED : HEDDLE_WIRE_LOOP_RESTLESS);
    return same;
}

/* Does what the round read let its first operation wait for it? */
static bool is_simple(const head *it, const heddle_wire_operation *pending) {
    bool lone = !(pending->kind == HEDDLE_READ + 1 || pending->kind == HEDDLE_ATOMIC_READ + 1);
    for (uint32_t i = 0; i < it->count; i++)
        lone |= it->word[i].size == A_TRY;
    return it->count == 1 || (it->count && !lone);
}

static bool is_here(const head *it, const heddle_wire_operation *pending) {
    return it->code == pending->code && it->address == pending->address;
}

/* Is the thread where the round began, so that another would be just the same? */
static bool goes_round(arrival *at, head *it, heddle_wire_loop *loop) {
    if (!is_here(it, at->pending) || !is_simple(it, at->pending) || at->hash != it->hash ||
        !is_at_rest(at, it, loop))
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
    if (is_here(far, at->pending))
        far->missed++;
    if (!far->code || 2 * far->missed > spin->come)
        *far = *near;
}

static bool is_round(const hd_rt_thread *self, round *spin, heddle_wire_loop *loop) {
    arrival at = {.self = (hd_rt_thread *)self, .pending = &self->wire->pending};
    if (!hash_of(self, &at.hash)) {
        forget(spin);
        return false;
    }
    for (uint32_t i = 0; i < HEADS; i++)
        if (goes_round(&at, &spin->head[i], loop)) {
            spin->waits = i;
            return true;
        }
    move_on(&at, spin, loop);
    return false;
}

void hd_rt_spin_arrives(hd_rt_thread *self) {
    round *spin = &rounds[self->id];
    heddle_wire_operation *pending = &self->wire->pending;
    note_turn(self);
    if (self->wire->state == HEDDLE_WIRE_ENDED)
        return;
    settle(spin);
    if ((!reads(pending->kind, pending->size, pending->address) &&
         !tries(pending->kind, pending->flags)) ||
        hd_rt_explored.births == hd_rt_explored.joins)
        return;
    bool begun = is_here(&spin->head[NEAR], pending), here = was_here(spin, pending);
    heddle_wire_loop *loop = find_loop(pending->code);
    if (!loop && here)
        add_loop(pending->code);
    if (!loop || !loop->now || loop->now & HEDDLE_WIRE_LOOP_RESTLESS ||
        (spin->head[NEAR].code && !begun && !here))
        return;
    if (is_round(self, spin, loop))
        pending->flags |= YES;
    spin->seen_count = 0;
}

bool hd_rt_spin_unsure(const hd_rt_thread *thread) {
    enum { TIMES = 8 };
    const round *spin = &rounds[thread->id];
    const heddle_wire_loop *loop = spin->head[NEAR].code ? find_loop(spin->head[NEAR].code) : NULL;
    return loop && loop->found == HEDDLE_WIRE_LOOP_SEEN && spin->come <= TIMES;
}

bool hd_rt_spin_possible(const hd_rt_thread *thread) {
    const head *it = &rounds[thread->id].head[rounds[thread->id].waits];
    for (uint32_t i = 0; i < it->count; i++)
        if (it->word[i].size == A_TRY
                ? hd_rt_explore_succeeds(thread)
                : value_at(it->word[i].address, (uint32_t)it->word[i].size) != it->word[i].value)
            return true;
    return false;
}

/* The other word that the round reads, its size in the upper byte; 0: there is none. */
uint64_t hd_rt_spin_other(const hd_rt_thread *thread) {
    const head *it = &rounds[thread->id].head[rounds[thread->id].waits];
    uint64_t own = thread->wire->pending.address;
    for (uint32_t i = 0; i < it->count; i++)
        if (it->word[i].address != own)
            return it->word[i].address | it->word[i].size << 56;
    return 0;
}

/* Without known loops nothing depends on it. */
char *hd_rt_spin_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    static uint64_t count;
    count = hd_rt_explore->loops ? hd_rt.wire->threads : 0;
    state = transfer(state, &run, sizeof run, back);
    state = transfer(state, &count, sizeof count, back);
    if (back)
        for (uint64_t i = count; i < hd_rt.wire->threads; i++) {
            rounds[i].taken = 0;
            forget(&rounds[i]);
        }
    return transfer(state, rounds, count * sizeof *rounds, back);
}
