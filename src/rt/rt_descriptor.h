/*
 * Descriptors of files.  A call that uses one reads a word that stands for it, and a call that
 * closes it, or puts another file in its place, writes that word.  So a thread that closes a
 * descriptor which another one may be using is a race like others.
 *
 * The same number of another file is another descriptor, with another word: the number is used
 * again only after it was closed, so there is no race between the two.  Where a number was closed
 * is not always seen.  So each use looks whether the file is still the one that it was.
 */
#ifndef HD_RT_DESCRIPTOR_H
#define HD_RT_DESCRIPTOR_H

#include <poll.h>

#include "rt.h"

/* The runtime begins. */
void hd_rt_descriptor_start(void);

/* Before a call that uses it; before one that closes or replaces it, which returns what stands for
 * it, or NULL if that is the same as `but`, to which it was done already; and when nothing but the
 * call is left to be done. */
void hd_rt_descriptor_use(int file, uintptr_t code);
const void *hd_rt_descriptor_end(int file, const void *but, uintptr_t code);
void hd_rt_descriptor_gone(int file);

void hd_rt_descriptor_use_all(const struct pollfd *files, nfds_t count, uintptr_t code);

/* It was made just now; some will be made by a call that follows at once: the lowest that are
 * free. */
void hd_rt_descriptor_made(int file, uintptr_t code);
void hd_rt_descriptor_opens(unsigned count, uintptr_t code);

/* A call of dup2 or dup3 with these: is it one that replaces a file? */
bool hd_rt_descriptor_replaces(int file, int by);

#endif
