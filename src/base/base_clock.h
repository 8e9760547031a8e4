/*
 * The clock: one limit on time and one stop flag, which every long loop looks at.
 *
 *     hd_clock clock = {.until = hd_progress_clock() + 5, .stop = &flag};
 *     hd_clock_begin(&clock);
 *     ... work, in which loops ask hd_clock_over() and leave
 *     hd_clock_end(&clock);
 *
 * A clock is of the thread that began it.  Clocks nest: an inner one is over when an outer one
 * is.  Workers that a thread starts take its clock over (base_worker.h); its function is asked by
 * its own thread only, which looks now and then while it waits for them.
 * Without a clock nothing is over but by a signal that asks the process to end (base_stop.h): that
 * stops them all.
 */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

enum hd_clock_state {
    HD_CLOCK_GOES,
    HD_CLOCK_LATE,   /* its time is up */
    HD_CLOCK_STOPPED /* its flag is set, or its function said so */
};

typedef struct hd_clock {
    double until;                 /* by hd_progress_clock; 0: no limit */
    const volatile int *stop;     /* NULL: no flag */
    bool (*stops)(void *context); /* asked a few times a second; NULL: not asked */
    void *context;
    /* Filled in by hd_clock_begin. */
    const struct hd_clock *outer;
    const void *owner; /* its thread */
    int said;          /* other than 0: its function said so; atomic */
} hd_clock;

void hd_clock_begin(hd_clock *clock);
void hd_clock_end(hd_clock *clock); /* it must be the one that was begun last */

/* Of this thread, now. */
enum hd_clock_state hd_clock_look(void);

/* What there is to say about that: "stopped by the limit on time", "ended by SIGTERM"; NULL while
 * it goes.  The text stays until the next call. */
const char *hd_clock_why(void);

/* hd_clock_look for inner loops: reads the time only now and then. */
bool hd_clock_over(void);

/* The same for a pass along millions of things, in which a step takes nanoseconds; steps are
 * counted from 1 on.  It looks so rarely that a pass along few things is never over. */
static inline bool hd_clock_over_at(size_t step) {
    enum { OFTEN = 1 << 20 };
    return step % OFTEN == 0 && hd_clock_look() != HD_CLOCK_GOES;
}

/* This thread has done something that can take long, such as a run of a program: loops that look
 * at the time only now and then look after that.  Was it so?  Then it is not until the next. */
void hd_clock_worked(void);
bool hd_clock_has_worked(void);

/* Seconds that are left, `most` at most; and since the time was up, 0 if it is not. */
double hd_clock_left(double most);
double hd_clock_late_by(void);

const hd_clock *hd_clock_current(void);
void hd_clock_adopt(const hd_clock *clock);

#endif
