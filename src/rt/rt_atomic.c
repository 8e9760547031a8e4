/*
 * Atomic operations.  Each is a point at which another thread may run, and then
 * one step, sequentially consistent; the memory order that it asks for is recorded.
 */

#include "rt.h"
#include "rt_annotate.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_written.h"

typedef unsigned __int128 u128;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* What a compare-and-swap expects: an explorer wants to know whether it would fail. */
static inline void expect(const void *expected) {
    if (hd_rt.exploring)
        hd_rt.current->with = expected;
}

/* What an update is made with. */
static inline void gives(uintptr_t code, u64 value) {
    if (hd_rt.exploring)
        hd_rt_spin_gives(code, value);
}

/* One of the program's own threads, under control.  Explored, no other one runs; right after a
 * switch to look for it in thread-local memory takes long. */
static inline bool is_controlled(void) {
    return hd_rt.mode == HD_RT_CONTROLLED && (hd_rt.exploring || hd_rt_self);
}

/* Every operation is sequentially consistent.  Which order it asks for is recorded, and operations
 * that ask for less are counted. */
typedef struct orders {
    uint8_t success, failure; /* enum heddle_order */
} orders;

static inline uint8_t order_of(int order) {
    static const uint8_t of[] = {
        [__ATOMIC_RELAXED] = HEDDLE_ORDER_RELAXED, [__ATOMIC_CONSUME] = HEDDLE_ORDER_ACQUIRE,
        [__ATOMIC_ACQUIRE] = HEDDLE_ORDER_ACQUIRE, [__ATOMIC_RELEASE] = HEDDLE_ORDER_RELEASE,
        [__ATOMIC_ACQ_REL] = HEDDLE_ORDER_ACQ_REL, [__ATOMIC_SEQ_CST] = HEDDLE_ORDER_SEQ_CST};
    unsigned plain = (unsigned)order & 0xff; /* hints of gcc are above */
    return plain < sizeof of ? of[plain] : (uint8_t)HEDDLE_ORDER_SEQ_CST;
}

static inline orders ask_both(int success, int failure, uintptr_t code) {
    orders asked = {order_of(success), order_of(failure)};
    if (HD_RT_UNLIKELY(asked.success | asked.failure) && hd_rt.exploring)
        heddle_wire_weaker(hd_rt_explore, code);
    if (hd_rt_annotate_is_unordered())
        asked = (orders){HEDDLE_ORDER_RELAXED, HEDDLE_ORDER_RELAXED};
    return asked;
}

static inline orders ask(int order, uintptr_t code) {
    return ask_both(order, order, code);
}

/* Before: in a controlled run this thread is the only one that runs, so the
 * operation itself need not be atomic there, but it costs little. */
static inline void before(unsigned kind, unsigned size, orders asked, const volatile void *address,
                          uintptr_t code) {
    if (is_controlled()) {
        if (hd_rt.exploring)
            hd_rt_explore_note(kind, address, (size_t)1 << size);
        hd_rt_point_atomic(kind, asked.success, asked.failure, address, 1U << size, code);
    } else if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_lock(address);
}

static inline void after(unsigned kind, unsigned size, unsigned order, const volatile void *address,
                         uintptr_t code, uint64_t value) {
    size |= order << HEDDLE_WIRE_MEMORY_SHIFT;
    if (HD_RT_LIKELY(is_controlled())) {
        if ((hd_rt.exploring && hd_rt.lane.full) || HD_RT_UNLIKELY(hd_rt.current->within))
            hd_rt_settle(); /* nothing is recorded, or the code of an annotated lock is not */
        else
            hd_rt_record_atomic(kind, size, address, code, value);
    } else if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_unlock(kind, size, address, code, value);
}

/* What a compare-and-swap expects is read from the caller's variable, and what it saw is stored
 * there if it fails. */
static inline void will_expect(const void *expected, size_t size, uintptr_t code) {
    if (hd_rt.exploring && is_controlled() && !hd_rt.ended &&
        ((uintptr_t)expected < hd_rt.current->wire->stack ||
         (uintptr_t)expected >= hd_rt.current->stack_top))
        hd_rt_explore_access(HEDDLE_OP_READ, expected, size, code);
}

/* An address of a block that is compared may be that of a freed block, were it handed out again. */
static inline void compares(u64 value) {
    if (hd_rt.exploring &&
        (value & HEDDLE_WIRE_ADDRESS) - HEDDLE_WIRE_HEAP < HEDDLE_WIRE_HEAP_END - HEDDLE_WIRE_HEAP)
        hd_rt_explore->hidden |= HEDDLE_WIRE_COMPARES_BLOCKS;
}

/* It may fail although the value is the expected one.  clang calls _val for
 * all, gcc for none. */
static inline void may_fail(void) {
    if (hd_rt.exploring)
        hd_rt_explore->relies |= HEDDLE_WIRE_RELIES_WEAK;
}

static void write_back(void *expected, const void *seen, size_t size, uintptr_t code) {
    if (hd_rt_controlled())
        hd_rt_deliver(expected, seen, size, code);
    else
        hd_rt_copy(expected, seen, size);
}

#define ATOMICS(bits, power)                                                                       \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_load(const volatile u##bits *address, int order) {  \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        gives(HD_RT_CODE(), 0);                                                                    \
        before(HEDDLE_OP_ATOMIC_READ, power, asked, address, HD_RT_CODE());                        \
        u##bits value = atomic_load_##bits(address);                                               \
        after(HEDDLE_OP_ATOMIC_READ, power, asked.success, address, HD_RT_CODE(), (u64)value);     \
        if (hd_rt_written && hd_rt.exploring)                                                      \
            hd_rt_written_read((uintptr_t)address, 1U << power, HD_RT_CODE());                     \
        return value;                                                                              \
    }                                                                                              \
    HD_RT_EXPORT void __tsan_atomic##bits##_store(volatile u##bits *address, u##bits value,        \
                                                  int order) {                                     \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        gives(HD_RT_CODE(), (u64)value);                                                           \
        before(HEDDLE_OP_ATOMIC_WRITE, power, asked, address, HD_RT_CODE());                       \
        atomic_store_##bits(address, value);                                                       \
        after(HEDDLE_OP_ATOMIC_WRITE, power, asked.success, address, HD_RT_CODE(), (u64)value);    \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_exchange(volatile u##bits *address, u##bits value,  \
                                                        int order) {                               \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        UPDATE(bits, power, value)                                                                 \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_fetch_add(volatile u##bits *address, u##bits value, \
                                                         int order) {                              \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        UPDATE(bits, power, (u##bits)(old + value))                                                \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_fetch_sub(volatile u##bits *address, u##bits value, \
                                                         int order) {                              \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        UPDATE(bits, power, (u##bits)(old - value))                                                \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_fetch_and(volatile u##bits *address, u##bits value, \
                                                         int order) {                              \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        UPDATE(bits, power, (u##bits)(old & value))                                                \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_fetch_or(volatile u##bits *address, u##bits value,  \
                                                        int order) {                               \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        UPDATE(bits, power, (u##bits)(old | value))                                                \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_fetch_xor(volatile u##bits *address, u##bits value, \
                                                         int order) {                              \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        UPDATE(bits, power, (u##bits)(old ^ value))                                                \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_fetch_nand(volatile u##bits *address,               \
                                                          u##bits value, int order) {              \
        orders asked = ask(order, HD_RT_CODE());                                                   \
        UPDATE(bits, power, (u##bits) ~(old & value))                                              \
    }                                                                                              \
    static int compare_##bits(volatile u##bits *address, u##bits *expected, u##bits value,         \
                              orders asked, uintptr_t code) {                                      \
        will_expect(expected, sizeof *expected, code);                                             \
        u##bits found = *expected;                                                                 \
        if (power >= 3)                                                                            \
            compares((u64)found);                                                                  \
        expect(&found);                                                                            \
        gives(code, (u64)value);                                                                   \
        before(HEDDLE_OP_ATOMIC_RMW, power, asked, address, code);                                 \
        expect(NULL);                                                                              \
        bool done = atomic_compare_##bits(address, &found, value);                                 \
        u64 seen = done ? (u64)value : (u64)found;                                                 \
        after(done ? HEDDLE_OP_ATOMIC_RMW : HEDDLE_OP_ATOMIC_READ, power,                          \
              done ? asked.success : asked.failure, address, code, seen);                          \
        if (!done)                                                                                 \
            write_back(expected, &found, sizeof *expected, code);                                  \
        return done;                                                                               \
    }                                                                                              \
    HD_RT_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                \
        volatile u##bits *address, u##bits *expected, u##bits value, int order, int failure) {     \
        orders asked = ask_both(order, failure, HD_RT_CODE());                                     \
        return compare_##bits(address, expected, value, asked, HD_RT_CODE());                      \
    }                                                                                              \
    HD_RT_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                                  \
        volatile u##bits *address, u##bits *expected, u##bits value, int order, int failure) {     \
        orders asked = ask_both(order, failure, HD_RT_CODE());                                     \
        may_fail();                                                                                \
        return compare_##bits(address, expected, value, asked, HD_RT_CODE());                      \
    }                                                                                              \
    HD_RT_EXPORT u##bits __tsan_atomic##bits##_compare_exchange_val(                               \
        volatile u##bits *address, u##bits expected, u##bits value, int order, int failure) {      \
        orders asked = ask_both(order, failure, HD_RT_CODE());                                     \
        may_fail();                                                                                \
        u##bits seen = expected;                                                                   \
        compare_##bits(address, &seen, value, asked, HD_RT_CODE());                                \
        return seen;                                                                               \
    }

/* An update: `next` is made of `old` and `value`. */
#define UPDATE(bits, power, next)                                                                  \
    gives(HD_RT_CODE(), (u64)value);                                                               \
    before(HEDDLE_OP_ATOMIC_RMW, power, asked, address, HD_RT_CODE());                             \
    u##bits old = atomic_load_##bits(address);                                                     \
    while (!atomic_compare_##bits(address, &old, next))                                            \
        ;                                                                                          \
    after(HEDDLE_OP_ATOMIC_RMW, power, asked.success, address, HD_RT_CODE(), (u64)(next));         \
    return old;

#define PLAIN_ATOMICS(bits)                                                                        \
    static inline u##bits atomic_load_##bits(const volatile u##bits *address) {                    \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    static inline void atomic_store_##bits(volatile u##bits *address, u##bits value) {             \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    static inline bool atomic_compare_##bits(volatile u##bits *address, u##bits *expected,         \
                                             u##bits value) {                                      \
        return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,      \
                                           __ATOMIC_SEQ_CST);                                      \
    }

/* 16 bytes: under a lock of our own, as no instruction of every processor does it. */
static char lock_128;

static inline void take_128(void) {
    while (__atomic_test_and_set(&lock_128, __ATOMIC_ACQUIRE))
        ;
}

static inline void give_128(void) {
    __atomic_clear(&lock_128, __ATOMIC_RELEASE);
}

static inline u128 atomic_load_128(const volatile u128 *address) {
    take_128();
    u128 value = *address;
    give_128();
    return value;
}

static inline void atomic_store_128(volatile u128 *address, u128 value) {
    take_128();
    *address = value;
    give_128();
}

static inline bool atomic_compare_128(volatile u128 *address, u128 *expected, u128 value) {
    take_128();
    u128 old = *address;
    bool same = old == *expected;
    if (same)
        *address = value;
    else
        *expected = old;
    give_128();
    return same;
}

// clang-format off
PLAIN_ATOMICS(8)
PLAIN_ATOMICS(16)
PLAIN_ATOMICS(32)
PLAIN_ATOMICS(64)
// clang-format on

// clang-format off
ATOMICS(8, 0)
ATOMICS(16, 1)
ATOMICS(32, 2)
ATOMICS(64, 3)
ATOMICS(128, 4)
// clang-format on

HD_RT_EXPORT void __tsan_atomic_thread_fence(int order) {
    orders asked = ask(order, HD_RT_CODE());
    if (hd_rt_controlled()) {
        hd_rt_point_atomic(HEDDLE_WIRE_FENCE, asked.success, 0, NULL, 0, HD_RT_CODE());
        hd_rt_record_fence(asked.success, HD_RT_CODE());
    } else if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_fence(asked.success, HD_RT_CODE());
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

HD_RT_EXPORT void __tsan_atomic_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
