/*
 * What instrumented code calls before each plain access.  The hot part of a
 * recording: the common way is a handful of comparisons with what is expected, and
 * three or four stores.
 */
#include <stddef.h>

#include "rt.h"
#include "rt_pack.h"

enum { READ = HEDDLE_READ + 1, WRITE = HEDDLE_WRITE + 1 };

static inline __attribute__((always_inline)) void access(unsigned kind, unsigned size,
                                                         const void *address, uintptr_t code) {
    hd_rt_lane *lane = hd_rt_own;
    if (HD_RT_UNLIKELY(lane->left <= 0) && !hd_rt_record_slow(lane, kind, size, address, code))
        return;
    /* A bad address must fault before the record is begun: a handler of the
     * program's may record and return. */
    uint64_t value = kind == READ && size < 4 ? hd_rt_load(address, size) : 0;
    int64_t left = lane->left;
    HD_RT_BARRIER();
    lane->left = HD_RT_BUSY;
    HD_RT_BARRIER();
    hd_rt_settle_lane(lane);
    uint64_t key = heddle_pack_key(kind, size | (size < 4 ? HEDDLE_WIRE_VALUE : 0U), code);
    uint64_t at = (uintptr_t)address;
    heddle_pack *pack = &lane->pack;
    heddle_pack_site *site = &pack->sites[pack->last->next];
    heddle_pack_cell *cell = heddle_pack_cell_of(pack, at);
    bool expected = size < 4 && site->key == key && *site->base + site->step == at &&
                    !(at & ((1U << size) - 1)) && hd_rt_pack_noted(cell, at, size) &&
                    (kind == WRITE || heddle_pack_look(cell, key, at) == value);
    if (HD_RT_LIKELY(expected)) {
        pack->last = site;
        site->address = pack->address = at;
        if (kind == READ)
            pack->value = value;
        else {
            lane->write_slot = &site->value;
            lane->write_site = site;
            lane->write_cell = cell;
            lane->write_address = address;
            lane->write_size = size;
        }
        HD_RT_BARRIER();
        ++*lane->tail;
    } else
        hd_rt_record_access(lane, key, at, value);
    HD_RT_BARRIER();
    lane->left = left - 1;
}

/* The sizes as the callbacks name them, and as powers of two. */
#define ACCESSES(size, power)                                                                      \
    HD_RT_EXPORT void __tsan_read##size(void *address) {                                           \
        access(READ, power, address, HD_RT_CODE());                                                \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_write##size(void *address) {                                          \
        access(WRITE, power, address, HD_RT_CODE());                                               \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_read##size(const void *address) {                           \
        access(READ, power, address, HD_RT_CODE());                                                \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_write##size(void *address) {                                \
        access(WRITE, power, address, HD_RT_CODE());                                               \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_read##size##_pc(void *address, void *code) {                          \
        access(READ, power, address, (uintptr_t)code);                                             \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_write##size##_pc(void *address, void *code) {                         \
        access(WRITE, power, address, (uintptr_t)code);                                            \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_read_write##size(void *address) {                                     \
        access(READ, power, address, HD_RT_CODE());                                                \
        access(WRITE, power, address, HD_RT_CODE());                                               \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_read_write##size(void *address) {                           \
        access(READ, power, address, HD_RT_CODE());                                                \
        access(WRITE, power, address, HD_RT_CODE());                                               \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_volatile_read##size(void *address) {                                  \
        volatile_access(READ, power, address, HD_RT_CODE());                                       \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_volatile_write##size(void *address) {                                 \
        volatile_access(WRITE, power, address, HD_RT_CODE());                                      \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_volatile_read##size(void *address) {                        \
        volatile_access(READ, power, address, HD_RT_CODE());                                       \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_volatile_write##size(void *address) {                       \
        volatile_access(WRITE, power, address, HD_RT_CODE());                                      \
    }

/* A volatile access is plain, but often how a loop waits: it is a point. */
static inline void volatile_access(unsigned kind, unsigned size, const void *address,
                                   uintptr_t code) {
    if (hd_rt_controlled() && !hd_rt.every_access && !hd_rt.following && !hd_rt.exploring)
        hd_rt_point(kind, address, 1U << size, code);
    access(kind, size, address, code);
}

// clang-format off
ACCESSES(1, 0)
ACCESSES(2, 1)
ACCESSES(4, 2)
ACCESSES(8, 3)
ACCESSES(16, 4)
// clang-format on

static void range(bool write, const void *address, size_t size, uintptr_t code) {
    if (hd_rt.mode == HD_RT_OFF || !size)
        return;
    if (hd_rt.mode == HD_RT_CONTROLLED) {
        if (!hd_rt_self)
            return;
        if (hd_rt.exploring)
            hd_rt_explore_access(write ? WRITE : READ, address, size, code);
        else if (hd_rt.every_access || hd_rt.following)
            hd_rt_point(write ? WRITE : READ, address, (uint32_t)size, code);
    }
    hd_rt_record_range(write, address, size, code);
}

HD_RT_EXPORT void __tsan_read_range(void *address, size_t size) {
    range(false, address, size, HD_RT_CODE());
}

/* The bytes are not there yet: the record has none. */
HD_RT_EXPORT void __tsan_write_range(void *address, size_t size) {
    range(true, address, size, HD_RT_CODE());
}

/* A C++ object gets its table of virtual functions; a write of 8 bytes. */
HD_RT_EXPORT void __tsan_vptr_update(void **address, const void *value) {
    if (*address != value)
        access(WRITE, 3, address, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_vptr_read(void **address) {
    access(READ, 3, address, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_init(void) {
}

HD_RT_EXPORT void __tsan_ignore_thread_begin(void) {
}

HD_RT_EXPORT void __tsan_ignore_thread_end(void) {
}
