/*
 * Mutexes.  The C library's own, in its own form, so that every type and every
 * misuse behaves as it always does: a thread that is chosen to take one finds it
 * free, and the real call then does not wait.
 */
#include <errno.h>

#include "rt.h"
#include "rt_free.h"
#include "rt_real.h"
#include "rt_sync.h"

enum { ACQUIRE = HEDDLE_ACQUIRE + 1, RELEASE = HEDDLE_RELEASE + 1, TRYFAIL = HEDDLE_TRYFAIL + 1 };

enum { TYPE = 3, OWNER_DIED = 0x40000000, TID = 0x3fffffff };

static int type_of(const pthread_mutex_t *mutex) {
    return mutex->__data.__kind & TYPE;
}

static int tid_of(const hd_rt_thread *thread);

static bool held_by(const pthread_mutex_t *mutex, const hd_rt_thread *thread) {
    return mutex->__data.__lock && (mutex->__data.__owner & TID) == tid_of(thread);
}

bool hd_rt_sync_available(uint32_t sort, const void *object, const hd_rt_thread *thread) {
    if (sort == HD_RT_RWLOCK)
        return hd_rt_rwlock_available(object, true);
    if (sort == HD_RT_SPIN)
        return *(const uint32_t *)object == 0;
    const pthread_mutex_t *mutex = object;
    int word = mutex->__data.__lock;
    if (!word || (word & OWNER_DIED && !(word & TID)))
        return true;
    int type = type_of(mutex);
    return type != PTHREAD_MUTEX_TIMED_NP && type != PTHREAD_MUTEX_ADAPTIVE_NP &&
           held_by(mutex, thread); /* again, or an error */
}

/* The C library writes the number of the thread into a mutex.  Under control that is
 * the number of the sleeper, which is learnt when it first takes one. */
static int tids[HEDDLE_WIRE_THREADS];

static int tid_of(const hd_rt_thread *thread) {
    return tids[thread->id] ? tids[thread->id] : -1;
}

bool hd_rt_mutex_nested(const pthread_mutex_t *mutex, const hd_rt_thread *thread, bool giving) {
    if (!held_by(mutex, thread) || type_of(mutex) == PTHREAD_MUTEX_TIMED_NP)
        return false;
    return !giving || mutex->__data.__count > 1;
}

static void learn_tid(const pthread_mutex_t *mutex) {
    if (!tids[hd_rt.current->id])
        tids[hd_rt.current->id] = mutex->__data.__owner & TID;
}

uint32_t hd_rt_sync_holder(uint32_t sort, const void *object) {
    if (sort == HD_RT_SPIN)
        return *(const uint32_t *)object;
    if (sort == HD_RT_RWLOCK)
        return (uint32_t)((const pthread_rwlock_t *)object)->__data.__cur_writer;
    const pthread_mutex_t *mutex = object;
    int owner = mutex->__data.__owner & TID;
    for (uint32_t i = 0; owner && i < hd_rt.wire->threads; i++)
        if (tids[i] == owner)
            return i + 1;
    return 0;
}

/* Errors of the real call leave no event; EOWNERDEAD is a hold all the same. */
int hd_rt_mutex_take(pthread_mutex_t *mutex, uintptr_t code, int64_t deadline) {
    bool late = hd_rt_point_with(ACQUIRE, 0, mutex, HD_RT_MUTEX, code, deadline);
    if (late) {
        hd_rt_record(TRYFAIL, (uintptr_t)mutex, code);
        return ETIMEDOUT;
    }
    int error = hd_rt_real.pthread_mutex_lock(mutex);
    if (!error || error == EOWNERDEAD) {
        learn_tid(mutex);
        hd_rt_record(ACQUIRE, (uintptr_t)mutex, code);
    }
    return error;
}

int hd_rt_mutex_give(pthread_mutex_t *mutex, uintptr_t code) {
    /* A mutex that another thread holds, or nobody, is given back by mistake.  That is
     * no release; the real call says what it thinks of it. */
    bool ours = held_by(mutex, hd_rt.current);
    int error = hd_rt_real.pthread_mutex_unlock(mutex);
    if (!error && ours)
        hd_rt_record(RELEASE, (uintptr_t)mutex, code);
    return error;
}

HD_RT_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(ACQUIRE, mutex, hd_rt_real.pthread_mutex_lock(mutex), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_lock(mutex);
    return hd_rt_mutex_take(mutex, HD_RT_CODE(), HD_RT_FOREVER);
}

HD_RT_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(ACQUIRE, mutex, hd_rt_real.pthread_mutex_trylock(mutex),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_trylock(mutex);
    uintptr_t code = HD_RT_CODE();
    hd_rt_point_with(ACQUIRE, HEDDLE_WIRE_TRY, mutex, HD_RT_MUTEX, code, HD_RT_FOREVER);
    int error = hd_rt_real.pthread_mutex_trylock(mutex);
    if (!error || error == EOWNERDEAD) {
        learn_tid(mutex);
        hd_rt_record(ACQUIRE, (uintptr_t)mutex, code);
    } else if (error == EBUSY)
        hd_rt_record(TRYFAIL, (uintptr_t)mutex, code);
    return error;
}

HD_RT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(ACQUIRE, mutex, hd_rt_real.pthread_mutex_timedlock(mutex, until),
                                HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_timedlock(mutex, until);
    return hd_rt_mutex_take(mutex, HD_RT_CODE(), hd_rt_deadline(CLOCK_REALTIME, until));
}

HD_RT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                         const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_taken(
            ACQUIRE, mutex, hd_rt_real.pthread_mutex_clocklock(mutex, clock, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_clocklock(mutex, clock, until);
    return hd_rt_mutex_take(mutex, HD_RT_CODE(), hd_rt_deadline(clock, until));
}

HD_RT_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_record(RELEASE, (uintptr_t)mutex, HD_RT_CODE());
        return hd_rt_real.pthread_mutex_unlock(mutex);
    }
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_unlock(mutex);
    hd_rt_point_with(RELEASE, 0, mutex, HD_RT_MUTEX, HD_RT_CODE(), HD_RT_FOREVER);
    return hd_rt_mutex_give(mutex, HD_RT_CODE());
}
