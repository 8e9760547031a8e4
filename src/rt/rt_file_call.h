/*
 * What calls that read and calls that write have in common: the file's variable (rt_file.h), and
 * the point before the call.
 */
#ifndef HD_RT_FILE_CALL_H
#define HD_RT_FILE_CALL_H

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "rt_aside.h"
#include "rt_file.h"

/* A call that reads or writes, from before it to after it. */
typedef struct hd_rt_file_call {
    uint64_t *cell;  /* of the file */
    uintptr_t code;  /* where it is */
    bool seen;       /* it is an event when it is done, */
    bool controlled; /* and what it stores another one */
    bool pipe;       /* what is written there has units (hd_rt_file_put) */
} hd_rt_file_call;

/* A recorded read from a pipe comes after the writes whose bytes it gets.  So the file is a
 * semaphore, too: a write posts a unit, and a read takes one for each write whose first byte it
 * gets.  After the update of a write, and before that of a read. */
bool hd_rt_file_has_units(int file);
void hd_rt_file_put(const uint64_t *cell, size_t bytes, uintptr_t code);
void hd_rt_file_get(const uint64_t *cell, size_t bytes, uintptr_t code);

/* The variable of a file; NULL if it has none.  And an update of it, if there is one. */
uint64_t *hd_rt_file_cell(int file);
void hd_rt_file_change(uint64_t *cell, uintptr_t code);

bool hd_rt_file_is_socket(int file);

/* May a call with these flags wait? */
bool hd_rt_file_waits(int file, int flags);

/* The point before a call under control, which waits for POLLIN or POLLOUT.  False: it fails, and
 * errno says why. */
bool hd_rt_file_begin(int file, uint64_t *cell, short events, int flags, uintptr_t code);

/* The parts of a call as they are when it begins: others may change the list while it waits.  It is
 * read at a step of its own if they do.  A list that the kernel would refuse has no parts here. */
typedef struct hd_rt_file_parts {
    const struct iovec *list;
    size_t count;
    hd_rt_aside kept;
} hd_rt_file_parts;

void hd_rt_file_parts_begin(hd_rt_file_parts *parts, const struct iovec *list, size_t count,
                            uintptr_t code);
void hd_rt_file_parts_end(hd_rt_file_parts *parts);

/* Bytes of all parts; and the parts of a call that has one. */
size_t hd_rt_file_sum(const struct iovec *parts, size_t count);
#define HD_RT_FILE_ONE(to, size) (&(struct iovec){to, size}), 1

/* --- rt_file_read.c -------------------------------------------------------------------------- */

/* Before a call that reads; false: it fails instead.  After it: what it returned. */
bool hd_rt_file_reads(hd_rt_file_call *it, int file, int flags, uintptr_t code);
ssize_t hd_rt_file_has_read(const hd_rt_file_call *it, ssize_t got);

/* Where the call is to store, aside if others may look at one of the places; else NULL.  And then
 * the bytes that it got go where the caller wants them. */
char *hd_rt_file_room(hd_rt_aside *aside, const hd_rt_file_call *it, const struct iovec *parts,
                      size_t count);
ssize_t hd_rt_file_stored(hd_rt_aside *aside, const hd_rt_file_call *it, const struct iovec *parts,
                          size_t count, ssize_t got, const char *from);

#endif
