/*
 * Recursive descent, with truth and number checked on the way: an operand that
 * is the wrong one is pointed at.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "predicate_syntax.h"

enum { DEEPEST = 200, LONGEST = 1 << 16 };

struct parser {
    hd_predicate_lexer lexer;
    hd_predicate_tree *tree;
    unsigned depth;
    bool one_thread; /* inside count(...) and the like */
};

static bool parse_or(struct parser *p, uint32_t *to);

/* ---- Nodes ---- */

static uint32_t add_node(struct parser *p, hd_predicate_node node, uint32_t at) {
    /* Operands come before what they are operands of. */
    assert(node.a == HD_PREDICATE_NONE || node.a < p->tree->nodes.length);
    assert(node.b == HD_PREDICATE_NONE || node.b < p->tree->nodes.length);
    node.at = at;
    node.length = p->lexer.last_end > at ? p->lexer.last_end - at : 1;
    hd_vec_push(&p->tree->nodes, node);
    return (uint32_t)p->tree->nodes.length - 1;
}

static hd_predicate_node *node_at(const struct parser *p, uint32_t node) {
    assert(node < p->tree->nodes.length);
    return &p->tree->nodes.data[node];
}

bool hd_predicate_fail(hd_predicate_error *error, const hd_predicate_node *node, const char *format,
                       ...) {
    char text[HD_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error->at = node->at;
    error->length = node->length;
    return hd_error_set(&error->error, "%s", text);
}

const char *hd_predicate_text(const hd_predicate_tree *tree, uint32_t node) {
    static char buffer[128];
    const hd_predicate_node *n = &tree->nodes.data[node];
    hd_text_printable(buffer, sizeof buffer, tree->text + n->at, n->length);
    return buffer;
}

static bool want(struct parser *p, uint32_t node, bool truth) {
    if (node_at(p, node)->truth == truth)
        return true;
    return hd_predicate_fail(p->lexer.error, node_at(p, node),
                             truth ? "a truth is wanted here, and this is a number"
                                   : "a number is wanted here, and this is a truth");
}

/* ---- Names ---- */

static bool next_token(struct parser *p) {
    return hd_predicate_lexer_next(&p->lexer);
}

static bool is(const struct parser *p, int token) {
    return p->lexer.token == token;
}

static bool is_name(const struct parser *p) {
    return is(p, HD_PREDICATE_T_NAME) || is(p, HD_PREDICATE_T_STRING);
}

static bool take_mark(struct parser *p, char mark) {
    if (!is(p, (unsigned char)mark))
        return hd_predicate_lexer_fail(&p->lexer,
                                       is(p, HD_PREDICATE_T_END) ? "'%c' is missing at the end"
                                                                 : "'%c' is missing before this",
                                       mark);
    return next_token(p);
}

static bool take_name(struct parser *p, const char *what, const char **name) {
    if (is(p, HD_PREDICATE_T_NUMBER)) { /* threads of other tools are called 1, 2, 3 */
        char *digits = hd_arena_alloc(&p->tree->names, 24);
        snprintf(digits, 24, "%lld", (long long)p->lexer.number);
        *name = digits;
        return next_token(p);
    }
    if (!is_name(p))
        return hd_predicate_lexer_fail(&p->lexer, "the name of a %s is missing here", what);
    *name = p->lexer.name;
    return next_token(p);
}

/* ---- Calls ---- */

/* f(THREAD, NAME), or f(NAME) of the thread at hand. */
static bool parse_of_thread(struct parser *p, hd_predicate_node *node, const char *what) {
    const char *first = NULL, *second = NULL;
    if (!take_mark(p, '(') || !take_name(p, what, &first))
        return false;
    if (is(p, ',') && (!next_token(p) || !take_name(p, what, &second)))
        return false;
    if (!take_mark(p, ')'))
        return false;
    node->thread = second ? first : NULL;
    node->name = second ? second : first;
    node->truth = true;
    return true;
}

static bool thread_is_known(struct parser *p, const hd_predicate_node *node, uint32_t at) {
    if (!node->thread && !p->one_thread) {
        p->lexer.at = at;
        p->lexer.length = p->lexer.last_end - at;
        return hd_predicate_lexer_fail(
            &p->lexer,
            "of which thread?  Write at(THREAD, ...), or any(...), all(...), count(...)");
    }
    if (node->thread && p->one_thread) {
        p->lexer.at = at;
        p->lexer.length = p->lexer.last_end - at;
        return hd_predicate_lexer_fail(&p->lexer,
                                       "inside count(...) and the like, every thread is meant in "
                                       "turn, not a certain one");
    }
    return true;
}

/* held(LOCK) outside of count(...) and the like: some thread holds it. */
static bool parse_held(struct parser *p, uint32_t at, uint32_t *to) {
    hd_predicate_node node = {
        .kind = HD_PREDICATE_HELD, .a = HD_PREDICATE_NONE, .b = HD_PREDICATE_NONE};
    if (!parse_of_thread(p, &node, "lock"))
        return false;
    bool somebody = !node.thread && !p->one_thread;
    if (!somebody && !thread_is_known(p, &node, at))
        return false;
    *to = add_node(p, node, at);
    if (somebody) {
        hd_predicate_node any = {
            .kind = HD_PREDICATE_ANY, .truth = true, .a = *to, .b = HD_PREDICATE_NONE};
        *to = add_node(p, any, at);
    }
    return true;
}

/* pos(THREAD), done(THREAD). */
static bool parse_place(struct parser *p, enum hd_predicate_kind kind, uint32_t at, uint32_t *to) {
    hd_predicate_node node = {.kind = kind,
                              .truth = kind == HD_PREDICATE_DONE,
                              .a = HD_PREDICATE_NONE,
                              .b = HD_PREDICATE_NONE};
    if (!take_mark(p, '(') || (!is(p, ')') && !take_name(p, "thread", &node.thread)) ||
        !take_mark(p, ')') || !thread_is_known(p, &node, at))
        return false;
    *to = add_node(p, node, at);
    return true;
}

static bool parse_keys(struct parser *p, uint32_t *to) {
    *to = HD_PREDICATE_NONE;
    if (!is(p, HD_PREDICATE_T_NAME) || strcmp(p->lexer.name, "by") != 0)
        return true;
    uint32_t last = HD_PREDICATE_NONE;
    do {
        uint32_t at, key = HD_PREDICATE_NONE, node;
        if (!next_token(p))
            return false;
        at = p->lexer.at;
        if (!parse_or(p, &key))
            return false;
        node = add_node(
            p, (hd_predicate_node){.kind = HD_PREDICATE_KEY, .a = key, .b = HD_PREDICATE_NONE}, at);
        if (last == HD_PREDICATE_NONE)
            *to = node;
        else
            node_at(p, last)->b = node;
        last = node;
    } while (is(p, ','));
    return true;
}

/* count(transfer) is count(at(transfer)). */
static void take_as_mark(struct parser *p, uint32_t node) {
    hd_predicate_node *n = node_at(p, node);
    if (n->kind == HD_PREDICATE_VALUE && !n->thread) {
        n->kind = HD_PREDICATE_AT;
        n->truth = true;
    }
}

static bool parse_over_all(struct parser *p, enum hd_predicate_kind kind, uint32_t at,
                           uint32_t *to) {
    if (p->one_thread)
        return hd_predicate_lexer_fail(&p->lexer, "one of these cannot be inside another");
    p->one_thread = true;
    hd_predicate_node node = {.kind = kind, .a = HD_PREDICATE_NONE, .b = HD_PREDICATE_NONE};
    bool truths =
        kind == HD_PREDICATE_COUNT || kind == HD_PREDICATE_ANY || kind == HD_PREDICATE_ALL;
    bool good = take_mark(p, '(') && parse_or(p, &node.a);
    if (good && truths)
        take_as_mark(p, node.a);
    good = good && want(p, node.a, truths) &&
           (kind != HD_PREDICATE_COUNT || parse_keys(p, &node.b)) && take_mark(p, ')');
    p->one_thread = false;
    if (!good)
        return false;
    assert(node_at(p, node.a)->truth == truths && !node_at(p, node.a)->thread);
    node.truth = kind == HD_PREDICATE_ANY || kind == HD_PREDICATE_ALL;
    *to = add_node(p, node, at);
    return true;
}

/* What is about several threads at once has no value for one of them. */
static bool is_over_all(struct parser *p, const char *word, uint32_t at) {
    if (!p->one_thread)
        return true;
    p->lexer.at = at;
    p->lexer.length = (uint32_t)strlen(word);
    return hd_predicate_lexer_fail(
        &p->lexer, "%s is about several threads, and cannot be inside count(...) and the like",
        word);
}

static bool parse_mutex(struct parser *p, uint32_t at, uint32_t *to) {
    hd_predicate_node node = {
        .kind = HD_PREDICATE_MUTEX, .truth = true, .a = HD_PREDICATE_NONE, .b = HD_PREDICATE_NONE};
    if (!is_over_all(p, "mutex", at) || !take_mark(p, '(') || !take_name(p, "mark", &node.name) ||
        !take_mark(p, ',') || !take_name(p, "mark", &node.other) || !take_mark(p, ')'))
        return false;
    *to = add_node(p, node, at);
    return true;
}

/* race, race(all). */
static bool parse_race(struct parser *p, uint32_t at, uint32_t *to) {
    hd_predicate_node node = {
        .kind = HD_PREDICATE_RACE, .truth = true, .a = HD_PREDICATE_NONE, .b = HD_PREDICATE_NONE};
    if (!is_over_all(p, "race", at))
        return false;
    if (is(p, '(')) {
        const char *word;
        if (!next_token(p))
            return false;
        bool all = is(p, HD_PREDICATE_T_NAME) && strcmp(p->lexer.name, "all") == 0;
        if (!all)
            return hd_predicate_lexer_fail(&p->lexer, "this can only be race or race(all)");
        if (!take_name(p, "race", &word) || !take_mark(p, ')'))
            return false;
        node.initialisation = true;
    }
    *to = add_node(p, node, at);
    return true;
}

/* ---- Operands ---- */

static bool parse_leaf(struct parser *p, uint32_t at, enum hd_predicate_kind kind, bool truth,
                       int64_t number, uint32_t *to) {
    *to = add_node(p,
                   (hd_predicate_node){.kind = kind,
                                       .truth = truth,
                                       .number = number,
                                       .a = HD_PREDICATE_NONE,
                                       .b = HD_PREDICATE_NONE},
                   at);
    return true;
}

/* THREAD.NAME, or a name alone. */
static bool parse_value(struct parser *p, const char *name, uint32_t at, uint32_t *to) {
    hd_predicate_node node = {.kind = p->one_thread ? HD_PREDICATE_VALUE : HD_PREDICATE_LATEST,
                              .name = name,
                              .a = HD_PREDICATE_NONE,
                              .b = HD_PREDICATE_NONE};
    if (is(p, '.')) {
        node.kind = HD_PREDICATE_VALUE;
        node.thread = name;
        if (!next_token(p) || !take_name(p, "note or variable", &node.name) ||
            !thread_is_known(p, &node, at))
            return false;
    }
    *to = add_node(p, node, at);
    return true;
}

static bool parse_call(struct parser *p, const char *word, uint32_t at, uint32_t *to) {
    static const struct {
        const char *word;
        enum hd_predicate_kind kind;
    } calls[] = {
        {"count", HD_PREDICATE_COUNT}, {"sum", HD_PREDICATE_SUM}, {"min", HD_PREDICATE_LEAST},
        {"max", HD_PREDICATE_MOST},    {"any", HD_PREDICATE_ANY}, {"all", HD_PREDICATE_ALL},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(word, calls[i].word) == 0)
            return parse_over_all(p, calls[i].kind, at, to);
    if (strcmp(word, "held") == 0)
        return parse_held(p, at, to);
    if (strcmp(word, "pos") == 0)
        return parse_place(p, HD_PREDICATE_POSITION, at, to);
    if (strcmp(word, "done") == 0)
        return parse_place(p, HD_PREDICATE_DONE, at, to);
    if (strcmp(word, "mutex") == 0)
        return parse_mutex(p, at, to);
    if (strcmp(word, "race") == 0)
        return parse_race(p, at, to);
    hd_predicate_node node = {
        .kind = HD_PREDICATE_AT, .a = HD_PREDICATE_NONE, .b = HD_PREDICATE_NONE};
    if (strcmp(word, "at") != 0) {
        p->lexer.at = at;
        p->lexer.length = (uint32_t)strlen(word);
        return hd_predicate_lexer_fail(&p->lexer,
                                       "there is no '%s(...)'; there are at, held, pos, done, "
                                       "count, sum, min, max, any, all, mutex, race",
                                       word);
    }
    if (!parse_of_thread(p, &node, "mark") || !thread_is_known(p, &node, at))
        return false;
    *to = add_node(p, node, at);
    return true;
}

static bool parse_word(struct parser *p, uint32_t *to) {
    const char *word = p->lexer.name;
    uint32_t at = p->lexer.at;
    bool quoted = is(p, HD_PREDICATE_T_STRING);
    if (!next_token(p))
        return false;
    if (quoted)
        return parse_value(p, word, at, to);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return parse_leaf(p, at, HD_PREDICATE_TRUTH, true, word[0] == 't', to);
    if (strcmp(word, "race") == 0)
        return parse_race(p, at, to);
    if (strcmp(word, "deadlock") == 0)
        return is_over_all(p, word, at) && parse_leaf(p, at, HD_PREDICATE_DEADLOCK, true, 0, to);
    return is(p, '(') ? parse_call(p, word, at, to) : parse_value(p, word, at, to);
}

static bool parse_unary(struct parser *p, uint32_t *to);

static bool parse_prefix(struct parser *p, uint32_t *to) {
    uint32_t at = p->lexer.at, operand = HD_PREDICATE_NONE;
    bool truth = p->lexer.kind == HD_PREDICATE_NOT;
    if (!next_token(p) || !parse_unary(p, &operand) || !want(p, operand, truth))
        return false;
    *to = add_node(p,
                   (hd_predicate_node){.kind = truth ? HD_PREDICATE_NOT : HD_PREDICATE_MINUS,
                                       .truth = truth,
                                       .a = operand,
                                       .b = HD_PREDICATE_NONE},
                   at);
    return true;
}

static bool parse_primary(struct parser *p, uint32_t *to) {
    uint32_t at = p->lexer.at;
    int64_t number = p->lexer.number;
    if (is(p, HD_PREDICATE_T_NUMBER))
        return next_token(p) && parse_leaf(p, at, HD_PREDICATE_NUMBER, false, number, to);
    if (is(p, '('))
        return next_token(p) && parse_or(p, to) && take_mark(p, ')');
    if (is_name(p))
        return parse_word(p, to);
    return hd_predicate_lexer_fail(&p->lexer, is(p, HD_PREDICATE_T_END)
                                                  ? "the predicate ends too early"
                                                  : "this cannot stand here");
}

static bool parse_unary(struct parser *p, uint32_t *to) {
    bool prefix = is(p, HD_PREDICATE_T_OPERATOR) &&
                  (p->lexer.kind == HD_PREDICATE_NOT || p->lexer.kind == HD_PREDICATE_SUBTRACT);
    if (++p->depth > DEEPEST)
        return hd_predicate_lexer_fail(&p->lexer, "more than %d levels inside each other", DEEPEST);
    bool good = prefix ? parse_prefix(p, to) : parse_primary(p, to);
    p->depth--;
    return good;
}

/* ---- Operators ---- */

/* How tightly it binds; 0: no operator of two operands. */
static unsigned binding(const struct parser *p) {
    if (!is(p, HD_PREDICATE_T_OPERATOR))
        return 0;
    switch (p->lexer.kind) {
    case HD_PREDICATE_OR:
        return 1;
    case HD_PREDICATE_AND:
        return 2;
    case HD_PREDICATE_ADD:
    case HD_PREDICATE_SUBTRACT:
        return 4;
    case HD_PREDICATE_MULTIPLY:
    case HD_PREDICATE_DIVIDE:
    case HD_PREDICATE_MODULO:
        return 5;
    case HD_PREDICATE_NOT:
        return 0;
    default:
        return 3; /* comparisons, which do not follow each other */
    }
}

static bool check_operands(struct parser *p, enum hd_predicate_kind kind, uint32_t a, uint32_t b) {
    if (kind == HD_PREDICATE_AND || kind == HD_PREDICATE_OR)
        return want(p, a, true) && want(p, b, true);
    if (kind == HD_PREDICATE_EQUAL || kind == HD_PREDICATE_UNEQUAL)
        return want(p, b, node_at(p, a)->truth);
    return want(p, a, false) && want(p, b, false);
}

static bool parse_binary(struct parser *p, unsigned least, uint32_t *to) {
    uint32_t at = p->lexer.at, right = HD_PREDICATE_NONE;
    if (!parse_unary(p, to))
        return false;
    for (unsigned binds; (binds = binding(p)) && binds >= least;) {
        enum hd_predicate_kind kind = p->lexer.kind;
        if (!next_token(p) || !parse_binary(p, binds + 1, &right) ||
            !check_operands(p, kind, *to, right))
            return false;
        bool truth = kind >= HD_PREDICATE_EQUAL;
        *to = add_node(p, (hd_predicate_node){.kind = kind, .truth = truth, .a = *to, .b = right},
                       at);
        if (binds == 3 && binding(p) == 3)
            return hd_predicate_lexer_fail(&p->lexer, "comparisons do not follow each other; "
                                                      "write a < b && b < c");
    }
    return true;
}

static bool parse_or(struct parser *p, uint32_t *to) {
    return parse_binary(p, 1, to);
}

bool hd_predicate_parse(hd_predicate_tree *tree, const char *text, hd_predicate_error *error) {
    size_t length = strlen(text);
    *tree = (hd_predicate_tree){.text = hd_mem_string(text, length)};
    *error = (hd_predicate_error){0};
    struct parser p = {.lexer = {.tree = tree, .error = error}, .tree = tree};
    bool good = length <= LONGEST ||
                hd_error_set(&error->error, "a predicate has at most %d characters", LONGEST);
    good = good && next_token(&p) && parse_or(&p, &tree->root);
    if (good && !is(&p, HD_PREDICATE_T_END))
        good = hd_predicate_lexer_fail(&p.lexer, "this is too much");
    good = good && want(&p, tree->root, true);
    assert(!good || (!p.depth && !p.one_thread && tree->root == tree->nodes.length - 1));
    assert(good == !*error->error.text);
    if (!good)
        hd_predicate_tree_release(tree);
    return good;
}

void hd_predicate_tree_release(hd_predicate_tree *tree) {
    free(tree->text);
    hd_vec_release(&tree->nodes);
    hd_arena_release(&tree->names);
    *tree = (hd_predicate_tree){0};
}
