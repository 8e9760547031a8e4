/*
 * The parser, whose parts are declarations (model_parse.c), statements and
 * expressions.  Every function is false, or NULL, after the first error, which
 * is then in the lexer's hd_model_error.
 */
#ifndef HD_MODEL_PARSE_H
#define HD_MODEL_PARSE_H

#include "model_lex.h"

/* Blocks, parentheses and operators inside one another. */
enum { HD_MODEL_MAX_DEPTH = 500 };

/* Whether statements are those of an atomic block; only the first may be an await. */
enum { HD_MODEL_IN_NONE, HD_MODEL_IN_ATOMIC_START, HD_MODEL_IN_ATOMIC };

typedef struct hd_model_parser {
    hd_model_lexer lexer;
    hd_model_tree *tree;
    const hd_model_define *defines;
    size_t define_count;
    unsigned depth;
    uint8_t atomic;                    /* HD_MODEL_IN_... */
    HD_VEC(hd_model_variable *) known; /* by number of the name; NULL: not declared */
    hd_model_thread *thread;           /* whose body is parsed; NULL outside */
    hd_model_variable **last_variable; /* where the next one is linked */
    hd_model_thread **last_thread;
} hd_model_parser;

/* Reports an error at the current token, or at a place in the text; returns false. */
#define hd_model_parser_fail(parser, ...)                                                          \
    hd_model_error_at((parser)->lexer.error, (parser)->tree, (parser)->lexer.at, __VA_ARGS__)
#define hd_model_parser_fail_at(parser, place, ...)                                                \
    hd_model_error_at((parser)->lexer.error, (parser)->tree, (place), __VA_ARGS__)

void *hd_model_parser_new(hd_model_parser *parser, size_t size); /* zeroed */
bool hd_model_parser_next(hd_model_parser *parser);
bool hd_model_parser_expect(hd_model_parser *parser, int token, const char *what);
bool hd_model_parser_deeper(hd_model_parser *parser);

/* The declaration of the name that is the current token. */
hd_model_variable *hd_model_parser_lookup(hd_model_parser *parser);

hd_model_expression *hd_model_parser_expression(hd_model_parser *parser);

/* A mutex or condition variable. */
hd_model_expression *hd_model_parser_object(hd_model_parser *parser, uint8_t kind);

/* A shared variable or a local, with its index: what can be assigned. */
hd_model_expression *hd_model_parser_place(hd_model_parser *parser);

/* An expression without variables and id; overflow is an error. */
bool hd_model_parser_constant(hd_model_parser *parser, int64_t *value);

/* Is the expression free of variables?  id is allowed. */
bool hd_model_parser_without_variables(const hd_model_expression *e);

/* Statements up to the '}', after the '{'. */
hd_model_statement *hd_model_parser_block(hd_model_parser *parser);

#endif
