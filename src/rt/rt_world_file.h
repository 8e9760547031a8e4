/*
 * The file with what came from outside: one entry for each call, with its thread, its result and
 * what it stored.  Private to rt_world.
 */
#ifndef HD_RT_WORLD_FILE_H
#define HD_RT_WORLD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt.h"

/* Of entries that are no system calls: enum hd_rt_world_said and more. */
enum { HD_RT_WORLD_SAID = 1 << 16 };

/* An entry that is being written or read: where its next bytes go. */
typedef struct hd_rt_world_stream {
    heddle_world_entry *entry;
    uint64_t at; /* bytes of it so far */
    bool plays;
} hd_rt_world_stream;

/* To be written, or to be played back; false: it is not there, or not such a file. */
bool hd_rt_world_open(bool plays);

/* Is there no more room? */
bool hd_rt_world_full(void);

void hd_rt_world_begin(hd_rt_world_stream *s, uint32_t what, int64_t result);
void hd_rt_world_put(hd_rt_world_stream *s, void *from, size_t size); /* or gets it */
void hd_rt_world_end(hd_rt_world_stream *s);

/* Room for as many bytes at the place where the stream is; NULL: there is not so much. */
char *hd_rt_world_reserve(hd_rt_world_stream *s, uint64_t size);

/* The present thread's next entry, which is taken, or only looked at; NULL: it has no more. */
heddle_world_entry *hd_rt_world_next(void);
heddle_world_entry *hd_rt_world_peek(void);

#endif
