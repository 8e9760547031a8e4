#include "race_blocks_pairs.h"

#include <stdlib.h>

static const heddle_event *event_of(const hd_race_pairs *p, uint32_t number) {
    return hd_trace_event(p->parts->space->trace, number);
}

/* ---- Accesses by thread ---- */

static bool counts(const heddle_event *e, bool writes) {
    return hd_trace_is_access(e) && (!writes || hd_trace_writes(e));
}

static void build_lists(hd_trace_lists *lists, const hd_order_space *space, bool writes) {
    const hd_trace_lists *threads = &space->index->threads;
    uint32_t variables = space->index->variables.count;
    uint32_t *fill = HD_NEW_ARRAY(uint32_t, (size_t)variables + 1), total = 0;
    lists->count = variables;
    lists->start = HD_NEW_ARRAY(uint32_t, (size_t)variables + 1);
    for (uint32_t n = 1; n <= hd_trace_length(space->trace); n++)
        if (counts(hd_order_event(space, n), writes))
            lists->start[hd_order_event(space, n)->object + 1]++;
    for (uint32_t v = 0; v < variables; v++) {
        fill[v] = total;
        total = lists->start[v + 1] += total;
    }
    lists->items = HD_NEW_ARRAY(uint32_t, (size_t)total + 1);
    for (uint32_t t = 0; t < threads->count; t++)
        for (uint32_t i = 0; i < hd_trace_list_length(threads, t); i++) {
            uint32_t number = hd_trace_list(threads, t)[i];
            if (counts(hd_order_event(space, number), writes))
                lists->items[fill[hd_order_event(space, number)->object]++] = number;
        }
    free(fill);
}

/* They are asked for again with each other variable. */
static void look_up(hd_race_pairs *p) {
    const hd_order_space *space = p->parts->space;
    const hd_trace_lists *threads = &space->index->threads;
    hd_order_held_cursor cursor;
    p->place = HD_NEW_ARRAY(uint32_t, (size_t)hd_trace_length(space->trace) + 1);
    p->held = HD_NEW_ARRAY(uint32_t, (size_t)hd_trace_length(space->trace) + 1);
    for (uint32_t t = 0; t < threads->count; t++) {
        hd_order_held_start(&cursor, &p->parts->held, t);
        for (uint32_t i = 0; i < hd_trace_list_length(threads, t); i++) {
            uint32_t number = hd_trace_list(threads, t)[i];
            if (!hd_trace_is_access(hd_order_event(space, number)))
                continue;
            p->place[number] = hd_race_place(p->push, number);
            p->held[number] = hd_order_held_walk(&cursor, number);
        }
    }
}

void hd_race_pairs_init(hd_race_pairs *pairs, hd_race_parts *parts, hd_race_push *push) {
    *pairs = (hd_race_pairs){.parts = parts, .push = push};
    build_lists(&pairs->all, parts->space, false);
    build_lists(&pairs->writes, parts->space, true);
    look_up(pairs);
}

void hd_race_pairs_release(hd_race_pairs *pairs) {
    free(pairs->all.start);
    free(pairs->all.items);
    free(pairs->writes.start);
    free(pairs->writes.items);
    free(pairs->place);
    free(pairs->held);
}

static bool is_shared(const hd_race_pairs *p, uint32_t variable) {
    const uint32_t *accesses = hd_trace_list(&p->all, variable);
    uint32_t count = hd_trace_list_length(&p->all, variable);
    return count && event_of(p, accesses[0])->thread != event_of(p, accesses[count - 1])->thread &&
           hd_trace_list_length(&p->writes, variable);
}

/* ---- Spans ---- */

/* The begin of the outermost block that an access is in; 0: none. */
static uint32_t outermost(const hd_race_pairs *p, uint32_t access) {
    uint32_t block = p->parts->block_of[access];
    return block ? p->parts->blocks.data[block - 1].outermost : 0;
}

static void add_span(hd_race_pairs *p, uint32_t first, uint32_t second, unsigned from) {
    const heddle_event *e = event_of(p, second);
    struct hd_race_span span = {.thread = e->thread,
                                .first_place = p->place[first],
                                .second_place = p->place[second],
                                .between = from + (hd_trace_writes(e) ? 0 : HD_RACE_BACK_WRITE),
                                .first = first,
                                .second = second,
                                .variable = e->object};
    hd_vec_push(&p->parts->spans, span);
}

/* The spans of a block: what comes after a later access of the variable comes after its first one,
 * so only that is asked about, and the first write, for reads that do not conflict with the
 * first. */
static void add_spans(hd_race_pairs *p, uint32_t first, uint32_t written) {
    const hd_order_space *space = p->parts->space;
    const heddle_event *e = event_of(p, first);
    uint32_t length = hd_order_space_length(space, e->thread);
    for (uint32_t at = hd_order_position(space, first) + 1; at <= length && !hd_clock_over();
         at++) {
        uint32_t number = hd_order_event_at(space, e->thread, at);
        const heddle_event *other = hd_order_event(space, number);
        if (other->kind == HEDDLE_END && !p->parts->block_of[number])
            return;
        if (!hd_trace_is_access(other) || other->object == e->object ||
            !is_shared(p, other->object))
            continue;
        add_span(p, first, number, written == first ? HD_RACE_TWO : HD_RACE_FROM_WRITE);
        if (written && written != first && written < number)
            add_span(p, written, number, HD_RACE_FROM_READ);
    }
}

bool hd_race_pairs_spans(hd_race_pairs *p, uint32_t variable) {
    const uint32_t *accesses = hd_trace_list(&p->all, variable);
    uint32_t count = hd_trace_list_length(&p->all, variable);
    hd_vec_clear(&p->parts->spans);
    if (!is_shared(p, variable))
        return false;
    for (uint32_t i = 0, end; i < count; i = end) {
        uint32_t block = outermost(p, accesses[i]), written = 0;
        for (end = i; end < count && outermost(p, accesses[end]) == block; end++)
            if (!written && hd_trace_writes(event_of(p, accesses[end])))
                written = accesses[end];
        if (block)
            add_spans(p, accesses[i], written);
    }
    hd_race_parts_finish_spans(p->parts);
    return p->parts->spans.length > 0;
}

/* ---- What may come between ---- */

/* Accesses of one thread, ascending. */
typedef struct run {
    const uint32_t *events;
    uint32_t count;
} run;

/* How many of a list by thread are of threads before this one. */
static uint32_t before_thread(const hd_race_pairs *p, run all, uint32_t thread) {
    uint32_t low = 0, high = all.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (event_of(p, all.events[middle])->thread < thread)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static run run_of(const hd_race_pairs *p, const hd_trace_lists *lists, uint32_t variable,
                  uint32_t thread) {
    run all = {hd_trace_list(lists, variable), hd_trace_list_length(lists, variable)};
    uint32_t from = before_thread(p, all, thread), end = before_thread(p, all, thread + 1);
    return (run){all.events + from, end - from};
}

static void add_comer(hd_race_pairs *p, uint32_t event, uint32_t back, unsigned between) {
    struct hd_race_comer comer = {.thread = event_of(p, event)->thread,
                                  .place = p->place[event],
                                  .held = p->held[event],
                                  .between = between,
                                  .event = event,
                                  .back = back,
                                  .back_place = p->place[back],
                                  .back_held = p->held[back]};
    hd_vec_push(&p->parts->comers, comer);
}

/* Each of the first that has one of the others after it, and none of its own before that: what
 * comes between two accesses has such a pair within. */
static void add_comers(hd_race_pairs *p, run from, run back, unsigned between) {
    bool reads = (between & ~(unsigned)HD_RACE_BACK_WRITE) == HD_RACE_FROM_READ;
    for (uint32_t i = 0; i < from.count; i++) {
        uint32_t at = hd_order_below(back.events, back.count, from.events[i]);
        if (at == back.count)
            return;
        i = hd_order_below(from.events, from.count, back.events[at]) - 1;
        /* One that writes comes after the block's first access, too. */
        if (!reads || !hd_trace_writes(event_of(p, from.events[i])))
            add_comer(p, from.events[i], back.events[at], between);
    }
}

static void add_kind(hd_race_pairs *p, uint32_t variable, uint32_t other, unsigned between) {
    unsigned back = between & HD_RACE_BACK_WRITE, from = between - back;
    const hd_trace_lists *first = from == HD_RACE_FROM_WRITE ? &p->writes : &p->all;
    const uint32_t *events = hd_trace_list(first, variable);
    uint32_t count = hd_trace_list_length(first, variable);
    for (uint32_t i = 0, end; i < count && !hd_clock_over(); i = end) {
        uint32_t thread = event_of(p, events[i])->thread;
        for (end = i + 1; end < count && event_of(p, events[end])->thread == thread;)
            end++;
        add_comers(p, (run){events + i, end - i},
                   run_of(p, back ? &p->writes : &p->all, other, thread), between);
    }
}

void hd_race_pairs_comers(hd_race_pairs *p, uint32_t variable, const struct hd_race_span *spans,
                          size_t count) {
    bool asked[HD_RACE_BETWEEN_COUNT] = {false};
    hd_vec_clear(&p->parts->comers);
    for (size_t i = 0; i < count; i++)
        asked[spans[i].between] = true;
    for (unsigned between = HD_RACE_TWO; between < HD_RACE_BETWEEN_COUNT; between++)
        if (asked[between])
            add_kind(p, variable, spans->variable, between);
    hd_race_parts_sort_comers(p->parts);
}
