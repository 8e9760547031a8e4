/*
 * The syntax tree of a model: what the parser makes, the compiler reads, and messages for people
 * are made from.  Names are resolved: a variable is a pointer to its declaration.
 */
#ifndef HD_MODEL_SYNTAX_H
#define HD_MODEL_SYNTAX_H

#include "model.h"
#include "model_code.h"

enum hd_model_variable_kind {
    HD_MODEL_PARAM,
    HD_MODEL_SHARED,
    HD_MODEL_MUTEX,
    HD_MODEL_CONDITION,
    HD_MODEL_LOCAL,
    HD_MODEL_THREAD, /* its cells, if it is forked or joined: 0, 1 once forked, 2 once ended */
    HD_MODEL_RWLOCK, /* the writer + 1, or 0; parts: readers, a cell per thread */
    HD_MODEL_SEMAPHORE,
    HD_MODEL_BARRIER, /* how many have arrived; parts: the round */
    HD_MODEL_CHANNEL, /* the slot to fill next; parts: slot to empty next, is it full, its value */
    HD_MODEL_PART,    /* of one of these */
    HD_MODEL_READERS, /* the part of a rwlock */
    HD_MODEL_FUNCTION
};

typedef struct hd_model_variable {
    const char *name;
    uint8_t kind;
    bool array;
    uint32_t size;  /* cells; 1 if it is not an array */
    uint32_t first; /* cell; of a local, from the start of its thread's frame */
    int64_t value;  /* of a parameter; parties of a barrier; capacity of a channel */
    struct hd_model_variable *parts[3];
    struct hd_model_function *function;

    struct hd_model_expression **initial; /* of the first initial_count cells */
    uint32_t initial_count;

    /* What the static checks found (model_influence.c). */
    bool to_address;                 /* its value can reach an address */
    bool to_condition;               /* or a condition */
    struct hd_model_source *sources; /* what is assigned to it */

    struct hd_model_variable *next; /* in the order of the text */
} hd_model_variable;

enum hd_model_expression_kind {
    HD_MODEL_NUMBER,
    HD_MODEL_ID,  /* the thread's number */
    HD_MODEL_USE, /* a variable, or an element of one */
    HD_MODEL_UNARY,
    HD_MODEL_BINARY,
    HD_MODEL_AND,
    HD_MODEL_OR,
    HD_MODEL_CHOOSE, /* a ? b : c */
    HD_MODEL_SWAP,   /* cas(a, b, c) */
    HD_MODEL_SELF,   /* the number of the instance among all, from 1 on */
    HD_MODEL_CHOICE  /* which way the operation goes */
};

/* a: the index of a use, NULL if it has none. */
typedef struct hd_model_expression {
    uint8_t kind;
    uint8_t operation; /* enum hd_model_code, of a unary or binary one */
    uint16_t depth;    /* of the tree below */
    bool shared;       /* reads a shared variable somewhere */
    bool swaps;        /* has a cas somewhere */
    uint32_t at;       /* where its first, for a binary one its middle, token is in the text */
    int64_t value;
    const hd_model_variable *variable;
    const struct hd_model_expression *a, *b, *c;
} hd_model_expression;

enum hd_model_statement_kind {
    HD_MODEL_ASSIGN,
    HD_MODEL_COMPUTE, /* an expression alone: cas */
    HD_MODEL_IF,
    HD_MODEL_WHILE,
    HD_MODEL_BLOCK,
    HD_MODEL_ATOMIC,
    HD_MODEL_AWAIT,
    HD_MODEL_ASSERT,
    HD_MODEL_LOCK,
    HD_MODEL_UNLOCK,
    HD_MODEL_WAIT,
    HD_MODEL_NOTIFY,
    HD_MODEL_NOTIFY_ALL,
    HD_MODEL_SKIP,
    HD_MODEL_ASSUME,
    HD_MODEL_PICK,  /* target = choose(value, high) */
    HD_MODEL_CALL,  /* body, from which a return leads to `otherwise` */
    HD_MODEL_RETURN /* the value is assigned before */
};

/* Statements that are written in another way than what they consist of. */
enum hd_model_form {
    HD_MODEL_AS_WRITTEN,
    HD_MODEL_FORM_TEXT, /* what is said of it is its text; the rest are such, too */
    HD_MODEL_FORM_READ_LOCK,
    HD_MODEL_FORM_WRITE_LOCK,
    HD_MODEL_FORM_UNLOCK,
    HD_MODEL_FORM_FORK,
    HD_MODEL_FORM_JOIN,
    HD_MODEL_FORM_START,
    HD_MODEL_FORM_END,
    HD_MODEL_FORM_LEAVE /* a barrier */
};

typedef struct hd_model_statement {
    uint8_t kind;
    uint8_t form;                      /* enum hd_model_form */
    bool tries;                        /* its form with a try */
    const char *rule, *wrong;          /* of a check that is not written as an assertion */
    bool branching;                    /* found by the static checks */
    uint32_t at, end;                  /* its text: all of it, or up to the end of a condition */
    uint32_t inner;                    /* where its condition starts */
    uint32_t line;                     /* from 1 */
    uint32_t position;                 /* the first of its positions */
    const hd_model_expression *target; /* of an assignment; mutex or condition variable */
    const hd_model_expression *value;  /* assigned, or the condition; mutex of a wait */
    const hd_model_expression *high;   /* of a choose */
    struct hd_model_statement *body;   /* first of a block; of if, while, atomic */
    struct hd_model_statement *otherwise;
    struct hd_model_statement *next; /* in its block */
} hd_model_statement;

/* A `thread name[count] { ... }`. */
typedef struct hd_model_thread {
    const char *name;
    bool array;
    uint32_t count;
    uint32_t first;            /* number of its first instance */
    hd_model_variable *locals; /* a list */
    uint32_t frame;            /* cells of them */
    uint32_t at;               /* the name, in the text */
    hd_model_variable *variable;
    uint32_t line;
    bool forked, joined;
    bool uses_id;             /* so that its instances differ */
    hd_model_statement *body; /* a block */
    struct hd_model_thread *next;
} hd_model_thread;

typedef struct hd_model_tree {
    char *name; /* of the file */
    char *text;
    uint32_t length;
    hd_arena arena; /* of everything below */
    hd_names names;
    hd_model_variable *variables; /* shared, mutexes, conditions: a list by cell */
    hd_model_thread *threads;
    uint32_t variable_cells; /* of all variables */
    uint32_t thread_count;   /* instances */
    uint64_t frame_cells;    /* locals of all instances */
    bool conditions;         /* there is a condition variable */
    bool tries;              /* a mutex is tried */
    HD_VEC(hd_model_statement *) invariants;
    HD_VEC(hd_model_statement *) statements; /* by position */
} hd_model_tree;

/* Phases of a wait, which has three positions. */
enum { HD_MODEL_WAIT_RELEASE, HD_MODEL_WAIT_WAKE, HD_MODEL_WAIT_ACQUIRE, HD_MODEL_WAIT_PHASES };

bool hd_model_tree_parse(hd_model_tree *tree, const hd_model_define *defines, size_t count,
                         hd_model_error *error);
void hd_model_tree_free(hd_model_tree *tree);

/* Marks statements and variables: the static checks. */
void hd_model_tree_influence(hd_model_tree *tree);

/* Sets the place and the text of an error; false, as a macro so that checkers see it. */
#define hd_model_error_at(error, tree, at, ...)                                                    \
    (hd_model_error_write(error, tree, at, __VA_ARGS__), hd_error_false())
void hd_model_error_write(hd_model_error *error, const hd_model_tree *tree, uint32_t at,
                          const char *format, ...) HD_PRINTF(4, 5);

/* The text of [from, to) with spaces and comments collapsed to single spaces. */
void hd_model_tree_text(const hd_model_tree *tree, uint32_t from, uint32_t to_offset,
                        hd_vec_char *to);

#endif
