/*
 * The heap under control.  Each thread has a part of the address space of its own
 * and takes blocks from it in order; an address is never used twice, so that a
 * block is known by its address for the whole run, and what a thread allocates does
 * not depend on the others.  Memory goes back to the system by pages once every
 * block on them is freed.
 *
 * Every block has a head of 16 bytes before it, and, unless it is small, a gap after it in which
 * nothing lies: what runs over its end is found in the gap or in the next head (rt_freed.h).
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt_annotate.h"
#include "rt_aside.h"
#include "rt_descriptor.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_freed.h"
#include "rt_handle.h"
#include "rt_heap.h"
#include "rt_library.h"
#include "rt_misuse.h"
#include "rt_pack.h"
#include "rt_quarantine.h"
#include "rt_real.h"
#include "rt_reuse.h"
#include "rt_string.h"
#include "rt_sync.h"

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

#define REGION HD_RT_HEAP_REGION           /* address space of a thread, to begin with */
#define HEAP ((uintptr_t)HEDDLE_WIRE_HEAP) /* the first region */
#define REGIONS ((HEDDLE_WIRE_HEAP_END - HEDDLE_WIRE_HEAP) / REGION)
#define PAGE ((uintptr_t)4096)

enum { HEAD = HD_RT_GRAIN, GAP = 16, WIDEST_GAP = 256 };

typedef struct head {
    uint64_t size;  /* as asked for */
    uint64_t check; /* size ^ HEAD_MAGIC while it is allocated; then as rt_freed.h says */
} head;

#define HEAD_MAGIC UINT64_C(0x6865646c6568ea70)

typedef struct hd_rt_heap {
    uintptr_t next, end;
} heap;

static heap heaps[HEDDLE_WIRE_THREADS];
static uintptr_t regions_taken;
static uintptr_t regions_end; /* of all that are mapped; the system may map other memory beyond */
static bool mapped[HEDDLE_WIRE_EXPLORED]; /* explored: the first region of a thread */
static uint32_t *live_bytes;              /* for each page of the regions, NULL: not kept */

void *hd_rt_pages(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void *hd_rt_table(size_t size, uint32_t kind) {
    void *table = hd_rt_pages(size);
    if (!table)
        __atomic_fetch_or(&hd_rt.wire->unkept, kind, __ATOMIC_RELAXED);
    return table;
}

bool hd_rt_heap_ours(const void *block) {
    uintptr_t address = (uintptr_t)block;
    return address >= HEAP && address < regions_end;
}

uintptr_t hd_rt_heap_region(uintptr_t address) {
    uintptr_t region = (address - HEAP) / REGION;
    bool part = hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS && region >= HD_RT_HEAP_WHOLE &&
                region < HD_RT_HEAP_FURTHER;
    return part ? REGION / HD_RT_HEAP_PARTS : REGION;
}

/* The first region of an explored thread. */
static uintptr_t first_region(uint32_t thread) {
    if (thread < HD_RT_HEAP_WHOLE)
        return HEAP + thread * REGION;
    return HEAP + HD_RT_HEAP_WHOLE * REGION +
           (thread - HD_RT_HEAP_WHOLE) * (REGION / HD_RT_HEAP_PARTS);
}

/* A thread's further regions are not told from those of others, nor are blocks that are handed out
 * again. */
bool hd_rt_heap_owned(uint32_t thread, uint64_t address) {
    return address - HEAP < REGIONS * REGION &&
           (hd_rt.wire->reuse || (address - HEAP) / REGION >= HD_RT_HEAP_FURTHER ||
            address - first_region(thread) < hd_rt_heap_region(address));
}

static bool map_region(uintptr_t base, uintptr_t size) {
    long region =
        hd_rt_syscall(SYS_mmap, (long)base, (long)size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (region == (long)base) {
        if (base + size > regions_end)
            regions_end = base + size;
        return true;
    }
    if (region > 0)
        hd_rt_syscall(SYS_munmap, region, (long)size, 0, 0, 0, 0);
    return false;
}

/* Explored, a thread has the region of its number, in whatever order they are taken; further
 * regions come after them. */
static bool take_explored(uint32_t id, bool first, uintptr_t *base) {
    if (!first) {
        if (hd_rt_in_memory)
            hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it allocates very much memory");
        *base = HEAP + (HD_RT_HEAP_FURTHER + regions_taken++) * REGION;
        return map_region(*base, REGION);
    }
    *base = first_region(id);
    if (mapped[id])
        return true;
    uintptr_t size = hd_rt_heap_region(*base);
    mapped[id] = map_region(*base, size);
    if (mapped[id] && hd_rt_in_memory && !hd_rt_reset_track(*base, *base + size))
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "its memory cannot be protected");
    return mapped[id];
}

static bool take_region(heap *to, size_t size) {
    bool explored = hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS;
    uintptr_t most = explored ? REGIONS - HD_RT_HEAP_FURTHER : REGIONS;
    if (size > REGION - PAGE || regions_taken == most)
        return false;
    uintptr_t base = HEAP + regions_taken * REGION;
    if (explored) {
        /* A large block may not fit into the first region that a thread has: then that stays empty.
         */
        uint32_t id = hd_rt.current->id;
        bool first = !to->next && size <= hd_rt_heap_region(first_region(id)) - PAGE;
        if (!take_explored(id, first, &base))
            return false;
    } else if (map_region(base, REGION))
        regions_taken++;
    else
        return false;
    *to = (heap){base + PAGE, base + hd_rt_heap_region(base)};
    return true;
}

/* What is kept has the heaps of threads that were there; this one was not, in another run it may
 * have been. */
void hd_rt_heap_born(uint32_t thread) {
    heaps[thread] = (heap){0, 0};
}

char *hd_rt_heap_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    state = transfer(state, &hd_rt.wire->blocks, sizeof hd_rt.wire->blocks, back);
    return transfer(state, heaps, hd_rt.wire->threads * sizeof *heaps, back);
}

uint64_t hd_rt_heap_sum(uint64_t sum) {
    for (uint32_t id = 0; id < hd_rt.wire->threads; id++) {
        uintptr_t low = heaps[id].end - hd_rt_heap_region(heaps[id].end - 1) + PAGE;
        for (uintptr_t at = low; heaps[id].next && at < heaps[id].next; at += sizeof sum)
            sum = (sum ^ *(const uint64_t *)at) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    }
    return sum;
}

void hd_rt_heap_init(void) {
    if (hd_rt.wire->mode != HEDDLE_WIRE_FREE_RUNNING)
        hd_rt_freed_init();
    hd_rt_misuse_start();
    hd_rt_annotate_start();
    hd_rt_descriptor_start();
    hd_rt_library_start();
    hd_rt_handle_start();
    if (hd_rt_freed_shades && hd_rt.wire->misuse != HEDDLE_WIRE_MISUSE_IGNORED)
        hd_rt_written_init();
    if (hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS)
        return; /* runs are short, and what is given back cannot be put back */
    hd_rt_freed_live = live_bytes = hd_rt_pages(REGIONS * (REGION / PAGE) * sizeof *live_bytes);
}

uintptr_t hd_rt_heap_next(uintptr_t address) {
    uintptr_t size = hd_rt_heap_region(address), region = (address - HEAP) / size;
    for (uint32_t i = 0; i < hd_rt.wire->threads; i++)
        if (heaps[i].next && (heaps[i].next - 1 - HEAP) / size == region)
            return heaps[i].next;
    return HEAP + (region + 1) * size; /* its thread has gone on to another */
}

/* Adds to the live bytes of the pages that a block touches, or takes away. */
static void count_pages(uintptr_t from, uintptr_t to, bool add) {
    if (!live_bytes)
        return;
    for (uintptr_t at = from; at < to;) {
        uintptr_t page = at & ~(PAGE - 1), end = page + PAGE < to ? page + PAGE : to;
        uint32_t *live = &live_bytes[(page - HEAP) / PAGE];
        if (add)
            *live += (uint32_t)(end - at);
        else
            *live -= (uint32_t)(end - at);
        at = end;
    }
}

/* Gives back the pages of a freed block on which nothing lives, but never the one that
 * the next block begins on. */
static void give_pages(uintptr_t from, uintptr_t to, uintptr_t next) {
    if (!live_bytes)
        return;
    uintptr_t first = from & ~(PAGE - 1), start = 0;
    for (uintptr_t page = first; page < to; page += PAGE) {
        bool dead = !live_bytes[(page - HEAP) / PAGE] && (next < page || next >= page + PAGE);
        if (dead && !start)
            start = page;
        if (start && (!dead || page + PAGE >= to)) {
            uintptr_t end = dead ? page + PAGE : page;
            madvise((void *)start, end - start, MADV_DONTNEED);
            hd_rt_freed_pages(start, end, next);
            start = 0;
        }
    }
}

static size_t room_of(size_t size) {
    size_t room = (size + HEAD - 1) & ~(size_t)(HEAD - 1);
    return room ? room : HEAD;
}

/* What is left free after a block: more after a large one, whose elements may be large.  Nothing if
 * it is so small that the rest of its room and the next head are as large as it is: programs with
 * many blocks have many small ones, and take longer if these lie further apart. */
static size_t gap_after(size_t size) {
    size_t gap = size / 4 & ~(size_t)(HEAD - 1);
    if (room_of(size) + HEAD >= 2 * size)
        return 0;
    return gap < GAP ? GAP : gap > WIDEST_GAP ? WIDEST_GAP : gap;
}

static void *take_block(size_t size, size_t alignment) {
    heap *from = &heaps[hd_rt.current->id];
    size_t gap = gap_after(size);
    if (size > PTRDIFF_MAX - 2 * PAGE - alignment)
        return NULL;
    for (int attempt = 0; attempt < 2; attempt++) {
        uintptr_t block = (from->next + HEAD + alignment - 1) & ~(alignment - 1);
        uintptr_t end = block + room_of(size);
        if (from->next && end + gap + HEAD <= from->end) {
            count_pages(block - HEAD, end, true);
            hd_rt_freed_made(from->next, block, size, end + gap + HEAD);
            from->next = end + gap;
            *(head *)(block - HEAD) = (head){size, size ^ HEAD_MAGIC};
            return (void *)block;
        }
        if (!take_region(from, size + alignment + HEAD + HEAD + gap))
            break;
        if (!hd_rt.current->wire->heap)
            hd_rt.current->wire->heap = from->next;
    }
    return alignment > HEAD ? __libc_memalign(alignment, size) : __libc_malloc(size);
}

static head *head_of(const void *block) {
    return (head *)((uintptr_t)block - HEAD);
}

static bool allocated(const void *block) {
    const head *it = head_of(block);
    return it->check == (it->size ^ HEAD_MAGIC);
}

bool hd_rt_heap_freed(const void *block, size_t room) {
    return hd_rt_heap_ours(block) && hd_rt_freed_is(block) && room_of(head_of(block)->size) == room;
}

void hd_rt_heap_revive(void *block, size_t size) {
    hd_rt_freed_revive((uintptr_t)block, size, room_of(size));
    *head_of(block) = (head){size, size ^ HEAD_MAGIC};
}

static void give_block(void *block, uintptr_t code) {
    head *it = head_of(block);
    uintptr_t from = (uintptr_t)it, to = (uintptr_t)block + room_of(it->size);
    it->check = hd_rt_freed_add(block, to - (uintptr_t)block, code);
    if (!hd_rt.exploring)
        hd_rt_pack_forget(&hd_rt.lane, (uintptr_t)block, to - (uintptr_t)block);
    count_pages(from, to, false);
    give_pages(from, to, hd_rt_heap_next(from));
}

/* --- the functions -------------------------------------------------------------------------- */

/* What the C library takes for a thread is not the program's: it is taken at different times
 * in different ways of exploring, and blocks must have the same places in all of them. */
bool hd_rt_heap_on(void) {
    return hd_rt_controlled() && (!hd_rt.ended || hd_rt_in_memory) && !hd_rt.making;
}

void *hd_rt_heap_allocate(size_t size, size_t alignment, uintptr_t code) {
    if (HD_RT_UNLIKELY(hd_rt.targets) && hd_rt.exploring)
        hd_rt_signal_unsafe(HD_RT_UNSAFE_HEAP);
    hd_rt_handler_calls("malloc", code);
    hd_rt_settle();
    hd_rt_spin_forget(hd_rt.current);
    if (hd_rt.exploring && hd_rt_explored.births != hd_rt_explored.joins)
        hd_rt_explore->relies |= HEDDLE_WIRE_RELIES_ADDRESSES;
    void *block = hd_rt_reuse_take(size, alignment, code);
    if (block)
        return block; /* it keeps its name */
    block = take_block(size, alignment);
    hd_rt_foreign_allocated(block, size);
    if (block && hd_rt.exploring && hd_rt.lane.full) /* nothing is recorded but its name */
        hd_rt_pack_block((uintptr_t)block, size, code);
    else if (block)
        hd_rt_record_word(HEDDLE_WIRE_ALLOCATE, HEDDLE_WIRE_WORD, (uintptr_t)block, code, size);
    else
        errno = ENOMEM;
    return block;
}

static void expect_allocated(const void *block, uintptr_t code) {
    if ((uintptr_t)block % HEAD == 0 && allocated(block))
        return;
    if (hd_rt_freed_again(block))
        hd_rt_freed_fail(HEDDLE_WIRE_DOUBLE_FREE, "double free", block, code);
    hd_rt_freed_fail(HEDDLE_WIRE_BAD_FREE,
                     "free of what was not allocated: an address that malloc did not return", block,
                     code);
}

/* An event as soon as there was a second thread: it is a write of all of the block.  Explored, the
 * step says it. */
static void record_free(void *block, uintptr_t code) {
    size_t size = head_of(block)->size;
    if (hd_rt.wire->threads < 2 || !size || hd_rt.making || (hd_rt.exploring && hd_rt.lane.full)) {
        hd_rt_record(HEDDLE_WIRE_FREE, (uintptr_t)block, code);
        return;
    }
    if (hd_rt_string_steps() && !hd_rt.exploring) {
        hd_rt_point_with(HEDDLE_WRITE + 1, HEDDLE_WIRE_FREES, block, (uint32_t)size, code,
                         HD_RT_FOREVER);
        expect_allocated(block, code); /* another thread may have freed it meanwhile */
    }
    hd_rt_record_word(HEDDLE_WIRE_FREE, 0, (uintptr_t)block, code, size);
}

void hd_rt_heap_release(void *block, uintptr_t code) {
    hd_rt_settle();
    if (!hd_rt_heap_ours(block)) {
        __libc_free(block);
        return;
    }
    bool step = hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended;
    if (step && hd_rt_freed_again(block)) /* it will fail, but races with the first one, too */
        hd_rt_freed_point(block, head_of(block)->size, code);
    expect_allocated(block, code);
    if (step) {
        hd_rt_freed_point(block, head_of(block)->size, code);
        expect_allocated(block, code);
        hd_rt_reuse_point(block, head_of(block)->size, code);
        expect_allocated(block, code);
        if (hd_rt_explored.births != hd_rt_explored.joins)
            hd_rt_explore->hidden |= HEDDLE_WIRE_FREES_BLOCKS;
    }
    if (HD_RT_UNLIKELY(hd_rt_annotate_any))
        hd_rt_annotate_freed((uintptr_t)block, head_of(block)->size);
    if (hd_rt_controlled()) {
        hd_rt_misuse_freed((uintptr_t)block, head_of(block)->size, code);
        record_free(block, code);
    }
    give_block(block, code);
}

void *hd_rt_heap_noted(void *block, size_t size, uintptr_t code) {
    if (block && hd_rt.mode == HD_RT_FREE && !hd_rt_free_loader(code))
        hd_rt_record_word(HEDDLE_WIRE_ALLOCATE, HEDDLE_WIRE_WORD, (uintptr_t)block, code, size);
    return block;
}

static void free_freely(void *block, uintptr_t code) {
    if (__atomic_load_n(&hd_rt.wire->threads, __ATOMIC_RELAXED) > 1 && !hd_rt_free_loader(code))
        hd_rt_record_word(HEDDLE_WIRE_FREE, 0, (uintptr_t)block, code, malloc_usable_size(block));
    hd_rt_quarantine(block);
}

HD_RT_EXPORT void *malloc(size_t size) {
    uintptr_t code = HD_RT_CODE();
    return hd_rt_heap_on() ? hd_rt_heap_allocate(size, HEAD, code)
                           : hd_rt_heap_noted(__libc_malloc(size), size, code);
}

HD_RT_EXPORT void free(void *block) {
    if (HD_RT_UNLIKELY(hd_rt.targets) && hd_rt.exploring && block)
        hd_rt_signal_unsafe(HD_RT_UNSAFE_HEAP);
    if (!block)
        return;
    hd_rt_handler_calls("free", HD_RT_CODE());
    if (hd_rt_heap_ours(block))
        hd_rt_heap_release(block, HD_RT_CODE());
    else {
        hd_rt_settle(); /* the memory may go back to the system */
        if (hd_rt.mode == HD_RT_FREE)
            free_freely(block, HD_RT_CODE());
        else {
            hd_rt_freed_variable(block, HD_RT_CODE());
            __libc_free(block);
        }
    }
}

HD_RT_EXPORT void *calloc(size_t count, size_t size) {
    if (!hd_rt_heap_on())
        return hd_rt_heap_noted(__libc_calloc(count, size), count * size, HD_RT_CODE());
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = hd_rt_heap_allocate(bytes, HEAD, HD_RT_CODE());
    if (block && !hd_rt_heap_ours(block))
        hd_rt_zero(block, bytes);
    else if (block && hd_rt.wire->reuse && hd_rt.exploring)
        hd_rt_string_set(block, 0, bytes, HD_RT_CODE());
    hd_rt_written_add((uintptr_t)block, bytes);
    return block; /* ours is fresh, so it is zero */
}

/* The old place must not be used again soon. */
static void *realloc_freely(void *block, size_t size, uintptr_t code) {
    void *other = size ? __libc_malloc(size) : NULL;
    if (size && !other)
        return NULL;
    size_t old = malloc_usable_size(block);
    if (other)
        hd_rt_string_move(other, block, old < size ? old : size);
    free_freely(block, code);
    return other;
}

static void *resize(void *block, size_t size, uintptr_t code) {
    hd_rt_settle();
    if (block && !hd_rt_heap_ours(block) && hd_rt.mode == HD_RT_FREE)
        return hd_rt_heap_noted(realloc_freely(block, size, code), size, code);
    if (!hd_rt_heap_ours(block) && (block || !hd_rt_heap_on()))
        return hd_rt_heap_noted(__libc_realloc(block, size), size, code);
    if (block)
        expect_allocated(block, code);
    void *other = hd_rt_heap_on() ? hd_rt_heap_allocate(size, HEAD, code) : __libc_malloc(size);
    if (!other || !block)
        return other;
    size_t old = head_of(block)->size;
    hd_rt_string_move(other, block, old < size ? old : size);
    hd_rt_written_add((uintptr_t)other, old < size ? old : size);
    hd_rt_heap_release(block, code);
    return other;
}

HD_RT_EXPORT void *realloc(void *block, size_t size) {
    return resize(block, size, HD_RT_CODE());
}

HD_RT_EXPORT void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(block, bytes, HD_RT_CODE());
}

static void *aligned(size_t alignment, size_t size, uintptr_t code) {
    if (alignment < HEAD)
        alignment = HEAD;
    if (alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    return hd_rt_heap_on() ? hd_rt_heap_allocate(size, alignment, code)
                           : hd_rt_heap_noted(__libc_memalign(alignment, size), size, code);
}

HD_RT_EXPORT void *memalign(size_t alignment, size_t size) {
    return aligned(alignment, size, HD_RT_CODE());
}

HD_RT_EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    return aligned(alignment, size, HD_RT_CODE());
}

HD_RT_EXPORT int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment)
        return EINVAL;
    int old = errno;
    void *made = aligned(alignment, size, HD_RT_CODE());
    errno = old;
    if (!made)
        return ENOMEM;
    if (hd_rt_controlled())
        hd_rt_deliver(block, &made, sizeof made, HD_RT_CODE());
    else
        *block = made;
    return 0;
}

HD_RT_EXPORT void *valloc(size_t size) {
    return aligned(PAGE, size, HD_RT_CODE());
}

HD_RT_EXPORT void *pvalloc(size_t size) {
    return aligned(PAGE, (size + PAGE - 1) & ~(PAGE - 1), HD_RT_CODE());
}

HD_RT_EXPORT size_t malloc_usable_size(void *block) {
    if (hd_rt_heap_ours(block))
        return head_of(block)->size;
    static size_t (*real)(void *);
    if (!real)
        *(void **)&real = hd_rt_real_symbol("malloc_usable_size");
    return block && real ? real(block) : 0;
}
