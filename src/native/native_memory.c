#include "native_memory.h"

#include <stdlib.h>

typedef struct block {
    uint64_t start, size;
    uint64_t code;
    uint32_t thread;
    uint32_t count; /* of this thread and code, from 1 on */
} block;

/* The borders in 4096 bytes of memory: a bit for each byte that one lies before, and how
 * many there are in front of each word of bits, so that the number of a border is a
 * count away. */
enum { PAGE = 4096, WORDS = PAGE / 64, CACHE = 4096 };

typedef struct page {
    uint64_t number; /* address / PAGE */
    uint64_t bits[WORDS];
    uint16_t before[WORDS];
    uint32_t first; /* number of its first border */
} page;

struct hd_native_memory {
    const hd_native_run *run;
    hd_native_symbols *symbols;
    HD_VEC(page *) pages; /* by address once all are noted */
    hd_map page_places;   /* number -> place in pages + 1 */
    uint32_t borders;
    HD_VEC(block) blocks; /* sorted once all are noted */
    hd_map block_counts;  /* (thread, code) */
    page *cache[CACHE];
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
    for (size_t i = 0; i < memory->pages.length; i++)
        free(memory->pages.data[i]);
    hd_vec_release(&memory->pages);
    hd_vec_release(&memory->blocks);
    hd_map_release(&memory->page_places);
    hd_map_release(&memory->block_counts);
    free(memory);
}

static page *slow_page(hd_native_memory *memory, uint64_t number, bool make) {
    bool added = false;
    uint32_t *place = make ? hd_map_at(&memory->page_places, number, &added)
                           : hd_map_find(&memory->page_places, number);
    if (!place)
        return NULL;
    if (added) {
        page *it = HD_NEW(page);
        it->number = number;
        hd_vec_push(&memory->pages, it);
        *place = (uint32_t)memory->pages.length;
    }
    page *it = memory->pages.data[*place - 1];
    memory->cache[number % CACHE] = it;
    return it;
}

static inline page *page_of(hd_native_memory *memory, uint64_t address, bool make) {
    uint64_t number = address / PAGE;
    page *it = memory->cache[number % CACHE];
    return it && it->number == number ? it : slow_page(memory, number, make);
}

static inline void add_border(hd_native_memory *memory, uint64_t address) {
    page_of(memory, address, true)->bits[address % PAGE / 64] |= (uint64_t)1 << address % 64;
}

void hd_native_memory_note_access(hd_native_memory *memory, uint64_t address, uint64_t size) {
    add_border(memory, address);
    add_border(memory, address + size);
}

void hd_native_memory_note_block(hd_native_memory *memory, const hd_trace_record *record) {
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

static int compare_pages(const void *a, const void *b) {
    const page *x = *(page *const *)a, *y = *(page *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

static int compare_blocks(const void *a, const void *b) {
    const block *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static void count_borders(hd_native_memory *memory) {
    if (memory->pages.length)
        qsort(memory->pages.data, memory->pages.length, sizeof *memory->pages.data, compare_pages);
    for (size_t i = 0; i < memory->pages.length; i++) {
        page *it = memory->pages.data[i];
        *hd_map_at(&memory->page_places, it->number, NULL) = (uint32_t)i + 1;
        it->first = memory->borders;
        uint32_t count = 0;
        for (int word = 0; word < WORDS; word++) {
            it->before[word] = (uint16_t)count;
            count += (uint32_t)__builtin_popcountll(it->bits[word]);
        }
        memory->borders += count;
    }
}

void hd_native_memory_noted(hd_native_memory *memory) {
    count_borders(memory);
    if (memory->blocks.length)
        qsort(memory->blocks.data, memory->blocks.length, sizeof *memory->blocks.data,
              compare_blocks);
}

uint32_t hd_native_memory_granule(hd_native_memory *memory, uint64_t address) {
    const page *it = page_of(memory, address, false);
    if (!it)
        return 0;
    unsigned word = address % PAGE / 64;
    uint64_t below = it->bits[word] & (((uint64_t)1 << address % 64) - 1);
    return it->first + it->before[word] + (uint32_t)__builtin_popcountll(below);
}

/* The first border of the pages behind this one. */
static uint64_t border_behind(hd_native_memory *memory, uint64_t number) {
    const uint32_t *place = hd_map_find(&memory->page_places, number);
    for (size_t i = place ? *place : memory->pages.length; i < memory->pages.length; i++) {
        const page *it = memory->pages.data[i];
        for (int word = 0; word < WORDS; word++)
            if (it->bits[word])
                return it->number * PAGE + (uint64_t)word * 64 +
                       (uint64_t)__builtin_ctzll(it->bits[word]);
    }
    return UINT64_MAX;
}

uint64_t hd_native_memory_next(hd_native_memory *memory, uint64_t address) {
    const page *it = page_of(memory, address, false);
    if (!it)
        return UINT64_MAX;
    unsigned word = address % PAGE / 64;
    uint64_t above = it->bits[word] & ~(((uint64_t)2 << address % 64) - 1);
    while (!above && ++word < WORDS)
        above = it->bits[word];
    if (!above)
        return border_behind(memory, it->number);
    return it->number * PAGE + (uint64_t)word * 64 + (uint64_t)__builtin_ctzll(above);
}

uint32_t hd_native_memory_granules(const hd_native_memory *memory) {
    return memory->borders;
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
        if (!pointer ||
            (address - start >= wire->tls_size && address - pointer + NEAR >= NEAR + NEAR))
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
