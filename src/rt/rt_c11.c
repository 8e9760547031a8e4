/*
 * C11 threads.  The C library implements them inside itself over its POSIX
 * threads, with the same objects; here they go through the functions that we show.
 */
#include <errno.h>
#include <semaphore.h>
#include <threads.h>

#include "rt.h"
#include "rt_aside.h"
#include "rt_real.h"

static int status_of(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
    case EAGAIN:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

/* The start function returns an int where a pointer is expected. */
HD_RT_EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    void *(*function)(void *);
    _Static_assert(sizeof function == sizeof start, "both are pointers");
    __builtin_memcpy(&function, &start, sizeof function);
    return status_of(pthread_create((pthread_t *)thread, NULL, function, argument));
}

static void deliver_result(int *to, int result, uintptr_t code) {
    if (hd_rt_controlled())
        hd_rt_deliver(to, &result, sizeof *to, code);
    else
        *to = result;
}

HD_RT_EXPORT int thrd_join(thrd_t thread, int *result) {
    void *pointer = NULL;
    int error = pthread_join((pthread_t)thread, &pointer);
    if (!error && result)
        deliver_result(result, (int)(intptr_t)pointer, HD_RT_CODE());
    return status_of(error);
}

HD_RT_EXPORT int thrd_detach(thrd_t thread) {
    return status_of(pthread_detach((pthread_t)thread));
}

HD_RT_EXPORT _Noreturn void thrd_exit(int result) {
    pthread_exit((void *)(intptr_t)result);
}

HD_RT_EXPORT void thrd_yield(void) {
    sched_yield();
}

HD_RT_EXPORT int thrd_sleep(const struct timespec *span, struct timespec *rest) {
    int result = nanosleep(span, rest);
    return result == 0 ? 0 : errno == EINTR ? -1 : -2;
}

HD_RT_EXPORT int mtx_lock(mtx_t *mutex) {
    return status_of(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

HD_RT_EXPORT int mtx_trylock(mtx_t *mutex) {
    return status_of(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

HD_RT_EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
    return status_of(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

HD_RT_EXPORT int mtx_unlock(mtx_t *mutex) {
    return status_of(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

HD_RT_EXPORT int cnd_signal(cnd_t *condition) {
    return status_of(pthread_cond_signal((pthread_cond_t *)condition));
}

HD_RT_EXPORT int cnd_broadcast(cnd_t *condition) {
    return status_of(pthread_cond_broadcast((pthread_cond_t *)condition));
}

HD_RT_EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return status_of(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

HD_RT_EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                               const struct timespec *restrict until) {
    return status_of(
        pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until));
}

HD_RT_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor) {
    return status_of(pthread_key_create((pthread_key_t *)key, destructor));
}

HD_RT_EXPORT void tss_delete(tss_t key) {
    pthread_key_delete((pthread_key_t)key);
}

HD_RT_EXPORT int tss_set(tss_t key, void *value) {
    return status_of(pthread_setspecific((pthread_key_t)key, value));
}

HD_RT_EXPORT void call_once(once_flag *flag, void (*function)(void)) {
    pthread_once((pthread_once_t *)flag, function);
}
