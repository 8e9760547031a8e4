#include "trace_end.h"

#include <string.h>

static const struct {
    const char *word;
    bool numbered;
    const char *text; /* for people */
    bool early;
} ends[HD_TRACE_ENDS] = {
    [HD_TRACE_END_UNKNOWN] = {"", false, "", false},
    [HD_TRACE_END_EXIT] = {"exit", true, "exit status", false},
    [HD_TRACE_END_SIGNAL] = {"signal", true, "killed by signal", true},
    [HD_TRACE_END_DEADLOCK] = {"deadlock", false, "deadlock: every thread waits", true},
    [HD_TRACE_END_LIMIT] = {"limit", false, "ended by a limit on its time", true},
    [HD_TRACE_END_STOPPED] = {"stopped", true, "ended with the recorder, by signal", true},
    [HD_TRACE_END_EXEC] = {"exec", false, "another program took its place", true},
};

static const char other[] = "other";

void hd_trace_end_release(hd_trace_end *end) {
    hd_vec_release(&end->next);
    hd_vec_release(&end->notes);
    hd_vec_release(&end->suppressions);
    hd_vec_release(&end->unseen);
    hd_vec_release(&end->doubts);
    hd_vec_release(&end->inputs);
    hd_arena_release(&end->text);
    *end = (hd_trace_end){0};
}

static const char *keep_text(hd_trace_end *end, const char *text, size_t length) {
    return length ? hd_arena_string(&end->text, text, length) : "";
}

static void add_next(hd_trace_end *end, const char *thread, size_t thread_size, unsigned kind,
                     const char *object, size_t object_size, const char *location,
                     size_t location_size) {
    hd_vec_push(&end->next,
                (hd_trace_next){keep_text(end, thread, thread_size),
                                keep_text(end, object, object_size),
                                keep_text(end, location, location_size), (uint8_t)kind});
}

void hd_trace_end_add(hd_trace_end *end, const char *thread, unsigned kind, const char *object,
                      const char *location) {
    assert(kind <= HD_TRACE_END_OTHER);
    add_next(end, thread, strlen(thread), kind, object, strlen(object), location, strlen(location));
}

static bool is_control(char c) {
    return (unsigned char)c < ' ' || c == 127;
}

void hd_trace_end_note(hd_trace_end *end, const char *code, const char *text) {
    hd_note note = {keep_text(end, code, strlen(code)), ""};
    size_t length = strlen(text);
    char *copy = hd_arena_string(&end->text, text, length);
    for (size_t i = 0; i < length; i++)
        if (is_control(copy[i]))
            copy[i] = '?';
    note.text = copy;
    hd_vec_push(&end->notes, note);
}

static bool is_line(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (is_control(text[i]))
            return false;
    return length > 0;
}

bool hd_trace_end_suppress(hd_trace_end *end, const char *rule, size_t length) {
    bool fits = is_line(rule, length);
    if (fits)
        hd_vec_push(&end->suppressions, keep_text(end, rule, length));
    return fits;
}

static void add_unseen(hd_trace_end *end, const char *function, size_t function_size,
                       const char *module, size_t module_size) {
    hd_vec_push(&end->unseen, ((hd_trace_unseen){keep_text(end, function, function_size),
                                                 keep_text(end, module, module_size)}));
}

bool hd_trace_end_unseen(hd_trace_end *end, const char *text, size_t length) {
    const char *blank = is_line(text, length) ? memchr(text, ' ', length) : NULL;
    size_t name = blank ? (size_t)(blank - text) : 0;
    if (!name || name + 1 == length)
        return false;
    add_unseen(end, text, name, blank + 1, length - name - 1);
    return true;
}

/* Letters and hyphens at the beginning. */
static size_t code_length(const char *text, size_t length) {
    size_t code = 0;
    while (code < length && ((text[code] >= 'a' && text[code] <= 'z') || text[code] == '-'))
        code++;
    return code;
}

static void add_doubt(hd_trace_end *end, const hd_trace_doubt *doubt) {
    hd_vec_push(&end->doubts, ((hd_trace_doubt){keep_text(end, doubt->code, strlen(doubt->code)),
                                                keep_text(end, doubt->what, strlen(doubt->what)),
                                                keep_text(end, doubt->text, strlen(doubt->text))}));
}

bool hd_trace_end_doubt(hd_trace_end *end, const char *text, size_t length) {
    const char *blank = is_line(text, length) ? memchr(text, ' ', length) : NULL;
    size_t head = blank ? (size_t)(blank - text) : 0, code = code_length(text, head);
    if (!code || head < code + 2 || text[code] != ':' || head + 1 == length)
        return false;
    hd_vec_push(&end->doubts, ((hd_trace_doubt){keep_text(end, text, code),
                                                keep_text(end, text + code + 1, head - code - 1),
                                                keep_text(end, blank + 1, length - head - 1)}));
    return true;
}

void hd_trace_end_print_doubt(const hd_trace_doubt *doubt, hd_vec_char *to) {
    hd_text_append(to, "%s:%s %s", doubt->code, doubt->what, doubt->text);
}

bool hd_trace_end_input(hd_trace_end *end, const char *word, size_t length) {
    static const char legal[] = "abcdefghijklmnopqrstuvwxyz0123456789-=:,";
    if (!length || !memchr(word, '=', length))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!memchr(legal, word[i], sizeof legal - 1))
            return false;
    hd_vec_push(&end->inputs, keep_text(end, word, length));
    return true;
}

void hd_trace_end_print_unseen(const hd_trace_unseen *unseen, hd_vec_char *to) {
    hd_text_append(to, "%s %s", unseen->function, unseen->module);
}

void hd_trace_end_copy(hd_trace_end *to, const hd_trace_end *from) {
    *to =
        (hd_trace_end){.how = from->how, .number = from->number, .told_orders = from->told_orders};
    for (size_t i = 0; i < from->next.length; i++) {
        const hd_trace_next *next = &from->next.data[i];
        hd_trace_end_add(to, next->thread, next->kind, next->object, next->location);
    }
    for (size_t i = 0; i < from->notes.length; i++)
        hd_trace_end_note(to, from->notes.data[i].code, from->notes.data[i].text);
    for (size_t i = 0; i < from->suppressions.length; i++)
        hd_trace_end_suppress(to, from->suppressions.data[i], strlen(from->suppressions.data[i]));
    for (size_t i = 0; i < from->inputs.length; i++)
        hd_trace_end_input(to, from->inputs.data[i], strlen(from->inputs.data[i]));
    for (size_t i = 0; i < from->unseen.length; i++)
        add_unseen(to, from->unseen.data[i].function, strlen(from->unseen.data[i].function),
                   from->unseen.data[i].module, strlen(from->unseen.data[i].module));
    for (size_t i = 0; i < from->doubts.length; i++)
        add_doubt(to, &from->doubts.data[i]);
}

/* ---- Text ---- */

bool hd_trace_end_parse(hd_trace_end *end, const char *text, size_t length) {
    for (int how = HD_TRACE_END_EXIT; how < HD_TRACE_ENDS; how++) {
        size_t word = strlen(ends[how].word);
        uint64_t number = 0;
        if (length < word || memcmp(text, ends[how].word, word) != 0)
            continue;
        if (!ends[how].numbered && length != word)
            return false;
        if (ends[how].numbered &&
            (length < word + 2 || text[word] != ' ' ||
             !hd_text_u64(text + word + 1, length - word - 1, &number) || number > 255))
            return false;
        end->how = (enum hd_trace_how)how;
        end->number = (int)number;
        return true;
    }
    return false;
}

/* The kind of an operation that a thread can have next, -1 if it is no such thing. */
static int kind_of(const char *op, size_t length) {
    if (length == sizeof other - 1 && memcmp(op, other, length) == 0)
        return HD_TRACE_END_OTHER;
    return hd_trace_kind_of(op, length);
}

bool hd_trace_end_parse_next(hd_trace_end *end, const char *text, size_t length) {
    const char *last = text + length;
    const char *bar = memchr(text, '|', length);
    if (!bar)
        return false;
    const char *op = bar + 1, *second = memchr(op, '|', (size_t)(last - op));
    if (!second || second == op || second[-1] != ')')
        return false;
    const char *open = memchr(op, '(', (size_t)(second - op));
    int kind = open ? kind_of(op, (size_t)(open - op)) : -1;
    if (kind < 0)
        return false;
    enum heddle_class class = kind == HD_TRACE_END_OTHER
                                  ? HEDDLE_CLASS_LABEL
                                  : (enum heddle_class)hd_trace_kinds[kind].class;
    const char *object = open + 1, *location = second + 1;
    size_t thread_size = (size_t)(bar - text), object_size = (size_t)(second - 1 - object),
           location_size = (size_t)(last - location);
    if (!hd_trace_legal_name(HEDDLE_CLASS_THREAD, text, thread_size) ||
        !hd_trace_legal_name(class, object, object_size) ||
        !hd_trace_legal_name(HEDDLE_CLASS_LOCATION, location, location_size))
        return false;
    add_next(end, text, thread_size, (unsigned)kind, object, object_size, location, location_size);
    return true;
}

bool hd_trace_end_parse_note(hd_trace_end *end, const char *text, size_t length) {
    size_t code = code_length(text, length);
    if (!code || code + 2 > length || text[code] != ' ')
        return false;
    for (size_t i = code; i < length; i++)
        if (is_control(text[i]))
            return false;
    hd_vec_push(&end->notes, ((hd_note){keep_text(end, text, code),
                                        keep_text(end, text + code + 1, length - code - 1)}));
    return true;
}

void hd_trace_end_print(const hd_trace_end *end, hd_vec_char *to) {
    hd_text_append_text(to, ends[end->how].word);
    if (ends[end->how].numbered)
        hd_text_append(to, " %d", end->number);
}

/* Piece by piece: names may be of megabytes. */
void hd_trace_end_print_next(const hd_trace_next *next, hd_vec_char *to) {
    const char *const pieces[] = {next->thread,
                                  "|",
                                  next->kind == HD_TRACE_END_OTHER ? other
                                                                   : hd_trace_kinds[next->kind].op,
                                  "(",
                                  next->object,
                                  ")|",
                                  next->location};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        hd_text_append_text(to, pieces[i]);
}

void hd_trace_end_print_note(const hd_note *note, hd_vec_char *to) {
    hd_text_append_text(to, note->code);
    hd_text_append_text(to, " ");
    hd_text_append_text(to, note->text);
}

static void begin_comment(hd_vec_char *to, const char *word) {
    hd_text_append(to, "# heddle: %s ", word);
}

static void put_comment(hd_vec_char *to, const char *word, const char *text) {
    hd_text_append(to, "# heddle: %s %s\n", word, text);
}

/* What only the text of a trace has. */
static void put_rest(const hd_trace_end *end, hd_vec_char *to) {
    for (size_t i = 0; i < end->suppressions.length; i++)
        put_comment(to, "suppression", end->suppressions.data[i]);
    for (size_t i = 0; i < end->inputs.length; i++)
        put_comment(to, "input", end->inputs.data[i]);
}

static void put_next(const hd_trace_end *end, hd_vec_char *to) {
    if (end->told_orders)
        put_comment(to, "annotations", "orders");
    for (size_t i = 0; i < end->next.length; i++) {
        begin_comment(to, "next");
        hd_trace_end_print_next(&end->next.data[i], to);
        hd_text_append_text(to, "\n");
    }
}

void hd_trace_end_comments(const hd_trace_end *end, bool whole, hd_vec_char *to) {
    if (end->how) {
        begin_comment(to, "ended");
        hd_trace_end_print(end, to);
        hd_text_append_text(to, "\n");
    }
    if (whole)
        put_next(end, to);
    for (size_t i = 0; i < end->notes.length; i++) {
        begin_comment(to, "note");
        hd_trace_end_print_note(&end->notes.data[i], to);
        hd_text_append_text(to, "\n");
    }
    if (whole)
        put_rest(end, to);
    for (size_t i = 0; i < end->unseen.length; i++) {
        begin_comment(to, "unseen");
        hd_trace_end_print_unseen(&end->unseen.data[i], to);
        hd_text_append_text(to, "\n");
    }
    for (size_t i = 0; i < end->doubts.length; i++) {
        begin_comment(to, "doubt");
        hd_trace_end_print_doubt(&end->doubts.data[i], to);
        hd_text_append_text(to, "\n");
    }
}

void hd_trace_end_resolve(hd_trace_end *end, const hd_trace_tables *tables) {
    static const char at[] = " at 0x";
    for (size_t i = 0; i < end->next.length; i++) {
        hd_trace_next *next = &end->next.data[i];
        if (next->kind == HD_TRACE_END_OTHER)
            continue;
        const hd_names *names = &tables->names[hd_trace_kinds[next->kind].class];
        const char *suffix = strstr(next->object, at), *later;
        while (suffix && (later = strstr(suffix + 1, at)))
            suffix = later;
        size_t length = suffix ? (size_t)(suffix - next->object) : 0;
        if (suffix && hd_names_find(names, next->object, strlen(next->object)) == HD_NAMES_NONE &&
            hd_names_find(names, next->object, length) != HD_NAMES_NONE)
            next->object = keep_text(end, next->object, length);
    }
}

void hd_trace_end_describe(const hd_trace_end *end, hd_vec_char *to) {
    hd_text_append_text(to, ends[end->how].text);
    if (ends[end->how].numbered)
        hd_text_append(to, " %d", end->number);
    if (end->how == HD_TRACE_END_SIGNAL || end->how == HD_TRACE_END_STOPPED)
        hd_text_append(to, ", %s", strsignal(end->number));
}

bool hd_trace_end_early(const hd_trace_end *end) {
    return ends[end->how].early;
}
