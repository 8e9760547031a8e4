/*
 * Where a model is wrong: line, column, the source line and a caret under the place.  Text of a
 * hostile file is made printable and short.
 */
#include <stdarg.h>
#include <stdio.h>

#include "model_lex.h"

enum { BEFORE = 60, AROUND = 120 }; /* columns of the source line that are shown */

static void append_text(hd_vec_char *to, const char *text, size_t length) {
    hd_vec_reserve(to, to->length + length + 1);
    memcpy(to->data + to->length, text, length);
    to->length += length;
    to->data[to->length] = '\0';
}

/* One character per byte, so that the caret is in the right column. */
static char shown_byte(char byte) {
    unsigned char code = (unsigned char)byte;
    return byte == '\t' ? ' ' : (char)(code < ' ' || code > '~' ? '?' : byte);
}

static void show_line(hd_model_error *error, const char *line, uint32_t length, uint32_t at) {
    uint32_t from = at > BEFORE ? at - BEFORE : 0;
    uint32_t count = length - from > AROUND ? AROUND : length - from;
    for (uint32_t i = 0; i < count; i++)
        error->source[i] = shown_byte(line[from + i]);
    error->source[count] = '\0';
    error->caret = at - from;
}

void hd_model_error_write(hd_model_error *error, const hd_model_tree *tree, uint32_t at,
                          const char *format, ...) {
    assert(at <= tree->length);
    *error = (hd_model_error){.line = 1};
    uint32_t start = 0;
    for (uint32_t i = 0; i < at; i++)
        if (tree->text[i] == '\n') {
            error->line++;
            start = i + 1;
        }
    uint32_t end = at;
    while (end < tree->length && tree->text[end] != '\n')
        end++;
    error->column = at - start + 1;
    show_line(error, tree->text + start, end - start, at - start);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

void hd_model_error_format(const hd_model_error *error, const char *path, hd_vec_char *to) {
    char *line;
    int length = error->line == 0
                     ? asprintf(&line, "%s: %s", path, error->text)
                     : asprintf(&line, "%s:%u:%u: %s\n    %s\n    %*s^", path, error->line,
                                error->column, error->text, error->source, (int)error->caret, "");
    if (length < 0)
        hd_mem_made(NULL);
    append_text(to, line, (size_t)length);
    free(line);
}

bool hd_model_define_parse(hd_model_define *define, const char *text, hd_error *error) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return hd_error_set(error, "'%s' is not of the form NAME=VALUE", text);
    define->name = text;
    if (!hd_text_i64(equals + 1, strlen(equals + 1), &define->value))
        return hd_error_set(error, "'%s' is no 64-bit integer", equals + 1);
    return true;
}

void hd_model_tree_text(const hd_model_tree *tree, uint32_t from, uint32_t to_offset,
                        hd_vec_char *to) {
    hd_model_lexer lexer;
    hd_model_error none;
    hd_model_lexer_init(&lexer, tree, &none);
    lexer.next = from;
    uint32_t last = from;
    while (hd_model_lexer_next(&lexer) && lexer.at + lexer.length <= to_offset &&
           lexer.token != HD_MODEL_T_END) {
        if (lexer.at > last)
            hd_vec_push(to, ' ');
        for (uint32_t i = 0; i < lexer.length; i++)
            hd_vec_push(to, tree->text[lexer.at + i]);
        last = lexer.at + lexer.length;
    }
    hd_vec_push(to, '\0');
    to->length--;
}
