/*
 * Reads a witness.  Its comment lines are the claim; each event line is the next event of its
 * thread in the trace, and must say what that event says.  Names are numbered anew in every file,
 * so they are matched once each and numbers compared after that: loading runs at the speed of
 * reading.
 */
#include <stdlib.h>
#include <string.h>

#include "witness_claim.h"
#include "witness_explain.h"

/* For a name of the file that the trace lacks; else its number in the trace, stored + 1. */
#define UNKNOWN 0U
#define ABSENT UINT32_MAX

typedef struct loader {
    hd_witness *witness;
    const hd_trace *trace;
    hd_trace_cursor *cursor;
    hd_witness_pairs pairs;               /* only its threads */
    uint32_t *expected;                   /* [thread of the trace]: its next event */
    hd_vec_u32 known[HEDDLE_CLASS_COUNT]; /* [name in the file]: the name in the trace */
    size_t comments;                      /* how many were looked at */
    bool has_head, has_claim;
    uint64_t head_line;
    hd_error *error;
} loader;

/* ---- Comment lines ---- */

static bool fail_at(loader *l, uint64_t line) {
    return hd_error_prefix(l->error, "%s:%llu: ", hd_trace_cursor_name(l->cursor),
                           (unsigned long long)line);
}

/* What follows "key:" and blanks; NULL if the line has another key or none. */
static const char *after_key(const char *text, const char *key) {
    size_t length = strlen(key);
    if (strncmp(text, key, length) != 0 || text[length] != ':')
        return NULL;
    text += length + 1;
    return text + strspn(text, " \t");
}

static bool take_head(loader *l, const char *version, const hd_trace_comment *comment) {
    if (strcmp(version, "1") != 0)
        return hd_error_set(l->error, "a witness of version '%.20s', which is not known", version);
    if (l->has_head)
        return hd_error_set(l->error, "a second 'heddle witness' line");
    l->has_head = true;
    l->head_line = comment->line;
    return true;
}

static bool take_claim(loader *l, const char *text) {
    if (!l->has_head)
        return hd_error_set(l->error, "a claim without '# heddle witness 1' before it");
    if (l->has_claim)
        return hd_error_set(l->error, "a second claim");
    l->has_claim = true;
    return hd_witness_claim_parse(&l->witness->claim, l->trace, text, l->error);
}

static bool take_shown(loader *l, const char *key, char **to, const char *text) {
    if (*to)
        return hd_error_set(l->error, "a second %s", key);
    *to = hd_mem_string(text, strlen(text));
    return true;
}

static bool take_comment(loader *l, const hd_trace_comment *comment) {
    static const char head[] = "heddle witness ";
    const char *text = comment->text + strspn(comment->text, " \t"), *rest;
    bool is_head = strncmp(text, head, sizeof head - 1) == 0;
    bool is_claim = after_key(text, "claim") != NULL;
    if (comment->before > 1 && (is_head || is_claim))
        return hd_error_set(l->error, "the %s of a witness must come before its events",
                            is_head ? "first line" : "claim");
    if (is_head)
        return take_head(l, text + sizeof head - 1, comment);
    if (is_claim)
        return take_claim(l, after_key(text, "claim"));
    if (!l->has_head || comment->before > 1)
        return true; /* a comment like any other */
    if ((rest = after_key(text, "question")))
        return take_shown(l, "question", &l->witness->question, rest);
    if ((rest = after_key(text, "verdict")))
        return take_shown(l, "verdict", &l->witness->verdict, rest);
    if ((rest = after_key(text, "trace")))
        return take_shown(l, "trace", &l->witness->trace, rest);
    return true;
}

static bool take_comments(loader *l) {
    const hd_trace_comment *comments;
    size_t count = hd_trace_cursor_comments(l->cursor, &comments);
    for (; l->comments < count; l->comments++)
        if (!take_comment(l, &comments[l->comments]))
            return fail_at(l, comments[l->comments].line);
    return true;
}

static bool head_complete(loader *l) {
    if (!l->has_head || l->has_claim)
        return true;
    hd_error_write(l->error, "a witness without a claim");
    return fail_at(l, l->head_line);
}

/* ---- Event lines ---- */

/* The number in the trace of a name of the file, ABSENT if the trace lacks it. */
static uint32_t in_trace(loader *l, enum heddle_class class, uint32_t id) {
    hd_vec_u32 *known = &l->known[class];
    if (id >= known->length)
        hd_vec_resize(known, (size_t)id + 1);
    if (known->data[id] == UNKNOWN) {
        const hd_names *names = &hd_trace_cursor_tables(l->cursor)->names[class];
        uint32_t found = hd_names_find(&l->trace->tables.names[class], hd_names_text(names, id),
                                       hd_names_size(names, id));
        if (found == HD_NAMES_NONE)
            return ABSENT;
        known->data[id] = found + 1;
    }
    return known->data[id] - 1;
}

/* fork(10) may mean thread T10, and the file may not have said so yet. */
static bool means_thread(loader *l, uint32_t mine, uint32_t theirs) {
    const char *number = hd_trace_thread_name(hd_trace_cursor_tables(l->cursor), mine);
    const char *name = hd_trace_thread_name(&l->trace->tables, theirs);
    return !number[strspn(number, "0123456789")] && name[0] == 'T' && strcmp(name + 1, number) == 0;
}

static bool same_object(loader *l, const heddle_event *mine, const heddle_event *theirs) {
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[mine->kind].class;
    return in_trace(l, class, mine->object) == theirs->object ||
           (class == HEDDLE_CLASS_THREAD && means_thread(l, mine->object, theirs->object));
}

static bool same_event(loader *l, const heddle_event *mine, const heddle_event *theirs) {
    bool has_value = mine->flags & HEDDLE_HAS_VALUE;
    return mine->kind == theirs->kind && same_object(l, mine, theirs) &&
           in_trace(l, HEDDLE_CLASS_LOCATION, mine->location) == theirs->location &&
           mine->size == theirs->size && has_value == (bool)(theirs->flags & HEDDLE_HAS_VALUE) &&
           (!has_value || mine->value == theirs->value);
}

static bool other_event(loader *l, const heddle_event *mine, uint32_t theirs) {
    hd_witness_words line, event;
    hd_trace_print(line.text, sizeof line.text, hd_trace_cursor_tables(l->cursor), mine);
    return hd_error_set(l->error, "%s should be the thread's next event in the trace, %s",
                        line.text, hd_witness_say(&event, l->trace, theirs));
}

static bool no_more_events(loader *l, uint32_t thread) {
    hd_witness_words name;
    hd_witness_say_name(&name, l->trace, HEDDLE_CLASS_THREAD, thread);
    if (l->pairs.first[thread] == l->pairs.end)
        return hd_error_set(l->error, "thread %s has no events in the trace", name.text);
    return hd_error_set(l->error, "thread %s has no more events in the trace", name.text);
}

static bool take_event(loader *l, const heddle_event *event) {
    uint32_t thread = in_trace(l, HEDDLE_CLASS_THREAD, event->thread);
    if (thread == ABSENT)
        return hd_error_set(l->error, "there is no thread %.80s in the trace",
                            hd_trace_thread_name(hd_trace_cursor_tables(l->cursor), event->thread));
    uint32_t number = l->expected[thread];
    if (number == l->pairs.end)
        return no_more_events(l, thread);
    if (!same_event(l, event, hd_trace_event(l->trace, number)))
        return other_event(l, event, number);
    l->expected[thread] = l->pairs.next[number];
    hd_vec_push(&l->witness->schedule, number);
    return true;
}

static bool take_batch(loader *l, const hd_trace_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        if (take_event(l, &batch->events[i]))
            continue;
        uint64_t line = hd_trace_cursor_line(l->cursor, batch->first + (uint32_t)i);
        if (line)
            return fail_at(l, line);
        return hd_error_prefix(l->error, "%s: event %zu: ", hd_trace_cursor_name(l->cursor),
                               batch->first + i);
    }
    return true;
}

/* ---- Both ---- */

static bool take_all(loader *l) {
    hd_trace_batch batch;
    int more;
    do {
        more = hd_trace_cursor_next(l->cursor, &batch, l->error);
        if (more < 0 || !take_comments(l) || (more > 0 && !take_batch(l, &batch)))
            return false;
    } while (more > 0);
    return head_complete(l);
}

static void loader_release(loader *l) {
    hd_witness_pairs_release(&l->pairs);
    free(l->expected);
    for (unsigned which = 0; which < HEDDLE_CLASS_COUNT; which++)
        hd_vec_release(&l->known[which]);
}

/* Takes the cursor, which may be NULL, with an error set. */
static bool load(hd_witness *witness, const hd_trace *trace, hd_trace_cursor *cursor, hd_error *own,
                 hd_error *error) {
    bool good = cursor != NULL;
    if (good) {
        loader l = {.witness = witness, .trace = trace, .cursor = cursor, .error = own};
        uint32_t threads = trace->tables.names[HEDDLE_CLASS_THREAD].length;
        hd_witness_pairs_threads(&l.pairs, trace);
        l.expected = HD_NEW_ARRAY(uint32_t, threads);
        if (threads)
            memcpy(l.expected, l.pairs.first, threads * sizeof *l.expected);
        good = take_all(&l);
        loader_release(&l);
        hd_trace_cursor_close(cursor);
    }
    if (good)
        return true;
    hd_witness_release(witness);
    return hd_error_set(error, "%s", own->text);
}

/* The cursor recognises an error by its text, so it gets one of its own. */
bool hd_witness_load(hd_witness *witness, const hd_trace *trace, const char *path,
                     hd_error *error) {
    hd_error own = {0};
    unsigned flags = HD_TRACE_UNCHECKED | HD_TRACE_COMMENTS;
    return load(witness, trace, hd_trace_cursor_open(path, flags, &own), &own, error);
}

bool hd_witness_read(hd_witness *witness, const hd_trace *trace, const void *data, size_t size,
                     const char *name, hd_error *error) {
    hd_error own = {0};
    unsigned flags = HD_TRACE_UNCHECKED | HD_TRACE_COMMENTS;
    return load(witness, trace, hd_trace_cursor_memory(data, size, name, flags, &own), &own, error);
}
