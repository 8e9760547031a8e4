/*
 * Files through which threads of one program communicate: pipes, sockets, event descriptors.  What
 * a thread writes before it writes to a pipe, another one may read after its read from that pipe,
 * so such a call is an event: an update of an atomic variable that the file has.  Sockets that are
 * the two ends of one connection have one variable.  Ordinary files, terminals, and what was given
 * to the program as its standard input and output, order nothing.
 */
#ifndef HD_RT_FILE_H
#define HD_RT_FILE_H

#include "rt.h"

void hd_rt_file_init(void);

/* Is that number one of the files that were standard input, output and error at the start, none of
 * the program's own?  (rt_given.c) */
void hd_rt_given_init(void);
bool hd_rt_given(int file);

/* Records an update of the file's variable, if it has one. */
void hd_rt_file_changed(int file, uintptr_t code);

/* The variable that stands for all files where a program is explored, else NULL. */
const volatile void *hd_rt_file_any(void);

/* Before a call that asks about the file, or does more to it: a step, if it is one of those. */
void hd_rt_file_asked(int file, uintptr_t code);

#endif
