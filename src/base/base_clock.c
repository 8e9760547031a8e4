#include "base_clock.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

#include "base_progress.h"
#include "base_stop.h"

static _Thread_local const hd_clock *current;
static _Thread_local char self;     /* its address is this thread's name */
static _Thread_local unsigned left; /* calls until the time is read again */
static _Thread_local unsigned
    pace; /* calls from one reading of the time to the next; 0: none yet */
static _Thread_local double looked; /* when the time was read last */
static _Thread_local bool over;     /* of the current clock: it stays so */
static _Thread_local double told;   /* when a function was asked last */

void hd_clock_begin(hd_clock *clock) {
    clock->outer = current;
    clock->owner = &self;
    clock->said = 0;
    current = clock;
    left = 0;
    pace = 0;
    over = false;
    told = 0;
}

void hd_clock_end(hd_clock *clock) {
    assert(current == clock);
    current = clock->outer;
    over = false;
}

const hd_clock *hd_clock_current(void) {
    return current;
}

void hd_clock_adopt(const hd_clock *clock) {
    current = clock;
    left = 0;
    pace = 0;
    over = false;
}

static bool has_said(const hd_clock *clock) {
    return __atomic_load_n(&clock->said, __ATOMIC_RELAXED) != 0;
}

static enum hd_clock_state state_at(const hd_clock *clock, double now) {
    static const double rest = 0.1;
    if (has_said(clock) || (clock->stop && __atomic_load_n(clock->stop, __ATOMIC_RELAXED)))
        return HD_CLOCK_STOPPED;
    if (clock->stops && clock->owner == &self && now - told > rest) {
        told = now;
        if (clock->stops(clock->context)) {
            __atomic_store_n((int *)(uintptr_t)&clock->said, 1, __ATOMIC_RELAXED);
            return HD_CLOCK_STOPPED;
        }
    }
    return clock->until > 0 && now >= clock->until ? HD_CLOCK_LATE : HD_CLOCK_GOES;
}

enum hd_clock_state hd_clock_look(void) {
    double now = current ? hd_progress_clock() : 0;
    enum hd_clock_state state = hd_stop_asked() ? HD_CLOCK_STOPPED : HD_CLOCK_GOES;
    for (const hd_clock *clock = current; clock; clock = clock->outer) {
        enum hd_clock_state its = state_at(clock, now);
        state = its > state ? its : state;
    }
    return state;
}

const char *hd_clock_why(void) {
    static _Thread_local char text[32];
    enum hd_clock_state state = hd_clock_look();
    if (state == HD_CLOCK_GOES)
        return NULL;
    if (!hd_stop_asked())
        return state == HD_CLOCK_LATE ? "stopped by the limit on time" : "interrupted";
    snprintf(text, sizeof text, "ended by %s", hd_stop_name(hd_stop_asked()));
    return text;
}

/* The time is read at every 64th call; where calls come slowly, after much work each, at every
 * one. */
bool hd_clock_over(void) {
    enum { OFTEN = 64 };
    static const double slow = 0.005;
    if (hd_stop_asked())
        return true;
    if (over || !current)
        return over;
    if (left) {
        left--;
        return false;
    }
    double now = hd_progress_clock();
    pace = now - looked > slow ? 1 : pace >= OFTEN ? OFTEN : pace ? 2 * pace : 1;
    left = pace - 1;
    looked = now;
    over = hd_clock_look() != HD_CLOCK_GOES;
    return over;
}

static _Thread_local bool worked;

void hd_clock_worked(void) {
    worked = true;
}

bool hd_clock_has_worked(void) {
    bool had = worked;
    worked = false;
    return had;
}

double hd_clock_left(double most) {
    double now = hd_progress_clock();
    for (const hd_clock *clock = current; clock; clock = clock->outer)
        if (clock->until > 0 && clock->until - now < most)
            most = clock->until > now ? clock->until - now : 0;
    return most;
}

double hd_clock_late_by(void) {
    double now = hd_progress_clock(), by = 0;
    for (const hd_clock *clock = current; clock; clock = clock->outer)
        if (clock->until > 0 && now - clock->until > by)
            by = now - clock->until;
    return by;
}
