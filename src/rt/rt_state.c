/*
 * Whole states of a run, for who looks for a cycle of them: what every thread does next, its
 * registers and its stack, variables of modules, thread-local ones, and the heap.  What the kernel
 * has is no part of it, nor is memory that the program maps by itself, nor the time: where these
 * are used no state is known.  Nor is it where runs follow each other in one process (rt_reset.c).
 */
#include <link.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_spin.h"

/* Of a thread at its point. */
typedef struct place {
    uint64_t hash; /* of its registers */
    uintptr_t low; /* where its stack begins */
    bool known;
} place;

enum { BLOCKS = 64, NEAR = 1 << 20 };

/* Thread-local variables of modules, by their distance from the thread pointer. */
typedef struct blocks {
    struct {
        intptr_t from;
        size_t size;
    } block[BLOCKS];
    uint32_t count;
    bool all; /* there are no others */
} blocks;

static place places[HEDDLE_WIRE_EXPLORED];

void hd_rt_state_arrives(const hd_rt_thread *self) {
    place *it = &places[self->id];
    it->known = self == hd_rt.current && self->wire->pending.kind != HEDDLE_WIRE_START &&
                hd_rt_spin_registers(self, &it->hash, &it->low);
}

static int add_block(struct dl_phdr_info *info, size_t size, void *context) {
    blocks *it = context;
    uintptr_t here = (uintptr_t)add_block;
    size_t length = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && here >= low && here < low + header->p_memsz)
            return 0; /* the runtime itself */
        if (header->p_type == PT_TLS)
            length = header->p_memsz;
    }
    if (!length)
        return 0;
    intptr_t from = (intptr_t)((uintptr_t)info->dlpi_tls_data - hd_rt_arch_thread_pointer());
    if (!info->dlpi_tls_data || from < -NEAR || from > NEAR || it->count == BLOCKS) {
        it->all = false;
        return 0;
    }
    it->block[it->count].from = from;
    it->block[it->count++].size = length;
    return 0;
}

static uint64_t add_bytes(uint64_t hash, uintptr_t low, uintptr_t high) {
    for (; low < high && low % 8; low++)
        hash = hd_rt_spin_mix(hash, *(const volatile uint8_t *)low);
    for (; low + 8 <= high; low += 8)
        hash = hd_rt_spin_mix(hash, *(const volatile uint64_t *)low);
    for (; low < high; low++)
        hash = hd_rt_spin_mix(hash, *(const volatile uint8_t *)low);
    return hash;
}

static uint64_t add_thread(uint64_t hash, const hd_rt_thread *thread, const blocks *locals) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    const place *at = &places[thread->id];
    hash = hd_rt_spin_mix(hash, (uint64_t)pending->kind << 32 | pending->flags);
    hash = hd_rt_spin_mix(hash, pending->size);
    hash = hd_rt_spin_mix(hash, pending->address);
    hash = hd_rt_spin_mix(hash, pending->code);
    hash = hd_rt_spin_mix(hash, at->hash);
    hash = hd_rt_spin_mix(hash, at->low);
    hash = add_bytes(hash, at->low, thread->stack_top);
    for (uint32_t i = 0; i < locals->count; i++) {
        uintptr_t low = thread->thread_pointer + (uintptr_t)locals->block[i].from;
        hash = add_bytes(hash, low, low + locals->block[i].size);
    }
    return hash;
}

uint64_t hd_rt_state_now(const hd_rt_set *enabled, const hd_rt_set *succeeds) {
    static blocks locals;
    uint64_t hash = 1;
    if (hd_rt_in_memory || hd_rt_explore->mapped || hd_rt_set_words > 1 ||
        hd_rt_explore->hidden & HEDDLE_WIRE_ASKS_TIME)
        return 0;
    for (uint32_t i = 0; i < hd_rt.wire->threads; i++)
        if (hd_rt.wire->thread[i].state == HEDDLE_WIRE_LIVE && !places[i].known)
            return 0;
    locals.count = 0;
    locals.all = true;
    uint32_t mode = hd_rt.mode;
    hd_rt.mode = HD_RT_OFF;
    dl_iterate_phdr(add_block, &locals);
    hd_rt.mode = mode;
    if (!locals.all)
        return 0;
    for (uint32_t i = 0; i < hd_rt.wire->threads; i++) {
        hash = hd_rt_spin_mix(hash, hd_rt.wire->thread[i].state);
        if (hd_rt.wire->thread[i].state == HEDDLE_WIRE_LIVE)
            hash = add_thread(hash, hd_rt_thread_at(i), &locals);
    }
    hash = hd_rt_spin_mix(hash, enabled->word[0]);
    hash = hd_rt_spin_mix(hash, succeeds->word[0]);
    return hd_rt_spin_mix(hash, hd_rt_spin_sum(hd_rt.current)) | 1;
}
