/*
 * Statements.
 */
#include "model_parse.h"

static hd_model_statement *parse_statement(hd_model_parser *parser);

static hd_model_statement *new_statement(hd_model_parser *parser, uint8_t kind) {
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

static bool parse_semicolon(hd_model_parser *parser, hd_model_statement *s) {
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
           parse_semicolon(parser, s);
}

static bool parse_notify(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) &&
           (s->target = hd_model_parser_object(parser, HD_MODEL_CONDITION)) &&
           parse_semicolon(parser, s);
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
           is_steady(parser, s->value) && parse_semicolon(parser, s);
}

static bool parse_skip(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) && parse_semicolon(parser, s);
}

static bool parse_assign(hd_model_parser *parser, hd_model_statement *s) {
    return (s->target = hd_model_parser_place(parser)) &&
           hd_model_parser_expect(parser, '=', "'='") &&
           (s->value = hd_model_parser_expression(parser)) && parse_semicolon(parser, s);
}

static bool parse_compute(hd_model_parser *parser, hd_model_statement *s) {
    return (s->value = hd_model_parser_expression(parser)) && parse_semicolon(parser, s);
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
    {HD_MODEL_T_LOCK, HD_MODEL_LOCK, false, parse_lock},
    {HD_MODEL_T_UNLOCK, HD_MODEL_UNLOCK, false, parse_lock},
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
    hd_model_statement *s = new_statement(parser, f->kind);
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
        hd_model_parser_fail(parser, "locals are declared at the start of a thread");
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
    hd_model_statement *block = new_statement(parser, HD_MODEL_BLOCK);
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
