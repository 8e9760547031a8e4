#include "rt_external_wait.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

#include "rt_aside.h"
#include "rt_cancel.h"
#include "rt_descriptor.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_real.h"
#include "rt_signal.h"
#include "rt_string.h"
#include "rt_sync.h"
#include "rt_world.h"

#define MILLISECOND INT64_C(1000000)
#define LONGEST (20 * MILLISECOND)
#define PATIENCE (10000 * MILLISECOND)
#define GLANCE (5 * MILLISECOND) /* how often signals that are blocked are looked for */

enum { SIGNAL_SET = 8, FILES = 4096 };

static int ask_for(struct pollfd *files, nfds_t count, int64_t span) {
    struct timespec time = {span / 1000000000, span % 1000000000};
    hd_rt_reset_touch((uintptr_t)files, count * sizeof *files);
    return (int)hd_rt_syscall(SYS_ppoll, (long)files, (long)count, (long)&time, 0, SIGNAL_SET, 0);
}

int hd_rt_outside_ask(struct pollfd *files, nfds_t count) {
    int ready = ask_for(files, count, 0);
    if (ready >= 0)
        return ready;
    errno = -ready;
    return -1;
}

static bool is_pending(const sigset_t *wanted) {
    sigset_t pending; /* not by the C library: that would be a call of the program's */
    sigemptyset(&pending);
    hd_rt_syscall(SYS_rt_sigpending, (long)&pending, SIGNAL_SET, 0, 0, 0, 0);
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(wanted, signal) == 1 && sigismember(&pending, signal) == 1)
            return true;
    return false;
}

bool hd_rt_outside_has(const hd_rt_thread *thread) {
    const hd_rt_outside *what = thread->outside;
    if (what->signals && (hd_rt_signal_waits(thread, what->signals) || is_pending(what->signals)))
        return true;
    return what->count &&
           (hd_rt_outside_ask(what->files, what->count) != 0 || hd_rt_timer_among(thread, what));
}

bool hd_rt_outside_ready(const hd_rt_thread *thread) {
    bool handled = thread->interrupted && !hd_rt.exploring; /* a handler ran since it began */
    return hd_rt_world_plays() || !thread->outside || handled || hd_rt_signal_due(thread) ||
           hd_rt_outside_has(thread);
}

/* Explored: a handler runs before the call, at the look, or in it.  In the call it can only run if
 * the signal came before what the call waits for, and then both ends are possible. */
static enum hd_rt_outside_end wait_explored(const hd_rt_outside *what, const volatile void *object,
                                            int64_t deadline, uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    if (!self->masked && hd_rt_signal_looks(self))
        hd_rt_signal_look(code);
    self->interrupted = self->restarts = self->woken = false;
    bool late = deadline <= hd_rt.now;
    self->outside = what;
    late |= hd_rt_point_outside(
        (hd_rt_signal_looks(self) ? HEDDLE_WIRE_EITHER : 0) | (late ? HEDDLE_WIRE_TRY : 0), object,
        what->signals || self->masked, code, late ? HD_RT_FOREVER : deadline);
    bool due = hd_rt_signal_due(self);
    if (!late && !due && what->count && hd_rt_timer_among(self, what) &&
        hd_rt_outside_ask(what->files, what->count) == 0)
        hd_rt_timer_expire(self, what);
    bool well = due && hd_rt_outside_has(self) && (!self->woken || hd_rt_explore_choice() == 1);
    self->outside = NULL;
    hd_rt_check_cancel();
    hd_rt_signal_deliver();
    if (self->interrupted && !well)
        return self->restarts ? HD_RT_RESTARTED : HD_RT_INTERRUPTED;
    return late ? HD_RT_LATE : HD_RT_READY;
}

enum hd_rt_outside_end hd_rt_outside_wait(const hd_rt_outside *what, const volatile void *object,
                                          int64_t deadline, uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    bool late = false;
    if (hd_rt.exploring)
        return wait_explored(what, object, deadline, code);
    self->interrupted = self->restarts = false;
    hd_rt_signal_deliver();
    if (!self->interrupted) {
        self->outside = what;
        late = hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, 0, object, 0, code, deadline);
        self->outside = NULL;
        hd_rt_check_cancel();
        hd_rt_signal_deliver();
    }
    enum hd_rt_outside_end end = self->interrupted && self->restarts ? HD_RT_RESTARTED
                                 : self->interrupted                 ? HD_RT_INTERRUPTED
                                 : late                              ? HD_RT_LATE
                                                                     : HD_RT_READY;
    return (enum hd_rt_outside_end)hd_rt_world_say(HD_RT_SAID_END, end);
}

/* --- no thread can go on -------------------------------------------------------------------- */

static struct pollfd files[FILES];

/* Everything that threads wait for; what does not fit is looked at every GLANCE. */
static nfds_t gather(bool *anybody, bool *glance) {
    nfds_t count = 0;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const hd_rt_outside *what = hd_rt.live[i]->outside;
        if (!what)
            continue;
        *anybody = true;
        *glance |= what->signals != NULL;
        for (nfds_t j = 0; j < what->count; j++)
            if (count < FILES)
                files[count++] = what->files[j];
            else
                *glance = true;
    }
    return count;
}

static bool anybody_ready(void) {
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        if (hd_rt.live[i]->outside && hd_rt_outside_ready(hd_rt.live[i]))
            return true;
    return false;
}

bool hd_rt_outside_await(int64_t span) {
    bool anybody = false, glance = false;
    nfds_t count = gather(&anybody, &glance);
    int64_t left = span < LONGEST ? span : LONGEST;
    if (!anybody)
        return false;
    while (!anybody_ready()) {
        if (span != HD_RT_FOREVER && left <= 0)
            return false;
        int64_t slice = span == HD_RT_FOREVER ? 1000 * MILLISECOND : left;
        if (glance && slice > GLANCE)
            slice = GLANCE;
        ask_for(files, count, slice);
        left -= slice;
        if (span != HD_RT_FOREVER)
            hd_rt.now += slice;
    }
    return true;
}

bool hd_rt_outside_await_one(const hd_rt_thread *thread) {
    bool timed = thread->wire->pending.flags & HEDDLE_WIRE_TIMED;
    const hd_rt_outside *what = thread->outside;
    for (int64_t left = timed ? LONGEST : PATIENCE; !hd_rt_outside_ready(thread); left -= GLANCE) {
        if (left <= 0)
            return timed;
        ask_for(what->files, what->count, GLANCE);
    }
    return true;
}

/* --- poll, select, epoll -------------------------------------------------------------------- */

/* Waits for files, as calls of that sort do; false: errno says why not. */
static bool wait_for(struct pollfd *wanted, nfds_t count, int64_t deadline, uintptr_t code,
                     bool *late) {
    const hd_rt_outside what = {.files = wanted, .count = count};
    const volatile void *object = hd_rt_file_any();
    if (deadline <= hd_rt.now) {
        hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, HEDDLE_WIRE_TRY, object, 0, code, HD_RT_FOREVER);
        hd_rt_check_cancel();
        *late = true;
        return true;
    }
    enum hd_rt_outside_end end = hd_rt_outside_wait(&what, object, deadline, code);
    *late = end == HD_RT_LATE;
    if (end == HD_RT_READY || end == HD_RT_LATE)
        return true;
    errno = EINTR;
    return false;
}

static int64_t in_milliseconds(int timeout) {
    return timeout < 0 ? HD_RT_FOREVER : hd_rt.now + timeout * MILLISECOND;
}

static int wait_poll(struct pollfd *wanted, nfds_t count, int64_t deadline, uintptr_t code) {
    hd_rt_aside aside;
    bool late = false, waited = true;
    int ready = 0;
    struct pollfd *at = hd_rt_aside_begin(&aside, wanted, count * sizeof *wanted);
    hd_rt_descriptor_use_all(at, count, code);
    while (!ready && !late && waited) {
        waited = wait_for(at, count, deadline, code, &late);
        ready = waited ? hd_rt_world_poll(at, count) : -1;
    }
    int error = errno;
    hd_rt_aside_end(&aside, ready >= 0 ? count * sizeof *wanted : 0, code);
    errno = error;
    return ready;
}

HD_RT_EXPORT int poll(struct pollfd *wanted, nfds_t count, int timeout) {
    if (!hd_rt_controlled())
        return hd_rt_real.poll(wanted, count, timeout);
    return wait_poll(wanted, count, in_milliseconds(timeout), HD_RT_CODE());
}

HD_RT_EXPORT int __poll_chk(struct pollfd *wanted, nfds_t count, int timeout, size_t room) {
    (void)room;
    if (!hd_rt_controlled())
        return hd_rt_real.poll(wanted, count, timeout);
    return wait_poll(wanted, count, in_milliseconds(timeout), HD_RT_CODE());
}

/* A mask of signals for the time of a call. */
static uint64_t put_mask(const sigset_t *mask, uintptr_t code) {
    hd_rt_fetch(mask, sizeof mask->__val[0], code);
    if (!mask)
        return 0;
    if (hd_rt_signal_looks(hd_rt.current))
        hd_rt_signal_look(code); /* by the old one */
    hd_rt.current->masked = true;
    return hd_rt_signal_swap(mask->__val[0]);
}

static int restore(const sigset_t *mask, uint64_t old, int result) {
    int error = errno;
    hd_rt.current->masked = false;
    if (mask)
        hd_rt_signal_swap(old);
    hd_rt_signal_deliver();
    errno = error;
    return result;
}

HD_RT_EXPORT int ppoll(struct pollfd *wanted, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask) {
    if (!hd_rt_controlled())
        return hd_rt_real.ppoll(wanted, count, timeout, mask);
    uint64_t old = put_mask(mask, HD_RT_CODE());
    int64_t deadline = timeout ? hd_rt_deadline_in(timeout, HD_RT_CODE()) : HD_RT_FOREVER;
    return restore(mask, old, wait_poll(wanted, count, deadline, HD_RT_CODE()));
}

static nfds_t from_sets(struct pollfd *to, int count, fd_set *const *sets) {
    static const short events[] = {POLLIN, POLLOUT, POLLPRI};
    nfds_t length = 0;
    for (int file = 0; file < count && file < FD_SETSIZE; file++) {
        short wanted = 0;
        for (int i = 0; i < 3; i++)
            if (sets[i] && FD_ISSET(file, sets[i]))
                wanted |= events[i];
        if (wanted)
            to[length++] = (struct pollfd){.fd = file, .events = wanted};
    }
    return length;
}

static int wait_select(int count, fd_set *const *sets, int64_t deadline, uintptr_t code) {
    struct pollfd wanted[FD_SETSIZE];
    fd_set answers[3];
    bool late = false;
    for (int i = 0; i < 3; i++)
        hd_rt_fetch(sets[i], sizeof *sets[i], code);
    nfds_t length = from_sets(wanted, count, sets);
    hd_rt_descriptor_use_all(wanted, length, code);
    for (;;) {
        if (!wait_for(wanted, length, deadline, code, &late))
            return -1;
        for (int i = 0; i < 3; i++)
            if (sets[i])
                hd_rt_copy(&answers[i], sets[i], sizeof answers[i]);
        struct timeval none = {0, 0};
        int ready =
            hd_rt_real.select(count, sets[0] ? &answers[0] : NULL, sets[1] ? &answers[1] : NULL,
                              sets[2] ? &answers[2] : NULL, &none);
        if (ready >= 0 && (ready || late))
            for (int i = 0; i < 3; i++)
                hd_rt_deliver(sets[i], &answers[i], sizeof answers[i], code);
        if (ready || late)
            return ready;
    }
}

HD_RT_EXPORT int select(int count, fd_set *restrict reading, fd_set *restrict writing,
                        fd_set *restrict failing, struct timeval *restrict timeout) {
    if (!hd_rt_controlled())
        return hd_rt_real.select(count, reading, writing, failing, timeout);
    fd_set *sets[] = {reading, writing, failing};
    int64_t deadline = HD_RT_FOREVER;
    hd_rt_fetch(timeout, sizeof *timeout, HD_RT_CODE());
    if (timeout)
        deadline =
            hd_rt_deadline_in(&(struct timespec){timeout->tv_sec, timeout->tv_usec * 1000}, 0);
    return wait_select(count, sets, deadline, HD_RT_CODE());
}

HD_RT_EXPORT int pselect(int count, fd_set *restrict reading, fd_set *restrict writing,
                         fd_set *restrict failing, const struct timespec *restrict timeout,
                         const sigset_t *restrict mask) {
    if (!hd_rt_controlled())
        return hd_rt_real.pselect(count, reading, writing, failing, timeout, mask);
    fd_set *sets[] = {reading, writing, failing};
    uint64_t old = put_mask(mask, HD_RT_CODE());
    int64_t deadline = timeout ? hd_rt_deadline_in(timeout, HD_RT_CODE()) : HD_RT_FOREVER;
    return restore(mask, old, wait_select(count, sets, deadline, HD_RT_CODE()));
}

/* What comes out of an epoll descriptor was put there by whoever asked for it. */
static int wait_epoll(int file, struct epoll_event *events, int most, int64_t deadline,
                      uintptr_t code) {
    struct pollfd wanted = {.fd = file, .events = POLLIN};
    bool late = false;
    hd_rt_descriptor_use(file, code);
    for (;;) {
        if (!wait_for(&wanted, 1, deadline, code, &late))
            return -1;
        hd_rt_aside aside;
        size_t size = most > 0 ? (size_t)most * sizeof *events : 0;
        int ready = hd_rt_real.epoll_wait(file, hd_rt_aside_begin(&aside, events, size), most, 0);
        if (ready > 0)
            hd_rt_file_changed(file, code);
        hd_rt_aside_end(&aside, ready > 0 ? (size_t)ready * sizeof *events : 0, code);
        if (ready || late)
            return ready;
    }
}

HD_RT_EXPORT int epoll_pwait(int file, struct epoll_event *events, int most, int timeout,
                             const sigset_t *mask) {
    if (!hd_rt_controlled()) {
        int ready = hd_rt_real.epoll_pwait(file, events, most, timeout, mask);
        if (ready > 0)
            hd_rt_file_changed(file, HD_RT_CODE());
        return ready;
    }
    uint64_t old = put_mask(mask, HD_RT_CODE());
    return restore(mask, old,
                   wait_epoll(file, events, most, in_milliseconds(timeout), HD_RT_CODE()));
}

HD_RT_EXPORT int epoll_wait(int file, struct epoll_event *events, int most, int timeout) {
    if (hd_rt_controlled())
        return wait_epoll(file, events, most, in_milliseconds(timeout), HD_RT_CODE());
    int ready = hd_rt_real.epoll_wait(file, events, most, timeout);
    if (ready > 0)
        hd_rt_file_changed(file, HD_RT_CODE());
    return ready;
}

HD_RT_EXPORT int epoll_ctl(int file, int operation, int of, struct epoll_event *event) {
    hd_rt_fetch(event, sizeof *event, HD_RT_CODE());
    hd_rt_descriptor_use(file, HD_RT_CODE());
    hd_rt_descriptor_use(of, HD_RT_CODE());
    hd_rt_file_changed(file, HD_RT_CODE());
    return hd_rt_real.epoll_ctl(file, operation, of, event);
}

/* --- signals -------------------------------------------------------------------------------- */

typedef struct came {
    int number; /* -1: errno says why there is none */
    siginfo_t info;
} came;

static came await_signal(const sigset_t *set, int64_t deadline, uintptr_t code) {
    const hd_rt_outside what = {.signals = set};
    bool late = false;
    hd_rt_fetch(set, sizeof set->__val[0], code);
    /* Explored: whether one is pending is found out at a step. */
    for (bool first = hd_rt.exploring;; first = false) {
        came it = {.number = first ? 0 : hd_rt_signal_take(set, &it.info)};
        if (!it.number && !first)
            it.number = hd_rt_real.sigtimedwait(set, &it.info, &(struct timespec){0, 0});
        if (!first && it.number > 0)
            hd_rt_cancel_calls(); /* the signal is no longer pending */
        if (!first && (it.number >= 0 || errno != EAGAIN || late || hd_rt.now >= deadline))
            return it;
        enum hd_rt_outside_end end = hd_rt_outside_wait(&what, hd_rt_file_any(), deadline, code);
        late = end == HD_RT_LATE;
        if (end == HD_RT_INTERRUPTED || end == HD_RT_RESTARTED) {
            errno = EINTR;
            return (came){.number = -1};
        }
    }
}

static int deliver_info(siginfo_t *info, came it, uintptr_t code) {
    if (it.number > 0)
        hd_rt_deliver(info, &it.info, sizeof it.info, code);
    return it.number;
}

HD_RT_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                              const struct timespec *restrict timeout) {
    if (!hd_rt_controlled())
        return hd_rt_real.sigtimedwait(set, info, timeout);
    if (timeout && (!hd_rt_is_time(timeout) || timeout->tv_sec < 0)) {
        errno = EINVAL;
        return -1;
    }
    return deliver_info(
        info,
        await_signal(set, timeout ? hd_rt_deadline_in(timeout, HD_RT_CODE()) : HD_RT_FOREVER,
                     HD_RT_CODE()),
        HD_RT_CODE());
}

HD_RT_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) {
    if (!hd_rt_controlled())
        return hd_rt_real.sigwaitinfo(set, info);
    return deliver_info(info, await_signal(set, HD_RT_FOREVER, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT int sigwait(const sigset_t *restrict set, int *restrict number) {
    if (!hd_rt_controlled())
        return hd_rt_real.sigwait(set, number);
    int got;
    do
        got = await_signal(set, HD_RT_FOREVER, HD_RT_CODE()).number;
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno;
    hd_rt_deliver(number, &got, sizeof *number, HD_RT_CODE());
    return 0;
}

/* Until a handler has run. */
static int await_handler(uintptr_t code) {
    const hd_rt_outside nothing = {0};
    enum hd_rt_outside_end end;
    do
        end = hd_rt_outside_wait(&nothing, hd_rt_file_any(), HD_RT_FOREVER, code);
    while (end == HD_RT_READY || end == HD_RT_LATE);
    errno = EINTR;
    return -1;
}

HD_RT_EXPORT int pause(void) {
    return hd_rt_controlled() ? await_handler(HD_RT_CODE()) : hd_rt_real.pause();
}

HD_RT_EXPORT int sigsuspend(const sigset_t *mask) {
    if (!hd_rt_controlled())
        return hd_rt_real.sigsuspend(mask);
    uint64_t old = put_mask(mask, HD_RT_CODE());
    return restore(mask, old, await_handler(HD_RT_CODE()));
}
