/*
 * Declarations: parameters, variables, threads and their locals.
 */
#include <stdio.h>

#include "model_parse.h"

/* ---- What all parts use ---- */

void *hd_model_parser_new(hd_model_parser *parser, size_t size) {
    return memset(hd_arena_alloc(&parser->tree->arena, size), 0, size);
}

bool hd_model_parser_next(hd_model_parser *parser) {
    return hd_model_lexer_next(&parser->lexer);
}

bool hd_model_parser_expect(hd_model_parser *parser, int token, const char *what) {
    if (parser->lexer.token == token)
        return hd_model_parser_next(parser);
    char seen[48];
    hd_text_printable(seen, sizeof seen, parser->tree->text + parser->lexer.at,
                      parser->lexer.length);
    if (parser->lexer.token == HD_MODEL_T_END)
        return hd_model_parser_fail(parser, "expected %s before the end of the file", what);
    return hd_model_parser_fail(parser, "expected %s before '%s'", what, seen);
}

bool hd_model_parser_deeper(hd_model_parser *parser) {
    if (parser->depth >= HD_MODEL_MAX_DEPTH)
        return hd_model_parser_fail(parser, "this is nested too deeply");
    parser->depth++;
    return true;
}

/* ---- Names ---- */

/* The place for the declaration of the name that is the current token. */
hd_model_variable **hd_model_parser_entry(hd_model_parser *parser, const char *name,
                                          size_t length) {
    uint32_t id = hd_names_add(&parser->tree->names, name, length);
    if (id >= parser->known.length)
        hd_vec_resize(&parser->known, id + 1);
    return &parser->known.data[id];
}

static hd_model_variable **entry_of_name(hd_model_parser *parser) {
    return hd_model_parser_entry(parser, parser->tree->text + parser->lexer.at,
                                 parser->lexer.length);
}

hd_model_variable *hd_model_parser_lookup(hd_model_parser *parser) {
    hd_model_variable *variable = *entry_of_name(parser);
    if (!variable)
        hd_model_parser_fail(parser, "%.*s is not declared",
                             parser->lexer.length > 64 ? 64 : (int)parser->lexer.length,
                             parser->tree->text + parser->lexer.at);
    return variable;
}

/* Declares the current token as a new name, and goes to the next token. */
static hd_model_variable *declare_name(hd_model_parser *parser, uint8_t kind) {
    if (parser->lexer.token != HD_MODEL_T_NAME) {
        hd_model_parser_expect(parser, HD_MODEL_T_NAME, "a name");
        return NULL;
    }
    hd_model_variable **place = entry_of_name(parser);
    if (*place) {
        hd_model_parser_fail(parser, "%.64s is declared already", (*place)->name);
        return NULL;
    }
    hd_model_variable *variable = hd_model_parser_new(parser, sizeof *variable);
    *variable = (hd_model_variable){.kind = kind, .size = 1};
    variable->name = hd_arena_string(&parser->tree->arena, parser->tree->text + parser->lexer.at,
                                     parser->lexer.length);
    *place = variable;
    return hd_model_parser_next(parser) ? variable : NULL;
}

/* ---- Parts of declarations ---- */

static bool too_many(hd_model_parser *parser, uint32_t at) {
    return hd_model_parser_fail_at(parser, at, "there are more than %d cells in the model",
                                   HD_MODEL_MAX_CELLS);
}

static uint64_t count_cells(const hd_model_parser *parser) {
    const hd_model_thread *t = parser->thread;
    return parser->tree->variable_cells + parser->tree->frame_cells +
           (t ? (uint64_t)t->frame * t->count : 0);
}

bool hd_model_parser_has_room(hd_model_parser *parser, uint32_t at) {
    return count_cells(parser) <= HD_MODEL_MAX_CELLS || too_many(parser, at);
}

hd_model_variable *hd_model_parser_new_local(hd_model_parser *parser, const char *name) {
    hd_model_variable *v = hd_model_parser_new(parser, sizeof *v);
    *v = (hd_model_variable){
        .name = name, .kind = HD_MODEL_LOCAL, .size = 1, .first = parser->thread->frame++};
    return hd_model_parser_has_room(parser, parser->lexer.at) ? v : NULL;
}

/* "[constant]", if it is there. */
static bool parse_size(hd_model_parser *parser, bool *array, int64_t *count, int64_t limit,
                       const char *what) {
    *count = 1;
    if (parser->lexer.token != '[')
        return true;
    *array = true;
    if (!hd_model_parser_next(parser))
        return false;
    uint32_t at = parser->lexer.at;
    if (!hd_model_parser_constant(parser, count))
        return false;
    if (*count < 0)
        return hd_model_parser_fail_at(parser, at, "%s cannot be negative", what);
    if (*count > limit)
        return hd_model_parser_fail_at(parser, at, "%s is more than %ld", what, (long)limit);
    return hd_model_parser_expect(parser, ']', "']'");
}

/* One initial value.  Variables have none yet; a local's may depend on id. */
static bool parse_initial(hd_model_parser *parser, hd_model_variable *variable, uint32_t i) {
    uint32_t at = parser->lexer.at;
    if (variable->kind == HD_MODEL_LOCAL) {
        variable->initial[i] = hd_model_parser_expression(parser);
        if (!variable->initial[i])
            return false;
        return hd_model_parser_without_variables(variable->initial[i]) ||
               hd_model_parser_fail_at(parser, at,
                                       "the first value of a local is made of constants and id");
    }
    hd_model_expression *e = hd_model_parser_new(parser, sizeof *e);
    e->kind = HD_MODEL_NUMBER;
    e->at = at;
    variable->initial[i] = e;
    return hd_model_parser_constant(parser, &e->value);
}

static bool initial_list(hd_model_parser *parser, hd_model_variable *variable) {
    HD_VEC(hd_model_expression *) values = {0};
    bool good = hd_model_parser_next(parser), more = true;
    while (good && more && parser->lexer.token != '}') {
        if (values.length == variable->size) {
            good = hd_model_parser_fail(parser, "%.64s has only %u elements", variable->name,
                                        variable->size);
            break;
        }
        hd_vec_push(&values, NULL);
        variable->initial = values.data;
        good = parse_initial(parser, variable, (uint32_t)values.length - 1);
        more = good && parser->lexer.token == ',';
        good = good && (!more || hd_model_parser_next(parser));
    }
    variable->initial = NULL;
    variable->initial_count = (uint32_t)values.length;
    if (good && values.length > 0) {
        size_t bytes = values.length * sizeof *values.data;
        variable->initial = memcpy(hd_model_parser_new(parser, bytes), values.data, bytes);
    }
    hd_vec_release(&values);
    return good && hd_model_parser_expect(parser, '}', "'}'");
}

/* "= value" or "= { value, ... }", if it is there. */
static bool parse_initials(hd_model_parser *parser, hd_model_variable *variable) {
    if (parser->lexer.token != '=')
        return true;
    if (!hd_model_parser_next(parser))
        return false;
    if ((parser->lexer.token == '{') != variable->array)
        return hd_model_parser_fail(parser, "the first values of an array, and only those, are in "
                                            "braces");
    if (variable->array)
        return initial_list(parser, variable);
    variable->initial = hd_model_parser_new(parser, sizeof(hd_model_expression *));
    variable->initial_count = 1;
    return parse_initial(parser, variable, 0);
}

/* (parties) of a barrier, (capacity) of a channel */
static bool parse_measure(hd_model_parser *parser, hd_model_variable *v) {
    bool barrier = v->kind == HD_MODEL_BARRIER;
    int64_t most = barrier ? HD_MODEL_MAX_THREADS : HD_MODEL_MAX_CELLS;
    if (!hd_model_parser_expect(parser, '(',
                                barrier ? "'(' and the number of threads" : "'(' and the capacity"))
        return false;
    uint32_t at = parser->lexer.at;
    if (!hd_model_parser_constant(parser, &v->value))
        return false;
    if (v->value < 1 || v->value > most)
        return hd_model_parser_fail_at(parser, at, "%s is 1 to %ld",
                                       barrier ? "the number of threads of a barrier"
                                               : "the capacity of a channel",
                                       (long)most);
    return hd_model_parser_expect(parser, ')', "')'");
}

/* name[size] = value */
static hd_model_variable *parse_variable(hd_model_parser *parser, uint8_t kind) {
    uint32_t at = parser->lexer.at;
    hd_model_variable *v = declare_name(parser, kind);
    int64_t count;
    if (!v || !parse_size(parser, &v->array, &count, HD_MODEL_MAX_CELLS, "the size of an array"))
        return NULL;
    v->size = (uint32_t)count;
    if (count_cells(parser) + v->size > HD_MODEL_MAX_CELLS) {
        too_many(parser, at);
        return NULL;
    }
    bool has_value =
        kind == HD_MODEL_SHARED || kind == HD_MODEL_LOCAL || kind == HD_MODEL_SEMAPHORE;
    bool sized = kind == HD_MODEL_BARRIER || kind == HD_MODEL_CHANNEL;
    if ((has_value && !parse_initials(parser, v)) || (sized && !parse_measure(parser, v)))
        return NULL;
    *parser->last_variable = v;
    parser->last_variable = &v->next;
    return v;
}

/* ---- Declarations ---- */

static bool override_param(const hd_model_parser *parser, hd_model_variable *v) {
    bool found = false;
    size_t length = strlen(v->name);
    for (size_t i = 0; i < parser->define_count; i++) {
        const hd_model_define *define = &parser->defines[i];
        if (strcspn(define->name, "=") == length && memcmp(define->name, v->name, length) == 0) {
            v->value = define->value;
            found = true;
        }
    }
    return found;
}

static bool parse_param(hd_model_parser *parser) {
    hd_model_variable *v = declare_name(parser, HD_MODEL_PARAM);
    if (!v || !hd_model_parser_expect(parser, '=', "'='"))
        return false;
    if (!hd_model_parser_constant(parser, &v->value))
        return false;
    override_param(parser, v);
    return true;
}

/* A variable in the cells after those before it; it is in the list already. */
static void place_variable(hd_model_parser *parser, hd_model_variable *v) {
    v->first = parser->tree->variable_cells;
    parser->tree->variable_cells += v->size;
}

static void link_variable(hd_model_parser *parser, hd_model_variable *v) {
    *parser->last_variable = v;
    parser->last_variable = &v->next;
}

static bool parse_global(hd_model_parser *parser, uint8_t kind) {
    uint32_t at = parser->lexer.at;
    hd_model_variable *v = parse_variable(parser, kind);
    if (!v)
        return false;
    place_variable(parser, v);
    hd_model_parser_parts(parser, v);
    for (size_t i = 0; kind != HD_MODEL_RWLOCK && i < 3 && v->parts[i]; i++) {
        if (count_cells(parser) + v->parts[i]->size > HD_MODEL_MAX_CELLS)
            return too_many(parser, at);
        link_variable(parser, v->parts[i]);
        place_variable(parser, v->parts[i]);
    }
    parser->tree->conditions |= kind == HD_MODEL_CONDITION;
    return true;
}

static bool parse_rwlock(hd_model_parser *parser) {
    return parse_global(parser, HD_MODEL_RWLOCK);
}

static bool parse_semaphore(hd_model_parser *parser) {
    return parse_global(parser, HD_MODEL_SEMAPHORE);
}

static bool parse_barrier(hd_model_parser *parser) {
    return parse_global(parser, HD_MODEL_BARRIER);
}

static bool parse_channel(hd_model_parser *parser) {
    return parse_global(parser, HD_MODEL_CHANNEL);
}

static bool parse_shared(hd_model_parser *parser) {
    return parse_global(parser, HD_MODEL_SHARED);
}

static bool parse_mutex(hd_model_parser *parser) {
    return parse_global(parser, HD_MODEL_MUTEX);
}

static bool parse_cond(hd_model_parser *parser) {
    return parse_global(parser, HD_MODEL_CONDITION);
}

static bool parse_local(hd_model_parser *parser) {
    hd_model_thread *thread = parser->thread;
    hd_model_variable *v = parse_variable(parser, HD_MODEL_LOCAL);
    if (!v)
        return false;
    v->first = thread->frame;
    thread->frame += v->size;
    return true;
}

/* keyword item, item, ... ; */
static bool parse_list(hd_model_parser *parser, bool (*item)(hd_model_parser *parser)) {
    do {
        if (!hd_model_parser_next(parser) || !item(parser))
            return false;
    } while (parser->lexer.token == ',');
    return hd_model_parser_expect(parser, ';', "';'");
}

/* ---- Threads ---- */

static void forget_locals(hd_model_parser *parser) {
    for (const hd_model_variable *v = parser->thread->locals; v; v = v->next) {
        uint32_t id = hd_names_find(&parser->tree->names, v->name, strlen(v->name));
        parser->known.data[id] = NULL;
    }
}

/* { local ...; statements } */
static bool parse_body(hd_model_parser *parser) {
    hd_model_thread *thread = parser->thread;
    hd_model_tree *tree = parser->tree;
    if (!hd_model_parser_expect(parser, '{', "'{'"))
        return false;
    hd_model_variable **last = parser->last_variable;
    parser->last_variable = &thread->locals;
    while (parser->lexer.token == HD_MODEL_T_LOCAL)
        if (!parse_list(parser, parse_local))
            return false;
    parser->last_variable = last;
    parser->scope = thread->locals;
    if (!hd_model_parser_has_room(parser, thread->at))
        return false;
    thread->body = hd_model_parser_block(parser);
    parser->scope = NULL;
    if (!thread->body || !hd_model_parser_has_room(parser, thread->at))
        return false;
    tree->frame_cells += (uint64_t)thread->frame * thread->count;
    return true;
}

static bool parse_thread(hd_model_parser *parser) {
    if (!hd_model_parser_next(parser))
        return false;
    hd_model_tree *tree = parser->tree;
    hd_model_thread *t = hd_model_parser_new(parser, sizeof *t);
    t->at = parser->lexer.at;
    t->line = parser->lexer.line;
    hd_model_variable *v = declare_name(parser, HD_MODEL_THREAD);
    int64_t count;
    if (!v || !parse_size(parser, &t->array, &count, HD_MODEL_MAX_THREADS, "the number of threads"))
        return false;
    t->name = v->name;
    t->first = tree->thread_count;
    t->count = (uint32_t)count;
    t->variable = v;
    v->array = t->array;
    v->size = t->count;
    tree->thread_count += t->count;
    if (tree->thread_count > HD_MODEL_MAX_THREADS)
        return hd_model_parser_fail_at(parser, t->at, "there are more than %d threads",
                                       HD_MODEL_MAX_THREADS);
    parser->thread = t;
    if (!parse_body(parser))
        return false;
    forget_locals(parser);
    parser->thread = NULL;
    *parser->last_thread = t;
    parser->last_thread = &t->next;
    return true;
}

/* ---- Functions and invariants ---- */

static bool parse_function(hd_model_parser *parser) {
    if (!hd_model_parser_next(parser))
        return false;
    hd_model_variable *v = declare_name(parser, HD_MODEL_FUNCTION);
    if (!v)
        return false;
    v->function = hd_model_parser_new(parser, sizeof *v->function);
    v->function->name = v->name;
    v->function->start = parser->lexer;
    return hd_model_parser_function(parser, v->function);
}

static bool parse_invariant(hd_model_parser *parser) {
    hd_model_statement *s = hd_model_parser_statement(parser, HD_MODEL_ASSERT);
    if (!s || !hd_model_parser_next(parser) || !hd_model_parser_expect(parser, '(', "'('"))
        return false;
    s->inner = parser->lexer.at;
    s->rule = "invariant";
    s->wrong = "the invariant does not hold";
    s->value = hd_model_parser_expression(parser);
    if (!s->value || !hd_model_parser_expect(parser, ')', "')'"))
        return false;
    if (s->value->swaps)
        return hd_model_parser_fail_at(parser, s->inner, "an invariant cannot have a cas");
    hd_vec_push(&parser->tree->invariants, s);
    return hd_model_parser_semicolon(parser, s);
}

/* ---- The whole ---- */

static bool parse_declaration(hd_model_parser *parser) {
    switch (parser->lexer.token) {
    case HD_MODEL_T_PARAM:
        return parse_list(parser, parse_param);
    case HD_MODEL_T_SHARED:
        return parse_list(parser, parse_shared);
    case HD_MODEL_T_MUTEX:
        return parse_list(parser, parse_mutex);
    case HD_MODEL_T_COND:
        return parse_list(parser, parse_cond);
    case HD_MODEL_T_RWLOCK:
        return parse_list(parser, parse_rwlock);
    case HD_MODEL_T_SEMAPHORE:
        return parse_list(parser, parse_semaphore);
    case HD_MODEL_T_BARRIER:
        return parse_list(parser, parse_barrier);
    case HD_MODEL_T_CHANNEL:
        return parse_list(parser, parse_channel);
    case HD_MODEL_T_FUNCTION:
        return parse_function(parser);
    case HD_MODEL_T_INVARIANT:
        return parse_invariant(parser);
    case HD_MODEL_T_THREAD:
        return parse_thread(parser);
    default:
        return hd_model_parser_fail(parser, "expected a declaration: param, shared, mutex, rwlock, "
                                            "cond, semaphore, barrier, channel, invariant, "
                                            "function or thread");
    }
}

/* Every -D must name a parameter. */
static bool defines_fit(hd_model_parser *parser) {
    for (size_t i = 0; i < parser->define_count; i++) {
        const char *name = parser->defines[i].name;
        size_t length = strcspn(name, "=");
        uint32_t id = hd_names_find(&parser->tree->names, name, length);
        const hd_model_variable *v = id < parser->known.length ? parser->known.data[id] : NULL;
        if (v && v->kind == HD_MODEL_PARAM)
            continue;
        char shown[64];
        hd_text_printable(shown, sizeof shown, name, length);
        *parser->lexer.error = (hd_model_error){0};
        snprintf(parser->lexer.error->text, sizeof parser->lexer.error->text,
                 "there is no parameter %s", shown);
        return false;
    }
    return true;
}

bool hd_model_tree_parse(hd_model_tree *tree, const hd_model_define *defines, size_t count,
                         hd_model_error *error) {
    hd_model_parser parser = {.tree = tree, .defines = defines, .define_count = count};
    parser.last_variable = &tree->variables;
    parser.last_thread = &tree->threads;
    hd_model_lexer_init(&parser.lexer, tree, error);
    bool good = hd_model_parser_next(&parser);
    while (good && parser.lexer.token != HD_MODEL_T_END)
        good = parse_declaration(&parser);
    good = good && defines_fit(&parser) && hd_model_parser_complete(&parser);
    hd_vec_release(&parser.known);
    hd_vec_release(&parser.write_locks);
    hd_vec_release(&parser.rwlocks);
    return good;
}

void hd_model_tree_free(hd_model_tree *tree) {
    free(tree->name);
    free(tree->text);
    hd_vec_release(&tree->statements);
    hd_vec_release(&tree->invariants);
    hd_names_release(&tree->names);
    hd_arena_release(&tree->arena);
    free(tree);
}
