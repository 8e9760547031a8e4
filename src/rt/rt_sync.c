/*
 * Read-write locks, barriers, spin locks, semaphores and once, under control.  One
 * thread runs at a time, so an object's state is a few words in the place that the
 * C library has for it.
 */
#include "rt_sync.h"

#include <errno.h>
#include <limits.h>

#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_freed.h"
#include "rt_misuse.h"
#include "rt_real.h"

enum {
    READ = HEDDLE_ATOMIC_READ + 1,
    WRITE = HEDDLE_ATOMIC_WRITE + 1,
    RMW = HEDDLE_ATOMIC_RMW + 1,
    ACQUIRE = HEDDLE_ACQUIRE + 1,
    RELEASE = HEDDLE_RELEASE + 1,
    READ_ACQUIRE = HEDDLE_READ_ACQUIRE + 1,
    READ_RELEASE = HEDDLE_READ_RELEASE + 1,
    TRYFAIL = HEDDLE_TRYFAIL + 1,
    TRY_ACQUIRE = HEDDLE_TRY_ACQUIRE + 1,
    TRY_READ_ACQUIRE = HEDDLE_TRY_READ_ACQUIRE + 1,
    SEND = HEDDLE_SEND + 1,
    RECV = HEDDLE_RECV + 1,
    POST = HEDDLE_POST + 1,
    TAKE = HEDDLE_TAKE + 1,
    BARRIER_IN = HEDDLE_BARRIER_IN + 1,
    BARRIER_OUT = HEDDLE_BARRIER_OUT + 1
};

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
    bool late = hd_rt_point_with(READ_ACQUIRE, flags, lock, HEDDLE_WIRE_RWLOCK, code, deadline);
    if (late || !hd_rt_rwlock_available(lock, false)) {
        hd_rt_record(TRYFAIL, (uintptr_t)lock, code);
        return late ? ETIMEDOUT : EBUSY;
    }
    hd_rt_misuse_use(HD_RT_A_RWLOCK, lock, "lock", code);
    hd_rt_hold(HD_RT_A_RWLOCK, lock, NULL, code);
    lock->__data.__readers++;
    hd_rt_record(tries(flags, deadline) ? TRY_READ_ACQUIRE : READ_ACQUIRE, (uintptr_t)lock, code);
    return 0;
}

static int take_writing(pthread_rwlock_t *lock, unsigned flags, int64_t deadline, uintptr_t code) {
    if ((uint32_t)lock->__data.__cur_writer == me() && !(flags & HEDDLE_WIRE_TRY))
        return EDEADLK;
    bool late = hd_rt_point_with(ACQUIRE, flags, lock, HEDDLE_WIRE_RWLOCK, code, deadline);
    if (late || !hd_rt_rwlock_available(lock, true)) {
        hd_rt_record(TRYFAIL, (uintptr_t)lock, code);
        return late ? ETIMEDOUT : EBUSY;
    }
    hd_rt_misuse_use(HD_RT_A_RWLOCK, lock, "lock", code);
    hd_rt_hold(HD_RT_A_RWLOCK, lock, NULL, code);
    lock->__data.__cur_writer = (int)me();
    hd_rt_record(tries(flags, deadline) ? TRY_ACQUIRE : ACQUIRE, (uintptr_t)lock, code);
    return 0;
}

HD_RT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(READ_ACQUIRE, lock, hd_rt_real.pthread_rwlock_rdlock(lock),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_rdlock(lock);
    if (hd_rt.exploring && lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_WRITERS;
    return take_reading(lock, 0, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(ACQUIRE, lock, hd_rt_real.pthread_rwlock_wrlock(lock),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_wrlock(lock);
    return take_writing(lock, 0, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(TRY_READ_ACQUIRE, lock, hd_rt_real.pthread_rwlock_tryrdlock(lock),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_tryrdlock(lock);
    return take_reading(lock, HEDDLE_WIRE_TRY, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(TRY_ACQUIRE, lock, hd_rt_real.pthread_rwlock_trywrlock(lock),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_trywrlock(lock);
    return take_writing(lock, HEDDLE_WIRE_TRY, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(TRY_READ_ACQUIRE, lock,
                                hd_rt_real.pthread_rwlock_timedrdlock(lock, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_timedrdlock(lock, until);
    if (!hd_rt_is_time(until))
        return EINVAL;
    return take_reading(lock, 0, hd_rt_deadline(CLOCK_REALTIME, until, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(TRY_ACQUIRE, lock,
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
        return hd_rt_free_taken(TRY_READ_ACQUIRE, lock,
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
        return hd_rt_free_taken(TRY_ACQUIRE, lock,
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
        hd_rt_free_record(lock->__data.__cur_writer ? RELEASE : READ_RELEASE, (uintptr_t)lock,
                          code);
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_unlock(lock);
    bool writing = lock->__data.__cur_writer != 0;
    hd_rt_point_with(writing ? RELEASE : READ_RELEASE, 0, lock, HEDDLE_WIRE_RWLOCK, code,
                     HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_RWLOCK, lock, "unlock", code);
    if (!hd_rt_hold_end(lock))
        unlock_of_others(lock, code);
    if (writing && (uint32_t)lock->__data.__cur_writer == me()) {
        lock->__data.__cur_writer = 0;
        hd_rt_record(RELEASE, (uintptr_t)lock, code);
    } else if (!writing && lock->__data.__readers) {
        lock->__data.__readers--;
        hd_rt_record(READ_RELEASE, (uintptr_t)lock, code);
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
        hd_rt_freed_check(HEDDLE_WRITE + 1, object, sizeof *object, HD_RT_CODE());
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
        hd_rt_free_record(BARRIER_IN, (uintptr_t)object, code);
        int result = hd_rt_real.pthread_barrier_wait(object);
        hd_rt_free_record(BARRIER_OUT, (uintptr_t)object, code);
        return result;
    }
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_barrier_wait(object);
    barrier *it = (barrier *)object;
    hd_rt_thread *self = hd_rt.current;
    hd_rt_point_with(BARRIER_IN, 0, it, 0, code, HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_BARRIER, it, "wait", code);
    hd_rt_record(BARRIER_IN, (uintptr_t)it, code);
    self->signalled = false;
    bool last = ++it->arrived >= it->wanted;
    if (last) {
        it->arrived = 0;
        for (uint32_t i = 0; i < hd_rt.live_count; i++) {
            heddle_wire_operation *pending = &hd_rt.live[i]->wire->pending;
            if (pending->kind == BARRIER_OUT && pending->address == (uintptr_t)it)
                hd_rt.live[i]->signalled = true;
        }
        self->signalled = true;
    }
    hd_rt_point_with(BARRIER_OUT, 0, it, 0, code, HD_RT_FOREVER);
    hd_rt_record(BARRIER_OUT, (uintptr_t)it, code);
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
        return hd_rt_free_taken(ACQUIRE, (void *)(uintptr_t)lock,
                                hd_rt_real.pthread_spin_lock(lock), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_lock(lock);
    hd_rt_point_with(ACQUIRE, 0, lock, HEDDLE_WIRE_SPIN, HD_RT_CODE(), HD_RT_FOREVER);
    use_spin(lock, "lock", HD_RT_CODE());
    hd_rt_hold(HD_RT_A_SPIN, spin(lock), NULL, HD_RT_CODE());
    *spin(lock) = me();
    hd_rt_record(ACQUIRE, (uintptr_t)lock, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(TRY_ACQUIRE, (void *)(uintptr_t)lock,
                                hd_rt_real.pthread_spin_trylock(lock), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_trylock(lock);
    hd_rt_point_with(ACQUIRE, HEDDLE_WIRE_TRY, lock, HEDDLE_WIRE_SPIN, HD_RT_CODE(), HD_RT_FOREVER);
    use_spin(lock, "lock", HD_RT_CODE());
    bool free = !*spin(lock);
    if (free) {
        *spin(lock) = me();
        hd_rt_hold(HD_RT_A_SPIN, spin(lock), NULL, HD_RT_CODE());
    }
    hd_rt_record(free ? TRY_ACQUIRE : TRYFAIL, (uintptr_t)lock, HD_RT_CODE());
    return free ? 0 : EBUSY;
}

HD_RT_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock) {
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(RELEASE, (uintptr_t)lock, HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_unlock(lock);
    hd_rt_point_with(RELEASE, 0, lock, HEDDLE_WIRE_SPIN, HD_RT_CODE(), HD_RT_FOREVER);
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
        hd_rt_record(RELEASE, (uintptr_t)lock, HD_RT_CODE());
    }
    return 0;
}

/* --- semaphores: the first word is the value ------------------------------------------------ */

/* The operations at points are named as those of a channel; what is recorded is a unit that any
 * thread may take. */

HD_RT_EXPORT int sem_post(sem_t *semaphore) {
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(POST, (uintptr_t)semaphore, HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_post(semaphore);
    hd_rt_point_with(SEND, 0, semaphore, 0, HD_RT_CODE(), HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_SEMAPHORE, semaphore, "post", HD_RT_CODE());
    uint32_t *value = (uint32_t *)semaphore;
    if (*value >= SEM_VALUE_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    ++*value;
    hd_rt_record(POST, (uintptr_t)semaphore, HD_RT_CODE());
    return 0;
}

/* A handler has run in the wait: it ends with that, or as it should if it can. */
static int why_not_taken(bool early, bool late, int64_t deadline) {
    if (!early)
        return late ? ETIMEDOUT : EAGAIN;
    return deadline != HD_RT_FOREVER && !hd_rt_explore_choice() ? ETIMEDOUT : EINTR;
}

static int invalid_time(void) {
    errno = EINVAL;
    return -1;
}

static int sem_take(sem_t *semaphore, unsigned flags, int64_t deadline, uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    self->early = false;
    bool late = hd_rt_point_with(RECV, flags, semaphore, 0, code, deadline);
    bool early = self->early, interrupted = early && hd_rt_explore_choice() == 1;
    self->early = false;
    if (!(flags & HEDDLE_WIRE_TRY))
        hd_rt_check_cancel();
    hd_rt_misuse_use(HD_RT_A_SEMAPHORE, semaphore, "wait", code);
    uint32_t *value = (uint32_t *)semaphore;
    if (late || interrupted || !*value) {
        errno = why_not_taken(early, late, deadline);
        return -1;
    }
    --*value;
    hd_rt_record(TAKE, (uintptr_t)semaphore, code);
    return 0;
}

static int received(sem_t *semaphore, int result, uintptr_t code) {
    if (!result)
        hd_rt_free_record(TAKE, (uintptr_t)semaphore, code);
    return result;
}

HD_RT_EXPORT int sem_wait(sem_t *semaphore) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_wait(semaphore), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_wait(semaphore);
    return sem_take(semaphore, 0, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int sem_trywait(sem_t *semaphore) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_trywait(semaphore), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_trywait(semaphore);
    return sem_take(semaphore, HEDDLE_WIRE_TRY, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_timedwait(semaphore, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_timedwait(semaphore, until);
    if (!hd_rt_is_time(until))
        return invalid_time();
    return sem_take(semaphore, 0, hd_rt_deadline(CLOCK_REALTIME, until, HD_RT_CODE()),
                    HD_RT_CODE());
}

HD_RT_EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_clockwait(semaphore, clock, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_clockwait(semaphore, clock, until);
    if (!hd_rt_is_time(until))
        return invalid_time();
    return sem_take(semaphore, 0, hd_rt_deadline(clock, until, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT int sem_getvalue(sem_t *semaphore, int *value) {
    if (!hd_rt_controlled())
        return hd_rt_real.sem_getvalue(semaphore, value);
    if (hd_rt.exploring)
        hd_rt_point_with(RECV, HEDDLE_WIRE_TRY | HEDDLE_WIRE_LOOKS, semaphore, 0, HD_RT_CODE(),
                         HD_RT_FOREVER);
    else
        hd_rt_point(READ, semaphore, 4, HD_RT_CODE());
    int units = (int)*(uint32_t *)semaphore;
    hd_rt_deliver(value, &units, sizeof *value, HD_RT_CODE());
    return 0;
}

/* --- once ----------------------------------------------------------------------------------- */

/* A once is 0, 1 while the initialisation runs, 2 when it is done.  It is an atomic variable in the
 * trace: a later thread reads what the first one wrote. */
enum { RUNS = HEDDLE_WIRE_ONCE_RUNS, DONE = HEDDLE_WIRE_ONCE_DONE };

bool hd_rt_once_available(uint32_t sort, const void *once) {
    if (sort == HEDDLE_WIRE_BY_GUARD)
        return hd_rt_guard_available(once);
    return *(const int *)once != RUNS;
}

typedef struct once_run {
    pthread_once_t *once; /* NULL: it is done */
    uintptr_t code;
} once_run;

static void store_once(pthread_once_t *once, int value, uintptr_t code) {
    hd_rt_point(WRITE, once, 4, code);
    *once = value;
    hd_rt_record_atomic(WRITE, 2, once, code, (uint64_t)value);
}

static void forget(once_run *run) {
    if (run->once) { /* left by an exception or by pthread_exit: another may try */
        hd_rt_hold_end(run->once);
        store_once(run->once, 0, run->code);
    }
}

/* In a free run: the thread's once that is being asked for, and what it would run. */
static __thread struct {
    pthread_once_t *once;
    void (*routine)(void);
    uintptr_t code;
} asked;

static void run_asked(void) {
    pthread_once_t *once = asked.once;
    uintptr_t code = asked.code;
    asked.routine(); /* may ask for others */
    hd_rt_free_atomic(WRITE, 2, once, code, DONE);
}

static int once_freely(pthread_once_t *once, void (*routine)(void), uintptr_t code) {
    asked.once = once;
    asked.routine = routine;
    asked.code = code;
    int error = hd_rt_real.pthread_once(once, run_asked);
    hd_rt_free_atomic(READ, 2, once, code, DONE);
    return error;
}

HD_RT_EXPORT int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    if (hd_rt.mode == HD_RT_FREE)
        return once_freely(once, routine, HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_once(once, routine);
    uintptr_t code = HD_RT_CODE();
    hd_rt_misuse_again(HEDDLE_WIRE_ONCE_AGAIN, once,
                       "initialisation by pthread_once that asks for itself", code);
    hd_rt_point_with(HEDDLE_WIRE_ONCE, 0, once, HEDDLE_WIRE_BY_ONCE, code, HD_RT_FOREVER);
    if (*once == DONE) {
        hd_rt_record_atomic(READ, 2, once, code, DONE);
        return 0;
    }
    *once = RUNS;
    hd_rt_hold(HD_RT_A_ONCE, once, NULL, code);
    hd_rt_record_atomic(RMW, 2, once, code, RUNS);
    {
        __attribute__((cleanup(forget))) once_run unless_done = {once, code};
        routine();
        // cppcheck-suppress unreadVariable ; the cleanup reads it
        unless_done.once = NULL;
    }
    hd_rt_hold_end(once);
    store_once(once, DONE, code);
    return 0;
}
