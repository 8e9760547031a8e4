/*
 * Text for people: names, the next operation of a thread with its values, what failed.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "model_words.h"

void hd_model_say(hd_vec_char *to, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t kept = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    hd_vec_reserve(to, to->length + kept + 1);
    memcpy(to->data + to->length, text, kept + 1);
    to->length += kept;
}

/* ---- Names ---- */

static void say_thread(const hd_model_program *program, uint32_t thread, hd_vec_char *to) {
    const hd_model_instance *instance = &program->instances[thread];
    if (instance->thread->array)
        hd_model_say(to, "%.200s[%u]", instance->thread->name, instance->id);
    else
        hd_model_say(to, "%.200s", instance->thread->name);
}

static void say_location(const hd_model_program *program, uint32_t location, hd_vec_char *to) {
    if (location >= program->flags) {
        hd_model_say(to, "flag of ");
        say_thread(program, location - program->flags, to);
        return;
    }
    const hd_model_variable *v = program->tree->variables;
    while (location - v->first >= v->size)
        v = v->next;
    if (v->array)
        hd_model_say(to, "%.200s[%u]", v->name, location - v->first);
    else
        hd_model_say(to, "%.200s", v->name);
}

/* A name that stays where it is: made when first asked for. */
static const char *kept_name(hd_names *names, hd_map *map, uint32_t key,
                             const hd_model_program *program,
                             void (*say)(const hd_model_program *, uint32_t, hd_vec_char *)) {
    bool added;
    uint32_t *number = hd_map_at(map, key, &added);
    if (added) {
        hd_vec_char text = {0};
        say(program, key, &text);
        *number = hd_names_add(names, text.data, text.length);
        hd_vec_release(&text);
    }
    return hd_names_text(names, *number);
}

const char *hd_model_thread_name(hd_machine *machine, uint32_t thread) {
    hd_model_machine *m = hd_model_of(machine);
    assert(thread < machine->threads);
    return kept_name(&m->thread_names, &m->thread_name_of, thread, m->program, say_thread);
}

const char *hd_model_location_name(hd_machine *machine, uint32_t location) {
    hd_model_machine *m = hd_model_of(machine);
    assert(location < machine->locations);
    return kept_name(&m->location_names, &m->location_name_of, location, m->program, say_location);
}

/* ---- The text ---- */

uint32_t hd_model_positions(const hd_machine *machine) {
    return (uint32_t)hd_model_of_const(machine)->program->tree->statements.length;
}

uint32_t hd_model_line(const hd_machine *machine, uint32_t position) {
    const hd_model_tree *tree = hd_model_of_const(machine)->program->tree;
    assert(position < tree->statements.length);
    return tree->statements.data[position]->line;
}

void hd_model_text(const hd_machine *machine, uint32_t position, hd_vec_char *to) {
    const hd_model_tree *tree = hd_model_of_const(machine)->program->tree;
    assert(position < tree->statements.length);
    const hd_model_statement *s = tree->statements.data[position];
    hd_model_tree_text(tree, s->at, s->end, to);
}

/* ---- Expressions with values ---- */

/* The state as one thread sees it. */
typedef struct view {
    const hd_model_machine *m;
    uint32_t thread;
} view;

static bool evaluate_now(const view *v, const hd_model_expression *e, int64_t *value);

static bool cell_of(const view *v, const hd_model_expression *use, uint32_t *cell) {
    int64_t element = 0;
    if (use->a && !evaluate_now(v, use->a, &element))
        return false;
    if ((uint64_t)element >= use->variable->size)
        return false;
    *cell = hd_model_cell(v->m->program, v->thread, use->variable, (uint32_t)element);
    return true;
}

static bool evaluate_use(const view *v, const hd_model_expression *e, int64_t *value) {
    uint32_t cell;
    if (!cell_of(v, e, &cell))
        return false;
    *value = v->m->cells[cell];
    return true;
}

static bool evaluate_binary(const view *v, const hd_model_expression *e, int64_t *value) {
    int64_t a, b;
    if (!evaluate_now(v, e->a, &a))
        return false;
    if ((e->kind == HD_MODEL_AND && a == 0) || (e->kind == HD_MODEL_OR && a != 0)) {
        *value = a != 0;
        return true;
    }
    if (!evaluate_now(v, e->b, &b) || (hd_model_divides(e->operation) && b == 0))
        return false;
    *value = hd_model_apply(e->operation, a, b);
    return true;
}

/* The current value of the expression; false if it fails or has a cas. */
static bool evaluate_now(const view *v, const hd_model_expression *e, int64_t *value) {
    switch (e->kind) {
    case HD_MODEL_NUMBER:
        *value = e->value;
        return true;
    case HD_MODEL_ID:
        *value = v->m->program->instances[v->thread].id;
        return true;
    case HD_MODEL_USE:
        return evaluate_use(v, e, value);
    case HD_MODEL_UNARY:
        if (!evaluate_now(v, e->a, value))
            return false;
        *value = hd_model_apply_unary(e->operation, *value);
        return true;
    case HD_MODEL_CHOOSE:
        return evaluate_now(v, e->a, value) && evaluate_now(v, *value ? e->b : e->c, value);
    case HD_MODEL_SELF:
        *value = (int64_t)v->thread + 1;
        return true;
    case HD_MODEL_SWAP:
    case HD_MODEL_CHOICE:
        return false;
    default:
        return evaluate_binary(v, e, value);
    }
}

static const char *const signs[] = {
#define SIGN(name, text, binds) text,
    HD_MODEL_OPERATORS(SIGN)
#undef SIGN
};

static const uint8_t bindings[] = {
#define BINDS(name, text, binds) binds,
    HD_MODEL_OPERATORS(BINDS)
#undef BINDS
};

enum { BINDS_CHOOSE = 0, BINDS_UNARY = 11 };

static void say_expression(const view *v, const hd_model_expression *e, bool values, uint8_t least,
                           hd_vec_char *to);

/* name[index], without its value. */
static void say_place(const view *v, const hd_model_expression *use, hd_vec_char *to) {
    int64_t index;
    hd_model_say(to, "%.100s", use->variable->name);
    if (!use->a)
        return;
    hd_model_say(to, "[");
    if (evaluate_now(v, use->a, &index))
        hd_model_say(to, "%" PRId64, index);
    else
        say_expression(v, use->a, false, 0, to);
    hd_model_say(to, "]");
}

static void say_use(const view *v, const hd_model_expression *e, bool values, hd_vec_char *to) {
    uint32_t cell;
    say_place(v, e, to);
    if (values && cell_of(v, e, &cell))
        hd_model_say(to, " (%" PRId64 ")", v->m->cells[cell]);
}

static void say_binary(const view *v, const hd_model_expression *e, bool values, hd_vec_char *to) {
    int64_t left;
    bool known = evaluate_now(v, e->a, &left);
    bool skips =
        known && ((e->kind == HD_MODEL_AND && left == 0) || (e->kind == HD_MODEL_OR && left != 0));
    say_expression(v, e->a, values, bindings[e->operation], to);
    hd_model_say(to, " %s ", signs[e->operation]);
    say_expression(v, e->b, values && !skips, (uint8_t)(bindings[e->operation] + 1), to);
}

static void say_choose(const view *v, const hd_model_expression *e, bool values, hd_vec_char *to) {
    int64_t test = 0;
    bool known = evaluate_now(v, e->a, &test);
    say_expression(v, e->a, values, BINDS_CHOOSE + 1, to);
    hd_model_say(to, " ? ");
    say_expression(v, e->b, values && known && test, BINDS_CHOOSE, to);
    hd_model_say(to, " : ");
    say_expression(v, e->c, values && known && !test, BINDS_CHOOSE, to);
}

static void say_swap(const view *v, const hd_model_expression *e, bool values, hd_vec_char *to) {
    hd_model_say(to, "cas(");
    say_use(v, e->a, values, to);
    hd_model_say(to, ", ");
    say_expression(v, e->b, values, BINDS_CHOOSE, to);
    hd_model_say(to, ", ");
    say_expression(v, e->c, values, BINDS_CHOOSE, to);
    hd_model_say(to, ")");
}

static uint8_t precedence_of(const hd_model_expression *e) {
    if (e->kind == HD_MODEL_CHOOSE)
        return BINDS_CHOOSE;
    if (e->kind == HD_MODEL_BINARY || e->kind == HD_MODEL_AND || e->kind == HD_MODEL_OR)
        return bindings[e->operation];
    return BINDS_UNARY;
}

/* Prints the expression with the current values of the variables that it reads; what is constant
 * for the thread is printed as its value.  `least`: the precedence below which it needs
 * parentheses. */
static void say_expression(const view *v, const hd_model_expression *e, bool values, uint8_t least,
                           hd_vec_char *to) {
    int64_t value;
    if (hd_model_constant(e) && evaluate_now(v, e, &value)) {
        hd_model_say(to, "%" PRId64, value);
        return;
    }
    bool wrapped = precedence_of(e) < least;
    hd_model_say(to, "%s", wrapped ? "(" : "");
    switch (e->kind) {
    case HD_MODEL_USE:
        say_use(v, e, values, to);
        break;
    case HD_MODEL_UNARY:
        hd_model_say(to, e->operation == HD_MODEL_NEGATE ? "-" : "!");
        say_expression(v, e->a, values, BINDS_UNARY, to);
        break;
    case HD_MODEL_CHOOSE:
        say_choose(v, e, values, to);
        break;
    case HD_MODEL_SWAP:
        say_swap(v, e, values, to);
        break;
    default:
        say_binary(v, e, values, to);
    }
    hd_model_say(to, "%s", wrapped ? ")" : "");
}

bool hd_model_constant(const hd_model_expression *e) {
    return !e ||
           (e->kind != HD_MODEL_USE && e->kind != HD_MODEL_SWAP && e->kind != HD_MODEL_CHOICE &&
            hd_model_constant(e->a) && hd_model_constant(e->b) && hd_model_constant(e->c));
}

/* ---- Statements ---- */

static void say_condition(const view *v, const char *word, const hd_model_statement *s,
                          hd_vec_char *to) {
    hd_model_say(to, "%s (", word);
    say_expression(v, s->value, true, BINDS_CHOOSE, to);
    hd_model_say(to, ")");
}

static void say_object(const view *v, const char *word, const hd_model_expression *e,
                       hd_vec_char *to) {
    hd_model_say(to, "%s ", word);
    say_place(v, e, to);
}

static void say_wait(const view *v, const hd_model_statement *s, uint32_t phase, hd_vec_char *to) {
    static const char *const words[] = {"wait", "wake from wait", "lock again after wait"};
    say_object(v, words[phase], s->target, to);
    say_object(v, ",", s->value, to);
}

static void say_assign(const view *v, const hd_model_statement *s, hd_vec_char *to) {
    if (s->kind == HD_MODEL_ASSIGN) {
        say_place(v, s->target, to);
        hd_model_say(to, " = ");
    }
    say_expression(v, s->value, true, BINDS_CHOOSE, to);
}

static void say_statement(const view *v, const hd_model_statement *s, uint32_t position,
                          hd_vec_char *to) {
    static const char *const words[] = {[HD_MODEL_FORM_START] = "start ",
                                        [HD_MODEL_FORM_END] = "end ",
                                        [HD_MODEL_FORM_LEAVE] = "leave the barrier: "};
    if (s->form != HD_MODEL_AS_WRITTEN) {
        bool said = s->form < sizeof words / sizeof *words && words[s->form];
        hd_model_say(to, "%s", said ? words[s->form] : "");
        hd_model_tree_text(v->m->program->tree, s->at, s->end, to);
        return;
    }
    switch (s->kind) {
    case HD_MODEL_IF:
        say_condition(v, "if", s, to);
        break;
    case HD_MODEL_WHILE:
        say_condition(v, "while", s, to);
        break;
    case HD_MODEL_AWAIT:
        say_condition(v, "await", s, to);
        break;
    case HD_MODEL_ASSERT:
        say_condition(v, "assert", s, to);
        break;
    case HD_MODEL_ASSUME:
        say_condition(v, "assume", s, to);
        break;
    case HD_MODEL_LOCK:
        say_object(v, "lock", s->target, to);
        break;
    case HD_MODEL_UNLOCK:
        say_object(v, "unlock", s->target, to);
        break;
    case HD_MODEL_NOTIFY:
        say_object(v, "notify", s->target, to);
        break;
    case HD_MODEL_NOTIFY_ALL:
        say_object(v, "notifyall", s->target, to);
        break;
    case HD_MODEL_WAIT:
        say_wait(v, s, position - s->position, to);
        break;
    case HD_MODEL_ATOMIC:
        hd_model_tree_text(v->m->program->tree, s->at, s->end, to);
        break;
    default:
        say_assign(v, s, to);
    }
}

void hd_model_describe(hd_machine *machine, uint32_t thread, hd_vec_char *to) {
    hd_model_machine *m = hd_model_of(machine);
    const hd_model_operation *at = hd_model_at(m, thread);
    say_thread(m->program, thread, to);
    if (at->kind == HD_MODEL_OP_END) {
        hd_model_say(to, ": ended");
        return;
    }
    hd_model_say(to, ": ");
    if (at->rounds && hd_model_closes_round(m, thread) != HD_MODEL_NO_ROUND)
        hd_model_say(to, "wait in a loop: ");
    view v = {m, thread};
    say_statement(&v, m->program->tree->statements.data[at->position], at->position, to);
}

/* ---- Failures ---- */

static void say_index(const hd_model_machine *m, hd_vec_char *to) {
    const hd_model_array *array = &m->program->arrays.data[m->failure.array];
    hd_model_say(to, "index %" PRId64 " is outside %.100s[%u]: ", m->failure.index,
                 array->variable->name, array->size);
}

static void say_unheld(const hd_model_machine *m, const char *word, hd_vec_char *to) {
    hd_model_say(to, "%s without holding ", word);
    say_location(m->program, m->failure.cell, to);
    hd_model_say(to, ": ");
}

uint32_t hd_model_failed_position(const hd_machine *machine) {
    return hd_model_of_const(machine)->failure.position;
}

const char *hd_model_failed_rule(const hd_machine *machine) {
    static const char *const rules[] = {
        [HD_MODEL_NO_FAILURE] = "none",        [HD_MODEL_FAIL_ASSERTION] = "assertion",
        [HD_MODEL_FAIL_DIVISION] = "division", [HD_MODEL_FAIL_INDEX] = "index",
        [HD_MODEL_FAIL_UNLOCK] = "unlock",     [HD_MODEL_FAIL_WAIT] = "wait",
        [HD_MODEL_FAIL_LOCAL_LOOP] = "loop",   [HD_MODEL_FAIL_ATOMIC_LOOP] = "loop",
    };
    const hd_model_machine *m = hd_model_of_const(machine);
    const char *rule = NULL;
    if (m->failure.kind == HD_MODEL_FAIL_ASSERTION)
        rule = m->program->tree->statements.data[m->failure.position]->rule;
    return rule ? rule : rules[m->failure.kind];
}

void hd_model_failure_text(hd_machine *machine, hd_vec_char *to) {
    hd_model_machine *m = hd_model_of(machine);
    if (m->failure.kind == HD_MODEL_NO_FAILURE)
        return;
    hd_model_say(to, "%.200s:%u: ", m->program->tree->name,
                 hd_model_line(machine, m->failure.position));
    const hd_model_tree *tree = m->program->tree;
    const hd_model_statement *s = tree->statements.data[m->failure.position];
    switch (m->failure.kind) {
    case HD_MODEL_FAIL_ASSERTION:
        hd_model_say(to, "%s: ", s->wrong ? s->wrong : "assertion failed");
        if (s->wrong && !s->inner)
            break;
        hd_model_tree_text(tree, s->inner, s->end - 1, to);
        return;
    case HD_MODEL_FAIL_DIVISION:
        hd_model_say(to, "division by zero: ");
        break;
    case HD_MODEL_FAIL_INDEX:
        say_index(m, to);
        break;
    case HD_MODEL_FAIL_UNLOCK:
        say_unheld(m, "unlock", to);
        break;
    case HD_MODEL_FAIL_WAIT:
        say_unheld(m, "wait", to);
        break;
    case HD_MODEL_FAIL_ATOMIC_LOOP:
        hd_model_say(to, "an atomic block does not end: ");
        break;
    default:
        hd_model_say(to, "a loop that touches nothing shared does not end: ");
    }
    hd_model_text(machine, m->failure.position, to);
}
