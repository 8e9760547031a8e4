#include "explore_frontier.h"

#include "explore_team.h"

void hd_explore_way_release(hd_explore_way *way) {
    hd_vec_release(&way->places);
}

void hd_explore_frontier_release(hd_explore_frontier *frontier) {
    for (size_t i = 0; i < frontier->ways.length; i++)
        hd_explore_way_release(&frontier->ways.data[i]);
    hd_vec_release(&frontier->ways);
    hd_vec_release(&frontier->crossings);
}

/* ---- Counts ---- */

enum { COUNTS = 10 };

static void list_counts(hd_explore_result *counts, uint64_t *list[COUNTS]) {
    uint64_t *all[COUNTS] = {&counts->executions,  &counts->blocked,
                             &counts->in_vain,     &counts->deadlocks,
                             &counts->violations,  &counts->cut,
                             &counts->hung,        &counts->steps,
                             &counts->race_checks, &counts->dependency_checks};
    memcpy(list, all, sizeof all);
}

/* A limit that is no property of what was searched does not last. */
static enum hd_explore_limit lasting(enum hd_explore_limit limit) {
    return limit == HD_EXPLORE_LIMIT_STEPS || limit == HD_EXPLORE_LIMIT_HANG ? limit
                                                                             : HD_EXPLORE_NO_LIMIT;
}

void hd_explore_counts_put(const hd_explore_result *counts, hd_vec_char *to) {
    hd_explore_result copy = *counts;
    uint64_t *list[COUNTS];
    list_counts(&copy, list);
    for (int i = 0; i < COUNTS; i++)
        hd_bytes_put(to, *list[i]);
    hd_bytes_put(to, (uint64_t)lasting(counts->limit));
}

void hd_explore_counts_get(hd_explore_result *counts, hd_bytes *from) {
    uint64_t *list[COUNTS];
    *counts = (hd_explore_result){0};
    list_counts(counts, list);
    for (int i = 0; i < COUNTS; i++)
        *list[i] = hd_bytes_get(from, UINT64_MAX / 2);
    counts->limit = lasting((enum hd_explore_limit)hd_bytes_get(from, HD_EXPLORE_LIMITS - 1));
    if (counts->deadlocks + counts->violations > counts->executions ||
        counts->in_vain > counts->blocked)
        from->bad = true;
}

void hd_explore_counts_add(hd_explore_result *sum, const hd_explore_result *part) {
    hd_explore_result copy = *part;
    uint64_t *to[COUNTS], *from[COUNTS];
    list_counts(sum, to);
    list_counts(&copy, from);
    for (int i = 0; i < COUNTS; i++)
        *to[i] += *from[i];
    sum->stopped |= part->stopped;
    sum->strayed |= part->strayed;
    if (part->differs)
        sum->differs = part->differs;
    if (part->limit)
        sum->limit = part->limit;
}

/* ---- Sets ---- */

void hd_explore_set_put(hd_vec_char *to, hd_explore_set set) {
    uint32_t before = 0;
    hd_bytes_put(to, hd_explore_set_count(set));
    HD_EXPLORE_EACH(rest, set) {
        uint32_t thread = hd_explore_set_first(rest);
        hd_bytes_put(to, thread - before);
        before = thread;
    }
}

hd_explore_set hd_explore_set_get(hd_bytes *from, uint32_t threads) {
    hd_explore_set set = HD_EXPLORE_NO_THREADS;
    size_t count = hd_bytes_get_count(from, 1);
    uint64_t thread = 0;
    for (size_t i = 0; i < count && !from->bad; i++) {
        thread += hd_bytes_get(from, UINT32_MAX);
        if (thread >= threads)
            from->bad = true;
        else
            set |= HD_EXPLORE_BIT((uint32_t)thread);
    }
    return set;
}

/* ---- Crossings and ways ---- */

static void put_step(hd_vec_char *to, hd_step step) {
    hd_bytes_put(to, step.thread);
    hd_bytes_put(to, step.choice);
}

static hd_step get_step(hd_bytes *from, uint32_t threads) {
    uint32_t thread = (uint32_t)hd_bytes_get(from, threads - 1);
    return (hd_step){thread, (uint32_t)hd_bytes_get(from, UINT32_MAX)};
}

void hd_explore_crossing_put(hd_vec_char *to, const hd_explore_crossing *crossing) {
    put_step(to, crossing->step);
    hd_explore_set_put(to, crossing->enabled);
    hd_explore_set_put(to, crossing->inherited);
    hd_explore_set_put(to, crossing->sleep);
    hd_explore_set_put(to, crossing->explored);
    hd_explore_set_put(to, crossing->backtrack);
}

void hd_explore_crossing_get(hd_explore_crossing *crossing, uint32_t threads, hd_bytes *from) {
    *crossing = (hd_explore_crossing){.parent = HD_EXPLORE_NONE, .step = get_step(from, threads)};
    crossing->enabled = hd_explore_set_get(from, threads);
    crossing->inherited = hd_explore_set_get(from, threads);
    crossing->sleep = hd_explore_set_get(from, threads);
    crossing->explored = hd_explore_set_get(from, threads);
    crossing->backtrack = hd_explore_set_get(from, threads);
    if (hd_explore_set_any((crossing->explored | crossing->backtrack) & ~crossing->enabled))
        from->bad = true;
}

static void put_crossing(hd_vec_char *to, const hd_explore_crossing *crossing) {
    hd_bytes_put(to, crossing->parent == HD_EXPLORE_NONE ? 0 : crossing->parent + 1);
    hd_explore_crossing_put(to, crossing);
}

static void get_crossing(hd_explore_frontier *frontier, hd_bytes *from) {
    uint32_t number = (uint32_t)frontier->crossings.length;
    hd_explore_crossing made;
    uint64_t parent = hd_bytes_get(from, number);
    hd_explore_crossing_get(&made, frontier->threads, from);
    if (parent) {
        made.parent = (uint32_t)parent - 1;
        made.depth = frontier->crossings.data[parent - 1].depth + 1;
    } else if (number)
        from->bad = true; /* a second root */
    hd_vec_push(&frontier->crossings, made);
}

static void put_way(hd_vec_char *to, const hd_explore_way *way) {
    hd_bytes_put(to, way->shared);
    hd_bytes_put(to, way->last);
    hd_bytes_put(to, way->places.length);
    for (size_t i = 0; i < way->places.length; i++) {
        const hd_explore_place_on_way *place = &way->places.data[i];
        put_step(to, place->step);
        put_step(to, (hd_step){place->thread, place->choice});
        hd_bytes_put(to, place->choices);
        hd_explore_set_put(to, place->sleep);
        if (i < way->shared)
            continue;
        hd_bytes_put(to, place->failed);
        hd_explore_set_put(to, place->inherited);
        hd_explore_set_put(to, place->explored);
        hd_explore_set_put(to, place->backtrack);
    }
}

static hd_explore_place_on_way get_place(hd_bytes *from, uint32_t threads, bool shared) {
    hd_explore_place_on_way place = {.step = get_step(from, threads)};
    hd_step taken = get_step(from, threads);
    place.thread = taken.thread;
    place.choice = taken.choice;
    place.choices = (uint32_t)hd_bytes_get(from, UINT32_MAX);
    place.sleep = hd_explore_set_get(from, threads);
    if (place.choices && place.choice >= place.choices)
        from->bad = true;
    if (shared)
        return place;
    place.failed = hd_bytes_get(from, 1);
    place.inherited = hd_explore_set_get(from, threads);
    place.explored = hd_explore_set_get(from, threads);
    place.backtrack = hd_explore_set_get(from, threads);
    hd_explore_set thread = HD_EXPLORE_BIT(place.thread);
    if (place.choices && (!hd_explore_set_any(place.backtrack & thread) ||
                          hd_explore_set_any((place.sleep | place.explored) & thread)))
        from->bad = true;
    return place;
}

static void get_way(hd_explore_frontier *frontier, hd_bytes *from) {
    enum { LEAST_BYTES = 6 };
    hd_explore_way way = {.shared = (uint32_t)hd_bytes_get(from, UINT32_MAX)};
    way.last = (uint32_t)hd_bytes_get(from, UINT32_MAX);
    size_t count = hd_bytes_get_count(from, LEAST_BYTES);
    bool joined = way.last < frontier->crossings.length;
    if (!count || way.shared > count ||
        (way.shared && (!joined || frontier->crossings.data[way.last].depth + 1 != way.shared)) ||
        (!way.shared && frontier->crossings.length))
        from->bad = true;
    for (size_t i = 0; i < count && !from->bad; i++)
        hd_vec_push(&way.places, get_place(from, frontier->threads, i < way.shared));
    hd_vec_push(&frontier->ways, way);
}

/* ---- All of it ---- */

static const char magic[] = "sets";

void hd_explore_frontier_put(const hd_explore_frontier *frontier, hd_vec_char *to) {
    hd_bytes_put_text(to, magic, strlen(magic));
    hd_bytes_put(to, (uint64_t)frontier->algorithm);
    hd_bytes_put(to, frontier->threads);
    hd_explore_counts_put(&frontier->counts, to);
    hd_bytes_put(to, frontier->crossings.length);
    for (size_t i = 0; i < frontier->crossings.length; i++)
        put_crossing(to, &frontier->crossings.data[i]);
    hd_bytes_put(to, frontier->ways.length);
    for (size_t i = 0; i < frontier->ways.length; i++)
        put_way(to, &frontier->ways.data[i]);
}

bool hd_explore_frontier_get(hd_explore_frontier *frontier, hd_bytes *from) {
    enum { LEAST_CROSSING = 8, LEAST_WAY = 3 };
    size_t length;
    *frontier = (hd_explore_frontier){0};
    const char *text = hd_bytes_get_text(from, &length);
    if (length != strlen(magic) || memcmp(text, magic, length) != 0)
        from->bad = true;
    frontier->algorithm = (enum hd_explore_algorithm)hd_bytes_get(from, HD_EXPLORE_ALGORITHMS - 1);
    frontier->threads = (uint32_t)hd_bytes_get(from, HD_EXPLORE_SET_THREADS);
    hd_explore_counts_get(&frontier->counts, from);
    if (!frontier->threads ||
        (frontier->algorithm != HD_EXPLORE_SDPOR && frontier->algorithm != HD_EXPLORE_DPOR))
        from->bad = true;
    size_t crossings = hd_bytes_get_count(from, LEAST_CROSSING);
    for (size_t i = 0; i < crossings && !from->bad; i++)
        get_crossing(frontier, from);
    size_t ways = hd_bytes_get_count(from, LEAST_WAY);
    for (size_t i = 0; i < ways && !from->bad; i++)
        get_way(frontier, from);
    if (hd_bytes_done(from))
        return true;
    hd_explore_frontier_release(frontier);
    *frontier = (hd_explore_frontier){0};
    return false;
}

#if HD_EXPLORE_WORDS == 1
bool hd_explore_kept_counts(const hd_vec_char *frontier, hd_explore_result *counts) {
    hd_bytes from = {frontier->data, frontier->data + frontier->length, false};
    size_t length;
    hd_bytes_get_text(&from, &length);
    hd_bytes_get(&from, UINT64_MAX);
    hd_bytes_get(&from, UINT64_MAX);
    hd_explore_counts_get(counts, &from);
    return !from.bad;
}
#endif
