#include "symbols_source.h"

#include <ctype.h>
#include <stdlib.h>

/* An identifier, a number, a literal or an operator. */
typedef struct word {
    const char *at;
    uint32_t length;
    int line, column; /* from 1 on */
} word;

struct hd_symbols_source {
    hd_vec_char text;
    HD_VEC(word) words;
};

/* --- words ----------------------------------------------------------------------------------- */

/* Where the reader is. */
typedef struct reader {
    const char *at, *end, *line_start;
    int line;
} reader;

static void step(reader *r) {
    if (*r->at++ == '\n') {
        r->line++;
        r->line_start = r->at;
    }
}

static void skip(reader *r, size_t count) {
    while (count-- && r->at < r->end)
        step(r);
}

static bool begins(const reader *r, const char *text) {
    size_t length = strlen(text);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

static void skip_comment(reader *r) {
    skip(r, 2);
    while (r->at < r->end && !begins(r, "*/"))
        step(r);
    skip(r, 2);
}

/* The rest of the line, and what continues it. */
static void skip_line(reader *r) {
    while (r->at < r->end && *r->at != '\n')
        if (begins(r, "/*"))
            skip_comment(r);
        else
            skip(r, begins(r, "\\\n") ? 2 : 1);
}

static void skip_literal(reader *r) {
    char quote = *r->at;
    step(r);
    while (r->at < r->end && *r->at != quote && *r->at != '\n')
        skip(r, *r->at == '\\' ? 2 : 1);
    skip(r, 1);
}

static bool is_letter(char it) {
    return isalnum((unsigned char)it) || it == '_';
}

static size_t operator_length(const reader *r) {
    static const char *const two[] = {
        "->", "::", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "%="};
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (begins(r, two[i]))
            return 2;
    return 1;
}

static void read_word(reader *r, hd_symbols_source *to) {
    word it = {.at = r->at, .line = r->line, .column = (int)(r->at - r->line_start) + 1};
    if (*r->at == '"' || *r->at == '\'')
        skip_literal(r);
    else if (is_letter(*r->at))
        while (r->at < r->end && is_letter(*r->at))
            step(r);
    else
        skip(r, operator_length(r));
    it.length = (uint32_t)(r->at - it.at);
    hd_vec_push(&to->words, it);
}

static void read_words(hd_symbols_source *source) {
    reader r = {.at = source->text.data, .line = 1};
    r.line_start = r.at;
    r.end = r.at + source->text.length;
    bool first = true; /* in its line */
    while (r.at < r.end) {
        if (*r.at == '\n')
            first = true;
        if (isspace((unsigned char)*r.at)) {
            step(&r);
        } else if (begins(&r, "/*")) {
            skip_comment(&r);
        } else if (begins(&r, "//") || (first && *r.at == '#')) {
            skip_line(&r);
        } else {
            read_word(&r, source);
            first = false;
        }
    }
}

hd_symbols_source *hd_symbols_source_read(const char *path) {
    enum { LARGEST = 4 << 20 };
    hd_symbols_source *source = HD_NEW(hd_symbols_source);
    if (hd_file_read(path, LARGEST, &source->text) != 0) {
        hd_symbols_source_free(source);
        return NULL;
    }
    read_words(source);
    return source;
}

void hd_symbols_source_free(hd_symbols_source *source) {
    if (!source)
        return;
    hd_vec_release(&source->text);
    hd_vec_release(&source->words);
    free(source);
}

/* --- allocations ----------------------------------------------------------------------------- */

static bool is(const word *it, const char *text) {
    return it->length == strlen(text) && memcmp(it->at, text, it->length) == 0;
}

static bool is_name(const word *it) {
    return is_letter(*it->at) && !isdigit((unsigned char)*it->at);
}

/* A call of a function of the C library, or `new`. */
static bool is_allocation(const hd_symbols_source *source, size_t at) {
    static const char *const names[] = {"malloc",       "calloc",        "realloc",
                                        "reallocarray", "aligned_alloc", "memalign",
                                        "valloc",       "strdup",        "strndup"};
    const word *it = &source->words.data[at];
    if (at + 1 >= source->words.length)
        return false;
    if (is(it, "new"))
        return is_name(&it[1]) || is(&it[1], "(") || is(&it[1], "::");
    for (size_t i = 0; is(&it[1], "(") && i < sizeof names / sizeof *names; i++)
        if (is(it, names[i]))
            return true;
    return false;
}

/* The bracket that one opens, or closes if `step` is -1; the length or 0 if it has no partner. */
static size_t matching(const hd_symbols_source *source, size_t at, int step) {
    int depth = 0;
    for (; at < source->words.length; at += (size_t)step) {
        const word *it = &source->words.data[at];
        depth += is(it, "(") || is(it, "[") || is(it, "{");
        depth -= is(it, ")") || is(it, "]") || is(it, "}");
        if (!depth || (step < 0 && !at))
            return at;
    }
    return source->words.length;
}

static void append_word(hd_vec_char *to, const word *it) {
    if (to->length && is_letter(to->data[to->length - 1]) && is_letter(*it->at))
        hd_text_append_text(to, " ");
    hd_text_append(to, "%.*s", (int)it->length, it->at);
}

static bool is_type_word(const word *it) {
    static const char *const others[] = {"struct", "class", "union", "const", "volatile", "enum"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is(it, others[i]))
            return false;
    return is_name(it) || is(it, "::");
}

/* The name of a type from there on, up to what cannot be in one; returns what follows. */
static size_t read_type(const hd_symbols_source *source, size_t at, hd_vec_char *to) {
    int depth = 0;
    for (; at < source->words.length; at++) {
        const word *it = &source->words.data[at];
        bool open = is(it, "<"), close = is(it, ">");
        if (!depth && !open && !is_name(it) && !is(it, "::"))
            break;
        depth += open - close;
        if (depth < 0 || is(it, ";"))
            break;
        if (depth || close || is_type_word(it))
            append_word(to, it);
    }
    return at;
}

static void read_new(const hd_symbols_source *source, size_t at, hd_symbols_allocated *to) {
    at++;
    if (at < source->words.length && is(&source->words.data[at], "("))
        at = matching(source, at, 1) + 1; /* (std::nothrow) */
    at = read_type(source, at, &to->type);
    to->sure = to->type.length != 0;
    to->array = at < source->words.length && is(&source->words.data[at], "[");
}

/* sizeof(T) among the arguments. */
static void read_sizeof(const hd_symbols_source *source, size_t at, hd_symbols_allocated *to) {
    size_t end = matching(source, at + 1, 1);
    for (at++; at + 2 < end && !to->type.length; at++) {
        if (!is(&source->words.data[at], "sizeof"))
            continue;
        hd_vec_char type = {0};
        size_t after =
            read_type(source, at + (is(&source->words.data[at + 1], "(") ? 2 : 1), &type);
        if (type.length && after < end && is(&source->words.data[after], ")"))
            hd_text_append_text(&to->type, type.data);
        hd_vec_release(&type);
    }
}

/* The cast right before it; returns where the cast begins, or `at` without one. */
static size_t read_cast(const hd_symbols_source *source, size_t at, hd_symbols_allocated *to) {
    const word *words = source->words.data;
    if (at < 3 || !is(&words[at - 1], ")") || !is(&words[at - 2], "*"))
        return at;
    size_t open = matching(source, at - 1, -1);
    if (!is(&words[open], "("))
        return at;
    size_t after = read_type(source, open + 1, &to->type);
    to->sure = after == at - 2 && to->type.length;
    if (!to->sure)
        hd_vec_clear(&to->type);
    return open;
}

/* Where the expression that ends before `end` begins: names, members and elements. */
static size_t pointer_begin(const hd_symbols_source *source, size_t end) {
    const word *words = source->words.data;
    size_t at = end;
    while (at) {
        if (is(&words[at - 1], "]")) {
            at = matching(source, at - 1, -1);
            continue;
        }
        if (!is_name(&words[at - 1]))
            return end;
        at--;
        if (!at || (!is(&words[at - 1], "->") && !is(&words[at - 1], ".")))
            return at;
        at--;
    }
    return end;
}

/* Does the statement that the place is in begin with a type: "node *p", "struct node n"? */
static bool is_declaration(const word *words, size_t at) {
    while (at && !is(&words[at - 1], ";") && !is(&words[at - 1], "{") && !is(&words[at - 1], "}"))
        at--;
    return is_name(&words[at]) && !is(&words[at], "return") &&
           (is_name(&words[at + 1]) || is(&words[at + 1], "*") || is(&words[at + 1], "::") ||
            is(&words[at + 1], "<"));
}

/* A star before it that is no part of a declaration. */
static bool is_dereferenced(const word *words, size_t at) {
    if (at < 2 || !is(&words[at - 1], "*"))
        return false;
    const word *before = &words[at - 2];
    return is(before, ";") || is(before, "{") || is(before, "}") || is(before, "(") ||
           is(before, ")") || (is(before, ",") && !is_declaration(words, at));
}

/* What is assigned to before `at`, where the value begins. */
static void read_pointer(const hd_symbols_source *source, size_t at, hd_vec_char *to) {
    const word *words = source->words.data;
    while (at && is(&words[at - 1], "::")) /* ::malloc, std::malloc */
        at -= at >= 2 && is(&words[at - 2], "std") ? 2 : 1;
    if (!at || !is(&words[at - 1], "="))
        return;
    size_t end = at - 1, begin = pointer_begin(source, end);
    if (begin == end)
        return;
    if (is_dereferenced(words, begin))
        hd_text_append_text(to, "*");
    for (size_t i = begin; i < end; i++) {
        append_word(to, &words[i]);
        if (is(&words[i], "["))
            i = matching(source, i, 1) - 1;
    }
}

static void read_allocation(const hd_symbols_source *source, size_t at, hd_symbols_allocated *to) {
    to->line = source->words.data[at].line;
    size_t begin = at;
    if (is(&source->words.data[at], "new")) {
        read_new(source, at, to);
    } else {
        begin = read_cast(source, at, to);
        if (!to->type.length)
            read_sizeof(source, at, to);
    }
    read_pointer(source, begin, &to->pointer);
}

/* The statement that a place is in ends there. */
static size_t statement_end(const hd_symbols_source *source, size_t at) {
    while (at < source->words.length && !is(&source->words.data[at], ";"))
        at++;
    return at;
}

/* Of several allocations in a line, the compiler means the last that begins before the column. */
static bool has_column(const hd_symbols_source *source, size_t at, int column) {
    size_t end = statement_end(source, at);
    const word *it = &source->words.data[at];
    return it->column <= column &&
           (end == source->words.length || source->words.data[end].line > it->line ||
            source->words.data[end].column > column);
}

bool hd_symbols_source_find(const hd_symbols_source *source, int line, int column,
                            hd_symbols_allocated *to) {
    size_t found = 0, place = 0, meant = 0, meant_place = 0;
    *to = (hd_symbols_allocated){0};
    for (size_t i = 0; i < source->words.length && source->words.data[i].line <= line; i++) {
        if (source->words.data[i].line < line || !is_allocation(source, i))
            continue;
        found++;
        place = i;
        if (has_column(source, i, column)) {
            meant++;
            meant_place = i;
        }
    }
    if (found != 1 && !meant)
        return false;
    read_allocation(source, found == 1 ? place : meant_place, to);
    return to->pointer.length || to->type.length;
}

void hd_symbols_allocated_release(hd_symbols_allocated *it) {
    hd_vec_release(&it->pointer);
    hd_vec_release(&it->type);
}

/* --- others ---------------------------------------------------------------------------------- */

static bool same_text(const hd_vec_char *x, const hd_vec_char *y) {
    return x->length == y->length && (!x->length || memcmp(x->data, y->data, x->length) == 0);
}

static bool same_object(const hd_symbols_allocated *x, const hd_symbols_allocated *y) {
    return same_text(&x->pointer, &y->pointer) &&
           (x->pointer.length || same_text(&x->type, &y->type));
}

bool hd_symbols_source_repeats(const hd_symbols_source *source, const hd_symbols_allocated *it,
                               int function) {
    size_t at = 0, end = source->words.length, count = 0;
    while (function && at < end && source->words.data[at].line < function)
        at++;
    size_t body = at;
    while (function && body < end && !is(&source->words.data[body], "{"))
        body++;
    if (function && body < end)
        end = matching(source, body, 1);
    for (; at < end; at++) {
        if (!is_allocation(source, at))
            continue;
        hd_symbols_allocated other = {0};
        read_allocation(source, at, &other);
        count += same_object(it, &other);
        hd_symbols_allocated_release(&other);
    }
    return count > 1;
}
