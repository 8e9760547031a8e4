#include "native_memory.h"

#include <stdlib.h>

typedef struct block {
    uint64_t start, size;
    uint64_t code;
    uint32_t thread;
    uint32_t count; /* of this thread and code, from 1 on */
} block;

enum { RECENT = 1 << 14 };

struct hd_native_memory {
    const hd_native_run *run;
    hd_native_symbols *symbols;
    HD_VEC(uint64_t) borders; /* sorted once all are noted */
    hd_map border_numbers;
    HD_VEC(block) blocks; /* sorted once all are noted */
    hd_map block_counts;  /* (thread, code) */
    uint64_t recent[RECENT];
};

hd_native_memory *hd_native_memory_create(const hd_native_run *run, hd_native_symbols *symbols) {
    hd_native_memory *memory = HD_NEW(hd_native_memory);
    memory->run = run;
    memory->symbols = symbols;
    return memory;
}

void hd_native_memory_free(hd_native_memory *memory) {
    if (!memory)
        return;
    hd_vec_release(&memory->borders);
    hd_vec_release(&memory->blocks);
    hd_map_release(&memory->border_numbers);
    hd_map_release(&memory->block_counts);
    free(memory);
}

static void add_border(hd_native_memory *memory, uint64_t address) {
    bool added;
    hd_map_at(&memory->border_numbers, address, &added);
    if (added)
        hd_vec_push(&memory->borders, address);
}

void hd_native_memory_note_access(hd_native_memory *memory, uint64_t address, uint64_t size) {
    /* Most accesses were noted a moment ago. */
    uint64_t key = address << 16 | (size & 0xffff);
    uint64_t *slot = &memory->recent[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 50];
    if (*slot == key && size < 0x10000)
        return;
    *slot = key;
    add_border(memory, address);
    add_border(memory, address + size);
}

void hd_native_memory_note_block(hd_native_memory *memory, const hd_native_record *record) {
    bool added;
    uint64_t key = record->code * UINT64_C(0x9e3779b97f4a7c15) + record->thread;
    uint32_t *count = hd_map_at(&memory->block_counts, key, &added);
    ++*count;
    hd_vec_push(&memory->blocks, (block){.start = record->address,
                                         .size = record->size ? record->size : 1,
                                         .code = record->code,
                                         .thread = record->thread,
                                         .count = *count});
}

static int compare_numbers(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_blocks(const void *a, const void *b) {
    const block *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

void hd_native_memory_noted(hd_native_memory *memory) {
    if (memory->borders.length)
        qsort(memory->borders.data, memory->borders.length, sizeof *memory->borders.data,
              compare_numbers);
    for (size_t i = 0; i < memory->borders.length; i++)
        *hd_map_at(&memory->border_numbers, memory->borders.data[i], NULL) = (uint32_t)i;
    if (memory->blocks.length)
        qsort(memory->blocks.data, memory->blocks.length, sizeof *memory->blocks.data,
              compare_blocks);
}

uint32_t hd_native_memory_granule(hd_native_memory *memory, uint64_t address) {
    const uint32_t *number = hd_map_find(&memory->border_numbers, address);
    return number ? *number : 0;
}

uint64_t hd_native_memory_border(const hd_native_memory *memory, uint32_t granule) {
    return granule < memory->borders.length ? memory->borders.data[granule] : UINT64_MAX;
}

uint32_t hd_native_memory_granules(const hd_native_memory *memory) {
    return (uint32_t)memory->borders.length;
}

/* --- names ---------------------------------------------------------------------------------- */

void hd_native_thread_name(const hd_native_run *run, uint32_t thread, hd_vec_char *to) {
    const heddle_wire_thread *it = &run->wire->thread[thread];
    uint32_t creator = it->creator;
    if (!thread) {
        hd_native_print(to, "main");
        return;
    }
    if (creator < thread)
        hd_native_thread_name(run, creator, to);
    hd_native_print(to, ".%u", it->birth);
}

static const block *find_block(const hd_native_memory *memory, uint64_t address) {
    size_t low = 0, high = memory->blocks.length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->blocks.data[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    const block *it = &memory->blocks.data[low - 1];
    return address - it->start < it->size ? it : NULL;
}

static bool name_block(hd_native_memory *memory, uint64_t address, hd_vec_char *to) {
    const block *it = find_block(memory, address);
    if (!it)
        return false;
    if (!hd_native_symbols_line(memory->symbols, it->code, to) &&
        !hd_native_symbols_function(memory->symbols, it->code, to))
        hd_native_print(to, "heap");
    hd_native_print(to, "#");
    hd_native_thread_name(memory->run, it->thread, to);
    hd_native_print(to, ":%u", it->count);
    if (address != it->start)
        hd_native_print(to, "+%llu", (unsigned long long)(address - it->start));
    return true;
}

/* The program's own thread-local variables, and the C library's behind them. */
static bool name_local(const hd_native_memory *memory, uint64_t address, hd_vec_char *to) {
    enum { NEAR = 4096 };
    const heddle_wire *wire = memory->run->wire;
    for (uint32_t i = 0; i < wire->threads && i < HEDDLE_WIRE_THREADS; i++) {
        uint64_t pointer = wire->thread[i].tls, start = pointer + (uint64_t)wire->tls;
        if (!pointer || (address - start >= wire->tls_size && address - pointer + NEAR >= 2 * NEAR))
            continue;
        bool known = address - start < wire->tls_size &&
                     hd_native_symbols_local(memory->symbols, address - start, to);
        if (!known)
            hd_native_print(to, "thread-local %lld", (long long)(address - pointer));
        hd_native_print(to, " of ");
        hd_native_thread_name(memory->run, i, to);
        return true;
    }
    return false;
}

static bool name_stack(const hd_native_memory *memory, uint64_t address, hd_vec_char *to) {
    const heddle_wire *wire = memory->run->wire;
    for (uint32_t i = 0; i < wire->threads && i < HEDDLE_WIRE_THREADS; i++) {
        const heddle_wire_thread *thread = &wire->thread[i];
        if (address - thread->stack >= thread->stack_size)
            continue;
        hd_native_print(to, "stack of ");
        hd_native_thread_name(memory->run, i, to);
        hd_native_print(to, " -%llu",
                        (unsigned long long)(thread->stack + thread->stack_size - address));
        return true;
    }
    return false;
}

void hd_native_memory_name(hd_native_memory *memory, uint64_t address, bool whole,
                           hd_vec_char *to) {
    if (!name_block(memory, address, to) &&
        !hd_native_symbols_variable(memory->symbols, address, whole, to) &&
        !name_local(memory, address, to) && !name_stack(memory, address, to))
        hd_native_print(to, "0x%llx", (unsigned long long)address);
    /* Characters that a name may not have; C++ has them. */
    for (size_t i = 0; i < to->length; i++)
        if (to->data[i] == '|' || to->data[i] == '=' || to->data[i] == '\n' || to->data[i] == '\r')
            to->data[i] = '~';
}
