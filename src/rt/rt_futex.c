/*
 * syscall(SYS_futex, ...): where C++'s atomic waits, futures and guards block, and
 * locks that people write themselves.  A waiter is a thread whose pending operation
 * says so; the word itself was read by the program, and is compared here.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "rt_explore.h"
#include "rt_real.h"
#include "rt_sync.h"
#include "rt_watch.h"

static int64_t futex_deadline(int operation, const struct timespec *time, uintptr_t code) {
    if (!time)
        return HD_RT_FOREVER;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return hd_rt_deadline_in(time, code);
    return hd_rt_deadline((operation & FUTEX_CLOCK_REALTIME) ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                          time, code);
}

static long futex_wait(uint32_t *word, int operation, uint32_t expected,
                       const struct timespec *time, uintptr_t code) {
    enum { READ = HEDDLE_ATOMIC_READ + 1, RMW = HEDDLE_ATOMIC_RMW + 1 };
    int64_t deadline = futex_deadline(operation, time, code);
    /* Who waits first is woken first: to an explorer it is as if it wrote. */
    hd_rt_point(hd_rt.exploring ? RMW : READ, word, 4, code);
    uint32_t seen = *(volatile uint32_t *)word;
    hd_rt_record_atomic(READ, 2, word, code, seen);
    if (seen != expected)
        return -EAGAIN;
    hd_rt_thread *self = hd_rt.current;
    self->signalled = false;
    self->arrival = ++hd_rt.arrivals;
    bool late = hd_rt_point_with(HEDDLE_WIRE_FUTEX, 0, word, 0, code, deadline);
    return late && !self->signalled ? -ETIMEDOUT : 0;
}

static bool waits_at(const hd_rt_thread *thread, const uint32_t *word) {
    return thread->wire->pending.kind == HEDDLE_WIRE_FUTEX && !thread->signalled &&
           thread->wire->pending.address == (uintptr_t)word;
}

/* Wakes those that have waited longest, at most `most`. */
static long futex_wake(const uint32_t *word, uint32_t most) {
    long woken = 0;
    while (woken < (long)most) {
        hd_rt_thread *oldest = NULL;
        for (uint32_t i = 0; i < hd_rt.live_count; i++) {
            hd_rt_thread *thread = hd_rt.live[i];
            if (waits_at(thread, word) && (!oldest || thread->arrival < oldest->arrival))
                oldest = thread;
        }
        if (!oldest)
            break;
        oldest->signalled = true;
        woken++;
    }
    return woken;
}

/* Those that are not woken wait at another word from now on. */
static long futex_requeue(const uint32_t *word, uint32_t wake, uint32_t move, uint32_t *other) {
    long count = futex_wake(word, wake);
    for (uint32_t i = 0, moved = 0; i < hd_rt.live_count && moved < move; i++) {
        if (!waits_at(hd_rt.live[i], word))
            continue;
        hd_rt.live[i]->wire->pending.address = (uintptr_t)other;
        moved++;
        count++;
    }
    return count;
}

/* Negative: the error; *known false: not one of ours. */
static long futex(const long *a, uintptr_t code, bool *known) {
    uint32_t *word = (uint32_t *)a[0];
    int operation = (int)a[1];
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return futex_wait(word, operation, (uint32_t)a[2], (const struct timespec *)a[3], code);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        hd_rt_point(HEDDLE_WIRE_FENCE, word, 4, code);
        return futex_wake(word, (uint32_t)a[2]);
    case FUTEX_CMP_REQUEUE:
        if (*(volatile uint32_t *)word != (uint32_t)a[5])
            return -EAGAIN;
        __attribute__((fallthrough));
    case FUTEX_REQUEUE:
        return futex_requeue(word, (uint32_t)a[2], (uint32_t)a[3], (uint32_t *)a[4]);
    default:
        *known = false;
        return 0;
    }
}

HD_RT_EXPORT long syscall(long number, ...) {
    long a[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    long result;
    bool known = number == SYS_futex && hd_rt_controlled();
    if (known) {
        result = futex(a, HD_RT_CODE(), &known);
    }
    if (!known && hd_rt.exploring && hd_rt_controlled()) {
        hd_rt_spin_forget(hd_rt.current);
        if (hd_rt_syscall_does(number, a, &result))
            return result;
    }
    if (!known && hd_rt.exploring) {
        uintptr_t words[6];
        for (int i = 0; i < 6; i++)
            words[i] = (uintptr_t)a[i];
        result =
            hd_rt_in_memory ? hd_rt_filter_call(number, words) : hd_rt_watch_call(number, words);
    } else if (!known)
        result = hd_rt_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}
