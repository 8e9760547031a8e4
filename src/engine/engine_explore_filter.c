/*
 * Suppressed findings of the question explore: the search goes on as if they were not there.  Of
 * outcomes, the marks and the output that a rule names are left out before they are compared.
 * Failures (assertions, crashes, misuse) are never suppressed.
 */
#include <stdlib.h>

#include "engine_explore.h"

/* Counts it once, with the rule that names it. */
static bool drops(hd_engine_exploration *e, const hd_finding_about *about, uint64_t fingerprint) {
    bool added = false, dropped = hd_finding_filter_names(&e->filter, about);
    uint32_t *rule = dropped ? hd_map_at(&e->dropped, fingerprint, &added) : NULL;
    if (!added)
        return dropped;
    uint64_t *used = HD_NEW_ARRAY(uint64_t, e->filter.rules.length + 1);
    for (size_t i = 0; i < e->filter.rules.length; i++)
        used[i] = e->filter.rules.data[i].used;
    hd_finding_filter_drops(&e->filter, about);
    for (size_t i = 0; i < e->filter.rules.length; i++)
        if (e->filter.rules.data[i].used != used[i])
            *rule = (uint32_t)i + 1;
    free(used);
    return true;
}

static bool drops_parts(hd_engine_exploration *e, const hd_engine_parts *parts, bool deadlock,
                        uint64_t fingerprint) {
    hd_finding_about about = {.parts = parts->data, .count = parts->length, .deadlock = deadlock};
    pthread_mutex_lock(&e->dropping);
    bool dropped = drops(e, &about, fingerprint);
    pthread_mutex_unlock(&e->dropping);
    return dropped;
}

bool hd_engine_explore_drops_race(hd_engine_exploration *e, const uint32_t positions[2],
                                  const char *variable, uint64_t fingerprint) {
    hd_engine_parts parts = {0};
    if (!e->filter.on)
        return false;
    for (int i = 0; i < 2; i++)
        hd_engine_parts_add(&parts, hd_engine_explore_checker(e), e->path, positions[i], variable);
    bool dropped = drops_parts(e, &parts, false, fingerprint);
    hd_engine_parts_release(&parts);
    return dropped;
}

bool hd_engine_explore_drops_deadlock(hd_engine_exploration *e, uint64_t fingerprint) {
    hd_engine_parts parts = {0};
    if (!e->filter.on || !e->program)
        return false;
    hd_engine_parts_of_waits(&parts, hd_engine_explore_checker(e), e->path, &e->schedule, false);
    bool dropped = drops_parts(e, &parts, true, fingerprint);
    hd_engine_parts_release(&parts);
    return dropped;
}

bool hd_engine_explore_leaves_out(void *context, const char *label, const char *place,
                                  const char *function) {
    hd_engine_exploration *e = context;
    hd_finding_part part = {.variable = label, .place = place, .function = function};
    hd_finding_about about = {.parts = &part, .count = 1, .meant = true};
    const char *names[] = {label ? label : "", place, function};
    uint64_t fingerprint = hd_finding_fingerprint("meant", names, 3);
    pthread_mutex_lock(&e->dropping);
    bool dropped = drops(e, &about, fingerprint);
    pthread_mutex_unlock(&e->dropping);
    return dropped;
}

void hd_engine_explore_forget_dropped(hd_engine_exploration *e) {
    pthread_mutex_lock(&e->dropping);
    e->filter.suppressed = 0;
    for (size_t i = 0; i < e->filter.rules.length; i++)
        e->filter.rules.data[i].used = 0;
    hd_map_release(&e->dropped);
    pthread_mutex_unlock(&e->dropping);
}
