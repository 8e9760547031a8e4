/*
 * Tokens of preprocessed C and C++, for launch_blind.c.
 */
#ifndef HD_LAUNCH_BLIND_TOKENS_H
#define HD_LAUNCH_BLIND_TOKENS_H

#include <string.h>

#include "base/base.h"

enum hd_launch_sort {
    HD_LAUNCH_END,
    HD_LAUNCH_WORD,
    HD_LAUNCH_TEXT, /* a string, without its quotes */
    HD_LAUNCH_SIGN
};

typedef struct hd_launch_token {
    enum hd_launch_sort sort;
    const char *at;
    size_t length;
} hd_launch_token;

enum { HD_LAUNCH_NAME = 128 };

typedef struct hd_launch_lexer {
    const char *at, *begin, *end;
    char file[HD_LAUNCH_NAME];
    unsigned line;
    hd_launch_token last; /* the token before the present one */
    hd_vec_char *lines;
    /* The scopes around; function bodies and what is in them are `inside`. */
    unsigned depth, inside;
    char name[HD_LAUNCH_NAME]; /* of the function, or what may become one */
    bool named, skipped;       /* since the last declaration; it is kept from instrumentation */
    bool unlisted;             /* nor does the debugging information have it (`nodebug`) */
    bool wide;                 /* and it uses vectors of more than 16 bytes through pointers */
    bool told;                 /* that the function around calls one of `hidden` */
    unsigned parens;
    hd_names hidden;                    /* functions to report where they are called */
    HD_VEC(hd_launch_token) structures; /* names of types that are structures or unions */
    HD_VEC(hd_launch_token) lists;      /* va_lists that are the function's variables */
} hd_launch_lexer;

hd_launch_token hd_launch_token_next(hd_launch_lexer *r);

/* Whether it may be in a name: those of C, and $.  Texts are long, and in no locale. */
static inline bool hd_launch_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

static inline bool hd_launch_token_is(const hd_launch_token *it, const char *text) {
    return it->length && *it->at == *text && strlen(text) == it->length &&
           memcmp(it->at, text, it->length) == 0;
}

bool hd_launch_token_is_any(const hd_launch_token *it, const char *const *words, size_t count);

#define HD_LAUNCH_IS_ANY(it, ...)                                                                  \
    hd_launch_token_is_any(it, (const char *const[]){__VA_ARGS__},                                 \
                           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

void hd_launch_token_name(char *to, const char *from, size_t length);

/* A line of the list: that function is not announced.  One that the debugging information lacks
 * is inlined everywhere, so the functions count that call it later in the text. */
void hd_launch_blind_report(hd_launch_lexer *r, const char *name);

/* launch_blind_values.c: what is not announced of functions that are.  The word may be the name of
 * an intrinsic that uses memory, begin the declaration of a structure, take one from `...`, or
 * begin such a list. */
void hd_launch_blind_word(hd_launch_lexer *r, const hd_launch_token *now);

#endif
