#include "race_blocks_parts.h"

#include <stdlib.h>

/* ---- Blocks ---- */

static const struct hd_race_block *block_at(const hd_race_parts *parts, uint32_t number) {
    return number ? &parts->blocks.data[number - 1] : NULL;
}

static void find_blocks(hd_race_parts *parts) {
    const hd_trace *trace = parts->space->trace;
    uint32_t *open = HD_NEW_ARRAY(uint32_t, parts->space->threads); /* [thread]: block + 1 */
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *e = hd_trace_event(trace, n);
        if (e->kind == HEDDLE_BEGIN) {
            const struct hd_race_block *around = block_at(parts, open[e->thread]);
            struct hd_race_block block = {n, open[e->thread], around ? around->outermost : n};
            hd_vec_push(&parts->blocks, block);
            open[e->thread] = (uint32_t)parts->blocks.length;
        } else if (e->kind == HEDDLE_END) {
            assert(open[e->thread]); /* the trace is well-formed */
            open[e->thread] = parts->blocks.data[open[e->thread] - 1].parent;
            parts->block_of[n] = open[e->thread];
        } else if (hd_trace_is_access(e))
            parts->block_of[n] = open[e->thread];
    }
    free(open);
}

bool hd_race_parts_init(hd_race_parts *parts, const hd_order_space *space) {
    *parts = (hd_race_parts){.space = space};
    if (!hd_order_held_build_in_time(&parts->held, space->index))
        return false;
    parts->sets = &parts->held.sets;
    parts->block_of = HD_NEW_ARRAY(uint32_t, (size_t)hd_trace_length(space->trace) + 1);
    find_blocks(parts);
    return true;
}

void hd_race_parts_release(hd_race_parts *parts) {
    if (!parts->sets)
        return;
    hd_order_held_release(&parts->held);
    free(parts->block_of);
    hd_vec_release(&parts->accesses);
    hd_vec_release(&parts->blocks);
    hd_vec_release(&parts->spans);
    hd_vec_release(&parts->comers);
}

uint32_t hd_race_parts_begin(const hd_race_parts *parts, uint32_t first, uint32_t second) {
    const struct hd_race_block *block = block_at(parts, parts->block_of[second]);
    while (block && block->begin > first)
        block = block_at(parts, block->parent);
    return block ? block->begin : 0;
}

/* ---- Spans ---- */

static const heddle_event *event_of(const hd_race_parts *parts, uint32_t number) {
    return hd_trace_event(parts->space->trace, number);
}

static void add_span(hd_race_parts *parts, hd_race_push *push, uint32_t first, uint32_t second,
                     enum hd_race_between between) {
    hd_vec_push(&parts->spans, (struct hd_race_span){.thread = event_of(parts, first)->thread,
                                                     .first_place = hd_race_place(push, first),
                                                     .second_place = hd_race_place(push, second),
                                                     .between = between,
                                                     .first = first,
                                                     .second = second,
                                                     .variable = event_of(parts, second)->object});
}

/* The first access of the earliest block that can be meant, or 0: what comes between
 * later accesses comes between that one and the second, too.  If the second only writes, the first
 * must not read what its block wrote, so it must be the first of its block, and read. */
static uint32_t first_of(const hd_race_parts *parts, const uint32_t *accesses, uint32_t at) {
    const struct hd_race_block *block = block_at(parts, parts->block_of[accesses[at]]);
    uint32_t found = 0, known = at;
    if (!block)
        return 0;
    uint32_t first = hd_order_below(accesses, at, block->outermost);
    if (first == at)
        return 0;
    if (hd_trace_reads(event_of(parts, accesses[at])) ||
        hd_trace_reads(event_of(parts, accesses[first])))
        return accesses[first];
    for (; block && known > first && !hd_clock_over(); block = block_at(parts, block->parent)) {
        if (block->begin > accesses[known - 1])
            continue;
        known = hd_order_below(accesses, known, block->begin);
        assert(accesses[known] > block->begin);
        if (hd_trace_reads(event_of(parts, accesses[known])))
            found = accesses[known];
    }
    return found;
}

static void add_written_spans(hd_race_parts *parts, hd_race_push *push, const uint32_t *accesses,
                              uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t first = first_of(parts, accesses, i);
        if (first)
            add_span(parts, push, first, accesses[i], HD_RACE_WRITE);
    }
}

/* A write, and the next one of its thread, if a block has both. */
static void add_read_spans(hd_race_parts *parts, hd_race_push *push, const uint32_t *accesses,
                           uint32_t count) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!hd_trace_writes(event_of(parts, accesses[i])))
            continue;
        if (last && hd_race_parts_begin(parts, last, accesses[i]))
            add_span(parts, push, last, accesses[i], HD_RACE_READ);
        last = accesses[i];
    }
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_events(const void *x, const void *y) {
    const struct hd_race_span *a = x, *b = y;
    int order = compare_numbers(a->first, b->first);
    return order ? order : compare_numbers(a->second, b->second);
}

/* Spans of one first access, by their second one: the locks that are held all the time. */
static void cover_spans(hd_race_parts *parts, struct hd_race_span *spans, size_t count) {
    const hd_trace_lists *changes = &parts->held.changes;
    const uint32_t *events = hd_trace_list(changes, spans->thread);
    uint32_t length = hd_trace_list_length(changes, spans->thread);
    uint32_t at = hd_order_below(events, length, spans->first);
    uint32_t cover = hd_order_held_before(&parts->held, spans->first);
    for (size_t i = 0; i < count; i++) {
        for (; cover && at < length && events[at] < spans[i].second; at++) {
            const heddle_event *e = event_of(parts, events[at]);
            if (!hd_trace_acquires(e) && hd_order_sets_find(parts->sets, cover, e->object) ==
                                             hd_order_lock_of(e->object, hd_trace_is_shared(e)))
                cover = hd_order_sets_step(parts->sets, cover, e);
        }
        spans[i].cover = cover;
    }
}

static void cover_all(hd_race_parts *parts) {
    struct hd_race_span *spans = parts->spans.data;
    size_t count = parts->spans.length;
    qsort(spans, count, sizeof *spans, by_events);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && spans[end].first == spans[i].first;)
            end++;
        cover_spans(parts, spans + i, end - i);
    }
}

static int by_span_class(const void *x, const void *y) {
    const struct hd_race_span *a = x, *b = y;
    int order = compare_numbers(a->variable, b->variable);
    if (!order)
        order = compare_numbers(a->thread, b->thread);
    if (!order)
        order = compare_numbers(a->first_place, b->first_place);
    if (!order)
        order = compare_numbers(a->second_place, b->second_place);
    if (!order)
        order = compare_numbers(a->cover, b->cover);
    if (!order)
        order = compare_numbers(a->between, b->between);
    return order ? order : by_events(a, b);
}

void hd_race_parts_finish_spans(hd_race_parts *parts) {
    if (!parts->spans.length)
        return;
    cover_all(parts);
    qsort(parts->spans.data, parts->spans.length, sizeof *parts->spans.data, by_span_class);
}

/* ---- What may come between ---- */

static int by_comer_class(const void *x, const void *y) {
    const struct hd_race_comer *a = x, *b = y;
    int order = compare_numbers(a->thread, b->thread);
    if (!order)
        order = compare_numbers(a->place, b->place);
    if (!order)
        order = compare_numbers(a->held, b->held);
    if (!order)
        order = compare_numbers(a->back_place, b->back_place);
    if (!order)
        order = compare_numbers(a->back_held, b->back_held);
    if (!order)
        order = compare_numbers(a->between, b->between);
    return order ? order : compare_numbers(a->event, b->event);
}

void hd_race_parts_sort_comers(hd_race_parts *parts) {
    if (parts->comers.length)
        qsort(parts->comers.data, parts->comers.length, sizeof *parts->comers.data, by_comer_class);
}

static void gather_comers(hd_race_parts *parts, hd_race_push *push) {
    for (size_t i = 0; i < parts->accesses.length; i++) {
        uint32_t number = parts->accesses.data[i];
        const heddle_event *e = event_of(parts, number);
        struct hd_race_comer comer = {.thread = e->thread,
                                      .place = hd_race_place(push, number),
                                      .held = hd_order_held_before(&parts->held, number),
                                      .event = number};
        if (hd_trace_writes(e))
            hd_vec_push(&parts->comers, comer);
        comer.between = HD_RACE_READ;
        if (hd_trace_reads(e))
            hd_vec_push(&parts->comers, comer);
    }
    hd_race_parts_sort_comers(parts);
}

/* ---- A variable ---- */

static uint64_t key_of(const hd_race_parts *parts, uint32_t number) {
    return (uint64_t)event_of(parts, number)->thread << 32 | number;
}

static int compare_keys(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* The accesses by thread; false if they are of one, or none of them is in a block. */
static bool gather_accesses(hd_race_parts *parts, uint32_t variable) {
    const hd_trace_lists *accesses = &parts->space->index->variables;
    const uint32_t *events = hd_trace_list(accesses, variable);
    uint32_t count = hd_trace_list_length(accesses, variable);
    bool shared = false, inside = false;
    for (uint32_t i = 0; i < count; i++) {
        shared |= event_of(parts, events[i])->thread != event_of(parts, events[0])->thread;
        inside |= parts->block_of[events[i]] != 0;
    }
    hd_vec_clear(&parts->accesses);
    if (!shared || !inside)
        return false;
    hd_vec_u64 keys = {0};
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&keys, key_of(parts, events[i]));
    qsort(keys.data, keys.length, sizeof *keys.data, compare_keys);
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&parts->accesses, (uint32_t)keys.data[i]);
    hd_vec_release(&keys);
    return true;
}

bool hd_race_parts_gather(hd_race_parts *parts, hd_race_push *push, uint32_t variable) {
    if (!gather_accesses(parts, variable))
        return false;
    const uint32_t *accesses = parts->accesses.data;
    uint32_t count = (uint32_t)parts->accesses.length;
    hd_vec_clear(&parts->spans);
    hd_vec_clear(&parts->comers);
    for (uint32_t i = 0, end; i < count; i = end) {
        uint32_t thread = event_of(parts, accesses[i])->thread;
        for (end = i + 1; end < count && event_of(parts, accesses[end])->thread == thread;)
            end++;
        add_written_spans(parts, push, accesses + i, end - i);
        add_read_spans(parts, push, accesses + i, end - i);
    }
    if (!parts->spans.length)
        return false;
    hd_race_parts_finish_spans(parts);
    gather_comers(parts, push);
    return true;
}
