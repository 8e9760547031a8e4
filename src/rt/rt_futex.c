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
#include "rt_identity.h"
#include "rt_real.h"
#include "rt_spin.h"
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

/* Which waiters an operation is about: those at the word that wait as it says. */
typedef struct futex_key {
    const uint32_t *word;
    uint32_t mask; /* of a waiter and of a wake: they meet if one bit is in both */
    bool shared;   /* without FUTEX_PRIVATE_FLAG, which is another queue */
} futex_key;

static futex_key key_of(const long *a) {
    int operation = (int)a[1] & FUTEX_CMD_MASK;
    bool masked = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
    return (futex_key){.word = (const uint32_t *)a[0],
                       .mask = masked ? (uint32_t)a[5] : FUTEX_BITSET_MATCH_ANY,
                       .shared = !(a[1] & FUTEX_PRIVATE_FLAG)};
}

static long futex_wait(futex_key key, int operation, uint32_t expected, const struct timespec *time,
                       uintptr_t code) {
    const uint32_t *word = key.word;
    int64_t deadline = futex_deadline(operation, time, code);
    if (hd_rt.exploring)
        hd_rt_spin_gives(code, expected);
    /* Who waits first is woken first: to an explorer it is as if it wrote. */
    hd_rt_point(hd_rt.exploring ? HEDDLE_OP_ATOMIC_RMW : HEDDLE_OP_ATOMIC_READ, word, 4, code);
    uint32_t seen = *(const volatile uint32_t *)word;
    hd_rt_record_atomic(HEDDLE_OP_ATOMIC_READ, 2, word, code, seen);
    if (seen != expected)
        return -EAGAIN;
    if (hd_rt.exploring) {
        hd_rt_explore->relies |= HEDDLE_WIRE_RELIES_FUTEXES;
        hd_rt_atomic_wait_futex(deadline != HD_RT_FOREVER);
    }
    hd_rt_thread *self = hd_rt.current;
    self->signalled = false;
    self->mask = key.mask;
    self->shared = key.shared;
    self->arrival = ++hd_rt.arrivals;
    self->with = word;
    bool late = hd_rt_point_with(HEDDLE_WIRE_FUTEX, 0, word, 0, code, deadline);
    self->with = NULL;
    return late && !self->signalled ? -ETIMEDOUT : 0;
}

static bool waits_at(const hd_rt_thread *thread, futex_key key) {
    return thread->wire->pending.kind == HEDDLE_WIRE_FUTEX && !thread->signalled &&
           thread->with == key.word && thread->shared == key.shared && thread->mask & key.mask;
}

/* The one that has waited longest. */
static hd_rt_thread *oldest_at(futex_key key) {
    hd_rt_thread *oldest = NULL;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        hd_rt_thread *thread = hd_rt.live[i];
        if (waits_at(thread, key) && (!oldest || thread->arrival < oldest->arrival))
            oldest = thread;
    }
    return oldest;
}

/* Wakes those that have waited longest, at most `most`. */
static long futex_wake(futex_key key, uint32_t most) {
    long woken = 0;
    for (hd_rt_thread *oldest; woken < (long)most && (oldest = oldest_at(key)); woken++)
        oldest->signalled = true;
    return woken;
}

/* Those that are not woken wait at another word from now on. */
static long futex_requeue(futex_key key, uint32_t wake, uint32_t move, const uint32_t *other) {
    long count = futex_wake(key, wake);
    if (other == key.word)
        return count;
    for (hd_rt_thread *oldest; move && (oldest = oldest_at(key)); move--, count++) {
        oldest->with = other;
        oldest->arrival = ++hd_rt.arrivals;
    }
    return count;
}

/* It concerns two words, so for an explorer all that others do. */
static void requeue_point(const uint32_t *word, uintptr_t code) {
    if (!hd_rt.exploring) {
        hd_rt_point(HEDDLE_WIRE_FENCE, word, 4, code);
        return;
    }
    hd_rt_explore->exits |= HEDDLE_WIRE_EXITS | HEDDLE_WIRE_MOVES_WAITERS;
    hd_rt_point(HEDDLE_WIRE_ATOMIC, NULL, 0, code);
}

/* Negative: the error; *known false: not one of ours. */
static long futex(const long *a, uintptr_t code, bool *known) {
    futex_key key = key_of(a);
    int operation = (int)a[1], count = (int)a[2], move = (int)a[3];
    if (!key.mask)
        return -EINVAL;
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return futex_wait(key, operation, (uint32_t)a[2], (const struct timespec *)a[3], code);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: /* the system counts after it has woken one */
        hd_rt_point(HEDDLE_WIRE_FENCE, key.word, 4, code);
        return futex_wake(key, count < 1 ? 1 : (uint32_t)count);
    case FUTEX_CMP_REQUEUE:
    case FUTEX_REQUEUE:
        if (count < 0 || move < 0)
            return -EINVAL;
        requeue_point(key.word, code);
        if ((operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE &&
            *(const volatile uint32_t *)key.word != (uint32_t)a[5])
            return -EAGAIN;
        return futex_requeue(key, (uint32_t)count, (uint32_t)move, (const uint32_t *)a[4]);
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
    if (!known && hd_rt_controlled() && hd_rt_syscall_number(number, &result))
        return result;
    if (HD_RT_UNLIKELY(hd_rt_identity_asked) && number != SYS_futex && number != SYS_tgkill)
        hd_rt_identity_translate((uintptr_t *)a, 1, 0);
    if (!known && hd_rt.exploring && hd_rt_controlled()) {
        hd_rt_spin_lose(hd_rt.current);
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
