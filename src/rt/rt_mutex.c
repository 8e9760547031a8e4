/*
 * Mutexes.  The C library's own, in its own form, so that every type and every
 * misuse behaves as it always does: a thread that is chosen to take one finds it
 * free, and the real call then does not wait.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "rt.h"
#include "rt_c11.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_real.h"
#include "rt_sync.h"

enum { TYPE = 3, ROBUST = 16, OWNER_DIED = 0x40000000, TID = 0x3fffffff };

static int type_of(const pthread_mutex_t *mutex) {
    return mutex->__data.__kind & TYPE;
}

static bool is_robust(const pthread_mutex_t *mutex) {
    return mutex->__data.__kind & ROBUST;
}

/* The holder, as the system numbers threads.  After one died, the owner is not a thread for a
 * while. */
static int owner_of(const pthread_mutex_t *mutex) {
    return TID & (is_robust(mutex) ? mutex->__data.__lock : mutex->__data.__owner);
}

static int tid_of(const hd_rt_thread *thread);

static bool held_by(const pthread_mutex_t *mutex, const hd_rt_thread *thread) {
    return mutex->__data.__lock && owner_of(mutex) == tid_of(thread);
}

bool hd_rt_sync_available(uint32_t sort, const void *object, const hd_rt_thread *thread) {
    if (sort == HEDDLE_WIRE_RWLOCK)
        return hd_rt_rwlock_available(object, true);
    if (sort == HEDDLE_WIRE_SPIN)
        return *(const uint32_t *)object == 0 || hd_rt_misuse_bad(HD_RT_A_SPIN, object);
    if (sort == HEDDLE_WIRE_STREAM)
        return hd_rt_stream_available(object, thread);
    if (sort == HEDDLE_WIRE_ANNOTATED)
        return hd_rt_hold_allows(object, false);
    const pthread_mutex_t *mutex = object;
    int word = mutex->__data.__lock;
    if (!word || (word & OWNER_DIED && !(word & TID)) || hd_rt_misuse_bad_mutex(mutex))
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

/* --- robust mutexes: a thread that ends gives them back ------------------------------------- */

/* The C library's list of those that the thread has.  It and its links are the addresses of
 * their links, the lowest bit set if priority is inherited; the last link is the list. */
static __thread uintptr_t *robust_list;

static void learn(const pthread_mutex_t *mutex, uintptr_t code) {
    if (hd_rt_controlled())
        hd_rt_hold(HD_RT_A_MUTEX, mutex, NULL, code);
    if (is_robust(mutex)) /* it is the first now */
        robust_list = (uintptr_t *)mutex->__data.__list.__prev;
    if (hd_rt_controlled() && !tids[hd_rt.current->id])
        tids[hd_rt.current->id] = owner_of(mutex);
}

/* In a free run the kernel does it, after our record.  The sleeper of a thread under control ends
 * later, or never. */
void hd_rt_mutex_orphans(void) {
    enum { LINK = offsetof(pthread_mutex_t, __data.__list.__next) };
    const uintptr_t end = (uintptr_t)robust_list, inherits = 1;
    uintptr_t link = end ? *robust_list & ~inherits : end;
    while (link != end) {
        pthread_mutex_t *mutex = (pthread_mutex_t *)(link - LINK);
        uintptr_t next = *(uintptr_t *)link;
        if (hd_rt.mode == HD_RT_FREE)
            hd_rt_free_record(HEDDLE_OP_RELEASE, (uintptr_t)mutex, hd_rt.code);
        else {
            hd_rt_point_with(HEDDLE_OP_RELEASE, 0, mutex, HEDDLE_WIRE_MUTEX, hd_rt.code,
                             HD_RT_FOREVER);
            *robust_list = next;
            mutex->__data.__lock = OWNER_DIED;
            hd_rt_hold_end(mutex);
            hd_rt_explore_unseen(); /* who takes it is told */
            if (hd_rt.exploring)
                hd_rt_explore->orphans = 1;
            hd_rt_record(HEDDLE_OP_RELEASE, (uintptr_t)mutex, hd_rt.code);
        }
        link = next & ~inherits;
    }
}

/* --- taking and giving back ----------------------------------------------------------------- */

uint32_t hd_rt_sync_holder(uint32_t sort, const void *object) {
    if (sort == HEDDLE_WIRE_SPIN)
        return *(const uint32_t *)object;
    if (sort == HEDDLE_WIRE_STREAM)
        return hd_rt_stream_holder(object);
    if (sort == HEDDLE_WIRE_ANNOTATED)
        return hd_rt_hold_holder(object);
    if (sort == HEDDLE_WIRE_RWLOCK)
        return (uint32_t)((const pthread_rwlock_t *)object)->__data.__cur_writer;
    const pthread_mutex_t *mutex = object;
    int owner = owner_of(mutex);
    for (uint32_t i = 0; owner && i < hd_rt.wire->threads; i++)
        if (tids[i] == owner)
            return i + 1;
    return 0;
}

static bool checks_owner(const pthread_mutex_t *mutex) {
    int type = type_of(mutex);
    return is_robust(mutex) || type == PTHREAD_MUTEX_RECURSIVE_NP ||
           type == PTHREAD_MUTEX_ERRORCHECK_NP;
}

static inline void use(const pthread_mutex_t *mutex, const char *verb, uintptr_t code) {
    if (hd_rt_misuse_bad_mutex(mutex))
        hd_rt_misuse_use(HD_RT_A_MUTEX, mutex, verb, code);
}

/* Errors of the real call leave no event; EOWNERDEAD is a hold all the same.  With a time limit
 * it is recorded as a try: such an acquire is never what a deadlock waits for. */
int hd_rt_mutex_take(pthread_mutex_t *mutex, uintptr_t code, int64_t deadline) {
    bool late = hd_rt_point_with(HEDDLE_OP_ACQUIRE, 0, mutex, HEDDLE_WIRE_MUTEX, code, deadline);
    if (late) {
        hd_rt_record(HEDDLE_OP_TRYFAIL, (uintptr_t)mutex, code);
        return ETIMEDOUT;
    }
    use(mutex, "lock", code);
    int error = hd_rt_real.pthread_mutex_lock(mutex);
    if (!error || error == EOWNERDEAD) {
        learn(mutex, code);
        hd_rt_record(deadline == HD_RT_FOREVER ? HEDDLE_OP_ACQUIRE : HEDDLE_OP_TRY_ACQUIRE,
                     (uintptr_t)mutex, code);
    }
    return error;
}

/* A mutex that is given back by a thread that does not hold it.  Who has taken one before the
 * program was under control is not known. */
static void check_owner(const pthread_mutex_t *mutex, enum heddle_wire_fault_kind fault,
                        const char *verb, uintptr_t code) {
    uint32_t holder = hd_rt_sync_holder(HEDDLE_WIRE_MUTEX, mutex);
    if (!mutex->__data.__lock)
        hd_rt_misuse(fault, verb, HD_RT_A_MUTEX, " that is not locked", mutex, code,
                     (hd_rt_party){0});
    else if (holder)
        hd_rt_misuse_held(fault, verb, HD_RT_A_MUTEX, mutex, code);
}

int hd_rt_mutex_give(pthread_mutex_t *mutex, enum heddle_wire_fault_kind fault, const char *verb,
                     uintptr_t code) {
    /* Unlocking a mutex that another thread holds, or that is free, is a mistake and not a release;
     * the real call reports it. */
    use(mutex, "unlock", code);
    bool ours = held_by(mutex, hd_rt.current);
    if (ours)
        hd_rt_hold_end(mutex);
    else if (!checks_owner(mutex))
        check_owner(mutex, fault, verb, code);
    int error = hd_rt_real.pthread_mutex_unlock(mutex);
    if (!error && ours)
        hd_rt_record(HEDDLE_OP_RELEASE, (uintptr_t)mutex, code);
    return error;
}

static int taken_freely(unsigned kind, pthread_mutex_t *mutex, int error, uintptr_t code) {
    if (!error || error == EOWNERDEAD)
        learn(mutex, code);
    return hd_rt_free_taken(kind, mutex, error, code);
}

/* A mutex that checks its owner is not given back by another thread. */
static bool is_refused(const pthread_mutex_t *mutex) {
    static __thread int own;
    if (!checks_owner(mutex))
        return false;
    if (hd_rt.mode != HD_RT_FREE)
        return !held_by(mutex, hd_rt.current);
    if (!own)
        own = (int)hd_rt_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    return owner_of(mutex) != own;
}

HD_RT_BODY int lock(pthread_mutex_t *mutex) {
    if (hd_rt.mode == HD_RT_FREE)
        return taken_freely(HEDDLE_OP_ACQUIRE, mutex, hd_rt_real.pthread_mutex_lock(mutex),
                            HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_lock(mutex);
    hd_rt_handler_calls("pthread_mutex_lock", HD_RT_CODE());
    return hd_rt_mutex_take(mutex, HD_RT_CODE(), HD_RT_FOREVER);
}

HD_RT_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex) {
    return lock(mutex);
}

HD_RT_EXPORT int mtx_lock(mtx_t *mutex) {
    return hd_rt_c11_status(lock((pthread_mutex_t *)mutex));
}

HD_RT_BODY int try_lock(pthread_mutex_t *mutex) {
    if (hd_rt.mode == HD_RT_FREE)
        return taken_freely(HEDDLE_OP_TRY_ACQUIRE, mutex, hd_rt_real.pthread_mutex_trylock(mutex),
                            HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_trylock(mutex);
    uintptr_t code = HD_RT_CODE();
    hd_rt_point_with(HEDDLE_OP_ACQUIRE, HEDDLE_WIRE_TRY, mutex, HEDDLE_WIRE_MUTEX, code,
                     HD_RT_FOREVER);
    use(mutex, "lock", code);
    int error = hd_rt_real.pthread_mutex_trylock(mutex);
    if (!error || error == EOWNERDEAD) {
        learn(mutex, code);
        hd_rt_record(HEDDLE_OP_TRY_ACQUIRE, (uintptr_t)mutex, code);
    } else if (error == EBUSY)
        hd_rt_record(HEDDLE_OP_TRYFAIL, (uintptr_t)mutex, code);
    return error;
}

HD_RT_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    return try_lock(mutex);
}

HD_RT_EXPORT int mtx_trylock(mtx_t *mutex) {
    return hd_rt_c11_status(try_lock((pthread_mutex_t *)mutex));
}

HD_RT_BODY int timed_lock(pthread_mutex_t *mutex, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return taken_freely(HEDDLE_OP_TRY_ACQUIRE, mutex,
                            hd_rt_real.pthread_mutex_timedlock(mutex, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_timedlock(mutex, until);
    return hd_rt_mutex_take(mutex, HD_RT_CODE(),
                            hd_rt_deadline(CLOCK_REALTIME, until, HD_RT_CODE()));
}

HD_RT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    return timed_lock(mutex, until);
}

HD_RT_EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
    return hd_rt_c11_status(timed_lock((pthread_mutex_t *)mutex, until));
}

HD_RT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                         const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return taken_freely(HEDDLE_OP_TRY_ACQUIRE, mutex,
                            hd_rt_real.pthread_mutex_clocklock(mutex, clock, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_clocklock(mutex, clock, until);
    return hd_rt_mutex_take(mutex, HD_RT_CODE(), hd_rt_deadline(clock, until, HD_RT_CODE()));
}

HD_RT_BODY int unlock(pthread_mutex_t *mutex) {
    bool refused = hd_rt.mode != HD_RT_OFF && is_refused(mutex);
    bool real = hd_rt.mode == HD_RT_OFF || refused;
    if (refused && !hd_rt_misuse_bad_mutex(mutex))
        hd_rt_misuse_note(HEDDLE_WIRE_NOTED_REFUSED, mutex, HD_RT_CODE(),
                          hd_rt_controlled() ? hd_rt.current->id : 0);
    if (hd_rt.mode == HD_RT_FREE && !real)
        hd_rt_free_record(HEDDLE_OP_RELEASE, (uintptr_t)mutex, HD_RT_CODE());
    if (real || !hd_rt_controlled())
        return hd_rt_real.pthread_mutex_unlock(mutex);
    hd_rt_point_with(HEDDLE_OP_RELEASE, 0, mutex, HEDDLE_WIRE_MUTEX, HD_RT_CODE(), HD_RT_FOREVER);
    return hd_rt_mutex_give(mutex, HEDDLE_WIRE_UNLOCK, "unlock of", HD_RT_CODE());
}

HD_RT_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    return unlock(mutex);
}

HD_RT_EXPORT int mtx_unlock(mtx_t *mutex) {
    return hd_rt_c11_status(unlock((pthread_mutex_t *)mutex));
}
