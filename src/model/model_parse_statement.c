/*
 * Statements.
 */
#include "model_parse.h"

static hd_model_statement *statement(hd_model_parser *parser);

static hd_model_statement *create(hd_model_parser *parser, uint8_t kind) {
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

static bool semicolon(hd_model_parser *parser, hd_model_statement *s) {
    ends_here(parser, s);
    return hd_model_parser_expect(parser, ';', "';'");
}

/* "keyword (expression)" */
static bool condition(hd_model_parser *parser, hd_model_statement *s) {
    if (!hd_model_parser_next(parser) || !hd_model_parser_expect(parser, '(', "'('"))
        return false;
    s->inner = parser->lexer.at;
    s->value = hd_model_parser_expression(parser);
    bool good = s->value && hd_model_parser_expect(parser, ')', "')'");
    ends_here(parser, s);
    return good;
}

/* ---- One function a kind; each is given the statement and fills it ---- */

static bool if_else(hd_model_parser *parser, hd_model_statement *s) {
    if (!condition(parser, s) || !(s->body = statement(parser)))
        return false;
    if (parser->lexer.token != HD_MODEL_T_ELSE)
        return true;
    return hd_model_parser_next(parser) && (s->otherwise = statement(parser)) != NULL;
}

static bool while_loop(hd_model_parser *parser, hd_model_statement *s) {
    return condition(parser, s) && (s->body = statement(parser)) != NULL;
}

static bool check(hd_model_parser *parser, hd_model_statement *s) {
    return condition(parser, s) && hd_model_parser_expect(parser, ';', "';'");
}

static bool lock(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) &&
           (s->target = hd_model_parser_object(parser, HD_MODEL_MUTEX)) && semicolon(parser, s);
}

static bool notify(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) &&
           (s->target = hd_model_parser_object(parser, HD_MODEL_CONDITION)) && semicolon(parser, s);
}

/* Other threads run while a thread waits, and the mutex it takes again must be
 * the one it gave back. */
static bool steady(hd_model_parser *parser, const hd_model_expression *object) {
    return !object->a || !object->a->shared ||
           hd_model_parser_fail_at(parser, object->a->at,
                                   "the index in a wait must not read shared variables");
}

static bool wait(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) &&
           (s->target = hd_model_parser_object(parser, HD_MODEL_CONDITION)) &&
           steady(parser, s->target) && hd_model_parser_expect(parser, ',', "','") &&
           (s->value = hd_model_parser_object(parser, HD_MODEL_MUTEX)) &&
           steady(parser, s->value) && semicolon(parser, s);
}

static bool skip(hd_model_parser *parser, hd_model_statement *s) {
    return hd_model_parser_next(parser) && semicolon(parser, s);
}

static bool assign(hd_model_parser *parser, hd_model_statement *s) {
    return (s->target = hd_model_parser_place(parser)) &&
           hd_model_parser_expect(parser, '=', "'='") &&
           (s->value = hd_model_parser_expression(parser)) && semicolon(parser, s);
}

static bool compute(hd_model_parser *parser, hd_model_statement *s) {
    return (s->value = hd_model_parser_expression(parser)) && semicolon(parser, s);
}

static bool atomic(hd_model_parser *parser, hd_model_statement *s) {
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
    {HD_MODEL_T_NAME, HD_MODEL_ASSIGN, true, assign},
    {HD_MODEL_T_CAS, HD_MODEL_COMPUTE, true, compute},
    {HD_MODEL_T_IF, HD_MODEL_IF, true, if_else},
    {HD_MODEL_T_WHILE, HD_MODEL_WHILE, true, while_loop},
    {HD_MODEL_T_AWAIT, HD_MODEL_AWAIT, true, check},
    {HD_MODEL_T_ASSERT, HD_MODEL_ASSERT, true, check},
    {HD_MODEL_T_LOCK, HD_MODEL_LOCK, false, lock},
    {HD_MODEL_T_UNLOCK, HD_MODEL_UNLOCK, false, lock},
    {HD_MODEL_T_WAIT, HD_MODEL_WAIT, false, wait},
    {HD_MODEL_T_NOTIFY, HD_MODEL_NOTIFY, false, notify},
    {HD_MODEL_T_NOTIFYALL, HD_MODEL_NOTIFY_ALL, false, notify},
    {HD_MODEL_T_SKIP, HD_MODEL_SKIP, true, skip},
    {HD_MODEL_T_ATOMIC, HD_MODEL_ATOMIC, false, atomic},
};

static bool allowed(hd_model_parser *parser, const form *f) {
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

static hd_model_statement *simple(hd_model_parser *parser, const form *f) {
    if (!allowed(parser, f))
        return NULL;
    hd_model_statement *s = create(parser, f->kind);
    if (parser->atomic != HD_MODEL_IN_NONE)
        parser->atomic = HD_MODEL_IN_ATOMIC;
    return f->parse(parser, s) ? s : NULL;
}

static hd_model_statement *one(hd_model_parser *parser) {
    if (parser->lexer.token == '{') {
        if (parser->atomic != HD_MODEL_IN_NONE)
            parser->atomic = HD_MODEL_IN_ATOMIC;
        return hd_model_parser_next(parser) ? hd_model_parser_block(parser) : NULL;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].token == parser->lexer.token)
            return simple(parser, &forms[i]);
    if (parser->lexer.token == HD_MODEL_T_LOCAL)
        hd_model_parser_fail(parser, "locals are declared at the start of a thread");
    else
        hd_model_parser_fail(parser, "expected a statement");
    return NULL;
}

static hd_model_statement *statement(hd_model_parser *parser) {
    if (!hd_model_parser_deeper(parser))
        return NULL;
    hd_model_statement *s = one(parser);
    parser->depth--;
    return s;
}

hd_model_statement *hd_model_parser_block(hd_model_parser *parser) {
    hd_model_statement *block = create(parser, HD_MODEL_BLOCK);
    hd_model_statement **last = &block->body;
    while (parser->lexer.token != '}') {
        if (parser->lexer.token == HD_MODEL_T_END) {
            hd_model_parser_fail(parser, "expected '}': a block does not end");
            return NULL;
        }
        if (!(*last = statement(parser)))
            return NULL;
        last = &(*last)->next;
    }
    return hd_model_parser_next(parser) ? block : NULL;
}
