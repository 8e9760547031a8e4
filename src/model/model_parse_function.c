/*
 * Functions.  A call is replaced by the body: the text of the function is parsed again, with the
 * parameters and locals of the function as locals of the thread that calls it.
 */
#include "model_parse.h"

/* ---- Scopes: the locals that are known are those of the thread, or those of the function ---- */

static void hide_scope(hd_model_parser *parser, hd_model_variable *scope) {
    for (const hd_model_variable *v = scope; v; v = v->next)
        *hd_model_parser_entry(parser, v->name, strlen(v->name)) = NULL;
}

static void show_scope(hd_model_parser *parser, hd_model_variable *scope) {
    for (hd_model_variable *v = scope; v; v = v->next)
        *hd_model_parser_entry(parser, v->name, strlen(v->name)) = v;
}

/* ---- Variables ---- */

/* The function's variables in the order in which they are declared: `*place` is where the next one
 * is, or will be, linked. */
typedef struct frame {
    hd_model_parser *parser;
    hd_model_function *function;
    hd_model_variable **place;
} frame;

static hd_model_variable *declare(frame *f) {
    hd_model_parser *parser = f->parser;
    if (parser->lexer.token != HD_MODEL_T_NAME) {
        hd_model_parser_expect(parser, HD_MODEL_T_NAME, "a name");
        return NULL;
    }
    hd_model_variable **entry =
        hd_model_parser_entry(parser, parser->tree->text + parser->lexer.at, parser->lexer.length);
    if (*entry) {
        hd_model_parser_fail(parser, "%.64s is declared already", (*entry)->name);
        return NULL;
    }
    if (!*f->place)
        *f->place = hd_model_parser_new_local(
            parser, hd_arena_string(&parser->tree->arena, parser->tree->text + parser->lexer.at,
                                    parser->lexer.length));
    hd_model_variable *v = *f->place;
    if (!v || !hd_model_parser_next(parser))
        return NULL;
    *hd_model_parser_entry(parser, v->name, strlen(v->name)) = v;
    parser->scope = f->function->variables;
    f->place = &v->next;
    return v;
}

/* An assignment to one of them, as a statement of its own in the call. */
static bool assign(frame *f, hd_model_statement *call, const hd_model_variable *v,
                   const hd_model_expression *value, const hd_model_statement *where) {
    hd_model_statement *s = hd_model_parser_statement(f->parser, HD_MODEL_ASSIGN);
    if (!s)
        return false;
    s->at = where->at;
    s->end = where->end;
    s->line = where->line;
    s->target = hd_model_build_use(f->parser, v, NULL);
    s->value = value;
    hd_model_build_append(f->parser, call, &call->body, s);
    return true;
}

/* local name = value, ...; the value may be any expression */
static bool parse_locals(frame *f, hd_model_statement *call) {
    hd_model_parser *parser = f->parser;
    do {
        if (!hd_model_parser_next(parser))
            return false;
        hd_model_statement where = {.at = parser->lexer.at, .line = parser->lexer.line};
        const hd_model_variable *v = declare(f);
        if (!v)
            return false;
        if (parser->lexer.token == '[')
            return hd_model_parser_fail(parser, "a function cannot have an array of its own");
        const hd_model_expression *value = hd_model_build_number(parser, 0);
        if (parser->lexer.token == '=' &&
            (!hd_model_parser_next(parser) || !(value = hd_model_parser_expression(parser))))
            return false;
        where.end = parser->lexer.last_end;
        if (!assign(f, call, v, value, &where))
            return false;
    } while (parser->lexer.token == ',');
    return hd_model_parser_expect(parser, ';', "';'");
}

/* Instead of the number of arguments, where the function is declared. */
#define NOT_CALLED SIZE_MAX

/* (name, name, ...) */
static bool parse_parameters(frame *f, hd_model_statement *call, hd_model_expression *const *values,
                             size_t count, uint32_t at) {
    hd_model_parser *parser = f->parser;
    hd_model_statement where = {.at = call->at, .end = parser->lexer.last_end, .line = call->line};
    size_t number = 0;
    if (!hd_model_parser_expect(parser, '(', "'('"))
        return false;
    while (parser->lexer.token != ')') {
        if (number > 0 && !hd_model_parser_expect(parser, ',', "','"))
            return false;
        const hd_model_variable *v = declare(f);
        if (!v)
            return false;
        where.end = call->end;
        if (number < count && count != NOT_CALLED && !assign(f, call, v, values[number], &where))
            return false;
        number++;
    }
    if (count != NOT_CALLED && number != count)
        return hd_model_parser_fail_at(parser, at, "%.64s takes %zu argument%s, not %zu",
                                       f->function->name, number, number == 1 ? "" : "s", count);
    return hd_model_parser_next(parser);
}

/* ---- The body ---- */

static bool parse_body(frame *f, hd_model_statement *call) {
    hd_model_parser *parser = f->parser;
    if (!hd_model_parser_expect(parser, '{', "'{'"))
        return false;
    while (parser->lexer.token == HD_MODEL_T_LOCAL)
        if (!parse_locals(f, call))
            return false;
    hd_model_statement *body = hd_model_parser_block(parser);
    if (!body)
        return false;
    hd_model_build_append(parser, call, &call->body, body);
    return true;
}

/* Parses the function at its declaration, as what the call consists of. */
static bool inline_function(hd_model_parser *parser, hd_model_statement *call,
                            hd_model_function *function, hd_model_expression *const *values,
                            size_t count, bool wanted) {
    hd_model_function *outer = parser->function;
    hd_model_variable *scope = parser->scope;
    uint32_t at = call->at;
    bool good = hd_model_parser_deeper(parser);
    hide_scope(parser, scope);
    if (function->thread != parser->thread) {
        function->thread = parser->thread;
        function->variables = NULL;
        function->result = hd_model_parser_new_local(parser, "result");
        good = good && function->result;
    }
    frame f = {parser, function, &function->variables};
    parser->scope = NULL;
    parser->function = function;
    function->runs = true;
    function->atomic = parser->atomic != HD_MODEL_IN_NONE;
    if (good && wanted)
        good = assign(&f, call, function->result, hd_model_build_number(parser, 0), call);
    good = good && parse_parameters(&f, call, values, count, at) && parse_body(&f, call);
    function->runs = false;
    hide_scope(parser, function->variables);
    parser->function = outer;
    parser->scope = scope;
    show_scope(parser, scope);
    parser->depth -= good;
    return good;
}

/* It is parsed where it is declared, for a thread that does not exist, so that it is known to be
 * right even if it is never called. */
bool hd_model_parser_function(hd_model_parser *parser, hd_model_function *function) {
    hd_model_thread none = {.count = 1};
    hd_model_statement call = {.kind = HD_MODEL_CALL};
    size_t statements = parser->tree->statements.length;
    size_t write_locks = parser->write_locks.length;
    parser->thread = &none;
    bool good = inline_function(parser, &call, function, NULL, NOT_CALLED, false);
    parser->thread = NULL;
    function->thread = NULL;
    parser->tree->statements.length = statements;
    parser->write_locks.length = write_locks;
    return good;
}

/* ---- Calls ---- */

/* (value, value, ...) */
typedef HD_VEC(hd_model_expression *) arguments;

static bool parse_arguments(hd_model_parser *parser, arguments *values) {
    if (!hd_model_parser_expect(parser, '(', "'('"))
        return false;
    while (parser->lexer.token != ')') {
        if (values->length > 0 && !hd_model_parser_expect(parser, ',', "','"))
            return false;
        hd_model_expression *e = hd_model_parser_expression(parser);
        if (!e)
            return false;
        hd_vec_push(values, e);
    }
    return hd_model_parser_next(parser);
}

bool hd_model_parser_call(hd_model_parser *parser, hd_model_statement *s,
                          hd_model_function *function, const hd_model_expression *result) {
    arguments values = {0};
    if (function->runs)
        return hd_model_parser_fail_at(parser, s->at, "%.64s calls itself, which a function cannot",
                                       function->name);
    if (hd_clock_over() && hd_clock_look() == HD_CLOCK_LATE) /* functions may call many */
        return hd_model_parser_fail_at(parser, s->at, "%s", hd_clock_why());
    s->kind = HD_MODEL_CALL;
    s->target = NULL;
    bool good = parse_arguments(parser, &values);
    s->end = parser->lexer.last_end;
    hd_model_lexer after = parser->lexer;
    if (good) {
        parser->lexer = function->start;
        parser->lexer.error = after.error;
        good = inline_function(parser, s, function, values.data, values.length, result != NULL);
        if (good)
            parser->lexer = after;
    }
    hd_vec_release(&values);
    if (!good || !result)
        return good;
    hd_model_statement *deliver = hd_model_parser_statement(parser, HD_MODEL_ASSIGN);
    if (!deliver)
        return false;
    deliver->at = s->at;
    deliver->end = s->end;
    deliver->line = s->line;
    deliver->target = result;
    deliver->value = hd_model_build_use(parser, function->result, NULL);
    s->otherwise = deliver;
    return true;
}

/* return; return value; */
bool hd_model_parser_return(hd_model_parser *parser, hd_model_statement *s) {
    hd_model_function *function = parser->function;
    if (!function)
        return hd_model_parser_fail(parser, "return is only in a function");
    if (parser->atomic != HD_MODEL_IN_NONE && !function->atomic)
        return hd_model_parser_fail(parser, "return cannot leave an atomic block");
    if (!hd_model_parser_next(parser))
        return false;
    if (parser->lexer.token != ';') {
        hd_model_statement *leave = hd_model_build_inner(parser, s, HD_MODEL_RETURN);
        s->kind = HD_MODEL_BLOCK;
        s->body = hd_model_build_inner(parser, s, HD_MODEL_ASSIGN);
        s->body->target = hd_model_build_use(parser, function->result, NULL);
        if (!(s->body->value = hd_model_parser_expression(parser)))
            return false;
        s->body->end = parser->lexer.last_end;
        s->body->next = leave;
        parser->tree->statements.data[s->position] = s->body;
    }
    return hd_model_parser_semicolon(parser, s);
}
