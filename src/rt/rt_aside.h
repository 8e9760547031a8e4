/*
 * What a call stores for its caller: the result of a join, the bytes that read returns, a time.  It
 * is a write by the caller, at a step of its own if the memory is shared, after what the call
 * itself does.  And what a call reads from its caller: a read, before what the call does.
 */
#ifndef HD_RT_ASIDE_H
#define HD_RT_ASIDE_H

#include "rt_string.h"

/* Stores it, under control; `to` may be NULL: nothing. */
void hd_rt_deliver(void *to, const void *from, size_t size, uintptr_t code);

/* Reads it; `from` may be NULL: nothing.  What reads it follows, so it may find something else if
 * it has other steps; then no run is computed from this one. */
void hd_rt_fetch(const void *from, size_t size, uintptr_t code);

/* In a recording: a call that follows will write there.  Its bytes are not known yet. */
void hd_rt_to_come(const void *to, size_t size, uintptr_t code);

/* Memory in which another party, the kernel for example, is to store: the place itself, or a copy
 * *aside* if other threads may look at the place.  The copy begins with the contents of the
 * place. */
typedef struct hd_rt_aside {
    char *to, *at;
    size_t size;
    bool mapped;
    char room[HD_RT_PIECE];
} hd_rt_aside;

/* It is already stored; only correct where no other thread looks. */
void hd_rt_delivered(void *to, size_t size, uintptr_t code);

void *hd_rt_aside_begin(hd_rt_aside *aside, void *to, size_t size);
void hd_rt_aside_end(hd_rt_aside *aside, size_t stored, uintptr_t code);

/* Room for so many bytes, to be released again. */
char *hd_rt_aside_room(hd_rt_aside *aside, size_t size);
void hd_rt_aside_leave(hd_rt_aside *aside);

#endif
