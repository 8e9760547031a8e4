/*
 * The text format: STD, as RAPID writes it, with additional operations, and the dialect of the
 * deadlock tools.  doc/format.md is the description.
 *
 * One pass over the bytes.  A name that was seen before costs one hash and one comparison; a thread
 * that acts again does not even cost that.
 */
#include <stdlib.h>
#include <string.h>

#include "trace_source.h"

/* Events at a time.  A fuzzer, which reads little at a time, is to come to the end of a batch too,
 * and not to allocate large ones in vain. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { BATCH = 16 };
#else
enum { BATCH = 4096 };
#endif
enum { OP_SLOTS = 256, SKIPPED = HEDDLE_KIND_COUNT };

struct text {
    uint64_t line; /* the current one, from 1 on */
    heddle_event events[BATCH];
    uint64_t lines[BATCH];
    struct {
        uint64_t key; /* op_key; 0: free */
        unsigned kind, length;
    } ops[OP_SLOTS];
    struct {
        const char *text; /* the last thread's name */
        size_t length;
        uint32_t id;
    } last_thread;
    /* Threads named by a bare number in fork or join, which have not acted yet:
     * the number may stand for "T" and the number (the deadlock tools' dialect). */
    hd_map bare;
    hd_names taken_for_t; /* bare numbers that were taken for "T" and the number */
    uint8_t guess;        /* flags of the next event, from a comment */
};

/* A piece of a line. */
struct piece {
    const char *text;
    size_t length;
};

/* ---- Operations ---- */

/* An operation's last eight letters in one number; no two operations share it. */
static uint64_t op_key(const char *op, size_t length) {
    uint64_t key = 0;
    for (size_t i = 0; i < length; i++)
        key = key << 8 | (unsigned char)op[i];
    return key;
}

static unsigned op_slot(uint64_t key) {
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

static const char *op_name(unsigned kind) {
    return kind == SKIPPED ? "req" : hd_trace_kinds[kind].op;
}

static void enter_ops(struct text *text) {
    for (unsigned kind = 0; kind <= SKIPPED; kind++) {
        uint64_t key = op_key(op_name(kind), strlen(op_name(kind)));
        unsigned slot = op_slot(key);
        for (; text->ops[slot].key; slot = (slot + 1) % OP_SLOTS)
            assert(text->ops[slot].key != key);
        text->ops[slot].key = key;
        text->ops[slot].kind = kind;
        text->ops[slot].length = (unsigned)strlen(op_name(kind));
    }
}

static int find_op(const struct text *text, const char *op, size_t length) {
    if (length == 0)
        return -1;
    uint64_t key = op_key(op, length);
    unsigned slot = op_slot(key);
    while (text->ops[slot].key && text->ops[slot].key != key)
        slot = (slot + 1) % OP_SLOTS;
    if (!text->ops[slot].key)
        return -1;
    unsigned kind = text->ops[slot].kind;
    bool same = text->ops[slot].length == length && memcmp(op_name(kind), op, length) == 0;
    return same ? (int)kind : -1;
}

static bool is_word(struct piece word, const char *text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* What follows the point after an operation. */
static bool parse_order(struct piece word, heddle_event *event, hd_error *error) {
    const hd_trace_kind *kind = &hd_trace_kinds[event->kind];
    int order = hd_trace_order_of(word.text, word.length);
    if (hd_trace_is_access(event) && !hd_trace_is_ordered(event) &&
        is_word(word, hd_trace_orders[HEDDLE_ORDER_EXEMPT])) {
        event->flags |= HEDDLE_EXEMPT;
        return true;
    }
    if (hd_trace_may_be_certain((enum heddle_kind)event->kind) &&
        is_word(word, hd_trace_orders[HEDDLE_ORDER_CERTAIN])) {
        event->flags |= HEDDLE_CERTAIN;
        return true;
    }
    if (event->kind == HEDDLE_ATOMIC_READ && is_word(word, "kept")) {
        event->flags |= HEDDLE_KEPT;
        return true;
    }
    if (!hd_trace_is_ordered(event))
        return hd_error_set(error, "operation '%s' takes no memory order", kind->op);
    if (order < 0)
        return hd_error_set(error, "unknown memory order '%.*s'",
                            (int)(word.length < 80 ? word.length : 80), word.text);
    event->flags |= (uint8_t)(order << HEDDLE_ORDER_SHIFT);
    return true;
}

/* The word before the parenthesis: an operation, the bytes of an access, the memory order. */
static bool parse_op(const struct text *text, struct piece op, heddle_event *event,
                     hd_error *error) {
    int kind = find_op(text, op.text, op.length);
    if (kind >= 0) { /* most are an operation and nothing else */
        event->kind = (uint8_t)kind;
        return true;
    }
    const char *point = memchr(op.text, '.', op.length);
    struct piece order = {0};
    if (point) {
        order = (struct piece){point + 1, (size_t)(op.text + op.length - point - 1)};
        op.length = (size_t)(point - op.text);
    }
    size_t length = op.length;
    while (length && op.text[length - 1] >= '0' && op.text[length - 1] <= '9')
        length--;
    kind = find_op(text, op.text, length);
    if (kind < 0 || ((length < op.length || order.text) && kind == SKIPPED))
        return hd_error_set(error, "unknown operation '%.*s'",
                            (int)(op.length < 80 ? op.length : 80), op.text);
    event->kind = (uint8_t)kind;
    if (order.text && !parse_order(order, event, error))
        return false;
    if (length == op.length)
        return true;
    uint64_t size;
    if (!(hd_trace_kinds[kind].traits & HEDDLE_T_ACCESS))
        return hd_error_set(error, "operation '%s' takes no size", hd_trace_kinds[kind].op);
    if (!hd_text_u64(op.text + length, op.length - length, &size) || size == 0 || size > UINT16_MAX)
        return hd_error_set(error, "the size of an access must be 1 to 65535 bytes");
    event->size = (uint16_t)size;
    return true;
}

/* ---- Names ---- */

static bool add_name(hd_trace_cursor *cursor, enum heddle_class class, struct piece name,
                     uint32_t *id, hd_error *error) {
    hd_names *names = &cursor->own_tables.names[class];
    uint32_t before = names->length;
    *id = hd_names_add(names, name.text, name.length);
    if (names->length == before && *id != HD_NAMES_NONE)
        return true; /* seen before, so it is legal */
    const char *what = hd_trace_classes[class].name;
    if (*id == HD_NAMES_NONE)
        return hd_error_set(error, "more than 2^30 %s", hd_trace_classes[class].plural);
    if (name.length == 0 && !hd_trace_legal_name(class, "", 0))
        return hd_error_set(error, "the %s has no name", what);
    if (name.length > HD_TRACE_MAX_NAME)
        return hd_error_set(error, "a name longer than %zu MiB", HD_TRACE_MAX_NAME >> 20);
    if (class == HEDDLE_CLASS_LOCATION && memchr(name.text, '|', name.length))
        return hd_error_set(error, "a third '|'");
    if (!hd_trace_legal_name(class, name.text, name.length))
        return hd_error_set(error, "a character that a %s's name cannot have", what);
    return true;
}

static bool all_digits(struct piece name) {
    for (size_t i = 0; i < name.length; i++)
        if (name.text[i] < '0' || name.text[i] > '9')
            return false;
    return name.length > 0;
}

/* The thread in fork(10): thread "10", or "T10" where there is no "10". */
static bool named_thread(hd_trace_cursor *cursor, struct piece name, uint32_t *id,
                         hd_error *error) {
    struct text *text = cursor->state;
    hd_names *threads = &cursor->own_tables.names[HEDDLE_CLASS_THREAD];
    if (!all_digits(name) || name.length > 32)
        return add_name(cursor, HEDDLE_CLASS_THREAD, name, id, error);
    *id = hd_names_find(threads, name.text, name.length);
    if (*id != HD_NAMES_NONE)
        return true;
    char with_t[40] = "T";
    memcpy(with_t + 1, name.text, name.length);
    *id = hd_names_find(threads, with_t, name.length + 1);
    if (*id != HD_NAMES_NONE) {
        hd_names_add(&text->taken_for_t, name.text, name.length);
        return true;
    }
    if (!add_name(cursor, HEDDLE_CLASS_THREAD, name, id, error))
        return false;
    *hd_map_at(&text->bare, *id, NULL) = 1;
    return true;
}

/* A thread that acts and was not seen before.  It may be the "T10" that an
 * earlier fork(10) meant. */
static bool new_thread(hd_trace_cursor *cursor, struct piece name, uint32_t *id, hd_error *error) {
    struct text *text = cursor->state;
    hd_names *threads = &cursor->own_tables.names[HEDDLE_CLASS_THREAD];
    struct piece number = {name.text + 1, name.length - 1};
    if (name.length > 1 && name.text[0] == 'T' && all_digits(number)) {
        uint32_t holder = hd_names_find(threads, number.text, number.length);
        uint32_t *bare = holder == HD_NAMES_NONE ? NULL : hd_map_find(&text->bare, holder);
        if (bare && *bare) {
            *bare = 0;
            hd_names_add(&text->taken_for_t, number.text, number.length);
            hd_names_rename(threads, holder, name.text, name.length);
            *id = holder;
            return true;
        }
    }
    if (hd_names_find(&text->taken_for_t, name.text, name.length) != HD_NAMES_NONE)
        return hd_error_set(error, "thread %.*s acts, but was taken for T%.*s before",
                            (int)name.length, name.text, (int)name.length, name.text);
    return add_name(cursor, HEDDLE_CLASS_THREAD, name, id, error);
}

static bool acting_thread(hd_trace_cursor *cursor, struct piece name, uint32_t *id,
                          hd_error *error) {
    struct text *text = cursor->state;
    if (name.length && name.length == text->last_thread.length &&
        hd_text_same(name.text, text->last_thread.text, name.length)) {
        *id = text->last_thread.id;
        return true;
    }
    const hd_names *threads = &cursor->own_tables.names[HEDDLE_CLASS_THREAD];
    *id = hd_names_find(threads, name.text, name.length);
    if (*id == HD_NAMES_NONE && !new_thread(cursor, name, id, error))
        return false;
    uint32_t *bare = text->bare.length ? hd_map_find(&text->bare, *id) : NULL;
    if (bare)
        *bare = 0; /* it acts under the bare number: that is its name */
    text->last_thread.text = hd_names_text(threads, *id);
    text->last_thread.length = hd_names_size(threads, *id);
    text->last_thread.id = *id;
    return true;
}

/* ---- Lines ---- */

/* The pieces of "thread|op(object=value)|location". */
struct line {
    struct piece thread, op, object, location;
    struct piece value; /* what follows the first '='; no text if none exists */
};

static struct piece piece_of(const char *from, const char *to) {
    return (struct piece){from, (size_t)(to - from)};
}

/* Byte by byte: the pieces are too short for memchr to pay off. */
static bool split(const char *at, const char *end, struct line *line, hd_error *error) {
    const char *start = at;
    while (at < end && *at != '|')
        at++;
    if (at == end)
        return hd_error_set(error, "no '|' after the thread");
    line->thread = piece_of(start, at++);
    start = at;
    while (at < end && *at != '(' && *at != '|')
        at++;
    if (at == end || *at == '|')
        return hd_error_set(error, "no operation of the form op(object)");
    line->op = piece_of(start, at++);
    start = at;
    const char *equals = NULL;
    for (; at < end && *at != '|'; at++)
        if (*at == '=' && !equals)
            equals = at;
    if (at[-1] != ')')
        return hd_error_set(error, "no operation of the form op(object)");
    line->object = piece_of(start, equals ? equals : at - 1);
    line->value = equals ? piece_of(equals + 1, at - 1) : (struct piece){NULL, 0};
    line->location = piece_of(at < end ? at + 1 : end, end);
    return true;
}

static bool parse_value(struct piece value, heddle_event *event, hd_error *error) {
    const hd_trace_kind *kind = &hd_trace_kinds[event->kind];
    if (!(kind->traits & HEDDLE_T_VALUE))
        return hd_error_set(error, "operation '%s' takes no value", kind->op);
    if (!hd_text_i64(value.text, value.length, &event->value))
        return hd_error_set(error, "the value after '=' is not a 64-bit integer");
    event->flags |= HEDDLE_HAS_VALUE;
    return true;
}

/* One line that is neither empty nor a comment.  1: an event, 0: skipped, -1: an error. */
static int parse_line(hd_trace_cursor *cursor, const char *at, const char *end, heddle_event *event,
                      hd_error *error) {
    struct text *text = cursor->state;
    struct line line;
    *event = (heddle_event){0};
    if (!split(at, end, &line, error) || !parse_op(text, line.op, event, error))
        return -1;
    if (event->kind == SKIPPED)
        return 0;
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[event->kind].class;
    if ((line.value.text && !parse_value(line.value, event, error)) ||
        !acting_thread(cursor, line.thread, &event->thread, error))
        return -1;
    bool named = class == HEDDLE_CLASS_THREAD
                     ? named_thread(cursor, line.object, &event->object, error)
                     : add_name(cursor, class, line.object, &event->object, error);
    if (!named)
        return -1;
    if (line.location.length &&
        !add_name(cursor, HEDDLE_CLASS_LOCATION, line.location, &event->location, error))
        return -1;
    if (cursor->first + cursor->count > HD_TRACE_MAX_EVENTS) {
        hd_error_set(error, "more than %u events", HD_TRACE_MAX_EVENTS);
        return -1;
    }
    if (text->guess && hd_trace_is_access(event)) {
        event->flags |= text->guess;
        cursor->guesses = true;
    }
    text->guess = 0;
    if (cursor->check && !hd_trace_check_event(cursor->check, cursor->tables, event, error))
        return -1;
    return 1;
}

/* The rest of a comment that begins so; no text if it does not. */
static struct piece comment_rest(struct piece comment, const char *lead) {
    size_t skip = strlen(lead);
    if (comment.length <= skip || memcmp(comment.text, lead, skip) != 0)
        return (struct piece){NULL, 0};
    return (struct piece){comment.text + skip, comment.length - skip};
}

static bool is_comment(struct piece comment, const char *text) {
    return comment.length == strlen(text) && memcmp(comment.text, text, comment.length) == 0;
}

/* The comments that our own writer writes. */
static void read_own_comment(hd_trace_cursor *cursor, struct piece comment) {
    struct text *text = cursor->state;
    struct piece lost = comment_rest(comment, "# heddle: incomplete lost=");
    struct piece thread = comment_rest(comment, "# heddle: thread ");
    if (is_comment(comment, "# heddle: guessed"))
        text->guess = HEDDLE_GUESSED;
    if (is_comment(comment, "# heddle: guessed unexplained"))
        text->guess = HEDDLE_GUESSED | HEDDLE_UNEXPLAINED;
    if (lost.text && hd_text_u64(lost.text, lost.length, &cursor->lost))
        cursor->incomplete = true;
    if (is_comment(comment, "# heddle: annotations orders"))
        cursor->end.told_orders = true;
    struct piece ended = comment_rest(comment, "# heddle: ended ");
    struct piece next = comment_rest(comment, "# heddle: next ");
    struct piece note = comment_rest(comment, "# heddle: note ");
    if (ended.text)
        hd_trace_end_parse(&cursor->end, ended.text, ended.length);
    if (next.text)
        hd_trace_end_parse_next(&cursor->end, next.text, next.length);
    struct piece rule = comment_rest(comment, "# heddle: suppression ");
    if (note.text)
        hd_trace_end_parse_note(&cursor->end, note.text, note.length);
    if (rule.text)
        hd_trace_end_suppress(&cursor->end, rule.text, rule.length);
    struct piece input = comment_rest(comment, "# heddle: input ");
    if (input.text)
        hd_trace_end_input(&cursor->end, input.text, input.length);
    struct piece function = comment_rest(comment, "# heddle: unseen ");
    if (function.text)
        hd_trace_end_unseen(&cursor->end, function.text, function.length);
    struct piece doubt = comment_rest(comment, "# heddle: doubt ");
    if (doubt.text)
        hd_trace_end_doubt(&cursor->end, doubt.text, doubt.length);
    uint32_t id;
    if (thread.text && all_digits(thread) &&
        add_name(cursor, HEDDLE_CLASS_THREAD, thread, &id, NULL))
        *hd_map_at(&text->bare, id, NULL) = 0; /* it stands for itself */
}

static void read_comment(hd_trace_cursor *cursor, const char *at, size_t length) {
    struct text *text = cursor->state;
    read_own_comment(cursor, (struct piece){at, length});
    if (!(cursor->flags & HD_TRACE_COMMENTS))
        return;
    hd_trace_comment comment = {.line = text->line,
                                .before = cursor->first + (uint32_t)cursor->count};
    comment.text = hd_arena_string(&cursor->comment_text, at + 1, length - 1);
    hd_vec_push(&cursor->comments, comment);
}

/* Finds the end of the line at input->at.  1: found; 0: the end of the file, or
 * more would have to be read and `wait` is false; -1: an error. */
static int find_line_end(hd_trace_cursor *cursor, bool wait, const char **line_end,
                         hd_error *error) {
    hd_trace_input *input = &cursor->input;
    size_t looked = 0;
    for (;;) {
        size_t left = hd_trace_input_left(input);
        *line_end = left > looked ? memchr(input->at + looked, '\n', left - looked) : NULL;
        if (*line_end && (size_t)(*line_end - input->at) <= HD_TRACE_MAX_LINE)
            return 1;
        if (left > HD_TRACE_MAX_LINE) {
            const struct text *text = cursor->state;
            hd_error_set(error, "%s:%llu: line longer than %zu MiB", input->name,
                         (unsigned long long)text->line + 1, HD_TRACE_MAX_LINE >> 20);
            return -1;
        }
        *line_end = input->end;
        if (input->finished)
            return left > 0;
        if (!wait)
            return 0;
        looked = left;
        if (!hd_trace_input_fill(input, left + 1, error))
            return -1;
        if (input->late)
            return 0;
    }
}

/* Takes one line.  1: an event, 0: none, -1: an error. */
static int take_line(hd_trace_cursor *cursor, const char *line_end, heddle_event *event,
                     hd_error *error) {
    struct text *text = cursor->state;
    const char *at = cursor->input.at, *end = line_end;
    text->line++;
    if (end > at && end[-1] == '\r')
        end--;
    if (end == at)
        return 0;
    if (*at == '#') {
        read_comment(cursor, at, (size_t)(end - at));
        return 0;
    }
    int result = parse_line(cursor, at, end, event, error);
    if (result < 0)
        hd_error_prefix(error, "%s:%llu: ", cursor->input.name, (unsigned long long)text->line);
    return result;
}

static int text_next(hd_trace_cursor *cursor, hd_error *error) {
    struct text *text = cursor->state;
    hd_trace_input *input = &cursor->input;
    while (cursor->count < BATCH) {
        /* For a pipe that still grows: what is there is returned before we wait. */
        const char *end;
        int found = find_line_end(cursor, cursor->count == 0, &end, error);
        if (found < 0)
            return -1;
        if (found == 0)
            break;
        int result = take_line(cursor, end, &text->events[cursor->count], error);
        if (result < 0)
            return -1;
        input->at = end < input->end ? end + 1 : end;
        if (result > 0)
            text->lines[cursor->count++] = text->line;
    }
    cursor->events = text->events;
    cursor->lines = text->lines;
    return cursor->count > 0;
}

static void text_close(hd_trace_cursor *cursor) {
    struct text *text = cursor->state;
    if (!text)
        return;
    hd_map_release(&text->bare);
    hd_names_release(&text->taken_for_t);
    free(text);
}

const hd_trace_source hd_trace_text_source = {"text", text_next, text_close};

bool hd_trace_text_start(hd_trace_cursor *cursor, hd_error *error) {
    (void)error;
    struct text *text = HD_NEW(struct text);
    enter_ops(text);
    cursor->state = text;
    return true;
}
