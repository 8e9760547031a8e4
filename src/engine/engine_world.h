/*
 * What a recorded run got from outside, in a file beside its trace (doc/native-replay.md).
 */
#ifndef HD_ENGINE_WORLD_H
#define HD_ENGINE_WORLD_H

#include "base/base.h"
#include "launch/launch.h"

/* The name of the file beside a trace. */
void hd_engine_world_name(const char *trace, hd_vec_char *to);

/* An empty file before a run; and after it no more than was written. */
bool hd_engine_world_begin(const char *path, hd_error *error);
void hd_engine_world_end(const char *path, const hd_launch_run *run);

bool hd_engine_world_is_there(const char *path);

#endif
