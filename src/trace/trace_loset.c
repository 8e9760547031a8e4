/*
 * The text of a loset, a line at a time.  Lines of events become lines of the text format of
 * traces, the others comments there, so that the reader of traces reads the operations and its
 * messages name the right line.  Labels are looked up when all lines have been read.
 */
#include "trace_loset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_check.h"
#include "trace_cursor.h"

struct word {
    const char *text;
    size_t length;
};

enum relation { BEFORE, TOGETHER, ALWAYS };

/* A line that relates events: its labels are words[first] to words[end - 1]. */
struct related {
    enum relation relation;
    size_t first, end;
    uint64_t line;
};

struct reading {
    hd_trace *trace;
    const char *name;
    hd_error *error;
    uint64_t line;
    struct word process; /* the one at hand */
    bool begun;          /* the line `loset` was seen */
    hd_vec_char std;     /* the text of the events */
    hd_names labels;     /* in the order that they are given */
    hd_vec_u64 labelled; /* [label]: its line */
    HD_VEC(struct word) words;
    HD_VEC(struct related) relations;
    hd_vec_u64 event_line; /* [event - 1] */
    hd_vec_u32 event_of;   /* [label] */
    HD_VEC(hd_trace_edge) edges;
};

static bool fail_at(struct reading *r, uint64_t line, const char *what, struct word word) {
    char *copy = hd_mem_string(word.text, word.length);
    hd_error_set(r->error, "%s:%llu: %s '%s'", hd_text_name(r->name), (unsigned long long)line,
                 what, hd_text_name(copy));
    free(copy);
    return false;
}

/* ---- Lines ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of what is left of a line; an empty one at its end. */
static struct word next_word(struct word *rest) {
    while (rest->length && is_blank(*rest->text))
        rest->text++, rest->length--;
    struct word word = {rest->text, 0};
    while (rest->length && !is_blank(*rest->text))
        rest->text++, rest->length--, word.length++;
    return word;
}

static struct word trim(struct word line) {
    while (line.length && is_blank(*line.text))
        line.text++, line.length--;
    while (line.length && is_blank(line.text[line.length - 1]))
        line.length--;
    return line;
}

static bool is_word(struct word word, const char *text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static void put(hd_vec_char *to, const char *text, size_t length) {
    hd_vec_reserve(to, to->length + length);
    if (length)
        memcpy(to->data + to->length, text, length);
    to->length += length;
}

static bool read_process(struct reading *r, struct word name) {
    if (!name.length)
        return fail_at(r, r->line, "no name after", (struct word){"process", 7});
    if (memchr(name.text, '|', name.length) || memchr(name.text, '\0', name.length) ||
        name.text[0] == '#')
        return fail_at(r, r->line, "not a name for a process:", name);
    r->process = name;
    return true;
}

static bool read_relation(struct reading *r, enum relation relation, struct word rest) {
    struct related related = {relation, r->words.length, 0, r->line};
    for (struct word word = next_word(&rest); word.length; word = next_word(&rest))
        hd_vec_push(&r->words, word);
    related.end = r->words.length;
    size_t count = related.end - related.first;
    if (count < (relation == ALWAYS ? 1 : 2) || (relation == BEFORE && count > 2)) {
        hd_error_set(r->error, "%s:%llu: %s", hd_text_name(r->name), (unsigned long long)r->line,
                     relation == BEFORE     ? "'before' takes the labels of two events"
                     : relation == TOGETHER ? "'together' takes the labels of two events or more"
                                            : "'always' takes the label of an event");
        return false;
    }
    hd_vec_push(&r->relations, related);
    return true;
}

static bool read_label(struct reading *r, struct word label) {
    if (!label.length)
        return fail_at(r, r->line, "no label after", (struct word){"@", 1});
    if (hd_names_find(&r->labels, label.text, label.length) != HD_NAMES_NONE)
        return fail_at(r, r->line, "two events have the label", label);
    hd_names_add(&r->labels, label.text, label.length);
    hd_vec_push(&r->labelled, r->line);
    return true;
}

static bool read_event(struct reading *r, struct word line) {
    if (line.text[0] == '@') {
        struct word label = next_word(&line);
        label.text++, label.length--;
        if (!read_label(r, label))
            return false;
        line = trim(line);
    }
    if (!line.length)
        return fail_at(r, r->line, "no event after", (struct word){"@", 1});
    if (!r->process.length)
        return fail_at(r, r->line, "no process is named before", line);
    put(&r->std, r->process.text, r->process.length);
    put(&r->std, "|", 1);
    put(&r->std, line.text, line.length);
    if (!memchr(line.text, '|', line.length)) {
        char place[32];
        int length = snprintf(place, sizeof place, "|line %llu", (unsigned long long)r->line);
        put(&r->std, place, (size_t)length);
    }
    return true;
}

/* What a slice has of its trace: how the run ended, and what answers must not rely on. */
static bool is_kept(struct word line) {
    static const char *const leads[] = {"# heddle: ended ", "# heddle: note ", "# heddle: unseen ",
                                        "# heddle: doubt "};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (line.length > strlen(leads[i]) && memcmp(line.text, leads[i], strlen(leads[i])) == 0)
            return true;
    return false;
}

static bool read_line(struct reading *r, struct word line) {
    struct word rest = line, first = next_word(&rest);
    if (!line.length || line.text[0] == '#') {
        bool kept = is_kept(line);
        put(&r->std, kept ? line.text : "#", kept ? line.length : 1);
        return true;
    }
    if (!r->begun) {
        r->begun = is_word(first, "loset") && !trim(rest).length;
        put(&r->std, "#", 1);
        return r->begun ||
               fail_at(r, r->line, "a loset begins with the line 'loset', not with", line);
    }
    static const char *const words[] = {"before", "together", "always"};
    for (int i = 0; i < 3; i++)
        if (is_word(first, words[i])) {
            put(&r->std, "#", 1);
            return read_relation(r, (enum relation)i, rest);
        }
    if (is_word(first, "process")) {
        put(&r->std, "#", 1);
        return read_process(r, trim(rest));
    }
    return read_event(r, line);
}

static bool read_lines(struct reading *r, const char *text, size_t length) {
    const char *end = text + length;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop ? stop : end;
        r->line++;
        if (!read_line(r, trim((struct word){text, (size_t)(stop - text)})))
            return false;
        put(&r->std, "\n", 1);
        text = stop < end ? stop + 1 : end;
    }
    if (r->begun)
        return true;
    return hd_error_set(r->error, "%s: no line 'loset'", hd_text_name(r->name));
}

/* ---- Events ---- */

/* A loset says what comes before what by `before`, not by pairs of operations. */
static bool is_allowed(const heddle_event *event) {
    switch (hd_trace_kinds[event->kind].class) {
    case HEDDLE_CLASS_VARIABLE:
    case HEDDLE_CLASS_LOCK:
    case HEDDLE_CLASS_BLOCK:
    case HEDDLE_CLASS_LABEL:
        return event->kind != HEDDLE_TRYFAIL;
    default:
        return false;
    }
}

static bool take_event(struct reading *r, const heddle_event *event, uint64_t line) {
    if (!is_allowed(event)) {
        hd_error_set(r->error, "%s:%llu: '%s' has no meaning in a loset; 'before' orders events",
                     hd_text_name(r->name), (unsigned long long)line,
                     hd_trace_kinds[event->kind].op);
        return false;
    }
    hd_trace_append(r->trace, *event);
    hd_vec_push(&r->event_line, line);
    return true;
}

static bool read_events(struct reading *r) {
    unsigned flags = HD_TRACE_UNCHECKED;
    hd_trace_cursor *cursor =
        hd_trace_cursor_memory(r->std.data, r->std.length, r->name, flags, r->error);
    hd_trace_batch batch;
    int more = cursor ? 1 : -1;
    while (more > 0 && (more = hd_trace_cursor_next(cursor, &batch, r->error)) > 0)
        for (size_t i = 0; i < batch.count && more > 0; i++)
            if (!take_event(r, &batch.events[i],
                            hd_trace_cursor_line(cursor, batch.first + (uint32_t)i)))
                more = -1;
    if (cursor) {
        hd_trace_end_release(&r->trace->end);
        hd_trace_end_copy(&r->trace->end, hd_trace_cursor_end(cursor));
        hd_trace_tables_release(&r->trace->tables);
        hd_trace_cursor_take_tables(cursor, &r->trace->tables);
        hd_trace_cursor_close(cursor);
    }
    return more == 0;
}

/* The events of each process, one process after the other, as they are in the file; where those of
 * process t begin is in first[t]. */
static void sort_events(const hd_trace *trace, uint32_t threads, size_t *first, uint32_t *order) {
    for (size_t i = 0; i < trace->events.length; i++)
        first[trace->events.data[i].thread + 1]++;
    for (uint32_t t = 0; t < threads; t++)
        first[t + 1] += first[t];
    size_t *next = HD_NEW_ARRAY(size_t, (size_t)threads + 1);
    memcpy(next, first, threads * sizeof *next);
    for (size_t i = 0; i < trace->events.length; i++)
        order[next[trace->events.data[i].thread]++] = (uint32_t)i;
    free(next);
}

/* Each process by itself must be a run: what it releases it holds.  There is room for the locks and
 * threads of one process at a time: a file of 300 kB can have 20,000 of each.  The error is the
 * first of the file. */
static bool check_processes(struct reading *r) {
    heddle_event *events = r->trace->events.data;
    uint32_t threads = r->trace->tables.names[HEDDLE_CLASS_THREAD].length;
    size_t *first = HD_NEW_ARRAY(size_t, (size_t)threads + 1), found = SIZE_MAX;
    uint32_t *order = HD_NEW_ARRAY(uint32_t, r->trace->events.length + 1);
    hd_trace_check *check = hd_trace_check_create();
    sort_events(r->trace, threads, first, order);
    for (uint32_t t = 0; t < threads; t++) {
        size_t done = first[t];
        for (bool good = true; good && done < first[t + 1]; done++) {
            hd_error wrong = {""};
            uint32_t i = order[done];
            good = hd_trace_check_event(check, &r->trace->tables, &events[i], &wrong);
            if (good || i >= found)
                continue;
            found = i;
            hd_error_set(r->error, "%s:%llu: %s", hd_text_name(r->name),
                         (unsigned long long)r->event_line.data[i], wrong.text);
        }
        while (done > first[t])
            hd_trace_check_forget(check, &events[order[--done]]);
    }
    hd_trace_check_free(check);
    free(first);
    free(order);
    return found == SIZE_MAX;
}

/* ---- The order ---- */

/* The event on each label's line; both ascend. */
static bool place_labels(struct reading *r) {
    size_t at = 0;
    for (uint32_t label = 0; label < r->labels.length; label++) {
        uint64_t line = r->labelled.data[label];
        while (at < r->event_line.length && r->event_line.data[at] < line)
            at++;
        if (at == r->event_line.length || r->event_line.data[at] != line)
            return fail_at(
                r, line, "no event has the label",
                (struct word){hd_names_text(&r->labels, label), hd_names_size(&r->labels, label)});
        hd_vec_push(&r->event_of, (uint32_t)at + 1);
    }
    return true;
}

static uint32_t event_named(struct reading *r, const struct related *related, size_t i) {
    struct word word = r->words.data[i];
    uint32_t label = hd_names_find(&r->labels, word.text, word.length);
    if (label != HD_NAMES_NONE)
        return r->event_of.data[label];
    fail_at(r, related->line, "no event has the label", word);
    return 0;
}

static bool relate(struct reading *r) {
    hd_trace_loset *loset = r->trace->loset;
    for (size_t i = 0; i < r->relations.length; i++) {
        const struct related *related = &r->relations.data[i];
        uint32_t last = 0;
        for (size_t j = related->first; j < related->end; j++) {
            uint32_t event = event_named(r, related, j);
            if (!event)
                return false;
            if (related->relation == BEFORE && last)
                hd_vec_push(&r->edges, (hd_trace_edge){last, event});
            else if (related->relation == TOGETHER)
                hd_vec_push(&loset->together, event);
            else if (related->relation == ALWAYS)
                hd_vec_push(&loset->always, event);
            last = event;
        }
        if (related->relation == TOGETHER)
            hd_vec_push(&loset->together, 0);
    }
    return true;
}

static int by_ends(const void *a, const void *b) {
    const hd_trace_edge *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->second < y->second ? -1 : x->second > y->second;
}

static int by_second(const void *a, const void *b) {
    const hd_trace_edge *x = a, *y = b;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Smallest first, so that a file in a possible order keeps it. */
static void heap_push(hd_vec_u32 *heap, uint32_t event) {
    hd_vec_push(heap, event);
    for (size_t i = heap->length - 1; i && heap->data[(i - 1) / 2] > event; i = (i - 1) / 2) {
        heap->data[i] = heap->data[(i - 1) / 2];
        heap->data[(i - 1) / 2] = event;
    }
}

static uint32_t heap_pop(hd_vec_u32 *heap) {
    uint32_t least = heap->data[0], moved = hd_vec_pop(heap);
    size_t i = 0, length = heap->length;
    while (length) {
        size_t child = 2 * i + 1;
        if (child + 1 < length && heap->data[child + 1] < heap->data[child])
            child++;
        if (child >= length || heap->data[child] >= moved)
            break;
        heap->data[i] = heap->data[child];
        i = child;
    }
    if (length)
        heap->data[i] = moved;
    return least;
}

/* Program order beside the edges that are given. */
static void add_program_order(struct reading *r) {
    uint32_t threads = r->trace->tables.names[HEDDLE_CLASS_THREAD].length;
    uint32_t *last = HD_NEW_ARRAY(uint32_t, threads + 1);
    for (uint32_t n = 1; n <= hd_trace_length(r->trace); n++) {
        uint32_t *before = &last[hd_trace_event(r->trace, n)->thread];
        if (*before)
            hd_vec_push(&r->edges, (hd_trace_edge){*before, n});
        *before = n;
    }
    free(last);
    if (r->edges.length)
        qsort(r->edges.data, r->edges.length, sizeof *r->edges.data, by_ends);
}

/* The new number of each event, in an order that the edges allow; false if there is a cycle. */
static bool number_events(struct reading *r, uint32_t *number) {
    uint32_t length = hd_trace_length(r->trace), next = 0;
    uint32_t *waits = HD_NEW_ARRAY(uint32_t, (size_t)length + 2);
    size_t *first = HD_NEW_ARRAY(size_t, (size_t)length + 2), at = 0;
    hd_vec_u32 heap = {0};
    for (size_t i = 0; i < r->edges.length; i++)
        waits[r->edges.data[i].second]++;
    for (uint32_t n = 1; n <= length + 1; n++) {
        while (at < r->edges.length && r->edges.data[at].first < n)
            at++;
        first[n] = at;
    }
    for (uint32_t n = 1; n <= length; n++)
        if (!waits[n])
            heap_push(&heap, n);
    while (heap.length) {
        uint32_t n = heap_pop(&heap);
        number[n] = ++next;
        for (size_t i = first[n]; i < first[n + 1]; i++)
            if (!--waits[r->edges.data[i].second])
                heap_push(&heap, r->edges.data[i].second);
    }
    for (uint32_t n = 1; next < length && n <= length; n++)
        if (waits[n]) {
            hd_error_set(r->error,
                         "%s:%llu: this event, by 'before' and the order of its process, would "
                         "come before itself or after events that do",
                         hd_text_name(r->name), (unsigned long long)r->event_line.data[n - 1]);
            break;
        }
    hd_vec_release(&heap);
    free(waits);
    free(first);
    return next == length;
}

static void renumber(struct reading *r, const uint32_t *number) {
    hd_trace *trace = r->trace;
    uint32_t length = hd_trace_length(trace);
    heddle_event *events = HD_NEW_ARRAY(heddle_event, length);
    for (uint32_t n = 1; n <= length; n++)
        events[number[n] - 1] = *hd_trace_event(trace, n);
    if (length)
        memcpy(trace->events.data, events, length * sizeof *events);
    free(events);
    hd_trace_loset *loset = trace->loset;
    for (size_t i = 0; i < loset->together.length; i++)
        loset->together.data[i] = number[loset->together.data[i]];
    for (size_t i = 0; i < loset->always.length; i++)
        loset->always.data[i] = number[loset->always.data[i]];
    for (size_t i = 0; i < r->edges.length; i++) {
        hd_trace_edge edge = {number[r->edges.data[i].first], number[r->edges.data[i].second]};
        if (hd_trace_event(trace, edge.first)->thread != hd_trace_event(trace, edge.second)->thread)
            hd_vec_push(&loset->edges, edge);
    }
    if (loset->edges.length)
        qsort(loset->edges.data, loset->edges.length, sizeof *loset->edges.data, by_second);
    size_t kept = 0;
    for (size_t i = 0; i < loset->edges.length; i++)
        if (!i || by_second(&loset->edges.data[i], &loset->edges.data[i - 1]) != 0)
            loset->edges.data[kept++] = loset->edges.data[i];
    loset->edges.length = kept;
}

static bool put_in_order(struct reading *r) {
    add_program_order(r);
    uint32_t *number = HD_NEW_ARRAY(uint32_t, (size_t)hd_trace_length(r->trace) + 1);
    bool good = number_events(r, number);
    if (good)
        renumber(r, number);
    free(number);
    return good;
}

/* ---- All of it ---- */

bool hd_trace_loset_read(hd_trace *trace, const char *text, size_t length, const char *name,
                         hd_error *error) {
    struct reading r = {.trace = trace, .name = name, .error = error};
    hd_trace_init(trace);
    trace->loset = HD_NEW(hd_trace_loset);
    bool good = read_lines(&r, text, length) && read_events(&r) && check_processes(&r) &&
                place_labels(&r) && relate(&r) && put_in_order(&r);
    hd_vec_release(&r.std);
    hd_names_release(&r.labels);
    hd_vec_release(&r.labelled);
    hd_vec_release(&r.words);
    hd_vec_release(&r.relations);
    hd_vec_release(&r.event_line);
    hd_vec_release(&r.event_of);
    hd_vec_release(&r.edges);
    if (!good)
        hd_trace_release(trace);
    return good;
}

bool hd_trace_loset_load(hd_trace *trace, const char *path, hd_error *error) {
    hd_vec_char text = {0};
    bool good = hd_file_load(path, &text, error) &&
                hd_trace_loset_read(trace, text.data, text.length, path, error);
    hd_vec_release(&text);
    return good;
}

void hd_trace_loset_free(hd_trace_loset *loset) {
    if (!loset)
        return;
    hd_vec_release(&loset->edges);
    hd_vec_release(&loset->together);
    hd_vec_release(&loset->always);
    free(loset);
}

bool hd_trace_is_loset(const char *path) {
    static const char ending[] = ".loset";
    size_t length = strlen(path), wanted = sizeof ending - 1;
    return length > wanted && strcmp(path + length - wanted, ending) == 0;
}

size_t hd_trace_loset_into(const hd_trace_loset *loset, uint32_t event, size_t *count) {
    size_t from;
    hd_vec_lower(from, &loset->edges, second, event);
    for (*count = 0;
         from + *count < loset->edges.length && loset->edges.data[from + *count].second == event;)
        ++*count;
    return from;
}
