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

/* A function: its text, which is parsed again wherever it is called.  Its variables are locals of
 * the thread that calls it: the same ones for every call, since a function is not called while it
 * runs. */
typedef struct hd_model_function {
    const char *name;
    hd_model_lexer start;          /* at the '(' of its declaration */
    bool runs;                     /* it is being parsed */
    bool atomic;                   /* its call is in an atomic block */
    const hd_model_thread *thread; /* whose locals its variables are */
    hd_model_variable *variables;  /* of that thread: parameters, locals, the result */
    hd_model_variable *result;
} hd_model_function;

typedef struct hd_model_parser {
    hd_model_lexer lexer;
    hd_model_tree *tree;
    const hd_model_define *defines;
    size_t define_count;
    unsigned depth;
    uint8_t atomic;                           /* HD_MODEL_IN_... */
    HD_VEC(hd_model_variable *) known;        /* by number of the name; NULL: not declared */
    hd_model_thread *thread;                  /* whose body is parsed; NULL outside */
    hd_model_function *function;              /* whose body is parsed; NULL outside */
    hd_model_variable *scope;                 /* the locals that are known, a list */
    HD_VEC(hd_model_statement *) write_locks; /* to which the number of threads is missing */
    HD_VEC(hd_model_variable *) rwlocks;
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

/* An index must not have a cas where it is evaluated twice. */
bool hd_model_parser_simple_index(hd_model_parser *parser, const hd_model_expression *use);

bool hd_model_parser_has_room(hd_model_parser *parser, uint32_t at);
hd_model_variable **hd_model_parser_entry(hd_model_parser *parser, const char *name, size_t length);

/* A new local of the thread, which has no name. */
hd_model_variable *hd_model_parser_new_local(hd_model_parser *parser, const char *name);

/* ---- model_parse_build.c: parts of trees that are not written so ---- */

hd_model_expression *hd_model_build_number(hd_model_parser *parser, int64_t value);
hd_model_expression *hd_model_build_node(hd_model_parser *parser, uint8_t kind);
hd_model_expression *hd_model_build_use(hd_model_parser *parser, const hd_model_variable *variable,
                                        const hd_model_expression *index);
hd_model_expression *hd_model_build_binary(hd_model_parser *parser, enum hd_model_code operation,
                                           const hd_model_expression *a,
                                           const hd_model_expression *b);

/* Statements that belong to another, whose text and position they have. */
hd_model_statement *hd_model_build_inner(hd_model_parser *parser, const hd_model_statement *of,
                                         uint8_t kind);
hd_model_statement *hd_model_build_assign(hd_model_parser *parser, const hd_model_statement *of,
                                          const hd_model_expression *target,
                                          const hd_model_expression *value);
hd_model_statement *hd_model_build_check(hd_model_parser *parser, const hd_model_statement *of,
                                         uint8_t kind, const hd_model_expression *value);

/* Appends to the statements of a block; makes the block if there is none. */
void hd_model_build_append(hd_model_parser *parser, const hd_model_statement *of,
                           hd_model_statement **block, hd_model_statement *s);

/* ---- model_parse_objects.c ---- */

/* rdlock, wrlock, unlock of a rwlock, post, take, arrive, send, recv, fork, join: the current token
 * is the keyword.  With a result, it is a try. */
bool hd_model_parser_act(hd_model_parser *parser, hd_model_statement *s,
                         const hd_model_expression *result);

/* unlock of a mutex or a rwlock. */
bool hd_model_parser_unlock(hd_model_parser *parser, hd_model_statement *s);

/* What can be completed only when all threads are known. */
bool hd_model_parser_complete(hd_model_parser *parser);

/* Makes the parts of a variable that is an object: a list that the caller links. */
void hd_model_parser_parts(hd_model_parser *parser, hd_model_variable *variable);

/* ---- model_parse_function.c ---- */

bool hd_model_parser_function(hd_model_parser *parser, hd_model_function *function);

/* A call of a function, with the '(' as the current token; *result is NULL or what it is assigned
 * to. */
bool hd_model_parser_call(hd_model_parser *parser, hd_model_statement *s,
                          hd_model_function *function, const hd_model_expression *result);
bool hd_model_parser_return(hd_model_parser *parser, hd_model_statement *s);

/* ---- model_parse_statement.c ---- */

hd_model_statement *hd_model_parser_statement(hd_model_parser *parser, uint8_t kind);
bool hd_model_parser_semicolon(hd_model_parser *parser, hd_model_statement *s);

/* Statements up to the '}', after the '{'. */
hd_model_statement *hd_model_parser_block(hd_model_parser *parser);

#endif
