/*
 * Statements.
 */
#include "model_parse.h"

static hd_model_statement *parse_statement(hd_model_parser *parser);

/* Functions are parsed anew at every call. */
enum { MOST_INLINED = HD_MODEL_MAX_INSTRUCTIONS / 16 };

static bool is_too_long(hd_model_parser *parser) {
    if (!parser->function || parser->tree->statements.length < MOST_INLINED)
        return false;
    hd_model_parser_fail(parser, "with its functions inlined the model has more than %d statements",
                         MOST_INLINED);
    return true;
}

hd_model_statement *hd_model_parser_statement(hd_model_parser *parser, uint8_t kind) {
    if (is_too_long(parser))
        return NULL;
    hd_model_statement *s = hd_model_parser_new(parser, sizeof *s);
    s->kind = kind;
    s->at = parser->lexer.at;
    s->line = parser->lexer.line;
    s->position = (uint32_t)parser->tree->statements.length;
    unsigned positions = kind == HD_MODEL_BLOCK  ? 0
                         : kind == HD_MODEL_WAIT ? HD_MODEL_WAIT_PHASES
                                                 : 1;
    for (unsigned i = 0; i < positions; i++)
        hd_vec_push(&parser->tree->statements, s);
    return s;
}

/* The text of a statement goes up to the last token read. */
static void ends_here(hd_model_parser *parser, hd_model_statement *s) {
    s->end = parser->lexer.last_end;
}

bool hd_model_parser_semicolon(hd_model_parser *parser, hd_model_statement *s) {
    ends_here(parser, s);
    return hd_model_parser_expect(parser, ';', "';'");
}

/* "keyword (expression)" */
static bool parse_condition(hd_model_parser *parser, hd_model_statement *s) {
    if (!hd_model_parser_next(parser) || !hd_model_parser_expect(parser, '(', "'('"))
        return false;
    s->inner = parser->lexer.at;
    s->value = hd_model_parser_expression(parser);
    bool good = s->value && hd_model_parser_expect(parser, ')', "')'");
    ends_here(parser, s);
    return good;
}

/* ---- One function a kind; each is given the statement and fills it ---- */

static bool parse_if(hd_model_parser *parser, hd_model_statement *s) {
    if (!parse_condition(parser, s) || !(s->body = parse_statement(parser)))
        return false;
    if (parser->lexer.token != HD_MODEL_T_ELSE)
        return true;
    return hd_model_parser_next(parser) && (s->otherwise = parse_statement(parser)) != NULL;
}

static bool parse_while(hd_model_parser *parser, hd_model_statement *s) {
    return parse_condition(parser, s) && (s->body = parse_statement(parser)) != NULL;
}

static bool parse_check(hd_model_parser *parser, hd_model_statement *s) {
    return parse_condition(parser, s) && hd_model_parser_expect(parser, ';', "';'");
}

static bool parse_lock(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) &&
           (s->target = hd_model_parser_object(parser, HD_MODEL_MUTEX)) &&
           hd_model_parser_semicolon(parser, s);
}

static bool parse_act(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_act(parser, s, NULL) && hd_model_parser_semicolon(parser, s);
}

static bool parse_notify(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) &&
           (s->target = hd_model_parser_object(parser, HD_MODEL_CONDITION)) &&
           hd_model_parser_semicolon(parser, s);
}

/* Other threads run while a thread waits, and the mutex it takes again must be
 * the one it gave back. */
static bool is_steady(hd_model_parser *parser, const hd_model_expression *object) {
    return !object->a || !object->a->shared ||
           hd_model_parser_fail_at(parser, object->a->at,
                                   "the index in a wait must not read shared variables");
}

static bool parse_wait(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) &&
           (s->target = hd_model_parser_object(parser, HD_MODEL_CONDITION)) &&
           is_steady(parser, s->target) && hd_model_parser_expect(parser, ',', "','") &&
           (s->value = hd_model_parser_object(parser, HD_MODEL_MUTEX)) &&
           is_steady(parser, s->value) && hd_model_parser_semicolon(parser, s);
}

static bool parse_skip(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) && hd_model_parser_semicolon(parser, s);
}

bool hd_model_parser_simple_index(hd_model_parser *parser, const hd_model_expression *use) {
    return !use->a || !use->a->swaps ||
           hd_model_parser_fail_at(parser, use->a->at, "this index cannot have a cas");
}

/* place += value, place++ */
static bool parse_update(hd_model_parser *parser, hd_model_statement *s) {
    enum hd_model_code operation = parser->lexer.operation;
    bool steps = operation == HD_MODEL_ADD || operation == HD_MODEL_SUBTRACT;
    bool computes = operation < HD_MODEL_LESS || operation > HD_MODEL_UNEQUAL;
    const hd_model_expression *by = NULL;
    if (!computes || operation >= HD_MODEL_BOTH)
        return hd_model_parser_expect(parser, '=', "'='");
    if (!hd_model_parser_simple_index(parser, s->target) || !hd_model_parser_next(parser))
        return false;
    if (steps && hd_model_lexer_is(&parser->lexer, operation)) {
        by = hd_model_build_number(parser, 1);
        if (!hd_model_parser_next(parser))
            return false;
    } else if (!hd_model_parser_expect(parser, '=', "'='") ||
               !(by = hd_model_parser_expression(parser)))
        return false;
    s->value = hd_model_build_binary(parser, operation, s->target, by);
    return s->value->depth <= HD_MODEL_MAX_DEPTH ||
           hd_model_parser_fail_at(parser, s->at, "this expression is nested too deeply");
}

/* The assignments that a for has, too: the value is an expression. */
static bool parse_simple_assign(hd_model_parser *parser, hd_model_statement *s) {
    if (!(s->target = hd_model_parser_place(parser)))
        return false;
    bool good = parser->lexer.token == HD_MODEL_T_OPERATOR
                    ? parse_update(parser, s)
                    : hd_model_parser_expect(parser, '=', "'='") &&
                          (s->value = hd_model_parser_expression(parser));
    ends_here(parser, s);
    return good;
}

/* place = choose(low, high) */
static bool parse_choose(hd_model_parser *parser, hd_model_statement *s) {
    if (parser->atomic != HD_MODEL_IN_NONE)
        return hd_model_parser_fail(parser, "choose cannot be in an atomic block");
    s->kind = HD_MODEL_PICK;
    s->form = HD_MODEL_FORM_TEXT;
    s->rule = "choose";
    s->wrong = "choose needs a range of 1 to 65536 values";
    return hd_model_parser_next(parser) && hd_model_parser_expect(parser, '(', "'('") &&
           (s->value = hd_model_parser_expression(parser)) &&
           hd_model_parser_expect(parser, ',', "','") &&
           (s->high = hd_model_parser_expression(parser)) &&
           hd_model_parser_expect(parser, ')', "')'") && hd_model_parser_semicolon(parser, s);
}

/* The function that the current token names; NULL if it names something else. */
static hd_model_function *called_function(hd_model_parser *parser) {
    if (parser->lexer.token != HD_MODEL_T_NAME)
        return NULL;
    hd_model_variable *v =
        *hd_model_parser_entry(parser, parser->tree->text + parser->lexer.at, parser->lexer.length);
    return v && v->kind == HD_MODEL_FUNCTION ? v->function : NULL;
}

static bool parse_call(hd_model_parser *parser, hd_model_statement *s, hd_model_function *function,
                       const hd_model_expression *result) {
    return hd_model_parser_next(parser) && hd_model_parser_call(parser, s, function, result) &&
           hd_model_parser_semicolon(parser, s);
}

static bool parse_assign(hd_model_parser *parser, hd_model_statement *s) {
    hd_model_function *function = called_function(parser);
    if (function)
        return parse_call(parser, s, function, NULL);
    if (!(s->target = hd_model_parser_place(parser)))
        return false;
    if (parser->lexer.token == HD_MODEL_T_OPERATOR) {
        bool good = parse_update(parser, s);
        return good && hd_model_parser_semicolon(parser, s);
    }
    if (!hd_model_parser_expect(parser, '=', "'='"))
        return false;
    if (parser->lexer.token == HD_MODEL_T_CHOOSE)
        return parse_choose(parser, s);
    if (parser->lexer.token == HD_MODEL_T_TRY)
        return hd_model_parser_next(parser) && hd_model_parser_act(parser, s, s->target) &&
               hd_model_parser_semicolon(parser, s);
    function = called_function(parser);
    if (function)
        return parse_call(parser, s, function, s->target);
    return (s->value = hd_model_parser_expression(parser)) && hd_model_parser_semicolon(parser, s);
}

/* for (first; condition; step) body: a while whose step is its `otherwise`, after the first
 * assignment, in a block. */
static bool parse_for_part(hd_model_parser *parser, hd_model_statement **part, int end,
                           const char *what) {
    if (parser->lexer.token != end) {
        *part = hd_model_parser_statement(parser, HD_MODEL_ASSIGN);
        if (!*part || !parse_simple_assign(parser, *part))
            return false;
    }
    return hd_model_parser_expect(parser, end, what);
}

static bool parse_for(hd_model_parser *parser, hd_model_statement *s) {
    if (!hd_model_parser_next(parser) || !hd_model_parser_expect(parser, '(', "'('") ||
        !parse_for_part(parser, &s->body, ';', "';'"))
        return false;
    hd_model_statement *loop = hd_model_parser_statement(parser, HD_MODEL_WHILE);
    if (!loop)
        return false;
    loop->inner = parser->lexer.at;
    loop->value = parser->lexer.token == ';' ? hd_model_build_number(parser, 1)
                                             : hd_model_parser_expression(parser);
    ends_here(parser, loop);
    if (!loop->value || !hd_model_parser_expect(parser, ';', "';'") ||
        !parse_for_part(parser, &loop->otherwise, ')', "')'") ||
        !(loop->body = parse_statement(parser)))
        return false;
    *(s->body ? &s->body->next : &s->body) = loop;
    return true;
}

static bool parse_compute(hd_model_parser *parser, hd_model_statement *s) {
    return (s->value = hd_model_parser_expression(parser)) && hd_model_parser_semicolon(parser, s);
}

static bool parse_atomic(hd_model_parser *parser, hd_model_statement *s) {
    if (!hd_model_parser_next(parser))
        return false;
    ends_here(parser, s);
    if (!hd_model_parser_expect(parser, '{', "'{'"))
        return false;
    parser->atomic = HD_MODEL_IN_ATOMIC_START;
    s->body = hd_model_parser_block(parser);
    parser->atomic = HD_MODEL_IN_NONE;
    return s->body != NULL;
}

/* ---- All of them ---- */

typedef struct form {
    int token;
    uint8_t kind;
    bool in_atomic; /* may be in an atomic block */
    bool (*parse)(hd_model_parser *parser, hd_model_statement *s);
} form;

static const form forms[] = {
    {HD_MODEL_T_NAME, HD_MODEL_ASSIGN, true, parse_assign},
    {HD_MODEL_T_CAS, HD_MODEL_COMPUTE, true, parse_compute},
    {HD_MODEL_T_IF, HD_MODEL_IF, true, parse_if},
    {HD_MODEL_T_WHILE, HD_MODEL_WHILE, true, parse_while},
    {HD_MODEL_T_AWAIT, HD_MODEL_AWAIT, true, parse_check},
    {HD_MODEL_T_ASSERT, HD_MODEL_ASSERT, true, parse_check},
    {HD_MODEL_T_ASSUME, HD_MODEL_ASSUME, true, parse_check},
    {HD_MODEL_T_FOR, HD_MODEL_BLOCK, true, parse_for},
    {HD_MODEL_T_RETURN, HD_MODEL_RETURN, true, hd_model_parser_return},
    {HD_MODEL_T_LOCK, HD_MODEL_LOCK, false, parse_lock},
    {HD_MODEL_T_UNLOCK, HD_MODEL_UNLOCK, false, hd_model_parser_unlock},
    {HD_MODEL_T_RDLOCK, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_WRLOCK, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_POST, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_TAKE, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_ARRIVE, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_SEND, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_RECV, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_FORK, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_JOIN, HD_MODEL_ATOMIC, false, parse_act},
    {HD_MODEL_T_WAIT, HD_MODEL_WAIT, false, parse_wait},
    {HD_MODEL_T_NOTIFY, HD_MODEL_NOTIFY, false, parse_notify},
    {HD_MODEL_T_NOTIFYALL, HD_MODEL_NOTIFY_ALL, false, parse_notify},
    {HD_MODEL_T_SKIP, HD_MODEL_SKIP, true, parse_skip},
    {HD_MODEL_T_ATOMIC, HD_MODEL_ATOMIC, false, parse_atomic},
};

static bool is_allowed(hd_model_parser *parser, const form *f) {
    if (parser->atomic == HD_MODEL_IN_NONE)
        return true;
    if (!f->in_atomic)
        return hd_model_parser_fail(parser, "%.*s cannot be in an atomic block",
                                    (int)parser->lexer.length,
                                    parser->tree->text + parser->lexer.at);
    if (f->kind == HD_MODEL_AWAIT && parser->atomic != HD_MODEL_IN_ATOMIC_START)
        return hd_model_parser_fail(parser, "an await must be the first statement of an atomic "
                                            "block");
    return true;
}

static hd_model_statement *parse_simple(hd_model_parser *parser, const form *f) {
    if (!is_allowed(parser, f))
        return NULL;
    hd_model_statement *s = hd_model_parser_statement(parser, f->kind);
    if (!s)
        return NULL;
    if (parser->atomic != HD_MODEL_IN_NONE)
        parser->atomic = HD_MODEL_IN_ATOMIC;
    return f->parse(parser, s) ? s : NULL;
}

static hd_model_statement *parse_one(hd_model_parser *parser) {
    if (parser->lexer.token == '{') {
        if (parser->atomic != HD_MODEL_IN_NONE)
            parser->atomic = HD_MODEL_IN_ATOMIC;
        return hd_model_parser_next(parser) ? hd_model_parser_block(parser) : NULL;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].token == parser->lexer.token)
            return parse_simple(parser, &forms[i]);
    if (parser->lexer.token == HD_MODEL_T_LOCAL)
        hd_model_parser_fail(parser, "locals are declared at the start of a thread or function");
    else
        hd_model_parser_fail(parser, "expected a statement");
    return NULL;
}

static hd_model_statement *parse_statement(hd_model_parser *parser) {
    if (!hd_model_parser_deeper(parser))
        return NULL;
    hd_model_statement *s = parse_one(parser);
    parser->depth--;
    return s;
}

hd_model_statement *hd_model_parser_block(hd_model_parser *parser) {
    hd_model_statement *block = hd_model_parser_statement(parser, HD_MODEL_BLOCK);
    if (!block)
        return NULL;
    hd_model_statement **last = &block->body;
    while (parser->lexer.token != '}') {
        if (parser->lexer.token == HD_MODEL_T_END) {
            hd_model_parser_fail(parser, "expected '}': a block does not end");
            return NULL;
        }
        if (!(*last = parse_statement(parser)))
            return NULL;
        last = &(*last)->next;
    }
    return hd_model_parser_next(parser) ? block : NULL;
}
