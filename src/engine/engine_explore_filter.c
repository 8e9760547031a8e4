/*
 * Suppressed findings of the question explore: the search goes on as if they were not there.
 * Failures (assertions, crashes, misuse) are never suppressed.
 */
#include <stdlib.h>

#include "engine_explore.h"

static bool drops(hd_engine_exploration *e, const hd_engine_parts *parts, bool deadlock,
                  uint64_t fingerprint) {
    hd_finding_about about = {.parts = parts->data, .count = parts->length, .deadlock = deadlock};
    bool added = false, dropped = hd_finding_filter_names(&e->filter, &about);
    uint32_t *rule = dropped ? hd_map_at(&e->dropped, fingerprint, &added) : NULL;
    if (!added)
        return dropped;
    uint64_t *used = HD_NEW_ARRAY(uint64_t, e->filter.rules.length + 1);
    for (size_t i = 0; i < e->filter.rules.length; i++)
        used[i] = e->filter.rules.data[i].used;
    hd_finding_filter_drops(&e->filter, &about);
    for (size_t i = 0; i < e->filter.rules.length; i++)
        if (e->filter.rules.data[i].used != used[i])
            *rule = (uint32_t)i + 1;
    free(used);
    return true;
}

bool hd_engine_explore_drops_race(hd_engine_exploration *e, const uint32_t positions[2],
                                  const char *variable, uint64_t fingerprint) {
    hd_engine_parts parts = {0};
    if (!e->filter.on)
        return false;
    for (int i = 0; i < 2; i++)
        hd_engine_parts_add(&parts, e->checker, e->path, positions[i], variable);
    bool dropped = drops(e, &parts, false, fingerprint);
    hd_engine_parts_release(&parts);
    return dropped;
}

bool hd_engine_explore_drops_deadlock(hd_engine_exploration *e, uint64_t fingerprint) {
    hd_engine_parts parts = {0};
    if (!e->filter.on || !e->program)
        return false;
    hd_engine_parts_of_waits(&parts, e->checker, e->path, &e->schedule, false);
    bool dropped = drops(e, &parts, true, fingerprint);
    hd_engine_parts_release(&parts);
    return dropped;
}

void hd_engine_explore_forget_dropped(hd_engine_exploration *e) {
    e->filter.suppressed = 0;
    for (size_t i = 0; i < e->filter.rules.length; i++)
        e->filter.rules.data[i].used = 0;
    hd_map_release(&e->dropped);
}
