/*
 * Making and destroying synchronisation objects.  The C library does it; here it is a write to the
 * object, as far as others use it, and what is undefined is seen (rt_misuse.h).  An object that was
 * destroyed is left marked.
 */
#include <errno.h>
#include <threads.h>

#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_freed.h"
#include "rt_misuse.h"
#include "rt_real.h"

/* Before the real call. */
static void make(enum hd_rt_sort sort, const void *object, size_t size, uintptr_t code) {
    hd_rt_object_change(object, size, false, code);
    hd_rt_freed_check(HEDDLE_WRITE + 1, object, size, code); /* all of it lies in one block */
    hd_rt_misuse_init(sort, object, code);
}

/* False: it is not to be destroyed, for it is in use. */
static bool unmake(enum hd_rt_sort sort, const void *object, size_t size, uintptr_t code) {
    hd_rt_object_change(object, size, true, code);
    return hd_rt_misuse_destroy(sort, object, code);
}

HD_RT_EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_init(mutex, attributes);
    hd_rt_fetch(attributes, sizeof *attributes, HD_RT_CODE());
    make(HD_RT_A_MUTEX, mutex, sizeof *mutex, HD_RT_CODE());
    int error = hd_rt_real.pthread_mutex_init(mutex, attributes);
    if (!error)
        hd_rt_misuse_made(HD_RT_A_MUTEX, mutex);
    return error;
}

static int destroy_mutex(pthread_mutex_t *mutex, uintptr_t code) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_mutex_destroy(mutex);
    if (!unmake(HD_RT_A_MUTEX, mutex, sizeof *mutex, code))
        return EBUSY;
    int error = hd_rt_real.pthread_mutex_destroy(mutex);
    if (!error)
        hd_rt_misuse_gone(HD_RT_A_MUTEX, mutex, code);
    return error;
}

HD_RT_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    return destroy_mutex(mutex, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_rwlock_init(pthread_rwlock_t *lock,
                                     const pthread_rwlockattr_t *attributes) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_init(lock, attributes);
    hd_rt_fetch(attributes, sizeof *attributes, HD_RT_CODE());
    make(HD_RT_A_RWLOCK, lock, sizeof *lock, HD_RT_CODE());
    int error = hd_rt_real.pthread_rwlock_init(lock, attributes);
    if (!error)
        hd_rt_misuse_made(HD_RT_A_RWLOCK, lock);
    return error;
}

HD_RT_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_rwlock_destroy(lock);
    if (!unmake(HD_RT_A_RWLOCK, lock, sizeof *lock, HD_RT_CODE()))
        return EBUSY;
    hd_rt_misuse_gone(HD_RT_A_RWLOCK, lock, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int pthread_cond_init(pthread_cond_t *condition,
                                   const pthread_condattr_t *attributes) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cond_init(condition, attributes);
    hd_rt_fetch(attributes, sizeof *attributes, HD_RT_CODE());
    make(HD_RT_A_CONDITION, condition, sizeof *condition, HD_RT_CODE());
    int error = hd_rt_real.pthread_cond_init(condition, attributes);
    if (!error)
        hd_rt_misuse_made(HD_RT_A_CONDITION, condition);
    return error;
}

/* The real call would wait for those that wait, of which it knows nothing. */
static int destroy_condition(pthread_cond_t *condition, uintptr_t code) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cond_destroy(condition);
    if (unmake(HD_RT_A_CONDITION, condition, sizeof *condition, code))
        hd_rt_misuse_gone(HD_RT_A_CONDITION, condition, code);
    return 0;
}

HD_RT_EXPORT int pthread_cond_destroy(pthread_cond_t *condition) {
    return destroy_condition(condition, HD_RT_CODE());
}

/* The real call waits until all have left that were let go: they do not use it after that. */
HD_RT_EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_barrier_destroy(barrier);
    if (!unmake(HD_RT_A_BARRIER, barrier, sizeof *barrier, HD_RT_CODE()))
        return EBUSY;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const heddle_wire_operation *pending = &hd_rt.live[i]->wire->pending;
        if (pending->kind == HEDDLE_BARRIER_OUT + 1 && pending->address == (uintptr_t)barrier)
            hd_rt.live[i]->leaves = true;
    }
    hd_rt_misuse_gone(HD_RT_A_BARRIER, barrier, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_init(lock, shared);
    void *object = (void *)(uintptr_t)lock;
    make(HD_RT_A_SPIN, object, sizeof *lock, HD_RT_CODE());
    *(uint32_t *)object = 0;
    hd_rt_misuse_made(HD_RT_A_SPIN, object);
    return 0;
}

HD_RT_EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_spin_destroy(lock);
    void *object = (void *)(uintptr_t)lock;
    if (!unmake(HD_RT_A_SPIN, object, sizeof *lock, HD_RT_CODE()))
        return EBUSY;
    hd_rt_misuse_gone(HD_RT_A_SPIN, object, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int sem_init(sem_t *semaphore, int shared, unsigned value) {
    if (hd_rt_controlled())
        make(HD_RT_A_SEMAPHORE, semaphore, sizeof *semaphore, HD_RT_CODE());
    int error = hd_rt_real.sem_init(semaphore, shared, value);
    if (!error)
        hd_rt_misuse_made(HD_RT_A_SEMAPHORE, semaphore);
    if (!error && hd_rt_controlled()) {
        *(uint32_t *)semaphore = value;
        hd_rt_explore_unseen();
    }
    return error;
}

HD_RT_EXPORT int sem_destroy(sem_t *semaphore) {
    if (!hd_rt_controlled())
        return hd_rt_real.sem_destroy(semaphore);
    if (unmake(HD_RT_A_SEMAPHORE, semaphore, sizeof *semaphore, HD_RT_CODE()))
        hd_rt_misuse_gone(HD_RT_A_SEMAPHORE, semaphore, HD_RT_CODE());
    return 0;
}

/* --- C11 ------------------------------------------------------------------------------------ */

HD_RT_EXPORT int mtx_init(mtx_t *mutex, int type) {
    int (*real)(mtx_t *, int) = NULL;
    *(void **)&real = hd_rt_real_symbol("mtx_init");
    if (!hd_rt_controlled())
        return real(mutex, type);
    make(HD_RT_A_MUTEX, mutex, sizeof *mutex, HD_RT_CODE());
    int status = real(mutex, type);
    if (status == thrd_success)
        hd_rt_misuse_made(HD_RT_A_MUTEX, mutex);
    return status;
}

HD_RT_EXPORT void mtx_destroy(mtx_t *mutex) {
    destroy_mutex((pthread_mutex_t *)mutex, HD_RT_CODE());
}

HD_RT_EXPORT int cnd_init(cnd_t *condition) {
    int (*real)(cnd_t *) = NULL;
    *(void **)&real = hd_rt_real_symbol("cnd_init");
    if (!hd_rt_controlled())
        return real(condition);
    make(HD_RT_A_CONDITION, condition, sizeof *condition, HD_RT_CODE());
    int status = real(condition);
    if (status == thrd_success)
        hd_rt_misuse_made(HD_RT_A_CONDITION, condition);
    return status;
}

HD_RT_EXPORT void cnd_destroy(cnd_t *condition) {
    destroy_condition((pthread_cond_t *)condition, HD_RT_CODE());
}
