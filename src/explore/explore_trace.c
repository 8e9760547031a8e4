#include "explore_trace.h"

#include <string.h>

#include <xxhash.h>

/* Thread and choice go in as data: as a seed they could cancel out against the clock. */
hd_explore_trace hd_explore_trace_of(const hd_explore_path *path, uint32_t event) {
    int32_t about[HD_EXPLORE_SET_THREADS + 2];
    about[0] = (int32_t)path->events.data[event].thread;
    about[1] = (int32_t)path->events.data[event].choice;
    memcpy(about + 2, hd_explore_clock(path, event), path->threads * sizeof *about);
    XXH128_hash_t hash = XXH3_128bits(about, (path->threads + 2) * sizeof *about);
    return (hd_explore_trace){hash.low64, hash.high64};
}
