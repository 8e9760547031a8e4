/*
 * What instrumented code calls before each plain access.  The hot part of a
 * recording: the common way is a handful of comparisons with what is expected, and
 * three or four stores.
 */
#include <stddef.h>

#define HD_RT_OFTEN
#include "rt.h"
#include "rt_freed.h"
#include "rt_pack.h"

enum { READ = HEDDLE_READ + 1, WRITE = HEDDLE_WRITE + 1 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "a part of a cell is found by its address");

#define INLINE static inline __attribute__((always_inline))
#define APART static __attribute__((noinline))

/* Where one is to be called last and nothing is to be kept across it: with the cell of the access,
 * and before that is known. */
typedef void later(hd_rt_lane *lane, uint64_t address, uint64_t value, uintptr_t code, int64_t left,
                   heddle_pack_cell *cell);
typedef void sooner(hd_rt_lane *lane, uint64_t address, uint64_t value, uintptr_t code,
                    int64_t left);

INLINE uint64_t key_of(unsigned kind, unsigned size, uintptr_t code) {
    return heddle_pack_key(kind, size | (size < 4 ? HEDDLE_WIRE_VALUE : 0U), code);
}

/* An access of a word that the recorder did not know. */
INLINE void check_heap(unsigned kind, unsigned size, uint64_t address, uintptr_t code) {
    hd_rt_freed_check(kind, (const void *)address, (size_t)1 << size, code);
    if (kind == READ && HD_RT_UNLIKELY(address - HD_RT_FREED_HEAP < HD_RT_FREED_ROOM) &&
        hd_rt_written && !hd_rt.exploring)
        hd_rt_written_read(address, (size_t)1 << size, code);
}

INLINE void done(hd_rt_lane *lane, int64_t left) {
    HD_RT_BARRIER();
    lane->left = left - 1;
}

/* Not as expected in any way. */
INLINE void put_access(unsigned kind, unsigned size, hd_rt_lane *lane, uint64_t address,
                       uint64_t value, uintptr_t code, int64_t left, heddle_pack_cell *cell) {
    uint64_t key = key_of(kind, size, code);
    heddle_pack_site *site = hd_rt_pack_site(lane, key);
    if (HD_RT_UNLIKELY(!site || (address & ((1U << size) - 1)))) {
        hd_rt_record_access(lane, key, address, value);
        done(lane, left);
        check_heap(kind, size, address, code);
        return;
    }
    bool known = hd_rt_pack_noted(cell, address, address & 7, size);
    if (HD_RT_UNLIKELY(!known))
        hd_rt_pack_word(lane, address, size);
    unsigned char *to = hd_rt_pack_run(lane);
    hd_rt_pack_record(lane, to,
                      heddle_pack_event(&lane->pack, site, key, cell, address, value, to));
    if (kind == WRITE)
        hd_rt_pack_pending(lane, cell);
    done(lane, left);
    if (HD_RT_UNLIKELY(!known)) /* else it was looked at when it became known */
        check_heap(kind, size, address, code);
}

/* Does the access add nothing about its word: it is known, and what is read was seen there? */
INLINE bool is_seen(unsigned kind, unsigned size, const heddle_pack_cell *cell, uint64_t address,
                    uint64_t value) {
    uint64_t offset = address & (8 - (1U << size)); /* in the word, if it is aligned */
    return hd_rt_pack_noted(cell, address, offset, size) &&
           (kind == WRITE || hd_rt_load((const char *)&cell->value + offset, size) == value);
}

/* The state after an access that adds nothing about its word. */
INLINE void came(unsigned kind, hd_rt_lane *lane, heddle_pack_site *site, heddle_pack_cell *cell,
                 uint64_t address, uint64_t value) {
    heddle_pack *pack = &lane->pack;
    pack->last = site;
    site->address = pack->address = address;
    if (kind == READ)
        pack->value = value;
    else
        hd_rt_pack_pending(lane, cell);
}

/* Not as expected, but that takes two bytes: the site is one of the two that are likely, the
 * address right by one of its bases.  In programs whose branches depend on data, most accesses are
 * like that. */
INLINE void put_short(unsigned kind, unsigned size, hd_rt_lane *lane, uint64_t address,
                      uint64_t value, uintptr_t code, int64_t left, heddle_pack_cell *cell,
                      later *otherwise) {
    heddle_pack *pack = &lane->pack;
    heddle_pack_site *last = pack->last, *site = last->next;
    uint64_t run = HEDDLE_WIRE_TAIL_RUN(*lane->tail);
    unsigned how = HEDDLE_PACK_NEXT, which = 0;
    unsigned char *to = lane->cursor;
    if (HD_RT_UNLIKELY(run >= 0x80 || to + 2 >= lane->check_at ||
                       !is_seen(kind, size, cell, address, value))) {
        otherwise(lane, address, value, code, left, cell);
        return;
    }
    if (site->key != key_of(kind, size, code)) {
        how = HEDDLE_PACK_OTHER;
        site = last->other;
    }
    bool right = *site->base + site->step == address;
    if (!right)
        which = heddle_pack_right_base(pack, site, address);
    if (HD_RT_UNLIKELY(site->key != key_of(kind, size, code) || which == 3)) {
        otherwise(lane, address, value, code, left, cell);
        return;
    }
    if (how == HEDDLE_PACK_OTHER) {
        last->other = last->next;
        last->next = site;
    }
    if (!right) {
        heddle_pack_change(pack, site, which);
        how |= (HEDDLE_PACK_BY_BASE + which) << 2;
    }
    came(kind, lane, site, cell, address, value);
    uint64_t bytes = (uint64_t)(to + 2 - lane->chunk->bytes);
    lane->chunk->items += run + 1;
    *(uint16_t *)to = (uint16_t)(run | how << 8);
    lane->cursor = to + 2;
    __atomic_store_n(lane->tail, heddle_wire_tail(bytes, 0), __ATOMIC_RELEASE);
    done(lane, left);
}

/* The record begins.  Where all is as expected this takes a handful of comparisons and stores,
 * and no place on the stack. */
INLINE void go_on(unsigned kind, unsigned size, hd_rt_lane *lane, uint64_t address, uint64_t value,
                  uintptr_t code, int64_t left, later *otherwise) {
    heddle_pack *pack = &lane->pack;
    heddle_pack_site *site = pack->last->next;
    heddle_pack_cell *cell = heddle_pack_cell_of(pack, address);
    if (HD_RT_UNLIKELY(!(site->key == key_of(kind, size, code) &&
                         *site->base + site->step == address &&
                         is_seen(kind, size, cell, address, value)))) {
        otherwise(lane, address, value, code, left, cell);
        return;
    }
    came(kind, lane, site, cell, address, value);
    HD_RT_BARRIER();
    ++*lane->tail;
    done(lane, left);
}

/* The record before is a write.  If it is of the same size and wrote what is expected, this takes
 * little more. */
INLINE void settle(unsigned kind, unsigned size, hd_rt_lane *lane, uint64_t address, uint64_t value,
                   uintptr_t code, int64_t left, sooner *unexpected, later *otherwise) {
    heddle_pack_site *site = lane->write_site;
    uint64_t unused = 64 - (8U << size), written;
    if ((site->key & HEDDLE_WIRE_SIZE) != size || !lane->write_cell ||
        ((written = hd_rt_load((const void *)site->address, size)) ^
         (*site->value_base + site->value_step))
                << unused !=
            0) {
        unexpected(lane, address, value, code, left);
        return;
    }
    hd_rt_store((char *)&lane->write_cell->value + (site->address & 7), size, written);
    site->value = written;
    lane->write_site = NULL;
    go_on(kind, size, lane, address, value, code, left, otherwise);
}

/* The same if it did not. */
INLINE void put_written(unsigned kind, unsigned size, hd_rt_lane *lane, uint64_t address,
                        uint64_t value, uintptr_t code, int64_t left, later *otherwise) {
    if ((lane->write_site->key & HEDDLE_WIRE_SIZE) == size)
        hd_rt_pack_settle(lane, size);
    else
        hd_rt_record_settle(lane);
    go_on(kind, size, lane, address, value, code, left, otherwise);
}

/* Nothing is left, or there is no value.  The callbacks end with a jump to this function, so its
 * frame begins where the stack of the program ends.  If they call it instead, that is somewhat
 * lower. */
APART void access_slowly(unsigned kind, unsigned size, const void *address, uintptr_t code) {
    hd_rt_lane *lane = hd_rt_own;
    hd_rt_noted(code, (uintptr_t)__builtin_dwarf_cfa(), true);
    if (lane->left <= 0 && !hd_rt_record_slow(lane, kind, size, address, code))
        return;
    uint64_t value = kind == READ && size < 4 ? hd_rt_load(address, size) : 0;
    int64_t left = lane->left;
    HD_RT_BARRIER();
    lane->left = HD_RT_BUSY;
    HD_RT_BARRIER();
    hd_rt_settle_lane(lane);
    hd_rt_record_access(lane, key_of(kind, size, code), (uintptr_t)address, value);
    done(lane, left);
    check_heap(kind, size, (uintptr_t)address, code);
}

INLINE void access(unsigned kind, unsigned size, const void *address, uintptr_t code,
                   sooner *after_write, later *otherwise) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left = lane->left;
    if (HD_RT_UNLIKELY(left <= 0)) {
        access_slowly(kind, size, address, code);
        return;
    }
    /* A bad address must fault before the record is begun: a handler of the
     * program's may record and return. */
    uint64_t value = kind == READ ? hd_rt_load(address, size) : 0;
    HD_RT_BARRIER();
    lane->left = HD_RT_BUSY;
    HD_RT_BARRIER();
    if (HD_RT_UNLIKELY(lane->write_site))
        after_write(lane, (uintptr_t)address, value, code, left);
    else
        go_on(kind, size, lane, (uintptr_t)address, value, code, left, otherwise);
}

#define SOONER(name)                                                                               \
    APART void name(hd_rt_lane *lane, uint64_t address, uint64_t value, uintptr_t code,            \
                    int64_t left)
#define LATER(name)                                                                                \
    APART void name(hd_rt_lane *lane, uint64_t address, uint64_t value, uintptr_t code,            \
                    int64_t left, heddle_pack_cell *cell)

#define FORMS(name, kind, size)                                                                    \
    LATER(put_##name##size) {                                                                      \
        put_access(kind, size, lane, address, value, code, left, cell);                            \
    }                                                                                              \
    LATER(short_##name##size) {                                                                    \
        put_short(kind, size, lane, address, value, code, left, cell, put_##name##size);           \
    }                                                                                              \
    SOONER(written_##name##size) {                                                                 \
        put_written(kind, size, lane, address, value, code, left, short_##name##size);             \
    }                                                                                              \
    SOONER(settle_##name##size) {                                                                  \
        settle(kind, size, lane, address, value, code, left, written_##name##size,                 \
               short_##name##size);                                                                \
    }                                                                                              \
    INLINE void name##size(const void *address, uintptr_t code) {                                  \
        access(kind, size, address, code, settle_##name##size, short_##name##size);                \
    }

// clang-format off
FORMS(read, READ, 0)
FORMS(read, READ, 1)
FORMS(read, READ, 2)
FORMS(read, READ, 3)
FORMS(write, WRITE, 0)
FORMS(write, WRITE, 1)
FORMS(write, WRITE, 2)
FORMS(write, WRITE, 3)
// clang-format on

INLINE void read4(const void *address, uintptr_t code) {
    access_slowly(READ, 4, address, code);
}

INLINE void write4(const void *address, uintptr_t code) {
    access_slowly(WRITE, 4, address, code);
}

/* The sizes as the callbacks name them, and as powers of two. */
#define ACCESSES(size, power)                                                                      \
    HD_RT_EXPORT void __tsan_read##size(void *address) {                                           \
        read##power(address, HD_RT_CODE());                                                        \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_write##size(void *address) {                                          \
        write##power(address, HD_RT_CODE());                                                       \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_read##size(const void *address) {                           \
        read##power(address, HD_RT_CODE());                                                        \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_write##size(void *address) {                                \
        write##power(address, HD_RT_CODE());                                                       \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_read##size##_pc(void *address, void *code) {                          \
        read##power(address, (uintptr_t)code);                                                     \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_write##size##_pc(void *address, void *code) {                         \
        write##power(address, (uintptr_t)code);                                                    \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_read_write##size(void *address) {                                     \
        read##power(address, HD_RT_CODE());                                                        \
        write##power(address, HD_RT_CODE());                                                       \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_unaligned_read_write##size(void *address) {                           \
        read##power(address, HD_RT_CODE());                                                        \
        write##power(address, HD_RT_CODE());                                                       \
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

/* One that counts as atomic.  The program does it after this call, and no other thread runs until
 * its next point: so it is one step, and its record is that of a plain access. */
APART void access_atomic(unsigned kind, unsigned size, const void *address, uintptr_t code) {
    unsigned order = kind == READ ? HEDDLE_ORDER_ACQUIRE : HEDDLE_ORDER_RELEASE;
    unsigned point = kind == READ ? HEDDLE_OP_ATOMIC_READ : HEDDLE_OP_ATOMIC_WRITE;
    hd_rt_noted(code, (uintptr_t)__builtin_dwarf_cfa(), true);
    if (!hd_rt.exploring)
        hd_rt_point_atomic(point, order, order, address, 1U << size, code);
    else if (hd_rt_explore_plain(point, address, (size_t)1 << size, code) || hd_rt.lane.full)
        return;
    hd_rt_record_volatile(key_of(kind, size, code) | order << HEDDLE_WIRE_MEMORY_SHIFT, address);
    check_heap(kind, size, (uintptr_t)address, code);
}

/* A volatile access is plain, but often how a loop waits: it is a point.  It may count as atomic in
 * runs under control; the order of others is not known. */
static inline void volatile_access(unsigned kind, unsigned size, const void *address,
                                   uintptr_t code) {
    if (hd_rt.mode == HD_RT_CONTROLLED && hd_rt.wire->volatiles && size < 4 && !hd_rt.ended &&
        hd_rt_self && !hd_rt_self->within && !((uintptr_t)address & ((1U << size) - 1)) &&
        (kind == READ || !hd_rt_plain_updates(address, (size_t)1 << size, code))) {
        access_atomic(kind, size, address, code);
        return;
    }
    if (hd_rt_controlled() && !hd_rt.every_access && !hd_rt.following && !hd_rt.exploring)
        hd_rt_point(kind, address, 1U << size, code);
    access_slowly(kind, size, address, code);
}

// clang-format off
ACCESSES(1, 0)
ACCESSES(2, 1)
ACCESSES(4, 2)
ACCESSES(8, 3)
ACCESSES(16, 4)
// clang-format on

/* A range that is not an access of a usual size.  A write is announced before it is done, so its
 * bytes are not there yet and not recorded.  In an explored program nothing may be recorded after
 * the point: a record assumes that the last write is done. */
APART void range(bool write, const void *address, size_t size, uintptr_t code) {
    hd_rt_noted(code, (uintptr_t)__builtin_dwarf_cfa(), true);
    if (hd_rt.mode == HD_RT_OFF || !size)
        return;
    if (hd_rt.mode == HD_RT_CONTROLLED) {
        if (!hd_rt_self)
            return;
        if (hd_rt.exploring &&
            (hd_rt_explore_plain(write ? WRITE : READ, address, size, code) || hd_rt.lane.full))
            return;
        if (!hd_rt.exploring && (hd_rt.every_access || hd_rt.following))
            hd_rt_point(write ? WRITE : READ, address, (uint32_t)size, code);
    }
    if (write)
        hd_rt_record_write_to_come(address, size, code);
    else
        hd_rt_record_range(false, address, size, code);
    hd_rt_freed_check(write ? WRITE : READ, address, size, code);
}

/* gcc has no other call for what is not aligned, or packed, whatever its size. */
HD_RT_EXPORT void __tsan_read_range(void *address, size_t size) {
    uintptr_t code = HD_RT_CODE();
    switch (size) {
    case 1:
        read0(address, code);
        break;
    case 2:
        read1(address, code);
        break;
    case 4:
        read2(address, code);
        break;
    case 8:
        read3(address, code);
        break;
    default:
        range(false, address, size, code);
    }
}

HD_RT_EXPORT void __tsan_write_range(void *address, size_t size) {
    uintptr_t code = HD_RT_CODE();
    switch (size) {
    case 1:
        write0(address, code);
        break;
    case 2:
        write1(address, code);
        break;
    case 4:
        write2(address, code);
        break;
    case 8:
        write3(address, code);
        break;
    default:
        range(true, address, size, code);
    }
}

/* A C++ object gets its table of virtual functions; a write of 8 bytes. */
HD_RT_EXPORT void __tsan_vptr_update(void **address, const void *value) {
    if (*address == value)
        return;
    if (hd_rt.mode != HD_RT_OFF)
        hd_rt.wire->vtable[heddle_wire_vtable_place((uintptr_t)address)] = (uintptr_t)address;
    write3(address, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_vptr_read(void **address) {
    read3(address, HD_RT_CODE());
}

HD_RT_EXPORT void __tsan_init(void) {
}
