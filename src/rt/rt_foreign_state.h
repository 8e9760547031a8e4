/*
 * What a call of an uninstrumented function does to the state that it is known to have: streams,
 * open files, what is printed (rt_foreign.h).
 */
#ifndef HD_RT_FOREIGN_STATE_H
#define HD_RT_FOREIGN_STATE_H

#include <stdio.h>

#include "rt_foreign.h"
#include "rt_foreign_steps.h"

/* The steps of a call on its state. */
void hd_rt_foreign_use_state(const hd_rt_foreign_line *it, uint32_t number,
                             const uintptr_t *arguments, uintptr_t code);

/* What is in a buffer may go to the file, or come from there, whenever the stream is used. */
void hd_rt_foreign_use_stream(const hd_rt_used *it, const FILE *stream, bool closes,
                              uintptr_t code);

/* An open file: its own state, as long as no file is opened, closed, renamed or removed.  `stream`
 * is used with it, unless that is NULL. */
void hd_rt_foreign_use_open_file(int file, const hd_rt_used *stream, uint32_t number, bool looks,
                                 uintptr_t code);

/* Where standard output and standard error go: who writes there looks at that. */
hd_rt_used hd_rt_foreign_output_state(uint32_t number);

/* What comes out of the program, if that is compared and the file is standard output; else nothing.
 * And the same, of all streams. */
hd_rt_used hd_rt_foreign_printed_to(int file, uint32_t number);
hd_rt_used hd_rt_foreign_printed_by_all(uint32_t number);

/* The stream of a call; NULL: all of them. */
FILE *hd_rt_foreign_stream_of(const hd_rt_foreign_line *it, const uintptr_t *arguments);

/* The number of its file; -1: it has none, but is one of memory or of functions. */
int hd_rt_foreign_file_of(const FILE *stream);

/* Does it flush standard output before it prints to standard error, as error does? */
bool hd_rt_foreign_flushes_too(const hd_rt_foreign_line *it);

#endif
