/*
 * A program that works for the tool, such as a compiler: it runs to its end, or until the clock
 * (base_clock.h) is over or the tool ends.  Then it is made to end, with all that it has started: a
 * guard (base_guard.h) sees to that.
 */
#ifndef HD_BASE_CHILD_H
#define HD_BASE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base_error.h"
#include "base_vec.h"

typedef struct hd_child {
    char *const *words;       /* NULL at the end; the first one is looked for in PATH */
    int input, output, error; /* descriptors; -1: nothing to read, and the tool's own */
    /* Filled in by hd_child_start. */
    pid_t process;
} hd_child;

/* False after setting the error if it cannot be started.  From here on signals are only noted
 * (base_stop.h). */
bool hd_child_start(hd_child *child, hd_error *error);

/* Reads what it writes to a pipe, and closes that; less if the clock is over. */
void hd_child_read(int from, hd_vec_char *to);

/* Waits for it, and ends it if the clock is over.  True if it ended by itself, with status 0. */
bool hd_child_wait(const hd_child *child);

#endif
