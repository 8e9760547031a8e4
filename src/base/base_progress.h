/*
 * The progress line: on standard error, only if that is a terminal, a few
 * times a second, gone when the work is done.
 *
 *     hd_progress progress;
 *     hd_progress_start(&progress, "reading", "events", total_or_0);
 *     ... hd_progress_step(&progress, done_so_far) ...   cheap; call it often
 *     hd_progress_end(&progress);
 *
 * The line has the count, the rate, and with a total the share and an estimate
 * of the time left.  One line at a time: a nested start shows nothing.
 */
#ifndef HD_BASE_PROGRESS_H
#define HD_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hd_progress {
    const char *verb, *unit;
    uint64_t total; /* 0: not known */
    double started, shown;
    bool active;
} hd_progress;

void hd_progress_start(hd_progress *progress, const char *verb, const char *unit, uint64_t total);
void hd_progress_step(hd_progress *progress, uint64_t done);
void hd_progress_end(hd_progress *progress);

void hd_progress_allow(bool allowed); /* --quiet and --json turn the line off */
void hd_progress_hide(void);          /* before anything else goes to the terminal */

/* The text of the line, apart from the terminal, for tests. */
size_t hd_progress_format(char *to, size_t size, const hd_progress *progress, uint64_t done,
                          double seconds);

double hd_progress_clock(void); /* seconds, monotonic */

#endif
