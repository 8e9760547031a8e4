/*
 * A predicate ready to be evaluated.
 *
 * What depends on one thread only is a *local*: an expression whose value is a
 * number for each count of that thread, so it is a column of numbers that grows
 * with the thread (predicate_facts.h).  Locals are made of *leaves*, the single
 * things to know of a thread.  What is left over is code for a little stack
 * machine, which combines locals of several threads at a state.
 *
 *     hd_predicate predicate;
 *     if (!hd_predicate_init(&predicate, "count(transfer) > 3", &error)) ...
 *     hd_predicate_release(&predicate);
 */
#ifndef HD_PREDICATE_CODE_H
#define HD_PREDICATE_CODE_H

#include "predicate_syntax.h"

/* One thing to know of a thread: a node's kind and name. */
typedef struct hd_predicate_leaf {
    enum hd_predicate_kind kind;
    const char *name;
    uint32_t node; /* one that asks for it, for messages */
} hd_predicate_leaf;

typedef struct hd_predicate_local {
    uint32_t node;
    uint32_t thread; /* in .threads, or HD_PREDICATE_NONE: every thread has a column */
} hd_predicate_local;

/* Code: an operator of the language takes its operands from the stack; these put
 * values there. */
enum hd_predicate_scope {
    HD_PREDICATE_CONSTANT, /* the same everywhere */
    HD_PREDICATE_ONE,      /* of one thread */
    HD_PREDICATE_MANY
};

typedef struct hd_predicate_op {
    enum hd_predicate_kind kind; /* HD_PREDICATE_VALUE: a local of a certain thread */
    uint32_t local, other;       /* or where to go on, for AND and OR */
    int64_t number;
} hd_predicate_op;

typedef struct hd_predicate {
    hd_predicate_tree tree;
    HD_VEC(hd_predicate_leaf) leaves;
    HD_VEC(hd_predicate_local) locals;
    HD_VEC(const char *) threads; /* named in it */
    HD_VEC(hd_predicate_op) code;
    uint32_t *leaf_of;  /* [node] */
    uint32_t *local_of; /* [node]: the local that it is, of its own or the thread at hand */
    uint8_t *scope;     /* [node]: enum hd_predicate_scope */
    uint32_t *of;       /* [node]: its thread, in .threads */
    uint32_t depth;     /* of the stack */
} hd_predicate;

bool hd_predicate_init(hd_predicate *predicate, const char *text, hd_predicate_error *error);
/* One that is a function in C (predicate_plugin.h); `name` is shown. */
void hd_predicate_init_plugin(hd_predicate *predicate, const char *name);
void hd_predicate_release(hd_predicate *predicate);

/* Does it ask for this anywhere? */
bool hd_predicate_uses(const hd_predicate *predicate, enum hd_predicate_kind kind);

/* Applies an operator.  Overflow wraps; division by zero yields 0. */
int64_t hd_predicate_apply(enum hd_predicate_kind kind, int64_t a, int64_t b);

/* The value of an expression of one thread, given its leaves. */
int64_t hd_predicate_of_leaves(const hd_predicate *predicate, uint32_t node, const int64_t *leaves);

#endif
