/*
 * What a round of a loop may have changed: the state of its thread, and memory.
 */
#include <link.h>
#include <unwind.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_spin.h"
#include "rt_spin_kinds.h"

/* --- the state of a thread at the call that the point is in --------------------------------- */

typedef struct look {
    const hd_rt_thread *thread;
    const heddle_wire_loop *loop; /* says what is dead; NULL: nothing is */
    uint64_t hash;
    uint64_t live;                      /* the same without what is dead */
    uint64_t floats[HD_RT_ARCH_FLOATS]; /* nothing between the program and here uses them */
    uintptr_t low;
    bool found, registers; /* alone */
} look;

static void add(look *it, uint64_t word) {
    it->hash = hd_rt_spin_mix(it->hash, word);
    if (it->loop)
        it->live = hd_rt_spin_mix(it->live, word);
}

/* Two words of a frame; the first has this number. */
static void add_word(look *it, uint64_t word, uintptr_t number) {
    uint64_t dead = it->loop->dead_words[number / 64] >> number % 64 & 3, low = 0xffffffff;
    it->hash = hd_rt_spin_mix(it->hash, word);
    word &= ~((dead & 1 ? low : 0) | (dead & 2 ? low << 32 : 0));
    it->live = hd_rt_spin_mix(it->live, word);
}

bool hd_rt_spin_is_lent(uint64_t word) {
    const heddle_wire_explore *explore = hd_rt_explore;
    return explore->lent_looked && hd_rt_explored.births != hd_rt_explored.joins &&
           explore->lent_word[heddle_wire_lent_place(explore, word)] & HEDDLE_WIRE_LEFT_OUT;
}

/* Words of the stack that others use too are left out: they change at any time, and to the thread
 * it matters only when it reads them, which is a step, or comes when it is alone. */
static _Unwind_Reason_Code at_frame(struct _Unwind_Context *context, void *argument) {
    look *it = argument;
    if (_Unwind_GetIP(context) != it->thread->wire->pending.code)
        return _URC_NO_REASON;
#if defined __x86_64__
    static const uint8_t kept[] = {3, 6, 12, 13, 14, 15}; /* rbx rbp r12-r15 */
#else
    static const uint8_t kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#endif
    if (_Unwind_GetLanguageSpecificData(context))
        it->loop = NULL; /* exceptions lead from calls to elsewhere in the function */
    for (unsigned i = 0; i < sizeof kept; i++)
        if (it->loop && it->loop->dead_registers >> i & 1)
            it->hash = hd_rt_spin_mix(it->hash, _Unwind_GetGR(context, kept[i]));
        else
            add(it, _Unwind_GetGR(context, kept[i]));
    for (int i = 0; i < HD_RT_ARCH_FLOATS; i++)
        add(it, it->floats[i]);
    uintptr_t low = _Unwind_GetCFA(context) & ~(uintptr_t)7;
    if (low < it->thread->wire->stack || low >= it->thread->stack_top)
        return _URC_END_OF_STACK; /* a handler, on a stack of its own */
    it->low = low;
    it->found = true;
    if (it->registers)
        return _URC_END_OF_STACK;
    uintptr_t frame = low + (it->loop ? 4 * HEDDLE_WIRE_DEAD_WORDS : 0);
    if (frame > it->thread->stack_top)
        frame = it->thread->stack_top;
    for (uintptr_t at = low; at < frame; at += 8)
        if (!hd_rt_explore_is_shared(at / 8) && !hd_rt_spin_is_lent(at / 8))
            add_word(it, *(const uint64_t *)at, (at - low) / 4);
    for (uintptr_t at = frame; at < it->thread->stack_top; at += 8)
        if (!hd_rt_explore_is_shared(at / 8) && !hd_rt_spin_is_lent(at / 8))
            add(it, *(const uint64_t *)at);
    return _URC_END_OF_STACK;
}

/* What the operation is given is part of the state: it may be nowhere else, least of all in what
 * is read after it.  The unwinder's own calls are not part of the program. */
static void look_at(look *it) {
    const heddle_wire_operation *pending = &it->thread->wire->pending;
    it->hash = it->live = pending->code;
    add(it, hd_rt_spin_given.code == pending->code ? hd_rt_spin_given.word : 0);
    add(it, it->thread->cancel_off);
    if (pending->kind == HEDDLE_ATOMIC_RMW + 1 && it->thread->with)
        add(it, value_at((uintptr_t)it->thread->with, pending->size));
    hd_rt_arch_floats(it->floats);
    uint32_t mode = hd_rt.mode;
    hd_rt.mode = HD_RT_OFF;
    _Unwind_Backtrace(at_frame, it);
    hd_rt.mode = mode;
}

bool hd_rt_spin_state(const hd_rt_thread *thread, const heddle_wire_loop *loop, uint64_t *hash,
                      uint64_t *live) {
    look it = {.thread = thread, .loop = loop};
    look_at(&it);
    *hash = it.hash;
    *live = it.loop ? it.live : it.hash;
    return it.found;
}

bool hd_rt_spin_registers(const hd_rt_thread *thread, uint64_t *hash, uintptr_t *low) {
    look it = {.thread = thread, .registers = true};
    look_at(&it);
    *hash = it.hash;
    *low = it.low;
    return it.found;
}

/* --- memory --------------------------------------------------------------------------------- */

/* Variables of modules.  They are listed first and summed up afterwards, because the loader's lock,
 * which is held while they are listed, is one of them. */
enum { RANGES = 256 };

static struct { uintptr_t low, high; } range[RANGES];

typedef struct sum {
    uint64_t value;
    uint32_t ranges;
} sum;

static void add_range(sum *it, uintptr_t low, uintptr_t high) {
    for (uintptr_t at = low; at < high; at += 8)
        it->value = hd_rt_spin_mix(it->value, *(const uint64_t *)at);
}

static void list_range(sum *it, uintptr_t low, uintptr_t high) {
    if (low >= high)
        return;
    if (it->ranges == RANGES) {
        add_range(it, low, high);
        return;
    }
    range[it->ranges].low = low;
    range[it->ranges++].high = high;
}

static int list_module(struct dl_phdr_info *info, size_t size, void *all) {
    (void)size;
    uintptr_t relro_low = 0, relro_high = 0, here = (uintptr_t)list_module;
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
        bool apart = relro_low >= high || relro_high <= low;
        list_range(all, low, apart ? high : relro_low);
        if (!apart)
            list_range(all, (relro_high + 7) & ~(uintptr_t)7, high);
    }
    return 0;
}

uint64_t hd_rt_spin_sum(const hd_rt_thread *self) {
    if (hd_rt_in_memory)
        return hd_rt_reset_sum(self);
    sum all = {0, 0};
    uint32_t mode = hd_rt.mode;
    hd_rt.mode = HD_RT_OFF;
    dl_iterate_phdr(list_module, &all);
    hd_rt.mode = mode;
    for (uint32_t i = 0; i < all.ranges; i++)
        add_range(&all, range[i].low, range[i].high);
    return hd_rt_heap_sum(all.value);
}
