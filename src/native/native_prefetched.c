#include "native_prefetched.h"

#include <stdlib.h>

static hd_native_prefetched_log *place_of(const hd_native_prefetched *prefetched, uint64_t key) {
    return &prefetched->places[key & (HD_NATIVE_PREFETCHED - 1)];
}

bool hd_native_prefetched_has(const hd_native_prefetched *prefetched, uint64_t key) {
    return prefetched->places && place_of(prefetched, key)->key == key;
}

static bool begins_with(const hd_launch_log *log, const heddle_wire_decision *steps, size_t count) {
    if (log->steps.length < count)
        return false;
    for (size_t i = count; i-- > 0;)
        if (log->steps.data[i].thread != steps[i].thread ||
            log->steps.data[i].choice != steps[i].choice)
            return false;
    return true;
}

hd_launch_log *hd_native_prefetched_find(hd_native_prefetched *prefetched,
                                         const heddle_wire_decision *steps, size_t count) {
    if (!prefetched->kept)
        return NULL;
    uint64_t key = 0;
    for (size_t i = 0; i < count; i++)
        key = hd_native_prefetched_key(key, steps[i]);
    hd_native_prefetched_log *place = place_of(prefetched, key);
    if (!key || place->key != key || place->count != count ||
        !begins_with(&place->log, steps, count))
        return NULL;
    place->key = 0;
    prefetched->kept--;
    prefetched->hits += place->guessed;
    return &place->log;
}

hd_launch_log *hd_native_prefetched_add(hd_native_prefetched *prefetched, uint64_t key,
                                        uint32_t count, bool guessed) {
    if (!prefetched->places)
        prefetched->places = hd_mem_zero(HD_NATIVE_PREFETCHED, sizeof *prefetched->places);
    hd_native_prefetched_log *place = place_of(prefetched, key);
    prefetched->kept += !place->key;
    place->key = key;
    place->count = count;
    place->guessed = guessed;
    prefetched->guesses += guessed;
    return &place->log;
}

bool hd_native_prefetched_may_guess(hd_native_prefetched *prefetched) {
    enum { FIRST = 64, LATELY = 1024, TRY_AGAIN = 64 };
    if (prefetched->guesses >= LATELY) {
        prefetched->guesses /= 2;
        prefetched->hits /= 2;
    }
    return prefetched->guesses < FIRST || prefetched->hits >= prefetched->guesses / 4 * 3 ||
           ++prefetched->asked % TRY_AGAIN == 0;
}

void hd_native_prefetched_clear(hd_native_prefetched *prefetched) {
    for (int i = 0; prefetched->places && i < HD_NATIVE_PREFETCHED; i++)
        prefetched->places[i].key = 0;
    prefetched->kept = 0;
}

void hd_native_prefetched_release(hd_native_prefetched *prefetched) {
    for (int i = 0; prefetched->places && i < HD_NATIVE_PREFETCHED; i++)
        hd_launch_log_release(&prefetched->places[i].log);
    free(prefetched->places);
    *prefetched = (hd_native_prefetched){0};
}
