/*
 * What the question explore has found, as bytes: for a checkpoint, and from one process to another.
 * What is read is added to what is there.
 *
 * What is found was run again by the checker before it was written; its schedule is run once more
 * before it is shown, when it is made short.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"

/* ---- Findings ---- */

static void put_finding(const hd_finding *finding, hd_vec_char *to) {
    hd_bytes_put(to, (uint64_t)finding->sort);
    hd_bytes_put_string(to, finding->rule);
    hd_bytes_put(to, finding->unordered);
    hd_bytes_put(to, finding->order);
    hd_bytes_put_string(to, finding->message);
    hd_bytes_put_string(to, finding->location);
    hd_bytes_put_string(to, finding->variable);
    hd_bytes_put_steps(to, &finding->schedule);
    hd_bytes_put(to, finding->fingerprint);
    hd_bytes_put(to, finding->count);
}

static void put_list(const hd_finding_list *list, hd_vec_char *to) {
    hd_bytes_put(to, list->found.length);
    for (size_t i = 0; i < list->found.length; i++)
        put_finding(&list->found.data[i], to);
}

static void get_list(hd_engine_exploration *e, hd_finding_list *list, hd_bytes *from) {
    enum { LEAST = 10 };
    size_t count = hd_bytes_get_count(from, LEAST);
    for (size_t i = 0; i < count && !from->bad; i++) {
        hd_finding finding;
        int sort = (int)hd_bytes_get(from, HD_FINDING_SORTS - 1);
        const char *rule = hd_engine_keep_constant(&e->keep, hd_bytes_get_string(from));
        hd_finding_init(&finding, (enum hd_finding_sort)sort, rule ? rule : "failure");
        finding.unordered = hd_bytes_get(from, 1);
        finding.order = hd_bytes_get(from, UINT64_MAX);
        finding.message = hd_bytes_get_string(from);
        finding.location = hd_bytes_get_string(from);
        finding.variable = hd_bytes_get_string(from);
        hd_bytes_get_steps(from, &finding.schedule);
        finding.fingerprint = hd_bytes_get(from, UINT64_MAX);
        finding.count = hd_bytes_get(from, UINT64_MAX / 2);
        if (!finding.message || !finding.location)
            from->bad = true;
        if (!from->bad)
            hd_engine_explore_keep_race(list, &finding);
        hd_finding_release(&finding);
    }
}

/* Races that are still to be tried. */
static void put_aside(const hd_engine_exploration *e, hd_vec_char *to) {
    hd_bytes_put(to, e->lesser.length);
    for (size_t i = 0; i < e->lesser.length; i++) {
        const hd_engine_collision *found = &e->lesser.data[i];
        for (int k = 0; k < 2; k++) {
            hd_bytes_put(to, found->threads[k]);
            hd_bytes_put(to, found->positions[k]);
        }
        hd_bytes_put(to, found->unordered);
        hd_bytes_put(to, found->order);
        hd_bytes_put(to, found->print);
        hd_bytes_put_steps(to, &found->part);
        hd_bytes_put_steps(to, &found->whole);
    }
}

static void get_aside(hd_engine_exploration *e, hd_bytes *from) {
    enum { LEAST = 9 };
    size_t count = hd_bytes_get_count(from, LEAST);
    for (size_t i = 0; i < count && !from->bad; i++) {
        hd_engine_collision found = {0};
        for (int k = 0; k < 2; k++) {
            found.threads[k] = (uint32_t)hd_bytes_get(from, UINT32_MAX);
            found.positions[k] = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        }
        found.unordered = hd_bytes_get(from, 1);
        found.order = hd_bytes_get(from, UINT64_MAX);
        found.print = hd_bytes_get(from, UINT64_MAX);
        hd_bytes_get_steps(from, &found.part);
        hd_bytes_get_steps(from, &found.whole);
        hd_engine_explore_put_aside(e, &found);
    }
}

/* ---- Pairs of places, and what is suppressed ---- */

static void put_map(const hd_map *map, hd_vec_char *to) {
    size_t at = 0;
    uint64_t key;
    uint32_t value;
    hd_bytes_put(to, map->length);
    while (hd_map_each(map, &at, &key, &value)) {
        hd_bytes_put(to, key);
        hd_bytes_put(to, value);
    }
}

/* Workers that go on may meet more that is suppressed. */
static void put_dropped(const hd_engine_exploration *e, hd_vec_char *to) {
    pthread_mutex_t *dropping = (pthread_mutex_t *)(uintptr_t)&e->dropping;
    pthread_mutex_lock(dropping);
    put_map(&e->dropped, to);
    pthread_mutex_unlock(dropping);
}

/* Tries, of which the most count. */
static void get_map(hd_map *map, hd_bytes *from) {
    size_t count = hd_bytes_get_count(from, 2);
    bool added;
    for (size_t i = 0; i < count && !from->bad; i++) {
        uint64_t key = hd_bytes_get(from, UINT64_MAX);
        uint32_t value = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        uint32_t *known = hd_map_at(map, key, &added);
        if (added || value > *known)
            *known = value;
    }
}

/* Suppressed findings, with the rule that names each. */
static void get_filter(hd_engine_exploration *e, hd_bytes *from) {
    size_t count = hd_bytes_get_count(from, 2);
    bool added;
    pthread_mutex_lock(&e->dropping);
    for (size_t i = 0; i < count && !from->bad; i++) {
        uint64_t print = hd_bytes_get(from, UINT64_MAX);
        uint32_t rule = (uint32_t)hd_bytes_get(from, e->filter.rules.length);
        uint32_t *known = from->bad ? NULL : hd_map_at(&e->dropped, print, &added);
        if (!known || !added)
            continue;
        *known = rule;
        if (!rule)
            continue;
        e->filter.suppressed++;
        e->filter.rules.data[rule - 1].used++;
    }
    pthread_mutex_unlock(&e->dropping);
}

/* ---- Everything ---- */

void hd_engine_explore_put(const hd_engine_exploration *e, hd_vec_char *to) {
    put_list(&e->findings, to);
    put_list(&e->races, to);
    put_list(&e->unordered, to);
    put_aside(e, to);
    put_map(&e->pairs, to);
    put_map(&e->unordered_pairs, to);
    put_dropped(e, to);
    hd_bytes_put(to, e->assumed);
    hd_bytes_put(to, e->pruned);
    hd_bytes_put(to, e->unsaid);
    hd_bytes_put_string(to, e->fault);
    hd_bytes_put_text(to, e->hung.data, e->hung.length);
    hd_bytes_put_text(to, e->varies.data, e->varies.length);
    hd_engine_explore_put_outcomes(e, to);
}

bool hd_engine_explore_get(hd_engine_exploration *e, hd_bytes *from) {
    size_t length;
    get_list(e, &e->findings, from);
    get_list(e, &e->races, from);
    get_list(e, &e->unordered, from);
    get_aside(e, from);
    get_map(&e->pairs, from);
    get_map(&e->unordered_pairs, from);
    get_filter(e, from);
    e->assumed += hd_bytes_get(from, UINT64_MAX / 2);
    e->pruned += hd_bytes_get(from, UINT64_MAX / 2);
    e->unsaid |= hd_bytes_get(from, 1);
    char *fault = hd_bytes_get_string(from);
    if (fault && !e->fault[0])
        snprintf(e->fault, sizeof e->fault, "%s", fault);
    free(fault);
    const char *hung = hd_bytes_get_text(from, &length);
    for (size_t i = 0; !e->hung.length && i < length; i++)
        hd_vec_push(&e->hung, hung[i]);
    const char *varies = hd_bytes_get_text(from, &length);
    for (size_t i = 0; !e->varies.length && i < length; i++)
        hd_vec_push(&e->varies, varies[i]);
    hd_engine_explore_get_outcomes(e, from);
    return hd_bytes_done(from);
}

/* ---- What was learnt of a program ---- */

/* It is the same all the time that a search goes on: else that starts over. */
static void put_learnt(const hd_engine_exploration *e, hd_vec_char *to) {
    hd_vec_char learnt = {0};
    if (e->program)
        hd_native_machine_put(e->machine, &learnt);
    hd_bytes_put_text(to, learnt.data, learnt.length);
    hd_vec_release(&learnt);
}

/* False if the machine cannot be what it was. */
static bool get_learnt(hd_engine_exploration *e, hd_bytes *from) {
    hd_vec_char learnt = {0};
    size_t length;
    const char *text = hd_bytes_get_text(from, &length);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&learnt, text[i]);
    bool good = !e->program || from->bad || hd_engine_explore_learn(e, &learnt);
    hd_vec_release(&learnt);
    return good;
}

bool hd_engine_explore_get_state(hd_engine_exploration *e, hd_bytes *from) {
    if (!get_learnt(e, from))
        return false;
    hd_verdict_get_rests(&e->rested, from);
    return hd_engine_explore_get(e, from);
}

/* ---- Checkpoints ---- */

/* By now: what the other processes, and each worker of this one, have seen. */
void hd_engine_explore_put_rests(const hd_engine_exploration *e,
                                 const hd_explore_machines *machines, hd_vec_char *to) {
    hd_verdict verdict;
    hd_verdict_init(&verdict, "");
    for (size_t i = 0; e->program && i < machines->length; i++) {
        hd_verdict own;
        hd_verdict_init(&own, "");
        hd_native_machine_rests(machines->data[i], &own);
        hd_verdict_join_doubts(&verdict, &own);
        hd_verdict_release(&own);
    }
    hd_verdict_join_doubts(&verdict, &e->rested);
    hd_verdict_put_rests(&verdict, to);
    hd_verdict_release(&verdict);
}

static void keep(void *context, const hd_explore_machines *machines, const hd_vec_char *frontier) {
    hd_engine_exploration *e = context;
    hd_vec_char state = {0};
    if (!e->keep.to)
        return;
    hd_engine_explore_prior_drop(e);
    put_learnt(e, &state);
    hd_engine_explore_put_rests(e, machines, &state);
    hd_engine_explore_put(e, &state);
    hd_engine_keep_write(&e->keep, &state, frontier);
    hd_vec_release(&state);
}

void hd_engine_explore_keep(hd_engine_exploration *e, const hd_vec_char *frontier) {
    hd_explore_machines machines = {&e->machine, 1, 1};
    keep(e, &machines, frontier);
}

/* Pairs that were tried, and what was suppressed, are remembered, and told again: that adds
 * nothing. */
void hd_engine_explore_told(hd_engine_exploration *e) {
    size_t enough = e->findings.enough;
    hd_finding_list_release(&e->findings);
    hd_finding_list_init(&e->findings, enough);
    hd_finding_list_release(&e->races);
    hd_finding_list_init(&e->races, 0);
    hd_finding_list_release(&e->unordered);
    hd_finding_list_init(&e->unordered, 0);
    hd_engine_explore_forget_lesser(e);
    hd_engine_explore_forget_outcomes(e);
    e->assumed = e->pruned = 0;
}

/* Sums what is asked about: of a program its build, as the machine names places there, and the
 * rules that say what is left out. */
static bool sum_input(const hd_engine_exploration *e, uint64_t *sum, hd_error *error) {
    char build[HD_LAUNCH_BUILD];
    if (!e->program)
        return hd_engine_keep_sum(e->path, sum, error);
    if (!hd_launch_build(e->argv[0], build))
        return hd_error_set(error, "%s: cannot be read", hd_text_name(e->argv[0]));
    *sum = hd_bytes_sum(build, strlen(build));
    for (size_t i = 0; i < e->filter.rules.length; i++) {
        const char *line = e->filter.rules.data[i].line;
        *sum = *sum * 31 + hd_bytes_sum(line, strlen(line));
    }
    return true;
}

bool hd_engine_explore_keep_begin(hd_engine_exploration *e, hd_error *error) {
    uint64_t sum;
    if (!hd_engine_keep_on(&e->keep))
        return true;
    if (!hd_explore_can_keep(&e->options) || e->walk || e->graph)
        return hd_error_set(error, "%s cannot be kept in a checkpoint; sdpor and dpor can",
                            e->walk              ? "random runs"
                            : e->graph           ? "a search through states"
                            : e->options.bounded ? "a search by preemptions"
                                                 : hd_explore_algorithm_name(e->options.algorithm));
    if (!sum_input(e, &sum, error) || !hd_engine_keep_begin(&e->keep, sum, error))
        return false;
    e->keeper = (hd_explore_keeper){.every = e->keep.every, .keep = keep, .context = e};
    e->options.keeper = &e->keeper;
    if (!e->keep.from)
        return true;
    hd_bytes from = {e->keep.state.data, e->keep.state.data + e->keep.state.length, false};
    if (!get_learnt(e, &from))
        return hd_error_set(
            error,
            "%s: the program is not what it was found to be until then; begin anew, "
            "without --resume",
            hd_text_name(e->keep.from));
    hd_verdict_get_rests(&e->rested, &from);
    if (!hd_engine_explore_get(e, &from))
        return hd_error_set(error, "%s: a checkpoint that is not well-formed",
                            hd_text_name(e->keep.from));
    e->keeper.from = &e->keep.frontier;
    hd_engine_explore_prior_begin(e);
    return true;
}
