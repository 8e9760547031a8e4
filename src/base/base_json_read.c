#include "base_json_read.h"

#include <stdlib.h>
#include <string.h>

#include "base_clock.h"
#include "base_file.h"
#include "base_json.h"
#include "base_text.h"
#include "base_vec.h"

typedef struct reader {
    const char *name, *start, *at, *end;
    hd_arena *arena;
    hd_error *error;
    unsigned depth;
} reader;

static bool fail(const reader *r, const char *what) {
    size_t line = 1;
    for (const char *c = r->start; c < r->at; c++)
        line += *c == '\n';
    return hd_error_set(r->error, "%s:%zu: not JSON: %s", r->name, line, what);
}

static void skip_space(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool take_char(reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* ---- Strings ---- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    char low = (char)(c | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

static bool read_unit(reader *r, uint32_t *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        int digit = r->at < r->end ? hex_digit(*r->at) : -1;
        if (digit < 0)
            return fail(r, "\\u needs four hexadecimal digits");
        *unit = *unit * 16 + (uint32_t)digit;
    }
    return true;
}

static void push_character(hd_vec_char *to, uint32_t c) {
    if (c == 0)
        c = 0xfffd;
    if (c < 0x80) {
        hd_vec_push(to, (char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    hd_vec_push(to, (char)(lead[more] | (c >> (6 * more))));
    while (more-- > 0)
        hd_vec_push(to, (char)(0x80 | ((c >> (6 * more)) & 0x3f)));
}

/* After "\u"; an unpaired surrogate becomes U+FFFD. */
static bool read_escaped_unit(reader *r, hd_vec_char *to) {
    uint32_t high, low;
    if (!read_unit(r, &high))
        return false;
    if (high < 0xd800 || high > 0xdfff) {
        push_character(to, high);
        return true;
    }
    if (high > 0xdbff || r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u') {
        push_character(to, 0xfffd);
        return true;
    }
    r->at += 2;
    if (!read_unit(r, &low))
        return false;
    bool pair = low >= 0xdc00 && low <= 0xdfff;
    push_character(to, pair ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : 0xfffd);
    return true;
}

static bool read_escape(reader *r, hd_vec_char *to) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end)
        return fail(r, "the text ends in a string");
    char c = *r->at++;
    if (c == 'u')
        return read_escaped_unit(r, to);
    const char *found = c ? strchr(letters, c) : NULL;
    if (!found)
        return fail(r, "an invalid escape");
    hd_vec_push(to, meant[found - letters]);
    return true;
}

static bool read_characters(reader *r, hd_vec_char *to) {
    while (r->at < r->end && *r->at != '"') {
        size_t length = hd_text_utf8(r->at, (size_t)(r->end - r->at));
        if ((unsigned char)*r->at < 0x20)
            return fail(r, "a control character in a string");
        if (!length)
            return fail(r, "a string that is not UTF-8");
        if (*r->at == '\\') {
            r->at++;
            if (!read_escape(r, to))
                return false;
            continue;
        }
        for (size_t i = 0; i < length; i++)
            hd_vec_push(to, *r->at++);
    }
    if (r->at == r->end)
        return fail(r, "the text ends in a string");
    r->at++;
    return true;
}

/* After the opening quotation mark. */
static const char *read_string(reader *r) {
    hd_vec_char text = {0};
    const char *kept = NULL;
    if (read_characters(r, &text))
        kept = hd_arena_string(r->arena, text.data ? text.data : "", text.length);
    hd_vec_release(&text);
    return kept;
}

/* ---- Numbers and words ---- */

static size_t count_digits(const reader *r) {
    size_t count = 0;
    while (r->at + count < r->end && r->at[count] >= '0' && r->at[count] <= '9')
        count++;
    return count;
}

static bool read_fraction(reader *r) {
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        size_t digits = count_digits(r);
        if (!digits)
            return false;
        r->at += digits;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
            r->at++;
        size_t digits = count_digits(r);
        if (!digits)
            return false;
        r->at += digits;
    }
    return true;
}

static bool read_number(reader *r, hd_json_value *value) {
    const char *start = r->at;
    if (*r->at == '-')
        r->at++;
    size_t digits = count_digits(r);
    bool good = digits == 1 || (digits > 1 && *r->at != '0');
    r->at += digits;
    if (!good || !read_fraction(r))
        return fail(r, "an invalid number");
    value->kind = HD_JSON_NUMBER;
    value->text = hd_arena_string(r->arena, start, (size_t)(r->at - start));
    return true;
}

static bool read_word(reader *r, hd_json_value *value) {
    static const struct {
        const char *word;
        enum hd_json_kind kind;
        bool truth;
    } words[] = {{"null", HD_JSON_NULL, false},
                 {"true", HD_JSON_BOOL, true},
                 {"false", HD_JSON_BOOL, false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i].word, length) != 0)
            continue;
        value->kind = words[i].kind;
        value->truth = words[i].truth;
        r->at += length;
        return true;
    }
    return fail(r, "a value is expected");
}

/* ---- Arrays and objects ---- */

static bool read_value(reader *r, hd_json_value *value);

static bool read_element(reader *r, hd_json_value *element, bool object) {
    if (object) {
        if (!take_char(r, '"'))
            return fail(r, "a key is expected");
        element->key = read_string(r);
        if (!element->key)
            return false;
        if (!take_char(r, ':'))
            return fail(r, "':' is expected");
    }
    return read_value(r, element);
}

static bool read_list(reader *r, hd_json_value *value, bool object) {
    char close = object ? '}' : ']';
    value->kind = object ? HD_JSON_OBJECT : HD_JSON_ARRAY;
    if (r->depth == HD_JSON_DEPTH)
        return fail(r, "it is nested too deep");
    if (take_char(r, close))
        return true;
    r->depth++;
    hd_json_value *last = NULL;
    do {
        hd_json_value *element = hd_arena_alloc(r->arena, sizeof *element);
        *element = (hd_json_value){0};
        if (!read_element(r, element, object))
            return false;
        if (hd_clock_over())
            return fail(r, "it was stopped before its end");
        if (last)
            last->next = element;
        else
            value->first = element;
        last = element;
        value->count++;
    } while (take_char(r, ','));
    r->depth--;
    return take_char(r, close)
               ? true
               : fail(r, object ? "',' or '}' is expected" : "',' or ']' is expected");
}

// NOLINTNEXTLINE(misc-no-recursion): at most HD_JSON_DEPTH deep
static bool read_value(reader *r, hd_json_value *value) {
    skip_space(r);
    if (r->at == r->end)
        return fail(r, "the text ends too early");
    switch (*r->at) {
    case '{':
    case '[':
        r->at++;
        return read_list(r, value, r->at[-1] == '{');
    case '"':
        r->at++;
        value->kind = HD_JSON_STRING;
        value->text = read_string(r);
        return value->text != NULL;
    default:
        return *r->at == '-' || count_digits(r) ? read_number(r, value) : read_word(r, value);
    }
}

bool hd_json_parse(hd_json_document *document, const char *data, size_t size, const char *name,
                   hd_error *error) {
    *document = (hd_json_document){0};
    reader r = {.name = name,
                .start = data,
                .at = data,
                .end = data + size,
                .arena = &document->arena,
                .error = error};
    hd_json_value *root = hd_arena_alloc(&document->arena, sizeof *root);
    *root = (hd_json_value){0};
    bool good = read_value(&r, root);
    if (good) {
        skip_space(&r);
        good = r.at == r.end || fail(&r, "something follows the value");
    }
    if (good)
        document->root = root;
    else
        hd_json_release(document);
    return good;
}

bool hd_json_load(hd_json_document *document, const char *path, hd_error *error) {
    *document = (hd_json_document){0};
    hd_vec_char text = {0};
    bool good = hd_file_load(path, &text, error) &&
                hd_json_parse(document, text.data, text.length, path, error);
    hd_vec_release(&text);
    return good;
}

void hd_json_release(hd_json_document *document) {
    hd_arena_release(&document->arena);
    *document = (hd_json_document){0};
}

/* ---- Access ---- */

const hd_json_value *hd_json_get(const hd_json_value *object, const char *key) {
    const hd_json_value *found = NULL;
    if (object && object->kind == HD_JSON_OBJECT)
        for (const hd_json_value *v = object->first; v; v = v->next)
            if (strcmp(v->key, key) == 0)
                found = v;
    return found;
}

const hd_json_value *hd_json_first(const hd_json_value *list) {
    return list ? list->first : NULL;
}

const char *hd_json_text_of(const hd_json_value *object, const char *key) {
    const hd_json_value *value = hd_json_get(object, key);
    return value && value->kind == HD_JSON_STRING ? value->text : NULL;
}

uint64_t hd_json_uint_of(const hd_json_value *object, const char *key, uint64_t otherwise) {
    const hd_json_value *value = hd_json_get(object, key);
    uint64_t number;
    if (!value || value->kind != HD_JSON_NUMBER ||
        !hd_text_u64(value->text, strlen(value->text), &number))
        return otherwise;
    return number;
}

bool hd_json_bool_of(const hd_json_value *object, const char *key, bool otherwise) {
    const hd_json_value *value = hd_json_get(object, key);
    return value && value->kind == HD_JSON_BOOL ? value->truth : otherwise;
}
