#include "explore_trace.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

hd_explore_trace hd_explore_trace_of(const hd_explore_path *path, uint32_t event) {
    const hd_explore_event *about = &path->events.data[event];
    uint64_t seed = (uint64_t)about->thread << 32 | about->choice;
    XXH128_hash_t hash = XXH3_128bits_withSeed(hd_explore_clock(path, event),
                                               path->threads * sizeof(uint32_t), seed);
    return (hd_explore_trace){hash.low64, hash.high64};
}
