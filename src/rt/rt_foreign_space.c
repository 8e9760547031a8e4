/*
 * The address space, as state that threads share.  What a call does to a range is a step on the
 * memory there, as if all of it was written (or, where the call only asks, read).  Which addresses
 * are in use, and what is locked into memory, is a state of its own: where mmap puts something,
 * and whether a call fails, depends on it.  The runtime's own mappings, those of the heap and of
 * stacks, lie at places of their own and are no part of it.
 */
#include <sys/mman.h>

#include "rt_explore.h"
#include "rt_foreign_steps.h"
#include "rt_maps.h"
#include "rt_watch.h"

/* --- memory that is mapped to files ---------------------------------------------------------- */

/* Has the program mapped that file as private memory? */
static bool is_copied(const hd_rt_mapping *it) {
    const hd_rt_run *run = &hd_rt_explored;
    for (uint32_t i = 0; i < run->copies && i < HD_RT_COPIES; i++)
        if (run->copy[i].device == it->device && run->copy[i].inode == it->inode)
            return true;
    return run->copies > HD_RT_COPIES && it->inode;
}

/* What is written to its file does not show in it.  The runtime's own are shared with heddle. */
static bool is_apart(const hd_rt_mapping *it, void *unused) {
    (void)unused;
    uintptr_t wire = (uintptr_t)hd_rt.wire, watch;
    uint64_t watched = hd_rt_watch_memory(&watch);
    if (!it->shared)
        return !is_copied(it);
    return (it->low >= wire && it->low < wire + hd_rt.wire_size) ||
           (it->low >= watch && it->low < watch + watched);
}

void hd_rt_foreign_mapped(void) {
    heddle_wire_explore *explore = hd_rt_explore;
    if (explore->hidden & HEDDLE_WIRE_HIDES_MAPPED ||
        hd_rt_explored.births == hd_rt_explored.joins || hd_rt.ended)
        return;
    if (!hd_rt_maps(is_apart, NULL))
        explore->hidden |= HEDDLE_WIRE_HIDES_MAPPED;
}

void hd_rt_foreign_twins(void) {
    hd_rt_explored.twins = true;
    if (hd_rt_explored.births)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_TWINS;
}

static bool is_mmap(uint32_t number) {
    return hd_rt_begins(hd_rt.wire->callee[number].name, "mmap");
}

/* Of the arguments of mmap: does it map a file? */
static bool has_file(const uintptr_t *arguments) {
    return !(arguments[3] & MAP_ANONYMOUS) && (int)arguments[4] >= 0;
}

static void note_copy(int file) {
    hd_rt_run *run = &hd_rt_explored;
    hd_rt_mapping it = {0};
    if (!hd_rt_maps_file(file, &it.device, &it.inode) || is_copied(&it))
        return;
    if (run->copies < HD_RT_COPIES) {
        run->copy[run->copies].device = it.device;
        run->copy[run->copies].inode = it.inode;
    }
    run->copies++;
}

void hd_rt_foreign_map_made(uint32_t number, const uintptr_t *arguments) {
    if (!is_mmap(number))
        return;
    if (hd_rt_explore)
        hd_rt_explore->mapped = 1;
    if (has_file(arguments) && !(arguments[3] & MAP_SHARED))
        note_copy((int)arguments[4]);
    if (hd_rt_maps_twice(arguments))
        hd_rt_foreign_twins();
}

/* --- ranges ---------------------------------------------------------------------------------- */

/* What a call does to the range, and to the address space. */
typedef struct change {
    uintptr_t low;
    size_t size;
    bool asks;  /* it only looks at the range */
    bool stays; /* it only looks at the address space */
    bool filed; /* it looks at the files of the system, too */
} change;

static void take_range(const change *it, uint32_t number, uintptr_t code) {
    enum { MOST = 1 << 20 };
    hd_rt_used list[3];
    unsigned count = 0;
    if (hd_rt_explored.births == hd_rt_explored.joins)
        return;
    if (it->low && it->size) {
        if (it->size > MOST)
            hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_UNMAPPED;
        list[count++] = (hd_rt_used){.object = it->low,
                                     .size = it->size < MOST ? (uint32_t)it->size : MOST,
                                     .number = number,
                                     .looks = it->asks};
    }
    list[count++] = hd_rt_used_state(HEDDLE_WIRE_KEPT_addresses, number, it->stays);
    if (it->filed)
        list[count++] = hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, true);
    hd_rt_foreign_steps(list, count, code);
}

bool hd_rt_foreign_space(uint32_t number, uintptr_t code) {
    hd_rt_used it = hd_rt_used_state(HEDDLE_WIRE_KEPT_addresses, number, false);
    return !hd_rt.ended && hd_rt_foreign_steps(&it, 1, code);
}

/* The range is the first argument, with its size in the next one.  Of mmap it is a wish that may
 * not be granted, depending on what is there. */
void hd_rt_foreign_map(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments,
                       uintptr_t code) {
    change what = {.low = arguments[it->argument],
                   .size = arguments[it->argument + 1],
                   .asks = it->looks,
                   .stays = it->stays,
                   .filed = is_mmap(number) && has_file(arguments)};
    take_range(&what, number, code);
}

void hd_rt_foreign_remap(const char *name, const void *low, size_t size, bool moves,
                         uintptr_t code) {
    change what = {.low = (uintptr_t)low, .size = size, .stays = !moves};
    if (!hd_rt_foreign_used())
        return;
    hd_rt_spin_forget(hd_rt.current); /* what it stored there cannot be looked at any more */
    take_range(&what, hd_rt_foreign_own(name), code);
}
