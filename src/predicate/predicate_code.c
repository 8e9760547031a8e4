#include "predicate_code.h"

#include <string.h>

/* ---- Values ---- */

int64_t hd_predicate_apply(enum hd_predicate_kind kind, int64_t a, int64_t b) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (kind) {
    case HD_PREDICATE_MINUS:
        return (int64_t)(0 - x);
    case HD_PREDICATE_NOT:
        return !a;
    case HD_PREDICATE_ADD:
        return (int64_t)(x + y);
    case HD_PREDICATE_SUBTRACT:
        return (int64_t)(x - y);
    case HD_PREDICATE_MULTIPLY:
        return (int64_t)(x * y);
    case HD_PREDICATE_DIVIDE:
        return b == 0 ? 0 : b == -1 ? (int64_t)(0 - x) : a / b;
    case HD_PREDICATE_MODULO:
        return b == 0 || b == -1 ? 0 : a % b;
    case HD_PREDICATE_EQUAL:
        return a == b;
    case HD_PREDICATE_UNEQUAL:
        return a != b;
    case HD_PREDICATE_LESS:
        return a < b;
    case HD_PREDICATE_LESS_EQUAL:
        return a <= b;
    case HD_PREDICATE_GREATER:
        return a > b;
    case HD_PREDICATE_GREATER_EQUAL:
        return a >= b;
    case HD_PREDICATE_AND:
        return a && b;
    default:
        assert(kind == HD_PREDICATE_OR);
        return a || b;
    }
}

int64_t hd_predicate_of_leaves(const hd_predicate *predicate, uint32_t node,
                               const int64_t *leaves) {
    const hd_predicate_node *n = &predicate->tree.nodes.data[node];
    if (n->kind == HD_PREDICATE_NUMBER || n->kind == HD_PREDICATE_TRUTH)
        return n->number;
    if (predicate->leaf_of[node] != HD_PREDICATE_NONE)
        return leaves[predicate->leaf_of[node]];
    assert(n->a < node && (n->b == HD_PREDICATE_NONE || n->b < node)); /* so this ends */
    int64_t a = hd_predicate_of_leaves(predicate, n->a, leaves);
    if (n->kind == HD_PREDICATE_MINUS || n->kind == HD_PREDICATE_NOT)
        return hd_predicate_apply(n->kind, a, 0);
    return hd_predicate_apply(n->kind, a, hd_predicate_of_leaves(predicate, n->b, leaves));
}

/* ---- What depends on what ---- */

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static uint32_t find_thread(hd_predicate *predicate, const char *name) {
    for (uint32_t i = 0; i < predicate->threads.length; i++)
        if (same_text(predicate->threads.data[i], name))
            return i;
    hd_vec_push(&predicate->threads, name);
    return (uint32_t)predicate->threads.length - 1;
}

static uint32_t find_leaf(hd_predicate *predicate, uint32_t node) {
    const hd_predicate_node *n = &predicate->tree.nodes.data[node];
    for (uint32_t i = 0; i < predicate->leaves.length; i++)
        if (predicate->leaves.data[i].kind == n->kind &&
            same_text(predicate->leaves.data[i].name, n->name))
            return i;
    hd_vec_push(&predicate->leaves, (hd_predicate_leaf){n->kind, n->name, node});
    return (uint32_t)predicate->leaves.length - 1;
}

static bool is_leaf(enum hd_predicate_kind kind) {
    return kind >= HD_PREDICATE_AT && kind <= HD_PREDICATE_DONE;
}

static bool is_operator(enum hd_predicate_kind kind) {
    return kind >= HD_PREDICATE_MINUS && kind <= HD_PREDICATE_OR;
}

/* The thread at hand counts as one thread of its own. */
static void find_scope(hd_predicate *predicate, uint32_t node) {
    const hd_predicate_node *n = &predicate->tree.nodes.data[node];
    if (is_leaf(n->kind)) {
        predicate->leaf_of[node] = find_leaf(predicate, node);
        predicate->scope[node] = HD_PREDICATE_ONE;
        predicate->of[node] = n->thread ? find_thread(predicate, n->thread) : HD_PREDICATE_NONE;
        return;
    }
    bool constant = n->kind == HD_PREDICATE_NUMBER || n->kind == HD_PREDICATE_TRUTH;
    predicate->scope[node] = constant ? HD_PREDICATE_CONSTANT : HD_PREDICATE_MANY;
    if (!is_operator(n->kind))
        return;
    assert(n->a < node && (n->b == HD_PREDICATE_NONE || n->b < node)); /* operands come first */
    predicate->scope[node] = predicate->scope[n->a];
    predicate->of[node] = predicate->of[n->a];
    if (n->b == HD_PREDICATE_NONE || predicate->scope[n->b] == HD_PREDICATE_CONSTANT)
        return;
    if (predicate->scope[n->a] == HD_PREDICATE_CONSTANT) {
        predicate->scope[node] = predicate->scope[n->b];
        predicate->of[node] = predicate->of[n->b];
    } else if (predicate->scope[n->b] == HD_PREDICATE_MANY ||
               predicate->of[n->a] != predicate->of[n->b]) {
        predicate->scope[node] = HD_PREDICATE_MANY;
    }
}

/* ---- Code ---- */

static uint32_t make_local(hd_predicate *predicate, uint32_t node, uint32_t thread) {
    if (predicate->local_of[node] == HD_PREDICATE_NONE) {
        hd_vec_push(&predicate->locals, (hd_predicate_local){node, thread});
        predicate->local_of[node] = (uint32_t)predicate->locals.length - 1;
    }
    assert(predicate->locals.data[predicate->local_of[node]].thread == thread);
    return predicate->local_of[node];
}

static void emit(hd_predicate *predicate, hd_predicate_op op) {
    hd_vec_push(&predicate->code, op);
}

static void compile(hd_predicate *predicate, uint32_t node, uint32_t depth);

/* a, then b unless a has decided it. */
static void compile_operator(hd_predicate *predicate, const hd_predicate_node *n, uint32_t depth) {
    bool decides = n->kind == HD_PREDICATE_AND || n->kind == HD_PREDICATE_OR;
    compile(predicate, n->a, depth);
    size_t jump = predicate->code.length;
    if (decides)
        emit(predicate, (hd_predicate_op){.kind = n->kind});
    if (n->b != HD_PREDICATE_NONE)
        compile(predicate, n->b, depth + !decides);
    if (decides)
        predicate->code.data[jump].other = (uint32_t)predicate->code.length;
    assert(!decides || predicate->code.data[jump].other > jump + 1); /* over the second operand */
    if (!decides)
        emit(predicate, (hd_predicate_op){.kind = n->kind});
}

/* A leaf that no text asked for, of the thread at hand. */
static uint32_t add_leaf(hd_predicate *predicate, enum hd_predicate_kind kind, const char *name,
                         const hd_predicate_node *like) {
    uint32_t node = (uint32_t)predicate->tree.nodes.length;
    hd_predicate_node leaf = {.kind = kind,
                              .name = name,
                              .truth = kind == HD_PREDICATE_AT,
                              .a = HD_PREDICATE_NONE,
                              .b = HD_PREDICATE_NONE,
                              .at = like->at,
                              .length = like->length};
    hd_vec_push(&predicate->tree.nodes, leaf);
    return node;
}

static void compile_all(hd_predicate *predicate, uint32_t node) {
    const hd_predicate_node *n = &predicate->tree.nodes.data[node];
    hd_predicate_op op = {.kind = n->kind, .local = HD_PREDICATE_NONE, .other = HD_PREDICATE_NONE};
    op.number = n->initialisation;
    if (n->kind == HD_PREDICATE_LATEST || n->kind == HD_PREDICATE_MUTEX) {
        op.local = make_local(predicate, n->a, HD_PREDICATE_NONE);
        op.other = make_local(predicate, n->b, HD_PREDICATE_NONE);
    } else if (n->a != HD_PREDICATE_NONE) {
        op.local = make_local(predicate, n->a, HD_PREDICATE_NONE);
        for (uint32_t key = n->b; key != HD_PREDICATE_NONE;
             key = predicate->tree.nodes.data[key].b) {
            const hd_predicate_node *k = &predicate->tree.nodes.data[key];
            make_local(predicate, k->a, HD_PREDICATE_NONE);
        }
        op.other = n->b;
    }
    emit(predicate, op);
}

static void compile(hd_predicate *predicate, uint32_t node, uint32_t depth) {
    const hd_predicate_node *n = &predicate->tree.nodes.data[node];
    if (depth >= predicate->depth)
        predicate->depth = depth + 1;
    if (predicate->scope[node] == HD_PREDICATE_CONSTANT)
        emit(predicate, (hd_predicate_op){.kind = HD_PREDICATE_NUMBER,
                                          .number = hd_predicate_of_leaves(predicate, node, NULL)});
    else if (predicate->scope[node] == HD_PREDICATE_ONE)
        emit(predicate, (hd_predicate_op){.kind = HD_PREDICATE_VALUE,
                                          .local = make_local(predicate, node, predicate->of[node]),
                                          .other = predicate->of[node]});
    else if (is_operator(n->kind))
        compile_operator(predicate, n, depth);
    else
        compile_all(predicate, node);
}

/* What a bare name and mutex need of each thread. */
static void add_leaves(hd_predicate *predicate) {
    size_t count = predicate->tree.nodes.length;
    for (uint32_t i = 0; i < count; i++) {
        hd_predicate_node n = predicate->tree.nodes.data[i];
        bool latest = n.kind == HD_PREDICATE_LATEST;
        if (!latest && n.kind != HD_PREDICATE_MUTEX)
            continue;
        uint32_t a = add_leaf(predicate, latest ? HD_PREDICATE_STAMP : HD_PREDICATE_AT, n.name, &n);
        uint32_t b = add_leaf(predicate, latest ? HD_PREDICATE_VALUE : HD_PREDICATE_AT,
                              latest ? n.name : n.other, &n);
        predicate->tree.nodes.data[i].a = a;
        predicate->tree.nodes.data[i].b = b;
    }
}

/* Does the code find its operands on the stack, whatever jumps are taken, leave one value, and
 * need no more room than `depth`?  Where a jump goes, one value is there either way. */
HD_ASSERT_ONLY static bool stack_fits(const hd_predicate *predicate) {
    size_t top = 0;
    for (size_t i = 0; i < predicate->code.length; i++) {
        const hd_predicate_op *op = &predicate->code.data[i];
        bool decides = op->kind == HD_PREDICATE_AND || op->kind == HD_PREDICATE_OR;
        bool one = op->kind == HD_PREDICATE_MINUS || op->kind == HD_PREDICATE_NOT;
        size_t takes = !is_operator(op->kind) ? 0 : one || decides ? 1 : 2;
        if (takes > top || (decides && (op->other <= i || op->other > predicate->code.length)))
            return false;
        top = top - takes + !decides;
        if (top > predicate->depth)
            return false;
    }
    return top == 1;
}

static void finish(hd_predicate *predicate) {
    uint32_t written = (uint32_t)predicate->tree.nodes.length;
    add_leaves(predicate);
    size_t count = predicate->tree.nodes.length;
    predicate->leaf_of = HD_NEW_ARRAY(uint32_t, count);
    predicate->local_of = HD_NEW_ARRAY(uint32_t, count);
    predicate->of = HD_NEW_ARRAY(uint32_t, count);
    predicate->scope = HD_NEW_ARRAY(uint8_t, count);
    for (uint32_t i = 0; i < count; i++)
        predicate->leaf_of[i] = predicate->local_of[i] = predicate->of[i] = HD_PREDICATE_NONE;
    for (uint32_t i = written; i < count; i++)
        find_scope(predicate, i);
    for (uint32_t i = 0; i < written; i++) /* operands come before what they are operands of */
        find_scope(predicate, i);
    compile(predicate, predicate->tree.root, 0);
    assert(stack_fits(predicate));
}

bool hd_predicate_init(hd_predicate *predicate, const char *text, hd_predicate_error *error) {
    *predicate = (hd_predicate){0};
    if (!hd_predicate_parse(&predicate->tree, text, error))
        return false;
    finish(predicate);
    return true;
}

void hd_predicate_init_plugin(hd_predicate *predicate, const char *name) {
    *predicate = (hd_predicate){.tree = {.text = hd_mem_string(name, strlen(name))}};
    hd_predicate_node node = {.kind = HD_PREDICATE_PLUGIN,
                              .truth = true,
                              .a = HD_PREDICATE_NONE,
                              .b = HD_PREDICATE_NONE,
                              .length = (uint32_t)strlen(name)};
    hd_vec_push(&predicate->tree.nodes, node);
    finish(predicate);
}

void hd_predicate_release(hd_predicate *predicate) {
    hd_predicate_tree_release(&predicate->tree);
    hd_vec_release(&predicate->leaves);
    hd_vec_release(&predicate->locals);
    hd_vec_release(&predicate->threads);
    hd_vec_release(&predicate->code);
    free(predicate->leaf_of);
    free(predicate->local_of);
    free(predicate->of);
    free(predicate->scope);
    *predicate = (hd_predicate){0};
}

bool hd_predicate_uses(const hd_predicate *predicate, enum hd_predicate_kind kind) {
    for (size_t i = 0; i < predicate->tree.nodes.length; i++)
        if (predicate->tree.nodes.data[i].kind == kind)
            return true;
    return false;
}
