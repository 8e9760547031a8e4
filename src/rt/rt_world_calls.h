/*
 * Which system calls bring something from outside or change something there, and what each of them
 * stores.  Private to rt_world.
 */
#ifndef HD_RT_WORLD_CALLS_H
#define HD_RT_WORLD_CALLS_H

#include <sys/socket.h>

#include "rt_world_file.h"

/* The calls.  Those that only change something outside are here too: nothing is changed there by a
 * run that is played back. */
enum { HD_RT_WORLD_MOST = 160 };
extern const uint16_t hd_rt_world_watched[];
extern const uint32_t hd_rt_world_watched_count; /* at most HD_RT_WORLD_MOST */

/* Lengths that say how much room there is, before the call changes them. */
socklen_t hd_rt_world_room(long call, const uintptr_t a[6]);

/* What a call with this result has stored is kept, or stored again. */
void hd_rt_world_stored(hd_rt_world_stream *s, long call, const uintptr_t a[6], long result,
                        socklen_t room);

/* Is it what people want to see? */
bool hd_rt_world_shown(long call, const uintptr_t a[6]);

#endif
