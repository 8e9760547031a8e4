/*
 * The guards of C++'s static objects.  A guard is done when its first byte is 1; its
 * second says that the initialisation runs.  In the trace it is an atomic variable, as
 * large as what the compiler reads before it calls: who comes later reads what the first
 * one wrote.  Where programs run freely too the calls are done here, since only then the
 * order of what they write and of what is read is known.
 */
#include <linux/futex.h>
#include <sys/syscall.h>

#include "rt.h"
#include "rt_arch.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_real.h"
#include "rt_sync.h"

enum { SIZE = HD_RT_ARCH_GUARD, BYTES = SIZE ? 1 << SIZE : 2 /* that calls change */ };

/* As a number of 2 bytes: HEDDLE_WIRE_GUARD_DONE, HEDDLE_WIRE_GUARD_RUNS. */
typedef struct guard {
    uint8_t done, runs, rest[6];
} guard;

static uint64_t value_of(const guard *it) {
    return SIZE ? *(const volatile uint64_t *)it : it->done;
}

bool hd_rt_guard_available(const void *object) {
    const guard *it = object;
    return it->done || !it->runs;
}

/* What uninstrumented code sees when it looks at the first byte must have been written. */
static void settle(guard *it, bool done) {
    __atomic_store_n(&it->done, done, __ATOMIC_RELEASE);
    __atomic_store_n(&it->runs, 0, __ATOMIC_RELEASE);
}

/* --- free runs ------------------------------------------------------------------------------ */

static int acquire_freely(guard *it, uintptr_t code) {
    uint32_t *word = (uint32_t *)it;
    for (;;) {
        hd_rt_free_lock(it);
        bool ours = !it->done && !it->runs, waits = !it->done && it->runs;
        if (ours)
            it->runs = 1;
        uint32_t seen = *word;
        hd_rt_free_unlock(ours ? HEDDLE_OP_ATOMIC_RMW : HEDDLE_OP_ATOMIC_READ, SIZE, it, code,
                          value_of(it));
        if (!waits)
            return ours;
        hd_rt_syscall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, (long)seen, 0, 0, 0);
    }
}

static void settle_freely(guard *it, bool done, uintptr_t code) {
    hd_rt_free_lock(it);
    settle(it, done);
    hd_rt_free_unlock(HEDDLE_OP_ATOMIC_WRITE, SIZE, it, code, value_of(it));
    hd_rt_syscall(SYS_futex, (long)it, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
}

/* --- without heddle ------------------------------------------------------------------------- */

/* The C++ library may have been loaded where we cannot see it; then this serves. */
static int acquire_alone(guard *it) {
    for (;;) {
        if (__atomic_load_n(&it->done, __ATOMIC_ACQUIRE))
            return 0;
        uint8_t idle = 0;
        if (__atomic_compare_exchange_n(&it->runs, &idle, 1, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            if (!__atomic_load_n(&it->done, __ATOMIC_ACQUIRE))
                return 1;
            __atomic_store_n(&it->runs, 0, __ATOMIC_RELEASE);
        }
        hd_rt_real.sched_yield();
    }
}

/* --- the calls ------------------------------------------------------------------------------ */

HD_RT_EXPORT int __cxa_guard_acquire(void *object) {
    guard *it = object;
    uintptr_t code = HD_RT_CODE();
    if (hd_rt.mode == HD_RT_FREE)
        return acquire_freely(it, code);
    if (!hd_rt_controlled())
        return hd_rt_real.__cxa_guard_acquire ? hd_rt_real.__cxa_guard_acquire(object)
                                              : acquire_alone(it);
    hd_rt_misuse_again(HEDDLE_WIRE_STATIC_AGAIN, it,
                       "initialisation of a static variable that asks for itself", code);
    hd_rt_point_with(HEDDLE_WIRE_ONCE, 0, it, HEDDLE_WIRE_BY_GUARD, code, HD_RT_FOREVER);
    bool ours = !it->done;
    if (ours) {
        it->runs = 1;
        hd_rt_hold(HD_RT_A_ONCE, it, NULL, code);
    }
    hd_rt_record_atomic(ours ? HEDDLE_OP_ATOMIC_RMW : HEDDLE_OP_ATOMIC_READ,
                        ours ? SIZE : HD_RT_KEPT | SIZE, it, code, value_of(it));
    return ours;
}

static void settle_controlled(guard *it, bool done, uintptr_t code) {
    hd_rt_hold_end(it);
    hd_rt_point(HEDDLE_OP_ATOMIC_WRITE, it, BYTES, code);
    settle(it, done);
    hd_rt_record_atomic(HEDDLE_OP_ATOMIC_WRITE, SIZE, it, code, value_of(it));
}

HD_RT_EXPORT void __cxa_guard_release(void *object) {
    if (hd_rt.mode == HD_RT_FREE)
        settle_freely(object, true, HD_RT_CODE());
    else if (hd_rt_controlled())
        settle_controlled(object, true, HD_RT_CODE());
    else if (hd_rt_real.__cxa_guard_release)
        hd_rt_real.__cxa_guard_release(object);
    else
        settle(object, true);
}

HD_RT_EXPORT void __cxa_guard_abort(void *object) {
    if (hd_rt.mode == HD_RT_FREE)
        settle_freely(object, false, HD_RT_CODE());
    else if (hd_rt_controlled())
        settle_controlled(object, false, HD_RT_CODE());
    else if (hd_rt_real.__cxa_guard_abort)
        hd_rt_real.__cxa_guard_abort(object);
    else
        settle(object, false);
}
