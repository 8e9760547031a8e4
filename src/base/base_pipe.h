/*
 * Pipes whose other end may do nothing for ever: what waits for it obeys the clock (base_clock.h)
 * and the signals (base_stop.h).
 *
 * Where the clock of the command has no limit, because that on time is one of each run, pipes have
 * a limit of their own: hd_pipe_patience.
 */
#ifndef HD_BASE_PIPE_H
#define HD_BASE_PIPE_H

#include <stdbool.h>
#include <stddef.h>

/* The most seconds to read from a pipe, and to wait for one to be read; 0: no limit. */
void hd_pipe_patience(double seconds);

/* Seconds that are left of these since `begun` (hd_progress_clock), `most` at most. */
double hd_pipe_left(double begun, double most);

/* May writing to it wait for somebody who reads? */
bool hd_pipe_is(int fd);

/* Writes all of it to a pipe.  0, or the cause (errno): ETIME if the time is up, or a signal came,
 * and nothing is read; a reader has a moment more, so that an answer at the limit comes through. */
int hd_pipe_write(int fd, const void *data, size_t size);

/* Standard output goes through hd_pipe_write from here on, if it is a pipe. */
void hd_pipe_standard_output(void);

/* The cause why that failed, the first; 0: it did not. */
int hd_pipe_standard_error(void);

/* Was some wait for a pipe given up? */
bool hd_pipe_gave_up(void);
void hd_pipe_give_up(void); /* says so */

/* What an errno of these means; ETIME, that it is not read. */
const char *hd_pipe_error(int number);

#endif
