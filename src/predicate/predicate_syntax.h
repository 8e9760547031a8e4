/*
 * The text of a predicate as a tree.  Names stay text: they are looked up in a
 * trace later (predicate_facts.h), which may still be growing.
 *
 *     at(T1, "open") && at(T2, "open")      where threads are, by their last mark
 *     x1 + x2 + x3 < 10                     what was noted, or written
 *     count(at("stop") by floor, dir) > 2   over all threads
 *     race    deadlock    mutex(A, B)       built in
 *
 * doc/detect.md has the language.  An expression is a truth or a number; those
 * inside count, sum, min, max, any and all speak of one thread at a time.
 */
#ifndef HD_PREDICATE_SYNTAX_H
#define HD_PREDICATE_SYNTAX_H

#include "base/base.h"

enum hd_predicate_kind {
    HD_PREDICATE_NUMBER,
    HD_PREDICATE_TRUTH, /* true, false */
    /* of one thread: .thread, or the one at hand */
    HD_PREDICATE_AT,       /* .name is its last mark */
    HD_PREDICATE_VALUE,    /* what it noted or wrote last as .name */
    HD_PREDICATE_STAMP,    /* number of the event that did; not in the language */
    HD_PREDICATE_HELD,     /* it holds the lock .name */
    HD_PREDICATE_POSITION, /* how many of its events have happened */
    HD_PREDICATE_DONE,     /* all of them have */
    /* of operands */
    HD_PREDICATE_MINUS,
    HD_PREDICATE_NOT,
    HD_PREDICATE_ADD,
    HD_PREDICATE_SUBTRACT,
    HD_PREDICATE_MULTIPLY,
    HD_PREDICATE_DIVIDE,
    HD_PREDICATE_MODULO,
    HD_PREDICATE_EQUAL,
    HD_PREDICATE_UNEQUAL,
    HD_PREDICATE_LESS,
    HD_PREDICATE_LESS_EQUAL,
    HD_PREDICATE_GREATER,
    HD_PREDICATE_GREATER_EQUAL,
    HD_PREDICATE_AND,
    HD_PREDICATE_OR,
    /* of all threads: operand a is of the thread at hand */
    HD_PREDICATE_COUNT, /* operand b: the first key of `by` */
    HD_PREDICATE_SUM,
    HD_PREDICATE_LEAST,
    HD_PREDICATE_MOST,
    HD_PREDICATE_ANY,
    HD_PREDICATE_ALL,
    HD_PREDICATE_KEY, /* operand a: the key; b: the next one */
    /* of the whole state */
    HD_PREDICATE_LATEST, /* a name without a thread: the latest note or write */
    HD_PREDICATE_MUTEX,  /* one thread is at .name, another at .other */
    HD_PREDICATE_RACE,   /* the last events of two threads collide */
    HD_PREDICATE_DEADLOCK,
    HD_PREDICATE_PLUGIN /* a function in C; not in the language */
};

#define HD_PREDICATE_NONE UINT32_MAX

typedef struct hd_predicate_node {
    enum hd_predicate_kind kind;
    bool truth;          /* else a number */
    bool initialisation; /* race(all): with those against a variable's initialisation */
    uint32_t a, b;       /* operands; HD_PREDICATE_NONE */
    int64_t number;
    const char *thread, *name, *other; /* NULL if none */
    uint32_t at, length;               /* where it is in the text */
} hd_predicate_node;

typedef struct hd_predicate_tree {
    char *text;
    HD_VEC(hd_predicate_node) nodes;
    uint32_t root;
    hd_arena names;
} hd_predicate_tree;

/* What is wrong, and where in the text; length 0: nowhere in particular. */
typedef struct hd_predicate_error {
    hd_error error;
    uint32_t at, length;
} hd_predicate_error;

/* False with an error: one line, and the place in the text. */
bool hd_predicate_parse(hd_predicate_tree *tree, const char *text, hd_predicate_error *error);
void hd_predicate_tree_release(hd_predicate_tree *tree);

/* Sets the error at a node's place; always false. */
bool hd_predicate_fail(hd_predicate_error *error, const hd_predicate_node *node, const char *format,
                       ...) HD_PRINTF(3, 4);

/* The text of a node, for messages; in a static buffer. */
const char *hd_predicate_text(const hd_predicate_tree *tree, uint32_t node);

/* ---- Words, for the parser alone ---- */

enum hd_predicate_token {
    HD_PREDICATE_T_END = 256,
    HD_PREDICATE_T_NUMBER,
    HD_PREDICATE_T_NAME,
    HD_PREDICATE_T_STRING,  /* a name in quotes, never a word of the language */
    HD_PREDICATE_T_OPERATOR /* .kind says which */
};

typedef struct hd_predicate_lexer {
    hd_predicate_tree *tree;
    hd_predicate_error *error;
    uint32_t next; /* where to read on */
    int token;     /* the present one; a character if it is one by itself */
    uint32_t at, length;
    uint32_t last_end; /* after the token before it */
    int64_t number;
    const char *name;
    enum hd_predicate_kind kind;
} hd_predicate_lexer;

bool hd_predicate_lexer_next(hd_predicate_lexer *lexer);
bool hd_predicate_lexer_fail(hd_predicate_lexer *lexer, const char *format, ...) HD_PRINTF(2, 3);

#endif
