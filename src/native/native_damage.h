/*
 * An explored program can write over the memory that it shares with heddle.  So after each run the
 * numbers there are checked before they are used as counts or places; after damage there are no
 * more runs.
 */
#ifndef HD_NATIVE_DAMAGE_H
#define HD_NATIVE_DAMAGE_H

#include "native_server.h"

/* Once the program has begun: what it must leave as it is. */
void hd_native_damage_init(hd_native_server *server);

/* While a run goes on: is a count there that the runtime cannot have written? */
bool hd_native_damage_beyond(const hd_native_server *server);

/* After it: is anything? */
bool hd_native_damage_seen(const hd_native_server *server);

/* Is it a log that a run can have, of that many threads? */
bool hd_native_damage_whole(const hd_launch_log *log, uint32_t threads);

/* Ends the program; the tables are empty then, and the message says why. */
void hd_native_damage_end(hd_native_server *server);

#endif
