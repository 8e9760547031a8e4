/*
 * Read-write locks, barriers and spin locks under control.  One thread runs at a time, so an
 * object's state is a few words in the place that the C library has for it.
 */
#include "rt_sync.h"

#include <errno.h>

#include "rt_arch_result.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_freed.h"
#include "rt_misuse.h"
#include "rt_real.h"

static uint32_t me(void) {
    return hd_rt.current->id + 1;
}

/* --- read-write locks: __readers counts, __cur_writer is a thread + 1 ------------------------ */

bool hd_rt_rwlock_available(const void *object, bool writing) {
    const pthread_rwlock_t *lock = object;
    return !lock->__data.__cur_writer && !(writing && lock->__data.__readers);
}

bool hd_rt_sync_readable(uint32_t sort, const void *object) {
    return sort == HEDDLE_WIRE_ANNOTATED ? hd_rt_hold_allows(object, true)
                                         : hd_rt_rwlock_available(object, false);
}

/* May it fail instead of waiting?  Then what is recorded says so. */
static bool tries(unsigned flags, int64_t deadline) {
    return flags & HEDDLE_WIRE_TRY || deadline != HD_RT_FOREVER;
}

static int take_reading(pthread_rwlock_t *lock, unsigned flags, int64_t deadline, uintptr_t code) {
    if ((uint32_t)lock->__data.__cur_writer == me() && !(flags & HEDDLE_WIRE_TRY))
        return EDEADLK;
    bool late =
        hd_rt_point_with(HEDDLE_OP_READ_ACQUIRE, flags, lock, HEDDLE_WIRE_RWLOCK, code, deadline);
    if (late || !hd_rt_rwlock_available(lock, false)) {
        hd_rt_record(HEDDLE_OP_TRYFAIL, (uintptr_t)lock, code);
        return late ? ETIMEDOUT : EBUSY;
    }
    hd_rt_misuse_use(HD_RT_A_RWLOCK, lock, "lock", code);
    hd_rt_hold(HD_RT_A_RWLOCK, lock, NULL, code);
    lock->__data.__readers++;
    hd_rt_record(tries(flags, deadline) ? HEDDLE_OP_TRY_READ_ACQUIRE : HEDDLE_OP_READ_ACQUIRE,
                 (uintptr_t)lock, code);
    return 0;
}

static int take_writing(pthread_rwlock_t *lock, unsigned flags, int64_t deadline, uintptr_t code) {
    if ((uint32_t)lock->__data.__cur_writer == me() && !(flags & HEDDLE_WIRE_TRY))
        return EDEADLK;
    bool late =
        hd_rt_point_with(HEDDLE_OP_ACQUIRE, flags, lock, HEDDLE_WIRE_RWLOCK, code, deadline);
    if (late || !hd_rt_rwlock_available(lock, true)) {
        hd_rt_record(HEDDLE_OP_TRYFAIL, (uintptr_t)lock, code);
        return late ? ETIMEDOUT : EBUSY;
    }
    hd_rt_misuse_use(HD_RT_A_RWLOCK, lock, "lock", code);
    hd_rt_hold(HD_RT_A_RWLOCK, lock, NULL, code);
    lock->__data.__cur_writer = (int)me();
    hd_rt_record(tries(flags, deadline) ? HEDDLE_OP_TRY_ACQUIRE : HEDDLE_OP_ACQUIRE,
                 (uintptr_t)lock, code);
    return 0;
}

HD_RT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_READ_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_rdlock(lock), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_rdlock(lock);
    if (hd_rt.exploring && lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_WRITERS;
    return take_reading(lock, 0, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_ACQUIRE, lock, hd_rt_real.pthread_rwlock_wrlock(lock),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_wrlock(lock);
    return take_writing(lock, 0, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_TRY_READ_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_tryrdlock(lock), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_tryrdlock(lock);
    return take_reading(lock, HEDDLE_WIRE_TRY, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_TRY_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_trywrlock(lock), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_trywrlock(lock);
    return take_writing(lock, HEDDLE_WIRE_TRY, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_TRY_READ_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_timedrdlock(lock, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_timedrdlock(lock, until);
    if (!hd_rt_is_time(until))
        return EINVAL;
    return take_reading(lock, 0, hd_rt_deadline(CLOCK_REALTIME, until, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_TRY_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_timedwrlock(lock, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_timedwrlock(lock, until);
    if (!hd_rt_is_time(until))
        return EINVAL;
    return take_writing(lock, 0, hd_rt_deadline(CLOCK_REALTIME, until, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                            const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_TRY_READ_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_clockrdlock(lock, clock, until),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_clockrdlock(lock, clock, until);
    if (!hd_rt_is_time(until))
        return EINVAL;
    return take_reading(lock, 0, hd_rt_deadline(clock, until, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                            const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_TRY_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_clockwrlock(lock, clock, until),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_clockwrlock(lock, clock, until);
    if (!hd_rt_is_time(until))
        return EINVAL;
    return take_writing(lock, 0, hd_rt_deadline(clock, until, HD_RT_CODE()), HD_RT_CODE());
}

static void unlock_of_others(const pthread_rwlock_t *lock, uintptr_t code) {
    if (lock->__data.__cur_writer || lock->__data.__readers)
        hd_rt_misuse_held(HEDDLE_WIRE_UNLOCK, "unlock of", HD_RT_A_RWLOCK, lock, code);
    else
        hd_rt_misuse(HEDDLE_WIRE_UNLOCK, "unlock of", HD_RT_A_RWLOCK, " that is not locked", lock,
                     code, (hd_rt_party){0});
}

HD_RT_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    uintptr_t code = HD_RT_CODE();
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(lock->__data.__cur_writer ? HEDDLE_OP_RELEASE : HEDDLE_OP_READ_RELEASE,
                          (uintptr_t)lock, code);
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_unlock(lock);
    bool writing = lock->__data.__cur_writer != 0;
    hd_rt_point_with(writing ? HEDDLE_OP_RELEASE : HEDDLE_OP_READ_RELEASE, 0, lock,
                     HEDDLE_WIRE_RWLOCK, code, HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_RWLOCK, lock, "unlock", code);
    if (!hd_rt_hold_end(lock))
        unlock_of_others(lock, code);
    if (writing && (uint32_t)lock->__data.__cur_writer == me()) {
        lock->__data.__cur_writer = 0;
        hd_rt_record(HEDDLE_OP_RELEASE, (uintptr_t)lock, code);
    } else if (!writing && lock->__data.__readers) {
        lock->__data.__readers--;
        hd_rt_record(HEDDLE_OP_READ_RELEASE, (uintptr_t)lock, code);
    } else
        lock->__data.__cur_writer = 0; /* undefined; the C library takes it silently too */
    return 0;
}

/* --- barriers ------------------------------------------------------------------------------- */

typedef struct barrier {
    uint32_t wanted, arrived;
} barrier;

_Static_assert(sizeof(barrier) <= sizeof(pthread_barrier_t), "a barrier fits");

HD_RT_EXPORT int pthread_barrier_init(pthread_barrier_t *object,
                                      const pthread_barrierattr_t *attributes, unsigned count) {
    hd_rt_fetch(attributes, sizeof *attributes, HD_RT_CODE());
    hd_rt_object_change(object, sizeof *object, false, HD_RT_CODE());
    if (hd_rt_controlled()) {
        hd_rt_freed_check(HEDDLE_OP_WRITE, object, sizeof *object, HD_RT_CODE());
        hd_rt_misuse_init(HD_RT_A_BARRIER, object, HD_RT_CODE());
    }
    int error = hd_rt_real.pthread_barrier_init(object, attributes, count);
    if (!error && hd_rt_controlled()) {
        hd_rt_misuse_made(HD_RT_A_BARRIER, object);
        *(barrier *)object = (barrier){count, 0};
        hd_rt_explore_unseen();
    }
    return error;
}

HD_RT_EXPORT int pthread_barrier_wait(pthread_barrier_t *object) {
    uintptr_t code = HD_RT_CODE();
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_record(HEDDLE_OP_BARRIER_IN, (uintptr_t)object, code);
        int result = hd_rt_real.pthread_barrier_wait(object);
        hd_rt_free_record(HEDDLE_OP_BARRIER_OUT, (uintptr_t)object, code);
        return result;
    }
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_barrier_wait(object);
    barrier *it = (barrier *)object;
    hd_rt_thread *self = hd_rt.current;
    /* How many threads come together, if the result tells this one nothing. */
    uint32_t party =
        hd_rt.exploring && hd_rt_arch_unused_here((const unsigned char *)code) ? it->wanted : 0;
    hd_rt_point_with(HEDDLE_OP_BARRIER_IN, 0, it, party, code, HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_BARRIER, it, "wait", code);
    hd_rt_record(HEDDLE_OP_BARRIER_IN, (uintptr_t)it, code);
    self->signalled = false;
    bool last = ++it->arrived >= it->wanted;
    if (last) {
        it->arrived = 0;
        for (uint32_t i = 0; i < hd_rt.live_count; i++) {
            heddle_wire_operation *pending = &hd_rt.live[i]->wire->pending;
            if (pending->kind == HEDDLE_OP_BARRIER_OUT && pending->address == (uintptr_t)it)
                hd_rt.live[i]->signalled = true;
        }
        self->signalled = true;
    }
    hd_rt_point_with(HEDDLE_OP_BARRIER_OUT, 0, it, 0, code, HD_RT_FOREVER);
    hd_rt_record(HEDDLE_OP_BARRIER_OUT, (uintptr_t)it, code);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* --- spin locks: 0, or a thread + 1 --------------------------------------------------------- */

static uint32_t *spin(pthread_spinlock_t *lock) {
    return (uint32_t *)(uintptr_t)lock;
}

static void use_spin(pthread_spinlock_t *lock, const char *verb, uintptr_t code) {
    hd_rt_misuse_use(HD_RT_A_SPIN, spin(lock), verb, code);
}

HD_RT_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_ACQUIRE, (void *)(uintptr_t)lock,
                                hd_rt_real.pthread_spin_lock(lock), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_lock(lock);
    hd_rt_point_with(HEDDLE_OP_ACQUIRE, 0, lock, HEDDLE_WIRE_SPIN, HD_RT_CODE(), HD_RT_FOREVER);
    use_spin(lock, "lock", HD_RT_CODE());
    hd_rt_hold(HD_RT_A_SPIN, spin(lock), NULL, HD_RT_CODE());
    *spin(lock) = me();
    hd_rt_record(HEDDLE_OP_ACQUIRE, (uintptr_t)lock, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(HEDDLE_OP_TRY_ACQUIRE, (void *)(uintptr_t)lock,
                                hd_rt_real.pthread_spin_trylock(lock), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_trylock(lock);
    hd_rt_point_with(HEDDLE_OP_ACQUIRE, HEDDLE_WIRE_TRY, lock, HEDDLE_WIRE_SPIN, HD_RT_CODE(),
                     HD_RT_FOREVER);
    use_spin(lock, "lock", HD_RT_CODE());
    bool free = !*spin(lock);
    if (free) {
        *spin(lock) = me();
        hd_rt_hold(HD_RT_A_SPIN, spin(lock), NULL, HD_RT_CODE());
    }
    hd_rt_record(free ? HEDDLE_OP_TRY_ACQUIRE : HEDDLE_OP_TRYFAIL, (uintptr_t)lock, HD_RT_CODE());
    return free ? 0 : EBUSY;
}

HD_RT_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(HEDDLE_OP_RELEASE, (uintptr_t)lock, HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_unlock(lock);
    hd_rt_point_with(HEDDLE_OP_RELEASE, 0, lock, HEDDLE_WIRE_SPIN, HD_RT_CODE(), HD_RT_FOREVER);
    use_spin(lock, "unlock", HD_RT_CODE());
    bool ours = *spin(lock) == me();
    if (!ours && *spin(lock))
        hd_rt_misuse_held(HEDDLE_WIRE_UNLOCK, "unlock of", HD_RT_A_SPIN, spin(lock), HD_RT_CODE());
    else if (!ours)
        hd_rt_misuse(HEDDLE_WIRE_UNLOCK, "unlock of", HD_RT_A_SPIN, " that is not locked",
                     spin(lock), HD_RT_CODE(), (hd_rt_party){0});
    *spin(lock) = 0;
    if (ours) {
        hd_rt_hold_end(spin(lock));
        hd_rt_record(HEDDLE_OP_RELEASE, (uintptr_t)lock, HD_RT_CODE());
    }
    return 0;
}
