#include "rt_freed.h"

#include <stdio.h>
#include <sys/mman.h>

#include "rt_explore.h"
#include "rt_real.h"
#include "rt_sync.h"

enum { PAGE = 4096, GRAIN = HD_RT_GRAIN };

uint8_t *hd_rt_freed_shades;
uint32_t *hd_rt_freed_live;
uintptr_t hd_rt_freed_main = UINTPTR_MAX;

// NOLINTNEXTLINE(misc-redundant-expression): they are to be the same
_Static_assert(HD_RT_FREED_STACKS == HD_RT_STACKS &&
                   HD_RT_FREED_STACKS_ROOM == HEDDLE_WIRE_EXPLORED * HD_RT_STACK_ROOM &&
                   HD_RT_FREED_STACKS + HD_RT_FREED_STACKS_ROOM <= HEDDLE_WIRE_STATES,
               "stacks are where they are looked for");

void hd_rt_freed_init(void) {
    if (!hd_rt.wire->sv_comp || hd_rt.wire->sv_comp & HEDDLE_WIRE_SV_MEMORY)
        hd_rt_freed_shades = hd_rt_table(HD_RT_FREED_ROOM / GRAIN, HEDDLE_WIRE_UNKEPT_FREED);
}

static uint64_t grain_of(uintptr_t address) {
    return (address - HD_RT_FREED_HEAP) / GRAIN;
}

static uintptr_t address_of(uint64_t grain) {
    return HD_RT_FREED_HEAP + grain * GRAIN;
}

static bool has_shades(uintptr_t low, uintptr_t high) {
    return hd_rt_freed_shades && low >= HD_RT_FREED_HEAP &&
           high - HD_RT_FREED_HEAP <= HD_RT_FREED_ROOM;
}

/* Whole grains; memset is the program's. */
static void shade(uintptr_t low, uintptr_t high, uint8_t with) {
    uint8_t *at = hd_rt_freed_shades + grain_of(low), *end = hd_rt_freed_shades + grain_of(high);
    for (; at < end && (uintptr_t)at % 8; at++)
        *at = with;
    for (; end - at >= 8; at += 8) {
        *(uint64_t *)(void *)at = with * UINT64_C(0x0101010101010101);
        HD_RT_BARRIER();
    }
    for (; at < end; at++) {
        *at = with;
        HD_RT_BARRIER();
    }
}

void hd_rt_freed_made(uintptr_t low, uintptr_t block, size_t size, uintptr_t high) {
    if (!has_shades(low, high))
        return;
    uintptr_t end = (block + size + GRAIN - 1) & ~(uintptr_t)(GRAIN - 1);
    shade(low, block, HD_RT_BETWEEN);
    if (size % GRAIN)
        hd_rt_freed_shades[grain_of(block + size)] = size % GRAIN;
    shade(end, high, HD_RT_BETWEEN);
}

/* A page of shades is given back when it speaks of nothing that is allocated. */
void hd_rt_freed_pages(uintptr_t low, uintptr_t high, uintptr_t next) {
    const uintptr_t stretch = (uintptr_t)PAGE * GRAIN;
    if (!has_shades(low, high) || !hd_rt_freed_live)
        return;
    for (uintptr_t from = low & ~(stretch - 1); from < high; from += stretch) {
        const uint32_t *live = &hd_rt_freed_live[(from - HD_RT_FREED_HEAP) / PAGE];
        unsigned dead = 0;
        while (dead < stretch / PAGE && !live[dead])
            dead++;
        if (dead != stretch / PAGE || from + stretch > next)
            continue;
        madvise(hd_rt_freed_shades + grain_of(from), PAGE, MADV_DONTNEED);
        if (hd_rt_written)
            madvise(hd_rt_written + (from - HD_RT_FREED_HEAP) / 8, stretch / 8, MADV_DONTNEED);
    }
}

/* --- blocks that are freed ------------------------------------------------------------------ */

void hd_rt_freed_point(const void *block, size_t size, uintptr_t code) {
    uint64_t low, high;
    if (!hd_rt_freed_shades || !size || !hd_rt_explore_frees(block, size, &low, &high))
        return;
    uintptr_t from = low * 8, to = (high + 1) * 8;
    uintptr_t end = (uintptr_t)block + size;
    if (from < (uintptr_t)block)
        from = (uintptr_t)block;
    if (to > end)
        to = end;
    hd_rt_point_with(HEDDLE_WRITE + 1, HEDDLE_WIRE_FREES, (void *)from, (uint32_t)(to - from), code,
                     HD_RT_FOREVER);
}

uint64_t hd_rt_freed_add(const void *block, size_t size, uintptr_t code) {
    uintptr_t at = (uintptr_t)block;
    if (has_shades(at, at + size))
        shade(at, at + size, HD_RT_FREED);
    return (code & HEDDLE_WIRE_ADDRESS) | (uint64_t)hd_rt.current->id << 48;
}

/* Is nothing allocated on the page any more? */
static bool is_dead(uintptr_t address) {
    return hd_rt_freed_live && !hd_rt_freed_live[(address - HD_RT_FREED_HEAP) / PAGE] &&
           address < hd_rt_heap_next(address);
}

bool hd_rt_freed_again(const void *block) {
    uintptr_t at = (uintptr_t)block;
    if (at % GRAIN || at < HD_RT_FREED_HEAP + GRAIN || !has_shades(at, at))
        return false;
    uint64_t grain = grain_of(at);
    if (!is_dead(at) && (hd_rt_freed_shades[grain] != HD_RT_FREED ||
                         hd_rt_freed_shades[grain - 1] != HD_RT_BETWEEN))
        return false;
    if (hd_rt.exploring)
        hd_rt_explore_share(at, 1); /* so that freeing it is a step from now on */
    return true;
}

bool hd_rt_freed_is(const void *block) {
    uintptr_t at = (uintptr_t)block;
    return has_shades(at, at) && hd_rt_freed_shades[grain_of(at)] == HD_RT_FREED;
}

void hd_rt_freed_revive(uintptr_t block, size_t size, size_t room) {
    shade(block, block + room, size ? 0 : HD_RT_BETWEEN);
    if (size % GRAIN)
        hd_rt_freed_shades[grain_of(block + size)] = size % GRAIN;
}

void hd_rt_freed_variable(const void *block, uintptr_t code) {
    const heddle_wire *wire = hd_rt.wire;
    uintptr_t at = (uintptr_t)block;
    if (!hd_rt_freed_shades || !hd_rt_controlled())
        return;
    for (uint32_t i = 0; i < wire->modules; i++)
        if (at >= wire->module[i].low && at < wire->module[i].high)
            hd_rt_freed_fail(HEDDLE_WIRE_BAD_FREE,
                             "free of what was not allocated: a variable of the program", NULL,
                             code);
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const heddle_wire_thread *thread = hd_rt.live[i]->wire;
        if (at >= thread->stack && at < thread->stack + thread->stack_size)
            hd_rt_freed_fail(HEDDLE_WIRE_BAD_FREE,
                             "free of what was not allocated: a variable on a stack", NULL, code);
    }
}

/* --- what is wrong -------------------------------------------------------------------------- */

/* Who freed it is in the head of a block that was, unless its page was given back. */
static void say_who_freed(heddle_wire_fault *fault, const void *block) {
    const uint64_t *head = (const uint64_t *)((uintptr_t)block - GRAIN);
    uint64_t grain = grain_of((uintptr_t)block);
    if (hd_rt_freed_shades[grain] != HD_RT_FREED)
        return;
    fault->freed = head[1] & HEDDLE_WIRE_ADDRESS;
    fault->freed_by = (uint32_t)(head[1] >> 48);
}

const heddle_wire_block *hd_rt_freed_block(uintptr_t address) {
    const heddle_wire_block *blocks = heddle_wire_blocks(hd_rt.wire);
    uint64_t count =
        hd_rt.wire->blocks < HEDDLE_WIRE_BLOCKS ? hd_rt.wire->blocks : HEDDLE_WIRE_BLOCKS;
    for (uint64_t i = count; i-- > 0;)
        if (address - blocks[i].address <= blocks[i].size)
            return &blocks[i];
    return NULL;
}

/* If shades are gone, the address is any in the block. */
static void say_who_allocated(heddle_wire_fault *fault, uintptr_t address) {
    const heddle_wire_block *block = hd_rt_freed_block(address);
    if (!block)
        return;
    fault->made = block->code;
    fault->made_by = block->thread;
}

void hd_rt_freed_fail(enum heddle_wire_fault_kind kind, const char *what, const void *block,
                      uintptr_t code) {
    hd_rt_fail_apart(code);
    hd_rt.wire->fault = (heddle_wire_fault){.kind = kind, .code = code};
    if (block)
        say_who_allocated(&hd_rt.wire->fault, (uintptr_t)block);
    if ((uintptr_t)block % GRAIN == 0 && (uintptr_t)block > HD_RT_FREED_HEAP &&
        has_shades((uintptr_t)block, (uintptr_t)block))
        say_who_freed(&hd_rt.wire->fault, block);
    hd_rt_print(hd_rt.wire->message, sizeof hd_rt.wire->message, "%s", what);
    hd_rt_say(what);
    hd_rt_fail();
}

/* Of an access; else NULL. */
static const char *word_of(unsigned kind) {
    switch (kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
        return "read";
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        return "write";
    case HEDDLE_ATOMIC_RMW + 1:
        return "update";
    default:
        return NULL;
    }
}

/* What is done to the memory. */
typedef struct use {
    const char *word; /* NULL: it is not an access */
    uintptr_t address;
    size_t size;
    uintptr_t code;
} use;

static void describe(const use *it, const char *wrong, char *text, size_t room) {
    if (it->word)
        hd_rt_print(text, room, "%s: %s of %zu byte%s", wrong, it->word, it->size,
                    it->size == 1 ? "" : "s");
    else
        hd_rt_print(text, room, "%s: operation on an object", wrong);
}

static size_t size_of(uintptr_t block) {
    return *(const uint64_t *)(block - GRAIN);
}

/* Where the block begins that the grain is in: its neighbours are between blocks. */
static uintptr_t block_of(uint64_t grain) {
    uint8_t shade = hd_rt_freed_shades[grain];
    while (grain && (shade == HD_RT_FREED ? hd_rt_freed_shades[grain - 1] == HD_RT_FREED
                                          : hd_rt_freed_shades[grain - 1] < GRAIN))
        grain--;
    return address_of(grain);
}

static _Noreturn void use_freed(const use *it, uintptr_t block, bool known) {
    char did[64], text[160];
    describe(it, "use after free", did, sizeof did);
    if (hd_rt.exploring)
        hd_rt_explore_share(it->address, it->word ? it->size : 1); /* so that freeing it is a step
                                                                      from now on */
    if (known)
        hd_rt_print(text, sizeof text, "%s %s a block of %zu", did, it->word ? "of" : "in",
                    size_of(block));
    else
        hd_rt_print(text, sizeof text, "%s", did);
    hd_rt_freed_fail(HEDDLE_WIRE_USE_AFTER_FREE, text, (void *)block, it->code);
}

static _Noreturn void use_beside(const use *it, uintptr_t block, uintptr_t at, bool after) {
    char did[64], text[160];
    uintptr_t end = block + size_of(block), distance = after ? at - end : block - at;
    describe(it, after ? "heap overflow" : "heap underflow", did, sizeof did);
    hd_rt_print(text, sizeof text, "%s, %zu byte%s %s a block of %zu", did, (size_t)distance,
                distance == 1 ? "" : "s", after ? "after" : "before", size_of(block));
    hd_rt_freed_fail(after ? HEDDLE_WIRE_HEAP_OVERFLOW : HEDDLE_WIRE_HEAP_UNDERFLOW, text,
                     (void *)block, it->code);
}

/* Between two blocks, or after the last one: it is about the nearer. */
static _Noreturn void use_between(const use *it, uint64_t grain, uintptr_t at) {
    uint64_t before = grain, after = grain;
    uintptr_t next = hd_rt_heap_next(at);
    while (before && hd_rt_freed_shades[before] == HD_RT_BETWEEN)
        before--;
    while (address_of(after) < next && hd_rt_freed_shades[after] == HD_RT_BETWEEN)
        after++;
    bool first = address_of(before) % hd_rt_heap_region(at) < PAGE,
         last = address_of(after) >= next;
    uintptr_t block = first ? 0 : block_of(before);
    uintptr_t distance = first ? UINTPTR_MAX : at - (block + size_of(block));
    if (!last && address_of(after) - at < distance)
        use_beside(it, address_of(after), at, false);
    use_beside(it, block, at, true);
}

/* Nothing is there; whether something was. */
static _Noreturn void use_nothing(const use *it, uintptr_t at) {
    if (is_dead(at))
        use_freed(it, at, false);
    char text[160];
    describe(it, "heap overflow", text, sizeof text);
    hd_rt_freed_fail(HEDDLE_WIRE_HEAP_OVERFLOW, text, NULL, it->code);
}

/* The first grain of the access that cannot be used, as far as it reaches in it; past the end: it
 * is all well. */
static uint64_t first_bad(const use *it, uint64_t last) {
    uint64_t grain = grain_of(it->address);
    uintptr_t end = it->address + it->size;
    while (grain <= last) {
        const uint8_t *shade = &hd_rt_freed_shades[grain];
        bool far = last - grain >= 8 && grain % 8 == 0;
        if (far && !*(const uint64_t *)(const void *)shade) {
            grain += 8;
            continue;
        }
        uintptr_t usable = address_of(grain) + (*shade ? *shade : GRAIN);
        if (*shade >= GRAIN || usable < (end < address_of(grain + 1) ? end : address_of(grain + 1)))
            return grain;
        grain++;
    }
    return grain;
}

/* Of pages whose shades may be gone. */
static void look_at_pages(const use *it) {
    for (uintptr_t at = it->address; at < it->address + it->size; at = (at | (PAGE - 1)) + 1)
        if (!hd_rt_freed_live[(at - HD_RT_FREED_HEAP) / PAGE] && !hd_rt_freed_shades[grain_of(at)])
            use_nothing(it, at);
}

void hd_rt_freed_found(unsigned kind, uintptr_t address, size_t size, uintptr_t code) {
    use it = {.word = word_of(kind), .address = address, .size = size, .code = code};
    if (!it.word || !size)
        it.size = 1;
    if (!has_shades(address, address + it.size) || !hd_rt_controlled())
        return;
    uint64_t last = grain_of(address + it.size - 1), grain = first_bad(&it, last);
    if (grain > last) {
        if (hd_rt_freed_live)
            look_at_pages(&it);
        if (!it.word && hd_rt.exploring) /* who frees it finds that it was used */
            hd_rt_explore_used(address);
        return;
    }
    uintptr_t at = address_of(grain) < address ? address : address_of(grain);
    uint8_t shade = hd_rt_freed_shades[grain];
    if (shade == HD_RT_FREED)
        use_freed(&it, block_of(grain), true);
    if (shade == HD_RT_BETWEEN)
        use_between(&it, grain, at);
    if (at < address_of(grain) + shade)
        at = address_of(grain) + shade;
    use_beside(&it, block_of(grain), at, true);
}

/* --- stacks --------------------------------------------------------------------------------- */

/* Where the stack of the program ends, or lower: below it are frames of the runtime, then functions
 * that have returned.  The runtime was called at `code`.  Either the stack pointer was noted there,
 * or the address is in the frame of the first function of the runtime: on x86_64 right below the
 * program's, on aarch64 at the other end of that frame.  Of the thread that runs this counts only
 * for accesses that the program announces: others may be to variables of the runtime's. */
static uintptr_t end_of_stack(const hd_rt_thread *thread, uintptr_t from, uintptr_t code) {
    enum { MOST = 4096 };
    bool own = thread == hd_rt.current;
    uintptr_t at = (from + 7) & ~(uintptr_t)7;
    uintptr_t noted = hd_rt.called_from == code && (!own || hd_rt.announced) ? hd_rt.called_at : 0;
    if (noted > from && noted < thread->stack_top) /* else it is of another thread */
        return noted;
    bool same = thread->wire->pending.code == code && (!own || thread->announced);
    if (same && thread->called_at > from && thread->called_at < thread->stack_top)
        return thread->called_at;
    for (uintptr_t end = at + MOST; !own && code && at < end && at < thread->stack_top; at += 8)
        if (*(const uintptr_t *)at == code)
            return at + 8;
    return from;
}

bool hd_rt_freed_contexts;

/* Does the address belong to a function of a live thread that has returned?  A thread may run on
 * another stack, for handlers or of its own: then that is not known. */
static bool is_left(const hd_rt_thread *thread, uintptr_t address, uintptr_t code) {
    const heddle_wire_thread *wire = thread->wire;
    bool own = thread == hd_rt.current;
    uintptr_t low = own ? (uintptr_t)__builtin_frame_address(0) : thread->stack_pointer;
    return !hd_rt_freed_contexts && low >= wire->stack && low < wire->stack + wire->stack_size &&
           address < end_of_stack(thread, low, own ? code : wire->pending.code);
}

/* What is below the end of the stack belongs to functions that have returned.  What the C library
 * has above the stack is thread-local. */
void hd_rt_freed_stack(unsigned kind, uintptr_t address, size_t size, uintptr_t code) {
    if (!hd_rt.exploring || !hd_rt_controlled() || hd_rt.ended)
        return;
    uint32_t id = address >= hd_rt_freed_main
                      ? 0
                      : (uint32_t)((address - HD_RT_FREED_STACKS) / HD_RT_STACK_ROOM);
    const hd_rt_thread *thread = hd_rt_thread_at(id);
    const heddle_wire_thread *wire = &hd_rt.wire->thread[id];
    if (!thread || address < wire->stack || address >= wire->stack + wire->stack_size)
        return;
    bool local = id && address >= thread->stack_top, ended = wire->state == HEDDLE_WIRE_ENDED;
    if (!ended && (wire->state != HEDDLE_WIRE_LIVE || local || !is_left(thread, address, code)))
        return;
    use it = {.word = word_of(kind), .address = address, .size = size, .code = code};
    char text[160];
    describe(&it,
             local   ? "use of a thread-local variable of a thread that has ended"
             : ended ? "use of the stack of a thread that has ended"
                     : "use of a variable of a function that has returned",
             text, sizeof text);
    hd_rt_freed_fail(local ? HEDDLE_WIRE_DEAD_LOCAL : HEDDLE_WIRE_DEAD_STACK, text, NULL, code);
}
