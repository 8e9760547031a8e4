/*
 * What calls that read and calls that write have in common: the file's variable (rt_file.h), and
 * the point before the call.
 */
#ifndef HD_RT_FILE_CALL_H
#define HD_RT_FILE_CALL_H

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "rt_file.h"

/* A call that reads or writes, from before it to after it. */
typedef struct hd_rt_file_call {
    uint64_t *cell;  /* of the file */
    uintptr_t code;  /* where it is */
    bool seen;       /* it is an event when it is done, */
    bool controlled; /* and what it stores another one */
} hd_rt_file_call;

/* The variable of a file; NULL if it has none.  And an update of it, if there is one. */
uint64_t *hd_rt_file_cell(int file);
void hd_rt_file_change(uint64_t *cell, uintptr_t code);

bool hd_rt_file_is_socket(int file);

/* May a call with these flags wait? */
bool hd_rt_file_waits(int file, int flags);

/* The point before a call under control, which waits for POLLIN or POLLOUT.  False: it fails, and
 * errno says why. */
bool hd_rt_file_begin(int file, uint64_t *cell, short events, int flags, uintptr_t code);

/* Bytes of all parts; and the parts of a call that has one. */
size_t hd_rt_file_sum(const struct iovec *parts, size_t count);
#define HD_RT_FILE_ONE(to, size) (&(struct iovec){to, size}), 1

#endif
