/*
 * Virtual time.  Under control time stands still but for a little at each point,
 * and passes when every thread waits for it: to the earliest deadline.  So no run
 * depends on how fast the machine is, and none really sleeps.  A program that asks
 * the time in a loop sees it pass faster and faster.
 */
#include <errno.h>
#include <signal.h>

#include "rt.h"
#include "rt_aside.h"
#include "rt_c11.h"
#include "rt_explore.h"
#include "rt_real.h"
#include "rt_sync.h"
#include "rt_world.h"

#define SECOND INT64_C(1000000000)
#define EPOCH (INT64_C(1767225600) * SECOND) /* the first of January 2026 */
#define BOOTED (INT64_C(3600) * SECOND)      /* what CLOCK_MONOTONIC starts with */
#define SLOWEST_STEP INT64_C(1000)
#define FASTEST_STEP INT64_C(10000000)

static bool monotonic(clockid_t clock) {
    return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
           clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

static int64_t origin(clockid_t clock) {
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
        return 0;
    return monotonic(clock) ? BOOTED : EPOCH;
}

static int64_t in_nanoseconds(const struct timespec *time) {
    if (time->tv_sec > INT64_MAX / SECOND - 1)
        return INT64_MAX - 1;
    return time->tv_sec * SECOND + time->tv_nsec;
}

int64_t hd_rt_deadline(clockid_t clock, const struct timespec *until, uintptr_t code) {
    hd_rt_fetch(until, sizeof *until, code);
    int64_t time = in_nanoseconds(until);
    return time < origin(clock) ? 0 : time - origin(clock);
}

int64_t hd_rt_deadline_in(const struct timespec *span, uintptr_t code) {
    hd_rt_fetch(span, sizeof *span, code);
    int64_t time = in_nanoseconds(span);
    return time > INT64_MAX - 1 - hd_rt.now ? INT64_MAX - 1 : hd_rt.now + time;
}

/* How much time passes where it is asked for.  Explored, other threads do not change that. */
static int64_t step_of_clock(void) {
    hd_rt_thread *self = hd_rt.current;
    int64_t last = hd_rt.exploring ? (SLOWEST_STEP << self->asked) / 2 : hd_rt.clock_step;
    int64_t step = last >= SLOWEST_STEP ? 2 * last : SLOWEST_STEP;
    hd_rt.clock_step = step > FASTEST_STEP ? FASTEST_STEP : step;
    if (step < FASTEST_STEP)
        self->asked++;
    return hd_rt.clock_step;
}

/* The time now, asked for by the program. */
static int64_t ask(clockid_t clock) {
    hd_rt_explore_unseen(); /* others let time pass */
    if (hd_rt.exploring)
        hd_rt_spin_lose(
            hd_rt.current); /* a thread that asks for the time can tell how long it waited */
    if (hd_rt.exploring && hd_rt_explored.births)
        hd_rt_explore->hidden |= HEDDLE_WIRE_ASKS_TIME;
    hd_rt.now = hd_rt_world_say(HD_RT_SAID_TIME, hd_rt.now + step_of_clock());
    return origin(clock) + hd_rt.now;
}

/* The clock is asked often where a thread waits by hand, so others may run there. */
static int64_t ask_at_point(clockid_t clock, uintptr_t code) {
    int64_t step = hd_rt.clock_step;
    hd_rt_point(HEDDLE_WIRE_FENCE, NULL, HEDDLE_WIRE_A_CLOCK, code);
    hd_rt.clock_step = step;
    return ask(clock);
}

static struct timespec spec_of(int64_t time) {
    return (struct timespec){time / SECOND, time % SECOND};
}

HD_RT_EXPORT int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!hd_rt_controlled())
        return hd_rt_real.clock_gettime(clock, time);
    struct timespec now = spec_of(ask_at_point(clock, HD_RT_CODE()));
    hd_rt_deliver(time, &now, sizeof *time, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    if (!hd_rt_controlled())
        return hd_rt_real.gettimeofday(time, zone);
    struct timespec now = spec_of(ask_at_point(CLOCK_REALTIME, HD_RT_CODE()));
    struct timeval value = {now.tv_sec, now.tv_nsec / 1000};
    hd_rt_deliver(time, &value, sizeof *time, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT time_t time(time_t *seconds) {
    if (!hd_rt_controlled())
        return hd_rt_real.time(seconds);
    time_t now = ask_at_point(CLOCK_REALTIME, HD_RT_CODE()) / SECOND;
    hd_rt_deliver(seconds, &now, sizeof *seconds, HD_RT_CODE());
    return now;
}

HD_RT_EXPORT int timespec_get(struct timespec *time, int base) {
    if (!hd_rt_controlled() || base != TIME_UTC)
        return hd_rt_real.timespec_get(time, base);
    struct timespec now = spec_of(ask_at_point(CLOCK_REALTIME, HD_RT_CODE()));
    hd_rt_deliver(time, &now, sizeof *time, HD_RT_CODE());
    return base;
}

HD_RT_EXPORT clock_t clock(void) {
    if (!hd_rt_controlled())
        return hd_rt_real.clock();
    return ask_at_point(CLOCK_PROCESS_CPUTIME_ID, HD_RT_CODE()) / (SECOND / CLOCKS_PER_SEC);
}

/* --- sleeps --------------------------------------------------------------------------------- */

/* Does a sleep begin when its step is taken?  To a search by reads-from, it then depends on the
 * time at its step alone, and not on the time when its thread came there. */
static bool sleeps_later(void) {
    return hd_rt.exploring && hd_rt_explore->ends & HEDDLE_WIRE_ENDS_APART;
}

/* True if a handler has ended it: of the time nothing has passed. */
static bool sleep_until(int64_t deadline, bool absolute, uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    int64_t now = hd_rt.now;
    bool later = !absolute && sleeps_later();
    self->early = false;
    hd_rt_point_with(HEDDLE_WIRE_SLEEP, 0, NULL, later, code, later ? deadline - now : deadline);
    bool early = self->early && hd_rt_explore_choice() == 1;
    self->early = false;
    if (early)
        hd_rt.now = now;
    hd_rt_check_cancel();
    return early;
}

/* What is left of a sleep that a handler has ended. */
static int end_early(struct timespec *rest, int64_t left, uintptr_t code) {
    struct timespec time = spec_of(left);
    hd_rt_deliver(rest, &time, sizeof time, code);
    return EINTR;
}

HD_RT_BODY int sleep_for(const struct timespec *span, struct timespec *rest) {
    if (!hd_rt_controlled())
        return hd_rt_real.nanosleep(span, rest);
    if (span->tv_sec < 0 || span->tv_nsec < 0 || span->tv_nsec >= SECOND) {
        errno = EINVAL;
        return -1;
    }
    int64_t until = hd_rt_deadline_in(span, HD_RT_CODE());
    if (!sleep_until(until, false, HD_RT_CODE()))
        return 0;
    errno = end_early(rest, until - hd_rt.now, HD_RT_CODE());
    return -1;
}

HD_RT_EXPORT int nanosleep(const struct timespec *span, struct timespec *rest) {
    return sleep_for(span, rest);
}

HD_RT_EXPORT int thrd_sleep(const struct timespec *span, struct timespec *rest) {
    int result = sleep_for(span, rest);
    return result == 0 ? 0 : errno == EINTR ? -1 : -2;
}

HD_RT_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                                 struct timespec *rest) {
    if (!hd_rt_controlled())
        return hd_rt_real.clock_nanosleep(clock, flags, time, rest);
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= SECOND)
        return EINVAL;
    bool absolute = flags & TIMER_ABSTIME;
    int64_t until = absolute ? hd_rt_deadline(clock, time, HD_RT_CODE())
                             : hd_rt_deadline_in(time, HD_RT_CODE());
    if (!sleep_until(until, absolute, HD_RT_CODE()))
        return 0;
    return end_early(absolute ? NULL : rest, until - hd_rt.now, HD_RT_CODE());
}

HD_RT_EXPORT unsigned sleep(unsigned seconds) {
    if (!hd_rt_controlled())
        return hd_rt_real.sleep(seconds);
    int64_t until = hd_rt.now + (int64_t)seconds * SECOND;
    return sleep_until(until, false, HD_RT_CODE()) ? seconds : 0;
}

HD_RT_EXPORT int usleep(useconds_t microseconds) {
    if (!hd_rt_controlled())
        return hd_rt_real.usleep(microseconds);
    if (!sleep_until(hd_rt.now + (int64_t)microseconds * 1000, false, HD_RT_CODE()))
        return 0;
    errno = EINTR;
    return -1;
}

HD_RT_BODY int yield(void) {
    if (!hd_rt_controlled())
        return hd_rt_real.sched_yield();
    hd_rt_point(HEDDLE_WIRE_YIELD, NULL, 0, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int sched_yield(void) {
    return yield();
}

HD_RT_EXPORT void thrd_yield(void) {
    yield();
}
