#include "model_lex.h"

#include <ctype.h>

typedef struct word {
    const char *text;
    int token;
} word;

static const word keywords[] = {
#define KEYWORD(name, text) {text, HD_MODEL_T_##name},
    HD_MODEL_KEYWORDS(KEYWORD)
#undef KEYWORD
};

typedef struct sign {
    const char *text;
    uint8_t binds;
} sign;

/* By enum hd_model_code. */
static const sign operators[] = {
#define OPERATOR(name, text, binds) {text, binds},
    HD_MODEL_OPERATORS(OPERATOR)
#undef OPERATOR
};

void hd_model_lexer_init(hd_model_lexer *lexer, const hd_model_tree *tree, hd_model_error *error) {
    *lexer = (hd_model_lexer){.tree = tree, .error = error, .line = 1};
}

static char peek_at(const hd_model_lexer *lexer, uint32_t at) {
    return at < lexer->tree->length ? lexer->tree->text[at] : '\0';
}

static bool starts_name(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

static bool in_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Skips a comment that starts at lexer->next. */
static bool skip_comment(hd_model_lexer *lexer) {
    uint32_t start = lexer->next;
    bool line = peek_at(lexer, start + 1) == '/';
    for (lexer->next += 2; lexer->next < lexer->tree->length; lexer->next++) {
        char c = peek_at(lexer, lexer->next);
        if (c == '\n' && line)
            return true;
        lexer->line += c == '\n';
        if (!line && c == '*' && peek_at(lexer, lexer->next + 1) == '/') {
            lexer->next += 2;
            return true;
        }
    }
    return line || hd_model_error_at(lexer->error, lexer->tree, start, "this comment does not end");
}

static bool skip_space(hd_model_lexer *lexer) {
    for (;;) {
        char c = peek_at(lexer, lexer->next), after = peek_at(lexer, lexer->next + 1);
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            lexer->line += c == '\n';
            lexer->next++;
        } else if (c != '/' || (after != '/' && after != '*')) {
            return true;
        } else if (!skip_comment(lexer)) {
            return false;
        }
    }
}

static void take_word(hd_model_lexer *lexer) {
    const char *text = lexer->tree->text + lexer->at;
    while (in_name(peek_at(lexer, lexer->next)))
        lexer->next++;
    size_t length = lexer->next - lexer->at;
    lexer->token = HD_MODEL_T_NAME;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].text) == length && memcmp(keywords[i].text, text, length) == 0)
            lexer->token = keywords[i].token;
}

static unsigned digit_of(char c) {
    if (isdigit((unsigned char)c))
        return (unsigned)(c - '0');
    return isxdigit((unsigned char)c) ? (unsigned)(tolower((unsigned char)c) - 'a') + 10 : 99;
}

static bool take_number(hd_model_lexer *lexer) {
    unsigned base = 10;
    uint64_t value = 0;
    char second = peek_at(lexer, lexer->next + 1);
    if (peek_at(lexer, lexer->next) == '0' && (second == 'x' || second == 'X')) {
        base = 16;
        lexer->next += 2;
    }
    uint32_t digits = lexer->next;
    for (unsigned digit; (digit = digit_of(peek_at(lexer, lexer->next))) < base; lexer->next++) {
        if (value > ((uint64_t)INT64_MAX - digit) / base)
            return hd_model_error_at(lexer->error, lexer->tree, lexer->at,
                                     "this number does not fit in 64 bits");
        value = value * base + digit;
    }
    if (lexer->next == digits || in_name(peek_at(lexer, lexer->next)))
        return hd_model_error_at(lexer->error, lexer->tree, lexer->next,
                                 "there is no such digit in a number");
    lexer->token = HD_MODEL_T_NUMBER;
    lexer->value = (int64_t)value;
    return true;
}

/* The longest binary operator here, if there is one. */
static bool take_operator(hd_model_lexer *lexer) {
    size_t longest = 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i].text);
        bool same = peek_at(lexer, lexer->at) == operators[i].text[0] &&
                    (length == 1 || peek_at(lexer, lexer->at + 1) == operators[i].text[1]);
        if (same && length > longest) {
            longest = length;
            lexer->operation = (uint8_t)i;
            lexer->binds = operators[i].binds;
        }
    }
    lexer->next += (uint32_t)longest;
    lexer->token = HD_MODEL_T_OPERATOR;
    return longest > 0;
}

static bool take_mark(hd_model_lexer *lexer) {
    char c = peek_at(lexer, lexer->at);
    if (take_operator(lexer))
        return true;
    lexer->next++;
    lexer->token = (unsigned char)c;
    if (c != '\0' && strchr("()[]{};,=!?:", c))
        return true;
    char text[8];
    hd_text_printable(text, sizeof text, &c, 1);
    return hd_model_error_at(lexer->error, lexer->tree, lexer->at,
                             "there is no '%s' in the language", text);
}

bool hd_model_lexer_next(hd_model_lexer *lexer) {
    lexer->last_end = lexer->at + lexer->length;
    if (!skip_space(lexer))
        return false;
    lexer->at = lexer->next;
    bool good = true;
    char c = peek_at(lexer, lexer->at);
    if (lexer->at == lexer->tree->length)
        lexer->token = HD_MODEL_T_END;
    else if (starts_name(c))
        take_word(lexer);
    else if (isdigit((unsigned char)c))
        good = take_number(lexer);
    else
        good = take_mark(lexer);
    lexer->length = lexer->next - lexer->at;
    return good;
}
