/*
 * Rwlocks, semaphores, barriers, channels, and threads that are forked and joined.
 *
 * Each is a few cells, and each of its operations is an atomic block that first awaits what it
 * needs.  So everything that is true of atomic blocks is true of them: what they access is exact,
 * and no algorithm has to know them.  The cells are laid out so that what commutes has no location
 * in common that one of them writes:
 *
 *   rwlock     a cell for the writer, and a cell for each thread that says how often it reads: two
 *              readers never meet.  A writer reads the cells of all threads.
 *   semaphore  the number of units.
 *   barrier    how many have arrived in this round, and the number of the round.  To arrive is one
 *              operation, to leave is another, which awaits another round.
 *   channel    a ring: the slot to fill next, the slot to empty next; for each slot its value and
 *              whether it is full.  A send and a receive meet only at a slot that both use.
 *   thread     0 before it is forked, 1 after, 2 once it has ended.
 *
 * A try is the same with an `if` instead of the awaits.
 */
#include <stdio.h>

#include "model_parse.h"

/* An operation that is being put together. */
typedef struct act {
    hd_model_parser *parser;
    hd_model_statement *statement;
    const hd_model_variable *object;
    const hd_model_expression *index; /* of the object; NULL: it is no array */
    const hd_model_expression *needs; /* what it awaits */
    hd_model_statement *block;        /* what it does then */
} act;

/* ---- Parts of objects ---- */

static hd_model_variable *new_part(hd_model_parser *parser, const hd_model_variable *of,
                                   const char *name, bool array, uint64_t size) {
    hd_model_variable *v = hd_model_parser_new(parser, sizeof *v);
    char text[128];
    int length = snprintf(text, sizeof text, "%.100s.%s", of->name, name);
    *v = (hd_model_variable){.kind = HD_MODEL_PART, .array = array};
    v->name = hd_arena_string(&parser->tree->arena, text, (size_t)length);
    v->size = size > HD_MODEL_MAX_CELLS ? HD_MODEL_MAX_CELLS + 1 : (uint32_t)size;
    return v;
}

void hd_model_parser_parts(hd_model_parser *parser, hd_model_variable *v) {
    uint64_t slots = v->kind == HD_MODEL_CHANNEL ? (uint64_t)v->size * (uint64_t)v->value : 0;
    switch (v->kind) {
    case HD_MODEL_RWLOCK:
        v->parts[0] = new_part(parser, v, "readers", true, 0); /* later a cell per thread */
        v->parts[0]->kind = HD_MODEL_READERS;
        hd_vec_push(&parser->rwlocks, v);
        break;
    case HD_MODEL_BARRIER:
        v->parts[0] = new_part(parser, v, "round", v->array, v->size);
        break;
    case HD_MODEL_CHANNEL:
        v->parts[0] = new_part(parser, v, "head", v->array, v->size);
        v->parts[1] = new_part(parser, v, "full", true, slots);
        v->parts[2] = new_part(parser, v, "slot", true, slots);
        break;
    default:
        break;
    }
}

/* ---- Expressions of an operation ---- */

static const hd_model_expression *number(const act *a, int64_t value) {
    return hd_model_build_number(a->parser, value);
}

static const hd_model_expression *combine(const act *a, enum hd_model_code operation,
                                          const hd_model_expression *left,
                                          const hd_model_expression *right) {
    return hd_model_build_binary(a->parser, operation, left, right);
}

/* The object's own cell, or that of a part of the same size. */
static const hd_model_expression *own(const act *a, const hd_model_variable *part) {
    return hd_model_build_use(a->parser, part, a->index);
}

static const hd_model_expression *self(const act *a) {
    return hd_model_build_node(a->parser, HD_MODEL_SELF);
}

/* How often a thread, by its number from 0 on, reads. */
static const hd_model_expression *readers(const act *a, const hd_model_expression *thread) {
    const hd_model_expression *at = thread;
    if (a->index)
        at = combine(a, HD_MODEL_ADD,
                     combine(a, HD_MODEL_MULTIPLY, thread, number(a, a->object->size)), a->index);
    return hd_model_build_use(a->parser, a->object->parts[0], at);
}

/* An element of a slot of the channel: that which `where` says. */
static const hd_model_expression *slot(const act *a, size_t part,
                                       const hd_model_expression *where) {
    const hd_model_expression *at = where;
    if (a->index)
        at = combine(a, HD_MODEL_ADD,
                     combine(a, HD_MODEL_MULTIPLY, a->index, number(a, a->object->value)), where);
    return hd_model_build_use(a->parser, a->object->parts[part], at);
}

static void need(act *a, const hd_model_expression *condition) {
    a->needs = a->needs ? combine(a, HD_MODEL_BOTH, a->needs, condition) : condition;
}

static void add(act *a, hd_model_statement *s) {
    hd_model_build_append(a->parser, a->statement, &a->block, s);
}

static void set(act *a, const hd_model_expression *target, const hd_model_expression *value) {
    add(a, hd_model_build_assign(a->parser, a->statement, target, value));
}

static void change(act *a, const hd_model_expression *target, int64_t by) {
    set(a, target, combine(a, HD_MODEL_ADD, target, number(a, by)));
}

static void check(act *a, const hd_model_expression *condition, const char *rule,
                  const char *wrong) {
    a->statement->rule = rule;
    a->statement->wrong = wrong;
    add(a, hd_model_build_check(a->parser, a->statement, HD_MODEL_ASSERT, condition));
}

/* ---- What each operation needs and does ---- */

static bool act_lock(act *a) {
    need(a, combine(a, HD_MODEL_EQUAL, own(a, a->object), number(a, 0)));
    set(a, own(a, a->object), self(a));
    a->parser->tree->tries = true;
    return true;
}

static const hd_model_expression *own_number(const act *a) {
    return combine(a, HD_MODEL_SUBTRACT, self(a), number(a, 1));
}

static bool act_read_lock(act *a) {
    a->statement->form = HD_MODEL_FORM_READ_LOCK;
    need(a, combine(a, HD_MODEL_EQUAL, own(a, a->object), number(a, 0)));
    change(a, readers(a, own_number(a)), 1);
    return true;
}

/* That there is no reader is added at the end: hd_model_parser_complete. */
static bool act_write_lock(act *a) {
    a->statement->form = HD_MODEL_FORM_WRITE_LOCK;
    need(a, combine(a, HD_MODEL_EQUAL, own(a, a->object), number(a, 0)));
    set(a, own(a, a->object), self(a));
    return true;
}

static bool act_post(act *a) {
    change(a, own(a, a->object), 1);
    return true;
}

static bool act_take(act *a) {
    need(a, combine(a, HD_MODEL_GREATER, own(a, a->object), number(a, 0)));
    change(a, own(a, a->object), -1);
    return true;
}

/* The round is remembered in a local.  The last one to arrive starts another round. */
static bool act_arrive(act *a) {
    hd_model_parser *parser = a->parser;
    const hd_model_expression *round = own(a, a->object->parts[0]);
    const hd_model_variable *local = hd_model_parser_new_local(parser, "round");
    if (!local)
        return false;
    const hd_model_expression *mine = hd_model_build_use(parser, local, NULL);
    const hd_model_expression *count = own(a, a->object);
    hd_model_statement *last = hd_model_build_inner(parser, a->statement, HD_MODEL_IF);
    last->value = combine(a, HD_MODEL_EQUAL, count, number(a, a->object->value));
    hd_model_build_append(parser, a->statement, &last->body,
                          hd_model_build_assign(parser, a->statement, count, number(a, 0)));
    hd_model_build_append(parser, a->statement, &last->body,
                          hd_model_build_assign(parser, a->statement, round,
                                                combine(a, HD_MODEL_ADD, round, number(a, 1))));
    set(a, mine, round);
    change(a, count, 1);
    add(a, last);
    hd_model_statement *leave = hd_model_parser_statement(parser, HD_MODEL_AWAIT);
    if (!leave)
        return false;
    leave->at = a->statement->at;
    leave->line = a->statement->line;
    leave->form = HD_MODEL_FORM_LEAVE;
    leave->value = combine(a, HD_MODEL_UNEQUAL, round, mine);
    a->statement->otherwise = leave; /* for hd_model_parser_act */
    return true;
}

/* , value */
static bool act_send(act *a) {
    hd_model_parser *parser = a->parser;
    if (!hd_model_parser_expect(parser, ',', "','"))
        return false;
    const hd_model_expression *value = hd_model_parser_expression(parser);
    if (!value)
        return false;
    if (value->swaps)
        return hd_model_parser_fail_at(parser, value->at, "what is sent cannot have a cas");
    const hd_model_expression *tail = own(a, a->object), *full = slot(a, 1, tail);
    need(a, combine(a, HD_MODEL_EQUAL, full, number(a, 0)));
    set(a, slot(a, 2, tail), value);
    set(a, full, number(a, 1));
    set(a, tail,
        combine(a, HD_MODEL_REMAINDER, combine(a, HD_MODEL_ADD, tail, number(a, 1)),
                number(a, a->object->value)));
    return true;
}

/* , place */
static bool act_receive(act *a) {
    hd_model_parser *parser = a->parser;
    if (!hd_model_parser_expect(parser, ',', "','"))
        return false;
    const hd_model_expression *place = hd_model_parser_place(parser);
    if (!place || !hd_model_parser_simple_index(parser, place))
        return false;
    const hd_model_expression *head = own(a, a->object->parts[0]), *full = slot(a, 1, head);
    need(a, combine(a, HD_MODEL_UNEQUAL, full, number(a, 0)));
    set(a, place, slot(a, 2, head));
    set(a, full, number(a, 0));
    set(a, head,
        combine(a, HD_MODEL_REMAINDER, combine(a, HD_MODEL_ADD, head, number(a, 1)),
                number(a, a->object->value)));
    return true;
}

/* A thread whose text has not ended yet can be neither forked nor joined: it would wait for
 * itself, or start itself. */
static hd_model_thread *thread_of(const act *a) {
    hd_model_thread *t = a->parser->tree->threads;
    while (t && t->variable != a->object)
        t = t->next;
    if (!t)
        hd_model_parser_fail_at(a->parser, a->statement->at, "%.64s cannot fork or join itself",
                                a->object->name);
    return t;
}

static bool act_fork(act *a) {
    hd_model_thread *t = thread_of(a);
    if (!t)
        return false;
    t->forked = true;
    a->statement->form = HD_MODEL_FORM_FORK;
    check(a, combine(a, HD_MODEL_EQUAL, own(a, a->object), number(a, 0)), "fork",
          "the thread was forked before");
    set(a, own(a, a->object), number(a, 1));
    return true;
}

static bool act_join(act *a) {
    hd_model_thread *t = thread_of(a);
    if (!t)
        return false;
    t->joined = true;
    a->statement->form = HD_MODEL_FORM_JOIN;
    need(a, combine(a, HD_MODEL_EQUAL, own(a, a->object), number(a, 2)));
    return true;
}

typedef struct verb {
    int token;
    uint8_t kind; /* of the object */
    bool waits;   /* so that it can be tried */
    bool (*make)(act *a);
} verb;

static const verb verbs[] = {
    {HD_MODEL_T_LOCK, HD_MODEL_MUTEX, true, act_lock}, /* only with a try */
    {HD_MODEL_T_RDLOCK, HD_MODEL_RWLOCK, true, act_read_lock},
    {HD_MODEL_T_WRLOCK, HD_MODEL_RWLOCK, true, act_write_lock},
    {HD_MODEL_T_POST, HD_MODEL_SEMAPHORE, false, act_post},
    {HD_MODEL_T_TAKE, HD_MODEL_SEMAPHORE, true, act_take},
    {HD_MODEL_T_ARRIVE, HD_MODEL_BARRIER, false, act_arrive},
    {HD_MODEL_T_SEND, HD_MODEL_CHANNEL, true, act_send},
    {HD_MODEL_T_RECV, HD_MODEL_CHANNEL, true, act_receive},
    {HD_MODEL_T_FORK, HD_MODEL_THREAD, false, act_fork},
    {HD_MODEL_T_JOIN, HD_MODEL_THREAD, false, act_join},
};

/* ---- Whole operations ---- */

/* An atomic block that awaits what is needed, or tests it and assigns whether it was so. */
static void finish(act *a, const hd_model_expression *result) {
    hd_model_parser *parser = a->parser;
    hd_model_statement *s = a->statement, *body = NULL;
    if (result) {
        hd_model_statement *test = hd_model_build_inner(parser, s, HD_MODEL_IF);
        set(a, result, number(a, 1));
        test->value = a->needs;
        test->body = a->block;
        test->otherwise = hd_model_build_assign(parser, s, result, number(a, 0));
        hd_model_build_append(parser, s, &body, test);
    } else {
        if (a->needs)
            hd_model_build_append(parser, s, &body,
                                  hd_model_build_check(parser, s, HD_MODEL_AWAIT, a->needs));
        for (hd_model_statement *rest = a->block ? a->block->body : NULL, *next; rest;
             rest = next) {
            next = rest->next;
            rest->next = NULL;
            hd_model_build_append(parser, s, &body, rest);
        }
    }
    s->kind = HD_MODEL_ATOMIC;
    s->tries = result != NULL;
    s->body = body;
    if (s->form == HD_MODEL_AS_WRITTEN)
        s->form = HD_MODEL_FORM_TEXT;
}

/* To arrive at a barrier is two statements. */
static void split(hd_model_parser *parser, hd_model_statement *s) {
    hd_model_statement *first = hd_model_build_inner(parser, s, HD_MODEL_ATOMIC);
    first->form = HD_MODEL_FORM_TEXT;
    first->body = s->body;
    first->next = s->otherwise;
    first->end = first->next->end = parser->lexer.last_end;
    s->kind = HD_MODEL_BLOCK;
    s->body = first;
    parser->tree->statements.data[s->position] = first;
    s->otherwise = NULL;
}

static const verb *find_verb(int token) {
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (verbs[i].token == token)
            return &verbs[i];
    return NULL;
}

bool hd_model_parser_act(hd_model_parser *parser, hd_model_statement *s,
                         const hd_model_expression *result) {
    const verb *v = find_verb(parser->lexer.token);
    if (!v || (result && !v->waits))
        return hd_model_parser_fail(parser, "expected lock, rdlock, wrlock, take, send or recv "
                                            "after try");
    if (parser->atomic != HD_MODEL_IN_NONE)
        return hd_model_parser_fail(parser, "%.*s cannot be in an atomic block",
                                    (int)parser->lexer.length,
                                    parser->tree->text + parser->lexer.at);
    if (!hd_model_parser_next(parser))
        return false;
    const hd_model_expression *object = hd_model_parser_object(parser, v->kind);
    if (!object || !hd_model_parser_simple_index(parser, object))
        return false;
    if (result && !hd_model_parser_simple_index(parser, result))
        return false;
    act a = {.parser = parser, .statement = s, .object = object->variable, .index = object->a};
    s->target = NULL;
    if (!v->make(&a))
        return false;
    hd_model_statement *leave = s->otherwise;
    s->otherwise = NULL;
    finish(&a, result);
    s->otherwise = leave;
    if (leave)
        split(parser, s);
    if (v->kind == HD_MODEL_RWLOCK) {
        /* What completes it needs the object; an atomic block has no target otherwise. */
        s->target = object;
        if (v->make == act_write_lock)
            hd_vec_push(&parser->write_locks, s);
    }
    return true;
}

bool hd_model_parser_unlock(hd_model_parser *parser, hd_model_statement *s) {
    if (!hd_model_parser_next(parser))
        return false;
    const hd_model_variable *known =
        parser->lexer.token == HD_MODEL_T_NAME ? hd_model_parser_lookup(parser) : NULL;
    if (!known || known->kind != HD_MODEL_RWLOCK)
        return (parser->lexer.token != HD_MODEL_T_NAME || known) &&
               (s->target = hd_model_parser_object(parser, HD_MODEL_MUTEX)) &&
               hd_model_parser_semicolon(parser, s);
    const hd_model_expression *object = hd_model_parser_object(parser, HD_MODEL_RWLOCK);
    if (!object || !hd_model_parser_simple_index(parser, object))
        return false;
    act a = {.parser = parser, .statement = s, .object = object->variable, .index = object->a};
    const hd_model_expression *mine = readers(&a, own_number(&a));
    hd_model_statement *test = hd_model_build_inner(parser, s, HD_MODEL_IF);
    test->value = combine(&a, HD_MODEL_EQUAL, own(&a, a.object), self(&a));
    test->body = hd_model_build_assign(parser, s, own(&a, a.object), number(&a, 0));
    check(&a, combine(&a, HD_MODEL_GREATER, mine, number(&a, 0)), "unlock",
          "unlock of a rwlock that the thread does not hold");
    change(&a, mine, -1);
    test->otherwise = a.block;
    a.block = NULL;
    add(&a, test);
    finish(&a, NULL);
    s->form = HD_MODEL_FORM_UNLOCK;
    s->target = object;
    return hd_model_parser_semicolon(parser, s);
}

/* ---- Once all threads are known ---- */

static bool place_late(hd_model_parser *parser, hd_model_variable *v, uint64_t size) {
    v->size = (uint32_t)size;
    v->first = parser->tree->variable_cells;
    if (size > HD_MODEL_MAX_CELLS)
        return hd_model_parser_fail(parser, "there are more than %d cells in the model",
                                    HD_MODEL_MAX_CELLS);
    parser->tree->variable_cells += v->size;
    *parser->last_variable = v;
    parser->last_variable = &v->next;
    return hd_model_parser_has_room(parser, parser->lexer.at);
}

/* A writer waits for every reader, in the order of threads. */
static const hd_model_expression *no_readers(const act *a, uint32_t from, uint32_t count) {
    if (count == 1)
        return combine(a, HD_MODEL_EQUAL, readers(a, number(a, from)), number(a, 0));
    uint32_t half = count / 2;
    return combine(a, HD_MODEL_BOTH, no_readers(a, from, half),
                   no_readers(a, from + half, count - half));
}

static void complete_write_lock(hd_model_parser *parser, hd_model_statement *s) {
    act a = {
        .parser = parser, .statement = s, .object = s->target->variable, .index = s->target->a};
    hd_model_statement *first = s->body->body; /* the await, or the test of a try */
    if (parser->tree->thread_count > 0)
        first->value =
            combine(&a, HD_MODEL_BOTH, first->value, no_readers(&a, 0, parser->tree->thread_count));
}

/* The cells of a thread that is forked or joined; it starts by waiting, or ends by saying so. */
static bool complete_thread(hd_model_parser *parser, hd_model_thread *t) {
    if (!t->forked && !t->joined)
        return true;
    if (!place_late(parser, t->variable, t->variable->size))
        return false;
    hd_model_expression *id = t->array ? hd_model_build_node(parser, HD_MODEL_ID) : NULL;
    const hd_model_expression *state = hd_model_build_use(parser, t->variable, id);
    hd_model_statement *body = t->body;
    if (t->forked) {
        hd_model_statement *start = hd_model_parser_statement(parser, HD_MODEL_AWAIT);
        start->at = t->at;
        start->end = t->at + (uint32_t)strlen(t->name);
        start->line = t->line;
        start->form = HD_MODEL_FORM_START;
        start->value = hd_model_build_binary(parser, HD_MODEL_UNEQUAL, state,
                                             hd_model_build_number(parser, 0));
        start->next = body->body;
        body->body = start;
    }
    if (t->joined) {
        hd_model_statement *end = hd_model_parser_statement(parser, HD_MODEL_ASSIGN);
        end->at = t->at;
        end->end = t->at + (uint32_t)strlen(t->name);
        end->line = t->line;
        end->form = HD_MODEL_FORM_END;
        end->target = state;
        end->value = hd_model_build_number(parser, 2);
        hd_model_build_append(parser, end, &body, end);
    }
    return true;
}

bool hd_model_parser_complete(hd_model_parser *parser) {
    hd_model_tree *tree = parser->tree;
    for (size_t i = 0; i < parser->rwlocks.length; i++) {
        hd_model_variable *v = parser->rwlocks.data[i];
        if (!place_late(parser, v->parts[0], (uint64_t)v->size * tree->thread_count))
            return false;
    }
    for (size_t i = 0; i < parser->write_locks.length; i++)
        complete_write_lock(parser, parser->write_locks.data[i]);
    for (hd_model_thread *t = tree->threads; t; t = t->next)
        if (!complete_thread(parser, t))
            return false;
    return true;
}
