/*
 * Expressions, by precedence climbing, and the values of constant ones.
 */
#include "model_parse.h"

static const char *const kind_names[] = {
    [HD_MODEL_PARAM] = "a parameter",      [HD_MODEL_SHARED] = "a shared variable",
    [HD_MODEL_MUTEX] = "a mutex",          [HD_MODEL_CONDITION] = "a condition variable",
    [HD_MODEL_LOCAL] = "a local variable", [HD_MODEL_THREAD] = "a thread",
    [HD_MODEL_RWLOCK] = "a rwlock",        [HD_MODEL_SEMAPHORE] = "a semaphore",
    [HD_MODEL_BARRIER] = "a barrier",      [HD_MODEL_CHANNEL] = "a channel",
    [HD_MODEL_FUNCTION] = "a function",
};

static hd_model_expression *parse_binary(hd_model_parser *parser, uint8_t least);

/* ---- Nodes ---- */

static hd_model_expression *new_node(hd_model_parser *parser, uint8_t kind, uint32_t at) {
    hd_model_expression *e = hd_model_parser_new(parser, sizeof *e);
    e->kind = kind;
    e->at = at;
    e->depth = 1;
    return e;
}

/* Attaches a part to a node; false if the tree gets too deep. */
static bool attach_part(hd_model_parser *parser, hd_model_expression *e,
                        const hd_model_expression **where, const hd_model_expression *part) {
    if (!part)
        return false;
    *where = part;
    e->shared |= part->shared;
    e->swaps |= part->swaps;
    if (part->depth >= e->depth)
        e->depth = (uint16_t)(part->depth + 1);
    return e->depth <= HD_MODEL_MAX_DEPTH ||
           hd_model_parser_fail_at(parser, e->at, "this expression is nested too deeply");
}

/* ---- Primaries ---- */

/* [index], or nothing, as the declaration requires. */
static bool parse_subscript(hd_model_parser *parser, hd_model_expression *e) {
    bool open = parser->lexer.token == '[';
    if (e->variable->array != open)
        return hd_model_parser_fail_at(parser, e->at, "%.64s is %s array%s", e->variable->name,
                                       open ? "no" : "an", open ? "" : " and needs an index");
    if (!open)
        return true;
    return hd_model_parser_next(parser) &&
           attach_part(parser, e, &e->a, hd_model_parser_expression(parser)) &&
           hd_model_parser_expect(parser, ']', "']'");
}

/* A use of a name; `e` is filled with it. */
static hd_model_expression *parse_use(hd_model_parser *parser) {
    uint32_t at = parser->lexer.at;
    hd_model_variable *variable = hd_model_parser_lookup(parser);
    if (!variable || !hd_model_parser_next(parser))
        return NULL;
    hd_model_expression *e = new_node(parser, HD_MODEL_USE, at);
    e->variable = variable;
    e->shared = variable->kind == HD_MODEL_SHARED;
    if (variable->kind == HD_MODEL_PARAM) {
        e->kind = HD_MODEL_NUMBER;
        e->value = variable->value;
    }
    return parse_subscript(parser, e) ? e : NULL;
}

static hd_model_expression *parse_readable(hd_model_parser *parser) {
    hd_model_expression *e = parse_use(parser);
    if (!e)
        return NULL;
    uint8_t kind = e->variable->kind;
    if (kind == HD_MODEL_PARAM || kind == HD_MODEL_SHARED || kind == HD_MODEL_LOCAL)
        return e;
    if (kind == HD_MODEL_FUNCTION) {
        hd_model_parser_fail_at(parser, e->at,
                                "%.64s is called in a statement of its own, as in x = %.64s(...);",
                                e->variable->name, e->variable->name);
        return NULL;
    }
    hd_model_parser_fail_at(parser, e->at, "%.64s is %s and has no value", e->variable->name,
                            kind_names[kind]);
    return NULL;
}

hd_model_expression *hd_model_parser_place(hd_model_parser *parser) {
    hd_model_expression *e = parse_use(parser);
    if (!e)
        return NULL;
    uint8_t kind = e->variable->kind;
    if (kind == HD_MODEL_SHARED || kind == HD_MODEL_LOCAL)
        return e;
    hd_model_parser_fail_at(parser, e->at, "%.64s is %s and cannot be assigned", e->variable->name,
                            kind_names[kind]);
    return NULL;
}

hd_model_expression *hd_model_parser_object(hd_model_parser *parser, uint8_t kind) {
    if (parser->lexer.token != HD_MODEL_T_NAME) {
        hd_model_parser_fail(parser, "expected the name of %s", kind_names[kind]);
        return NULL;
    }
    hd_model_expression *e = parse_use(parser);
    if (!e || e->variable->kind == kind)
        return e;
    hd_model_parser_fail_at(parser, e->at, "%.64s is %s; this needs %s", e->variable->name,
                            kind_names[e->variable->kind], kind_names[kind]);
    return NULL;
}

/* cas(place, old, new) */
static hd_model_expression *parse_swap(hd_model_parser *parser) {
    hd_model_expression *e = new_node(parser, HD_MODEL_SWAP, parser->lexer.at);
    if (!hd_model_parser_next(parser) || !hd_model_parser_expect(parser, '(', "'('"))
        return NULL;
    if (parser->lexer.token != HD_MODEL_T_NAME) {
        hd_model_parser_fail(parser, "expected the shared variable of a cas");
        return NULL;
    }
    hd_model_expression *place = parse_use(parser);
    if (!place)
        return NULL;
    if (place->variable->kind != HD_MODEL_SHARED) {
        hd_model_parser_fail_at(parser, place->at, "cas needs a shared variable; %.64s is %s",
                                place->variable->name, kind_names[place->variable->kind]);
        return NULL;
    }
    bool good = attach_part(parser, e, &e->a, place) &&
                hd_model_parser_expect(parser, ',', "','") &&
                attach_part(parser, e, &e->b, hd_model_parser_expression(parser)) &&
                hd_model_parser_expect(parser, ',', "','") &&
                attach_part(parser, e, &e->c, hd_model_parser_expression(parser)) &&
                hd_model_parser_expect(parser, ')', "')'");
    e->swaps = true;
    return good ? e : NULL;
}

static hd_model_expression *number_node(hd_model_parser *parser, int64_t value) {
    hd_model_expression *e = new_node(parser, HD_MODEL_NUMBER, parser->lexer.at);
    e->value = value;
    return hd_model_parser_next(parser) ? e : NULL;
}

static hd_model_expression *thread_id(hd_model_parser *parser) {
    if (!parser->thread) {
        hd_model_parser_fail(parser, "id is known only inside a thread");
        return NULL;
    }
    hd_model_expression *e = new_node(parser, HD_MODEL_ID, parser->lexer.at);
    parser->thread->uses_id = true;
    return hd_model_parser_next(parser) ? e : NULL;
}

static hd_model_expression *parse_parenthesis(hd_model_parser *parser) {
    if (!hd_model_parser_next(parser))
        return NULL;
    hd_model_expression *e = hd_model_parser_expression(parser);
    return e && hd_model_parser_expect(parser, ')', "')'") ? e : NULL;
}

static hd_model_expression *parse_primary(hd_model_parser *parser) {
    switch (parser->lexer.token) {
    case HD_MODEL_T_NUMBER:
        return number_node(parser, parser->lexer.value);
    case HD_MODEL_T_TRUE:
        return number_node(parser, 1);
    case HD_MODEL_T_FALSE:
        return number_node(parser, 0);
    case HD_MODEL_T_ID:
        return thread_id(parser);
    case HD_MODEL_T_NAME:
        return parse_readable(parser);
    case HD_MODEL_T_CAS:
        return parse_swap(parser);
    case HD_MODEL_T_CHOOSE:
        hd_model_parser_fail(parser, "choose has a statement of its own, as in x = choose(0, 3);");
        return NULL;
    case HD_MODEL_T_TRY:
        hd_model_parser_fail(parser, "try has a statement of its own, as in x = try lock m;");
        return NULL;
    case '(':
        return parse_parenthesis(parser);
    default:
        hd_model_parser_fail(parser, "expected an expression");
        return NULL;
    }
}

/* ---- Operators ---- */

static hd_model_expression *parse_unary(hd_model_parser *parser) {
    bool minus = hd_model_lexer_is(&parser->lexer, HD_MODEL_SUBTRACT);
    if (!minus && parser->lexer.token != '!')
        return parse_primary(parser);
    hd_model_expression *e = new_node(parser, HD_MODEL_UNARY, parser->lexer.at);
    e->operation = minus ? HD_MODEL_NEGATE : HD_MODEL_NOT;
    if (!hd_model_parser_deeper(parser) || !hd_model_parser_next(parser))
        return NULL;
    bool good = attach_part(parser, e, &e->a, parse_unary(parser));
    parser->depth--;
    return good ? e : NULL;
}

static uint8_t binary_kind(uint8_t operation) {
    if (operation == HD_MODEL_BOTH)
        return HD_MODEL_AND;
    return operation == HD_MODEL_ANY ? HD_MODEL_OR : HD_MODEL_BINARY;
}

/* Operators of at least this precedence, from left to right. */
static hd_model_expression *parse_binary(hd_model_parser *parser, uint8_t least) {
    hd_model_expression *left = parse_unary(parser);
    while (left && parser->lexer.token == HD_MODEL_T_OPERATOR && parser->lexer.binds >= least) {
        uint8_t operation = parser->lexer.operation, binds = parser->lexer.binds;
        hd_model_expression *e = new_node(parser, binary_kind(operation), parser->lexer.at);
        e->operation = operation;
        if (!hd_model_parser_next(parser) || !attach_part(parser, e, &e->a, left) ||
            !attach_part(parser, e, &e->b, parse_binary(parser, (uint8_t)(binds + 1))))
            return NULL;
        left = e;
    }
    return left;
}

static hd_model_expression *parse_choice(hd_model_parser *parser,
                                         const hd_model_expression *condition) {
    hd_model_expression *e = new_node(parser, HD_MODEL_CHOOSE, parser->lexer.at);
    bool good = hd_model_parser_next(parser) && attach_part(parser, e, &e->a, condition) &&
                attach_part(parser, e, &e->b, hd_model_parser_expression(parser)) &&
                hd_model_parser_expect(parser, ':', "':'") &&
                attach_part(parser, e, &e->c, hd_model_parser_expression(parser));
    return good ? e : NULL;
}

hd_model_expression *hd_model_parser_expression(hd_model_parser *parser) {
    if (!hd_model_parser_deeper(parser))
        return NULL;
    hd_model_expression *e = parse_binary(parser, 1);
    if (e && parser->lexer.token == '?')
        e = parse_choice(parser, e);
    parser->depth--;
    return e;
}

/* ---- Constants ---- */

static bool fail_overflow(hd_model_parser *parser, const hd_model_expression *e) {
    return hd_model_parser_fail_at(parser, e->at, "this constant does not fit in 64 bits");
}

/* Whether arithmetic on constants leaves 64 bits. */
static bool does_overflow(const hd_model_expression *e, int64_t a, int64_t b) {
    int64_t result;
    switch (e->operation) {
    case HD_MODEL_MULTIPLY:
        return __builtin_mul_overflow(a, b, &result);
    case HD_MODEL_ADD:
        return __builtin_add_overflow(a, b, &result);
    case HD_MODEL_SUBTRACT:
        return __builtin_sub_overflow(a, b, &result);
    case HD_MODEL_DIVIDE:
        return a == INT64_MIN && b == -1;
    case HD_MODEL_SHIFT_LEFT:
        return b < 0 || b > 62 || a < 0 || a > INT64_MAX >> b;
    case HD_MODEL_SHIFT_RIGHT:
        return b < 0 || b > 63;
    default:
        return false;
    }
}

static bool value_of(hd_model_parser *parser, const hd_model_expression *e, int64_t *value);

static bool binary_value(hd_model_parser *parser, const hd_model_expression *e, int64_t *value) {
    int64_t a, b;
    if (!value_of(parser, e->a, &a) || !value_of(parser, e->b, &b))
        return false;
    if (hd_model_divides(e->operation) && b == 0)
        return hd_model_parser_fail_at(parser, e->at, "division by zero");
    if (does_overflow(e, a, b))
        return fail_overflow(parser, e);
    *value = hd_model_apply(e->operation, a, b);
    return true;
}

static bool unary_value(hd_model_parser *parser, const hd_model_expression *e, int64_t *value) {
    int64_t a;
    if (!value_of(parser, e->a, &a))
        return false;
    if (e->operation == HD_MODEL_NEGATE && a == INT64_MIN)
        return fail_overflow(parser, e);
    *value = hd_model_apply_unary(e->operation, a);
    return true;
}

static bool value_of(hd_model_parser *parser, const hd_model_expression *e, int64_t *value) {
    switch (e->kind) {
    case HD_MODEL_NUMBER:
        *value = e->value;
        return true;
    case HD_MODEL_UNARY:
        return unary_value(parser, e, value);
    case HD_MODEL_BINARY:
    case HD_MODEL_AND:
    case HD_MODEL_OR:
        return binary_value(parser, e, value);
    case HD_MODEL_CHOOSE:
        return value_of(parser, e->a, value) && value_of(parser, *value ? e->b : e->c, value);
    default:
        return hd_model_parser_fail_at(parser, e->at, "this must be a constant");
    }
}

bool hd_model_parser_constant(hd_model_parser *parser, int64_t *value) {
    const hd_model_expression *e = hd_model_parser_expression(parser);
    return e && value_of(parser, e, value);
}

bool hd_model_parser_without_variables(const hd_model_expression *e) {
    return !e ||
           (e->kind != HD_MODEL_USE && e->kind != HD_MODEL_SWAP &&
            hd_model_parser_without_variables(e->a) && hd_model_parser_without_variables(e->b) &&
            hd_model_parser_without_variables(e->c));
}
