#include "predicate_syntax.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hd_predicate_lexer_fail(hd_predicate_lexer *lexer, const char *format, ...) {
    char text[HD_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lexer->error->at = lexer->at;
    lexer->error->length = lexer->length ? lexer->length : 1;
    return hd_error_set(&lexer->error->error, "%s", text);
}

static bool starts_name(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

static bool continues_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool read_number(hd_predicate_lexer *lexer, const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    lexer->length = (uint32_t)length;
    lexer->token = HD_PREDICATE_T_NUMBER;
    if (hd_text_i64(text, length, &lexer->number))
        return true;
    return hd_predicate_lexer_fail(lexer, "this is no whole number of 64 bits");
}

/* Between quotes; a backslash takes the next character as it is. */
static bool read_string(hd_predicate_lexer *lexer, const char *text) {
    char quote = text[0];
    size_t length = 1, used = 0;
    while (text[length] && text[length] != quote)
        length += text[length] == '\\' && text[length + 1] ? 2 : 1;
    lexer->length = (uint32_t)length;
    if (!text[length])
        return hd_predicate_lexer_fail(lexer, "the quotes are not closed");
    char *name = hd_arena_alloc(&lexer->tree->names, length + 1);
    for (size_t i = 1; i < length; i++) {
        i += text[i] == '\\';
        name[used++] = text[i];
    }
    assert(used < length); /* without the quote */
    name[used] = '\0';
    lexer->name = name;
    lexer->length = (uint32_t)length + 1;
    lexer->token = HD_PREDICATE_T_STRING;
    return true;
}

static bool read_name(hd_predicate_lexer *lexer, const char *text) {
    size_t length = 1;
    while (continues_name(text[length]))
        length++;
    char *name = hd_arena_alloc(&lexer->tree->names, length + 1);
    memcpy(name, text, length);
    name[length] = '\0';
    lexer->name = name;
    lexer->length = (uint32_t)length;
    lexer->token = HD_PREDICATE_T_NAME;
    return true;
}

static bool read_mark(hd_predicate_lexer *lexer, const char *text) {
    static const struct {
        const char *text;
        enum hd_predicate_kind kind;
    } operators[] = {
        {"&&", HD_PREDICATE_AND},        {"||", HD_PREDICATE_OR},
        {"==", HD_PREDICATE_EQUAL},      {"!=", HD_PREDICATE_UNEQUAL},
        {"<=", HD_PREDICATE_LESS_EQUAL}, {">=", HD_PREDICATE_GREATER_EQUAL},
        {"<", HD_PREDICATE_LESS},        {">", HD_PREDICATE_GREATER},
        {"+", HD_PREDICATE_ADD},         {"-", HD_PREDICATE_SUBTRACT},
        {"*", HD_PREDICATE_MULTIPLY},    {"/", HD_PREDICATE_DIVIDE},
        {"%", HD_PREDICATE_MODULO},      {"!", HD_PREDICATE_NOT},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i].text);
        if (strncmp(text, operators[i].text, length) == 0) {
            lexer->length = (uint32_t)length;
            lexer->kind = operators[i].kind;
            lexer->token = HD_PREDICATE_T_OPERATOR;
            return true;
        }
    }
    lexer->length = 1;
    lexer->token = (unsigned char)text[0];
    if (strchr("(),.", text[0]))
        return true;
    if (text[0] == '=' || text[0] == '&' || text[0] == '|')
        return hd_predicate_lexer_fail(lexer, "this is written '%c%c'", text[0], text[0]);
    return hd_predicate_lexer_fail(lexer, "this character means nothing here");
}

bool hd_predicate_lexer_next(hd_predicate_lexer *lexer) {
    const char *text = lexer->tree->text;
    lexer->last_end = lexer->at + lexer->length;
    while (text[lexer->next] && isspace((unsigned char)text[lexer->next]))
        lexer->next++;
    lexer->at = lexer->next;
    lexer->length = 0;
    text += lexer->at;
    bool good = true;
    if (!*text)
        lexer->token = HD_PREDICATE_T_END;
    else if (isdigit((unsigned char)*text))
        good = read_number(lexer, text);
    else if (*text == '"' || *text == '\'')
        good = read_string(lexer, text);
    else if (starts_name(*text))
        good = read_name(lexer, text);
    else
        good = read_mark(lexer, text);
    lexer->next = lexer->at + lexer->length;
    assert(lexer->at >= lexer->last_end);
    assert(!good || (lexer->length == 0) == (lexer->token == HD_PREDICATE_T_END));
    HD_COSTLY_ASSERT(lexer->next <= strlen(lexer->tree->text));
    return good;
}
