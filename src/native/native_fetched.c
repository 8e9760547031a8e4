#include "native_fetched.h"

#include <stdlib.h>

static hd_native_fetched_log *place_of(const hd_native_fetched *fetched, uint64_t key) {
    return &fetched->places[key & (HD_NATIVE_FETCHED - 1)];
}

bool hd_native_fetched_has(const hd_native_fetched *fetched, uint64_t key) {
    return fetched->places && place_of(fetched, key)->key == key;
}

static bool begins_with(const hd_launch_log *log, const heddle_wire_decision *steps, size_t count) {
    for (size_t i = count; i-- > 0;)
        if (log->steps.data[i].thread != steps[i].thread ||
            log->steps.data[i].choice != steps[i].choice)
            return false;
    return true;
}

hd_launch_log *hd_native_fetched_find(hd_native_fetched *fetched, const heddle_wire_decision *steps,
                                      size_t count) {
    if (!fetched->places)
        return NULL;
    uint64_t key = 0;
    for (size_t i = 0; i < count; i++)
        key = hd_native_fetched_key(key, steps[i]);
    hd_native_fetched_log *place = place_of(fetched, key);
    if (!key || place->key != key || place->count != count ||
        !begins_with(&place->log, steps, count))
        return NULL;
    place->key = 0;
    fetched->hits += place->guessed;
    return &place->log;
}

hd_launch_log *hd_native_fetched_add(hd_native_fetched *fetched, uint64_t key, uint32_t count,
                                     bool guessed) {
    if (!fetched->places)
        fetched->places = hd_mem_zero(HD_NATIVE_FETCHED, sizeof *fetched->places);
    hd_native_fetched_log *place = place_of(fetched, key);
    place->key = key;
    place->count = count;
    place->guessed = guessed;
    fetched->guesses += guessed;
    return &place->log;
}

bool hd_native_fetched_may_guess(hd_native_fetched *fetched) {
    enum { FIRST = 64, LATELY = 1024, TRY_AGAIN = 64 };
    if (fetched->guesses >= LATELY) {
        fetched->guesses /= 2;
        fetched->hits /= 2;
    }
    return fetched->guesses < FIRST || fetched->hits >= fetched->guesses / 4 * 3 ||
           ++fetched->asked % TRY_AGAIN == 0;
}

void hd_native_fetched_clear(hd_native_fetched *fetched) {
    for (int i = 0; fetched->places && i < HD_NATIVE_FETCHED; i++)
        fetched->places[i].key = 0;
}

void hd_native_fetched_release(hd_native_fetched *fetched) {
    for (int i = 0; fetched->places && i < HD_NATIVE_FETCHED; i++)
        hd_launch_log_release(&fetched->places[i].log);
    free(fetched->places);
    *fetched = (hd_native_fetched){0};
}
