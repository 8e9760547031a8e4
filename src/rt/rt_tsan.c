/*
 * What instrumented code calls before each plain access.  The hot part of a
 * recording: the common way is a compare, the load of the value and two or three
 * stores.
 */
#include <stddef.h>

#include "rt.h"

enum { READ = HEDDLE_READ + 1, WRITE = HEDDLE_WRITE + 1 };

static inline __attribute__((always_inline)) void access(unsigned kind, unsigned size,
                                                         const void *address, uintptr_t code) {
    if (HD_RT_UNLIKELY(hd_rt.cursor >= hd_rt.limit) &&
        !hd_rt_record_slow(kind, size, address, code))
        return;
    hd_rt_settle();
    /* A bad address must fault before the record is begun: a handler of the
     * program's may record and return. */
    uint64_t value = 0;
    if (kind == READ) {
        if (size == 0)
            value = *(const volatile uint8_t *)address;
        else if (size == 1)
            value = *(const volatile uint16_t *)address;
        else if (size == 2)
            value = *(const volatile uint32_t *)address;
        else if (size == 3)
            value = *(const volatile uint64_t *)address;
    }
    HD_RT_BARRIER();
    uint64_t *at = hd_rt.cursor, *to = at + 2;
    uint64_t offset = code - hd_rt.code;
    unsigned flags = size | (size < 4 ? HEDDLE_WIRE_VALUE : 0U);
    if (HD_RT_UNLIKELY(offset > UINT32_MAX)) {
        flags |= HEDDLE_WIRE_FAR;
        *to++ = code;
        offset = 0;
    }
    uint64_t word = offset << 32;
    if (size < 3)
        word |= value;
    else
        *to++ = value;
    at[1] = word;
    if (kind == WRITE && size < 4) {
        hd_rt.write_address = address;
        hd_rt.write_size = size;
        hd_rt.write_slot = size < 3 ? at + 1 : to - 1;
    }
    HD_RT_BARRIER();
    at[0] =
        (uint64_t)kind << 56 | (uint64_t)flags << 48 | ((uintptr_t)address & HEDDLE_WIRE_ADDRESS);
    hd_rt.cursor = to;
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

HD_RT_EXPORT void __tsan_func_entry(void *code) {
    (void)code;
}

HD_RT_EXPORT void __tsan_func_exit(void) {
}

HD_RT_EXPORT void __tsan_init(void) {
}

HD_RT_EXPORT void __tsan_ignore_thread_begin(void) {
}

HD_RT_EXPORT void __tsan_ignore_thread_end(void) {
}
