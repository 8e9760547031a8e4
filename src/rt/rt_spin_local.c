/*
 * The state of one thread at a point: two points of a thread with the same one have the same steps
 * after them, as long as these find the same.  It is a checksum of the operation, the registers and
 * the stack, without what is dead in the functions that are being executed, and of what the thread
 * did to memory that is its own.  What is dead after a call is looked up by the tool, for the runs
 * after this one.
 */
#include <unwind.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_spin.h"
#include "rt_spin_kinds.h"

/* The frames of a thread, innermost first. */
typedef struct walk {
    const hd_rt_thread *thread;
    uint64_t hash;
    uint64_t floats[HD_RT_ARCH_FLOATS]; /* nothing between the program and here uses them */
    uintptr_t low;                      /* where the last frame begins; 0: none so far */
    const heddle_wire_place *place;     /* of the call in it; NULL: nothing is dead */
    bool known;
} walk;

static void add(walk *it, uint64_t word) {
    it->hash = hd_rt_spin_mix(it->hash, word);
}

/* The entry of the call; a new one has nothing that is dead.  NULL: the table is full. */
static const heddle_wire_place *place_of(uint64_t code) {
    heddle_wire_explore *explore = hd_rt_explore;
    heddle_wire_place *place = &explore->place[heddle_wire_place_of(explore, code)];
    if (place->code)
        return place;
    if (explore->places >= HEDDLE_WIRE_PLACES / 2)
        return NULL;
    place->code = code;
    explore->places++;
    return place;
}

/* Words of the last frame, up to where the next one begins.  Those that other threads use are left
 * out: to read them is a step, or comes when the thread is alone. */
static void add_frame(walk *it, uintptr_t high) {
    for (uintptr_t at = it->low; at < high; at += 8) {
        uintptr_t number = (at - it->low) / 4;
        uint64_t word = *(const uint64_t *)at, low = 0xffffffff, dead = 0;
        if (hd_rt_explore_is_shared(at / 8) || hd_rt_spin_is_lent(at / 8))
            continue;
        if (it->place && number < HEDDLE_WIRE_DEAD_WORDS)
            dead = it->place->dead_words[number / 64] >> number % 64 & 3;
        add(it, word & ~((dead & 1 ? low : 0) | (dead & 2 ? low << 32 : 0)));
    }
}

static void add_registers(walk *it, struct _Unwind_Context *context) {
#if defined __x86_64__
    static const uint8_t kept[] = {3, 6, 12, 13, 14, 15}; /* rbx rbp r12-r15 */
#else
    static const uint8_t kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#endif
    for (unsigned i = 0; i < sizeof kept; i++)
        add(it,
            it->place && it->place->dead_registers >> i & 1 ? 0 : _Unwind_GetGR(context, kept[i]));
    for (int i = 0; i < HD_RT_ARCH_FLOATS; i++)
        add(it, it->floats[i]);
}

static _Unwind_Reason_Code at_frame(struct _Unwind_Context *context, void *argument) {
    walk *it = argument;
    uintptr_t code = _Unwind_GetIP(context);
    uintptr_t low = _Unwind_GetCFA(context) & ~(uintptr_t)7;
    if (!it->low && code != it->thread->wire->pending.code)
        return _URC_NO_REASON;
    if (!code || low < it->thread->wire->stack || low >= it->thread->stack_top || low < it->low)
        return _URC_END_OF_STACK; /* a handler, on a stack of its own */
    bool first = !it->low;
    if (!first)
        add_frame(it, low);
    it->low = low;
    it->place = place_of(code);
    it->known = it->place != NULL;
    if (_Unwind_GetLanguageSpecificData(context))
        it->place = NULL; /* exceptions lead from calls to elsewhere in the function */
    if (first)
        add_registers(it, context);
    return it->known ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void add_operation(walk *it) {
    const heddle_wire_operation *pending = &it->thread->wire->pending;
    add(it, pending->code);
    add(it, hd_rt_spin_given.code == pending->code ? hd_rt_spin_given.word : 0);
    add(it, it->thread->cancel_off);
    if (pending->kind == HEDDLE_ATOMIC_RMW + 1 && it->thread->with)
        add(it, value_at((uintptr_t)it->thread->with, pending->size));
}

uint64_t hd_rt_spin_local(const hd_rt_thread *thread) {
    walk it = {.thread = thread, .hash = 1};
    uint64_t own = hd_rt_spin_own(thread);
    if (thread->wire->state == HEDDLE_WIRE_ENDED)
        return own;
    if (thread != hd_rt.current || thread->wire->pending.kind == HEDDLE_WIRE_START || !own)
        return 0;
    add_operation(&it);
    add(&it, own);
    hd_rt_arch_floats(it.floats);
    uint32_t mode = hd_rt.mode;
    hd_rt.mode = HD_RT_OFF;
    _Unwind_Backtrace(at_frame, &it);
    hd_rt.mode = mode;
    if (!it.known)
        return 0;
    add_frame(&it, thread->stack_top);
    return it.hash | 1;
}
