/*
 * The two static checks by which sections are found in Metzler, Saissi, Bokor,
 * Hesse, Suri: Efficient Verification of Program Fragments: Eager POR (ATVA
 * 2016), section 3.2: which statements are branching transitions, and which
 * variables can influence the address that a statement accesses.
 *
 * Both follow values from variable to variable through assignments, whatever
 * the order of statements, until nothing is added: an over-approximation.
 * hd_machine_type.ahead does not use them; it follows the values of a state.
 */
#include "model_syntax.h"
#include "model_words.h"

enum { TO_ADDRESS = 1, TO_CONDITION = 2 };

/* An atomic block: what is assigned in it depends on all its conditions. */
typedef struct block {
    unsigned reached; /* TO_..., by what is assigned in it */
    HD_VEC(const hd_model_expression *) conditions;
} block;

/* An assignment to a variable. */
typedef struct hd_model_source {
    const hd_model_statement *statement;
    block *block; /* NULL: not in an atomic block */
    struct hd_model_source *next;
} hd_model_source;

typedef struct flow {
    hd_model_tree *tree;
    HD_VEC(hd_model_variable *) changed; /* whose sources are still to be followed */
    HD_VEC(block *) blocks;
    block *block; /* the current one, NULL outside */
} flow;

/* The tree is ours; it is const only for code that walks over it. */
static hd_model_variable *own_variable(const hd_model_variable *variable) {
    return (hd_model_variable *)(uintptr_t)variable;
}

/* The values of all variables of an expression reach there. */
static void reach_from(flow *f, const hd_model_expression *e, unsigned where) {
    if (!e)
        return;
    if (e->kind == HD_MODEL_USE) {
        hd_model_variable *v = own_variable(e->variable);
        bool address = v->to_address || (where & TO_ADDRESS);
        bool condition = v->to_condition || (where & TO_CONDITION);
        if (address != v->to_address || condition != v->to_condition)
            hd_vec_push(&f->changed, v);
        v->to_address = address;
        v->to_condition = condition;
    }
    reach_from(f, e->a, where);
    reach_from(f, e->b, where);
    reach_from(f, e->c, where);
}

static bool reads_shared(const hd_model_expression *e) {
    return e && e->shared;
}

/* Points inside an expression at which values decide what is accessed. */
static void find_deciding(flow *f, const hd_model_expression *e) {
    if (!e)
        return;
    switch (e->kind) {
    case HD_MODEL_USE:
        reach_from(f, e->a, TO_ADDRESS);
        break;
    case HD_MODEL_SWAP:
        reach_from(f, e->a, TO_ADDRESS);
        reach_from(f, e->b, TO_ADDRESS);
        break;
    case HD_MODEL_AND:
    case HD_MODEL_OR:
    case HD_MODEL_CHOOSE:
        if (reads_shared(e->b) || reads_shared(e->c))
            reach_from(f, e->a, TO_ADDRESS);
        break;
    case HD_MODEL_BINARY:
        if (hd_model_divides(e->operation))
            reach_from(f, e->b, TO_ADDRESS);
        break;
    default:
        break;
    }
    find_deciding(f, e->a);
    find_deciding(f, e->b);
    find_deciding(f, e->c);
}

static void add_source(flow *f, const hd_model_statement *s) {
    hd_model_variable *v = own_variable(s->target->variable);
    hd_model_source *source = hd_arena_alloc(&f->tree->arena, sizeof *source);
    *source = (hd_model_source){s, f->block, v->sources};
    v->sources = source;
}

/* A condition decides what a thread does next, in an atomic block what it accesses. */
static void add_condition(flow *f, const hd_model_statement *s) {
    bool inner = f->block && s->kind != HD_MODEL_ASSERT;
    reach_from(f, s->value, inner ? TO_ADDRESS : TO_CONDITION);
    if (inner)
        hd_vec_push(&f->block->conditions, s->value);
}

static void gather_flows(flow *f, const hd_model_statement *s) {
    for (; s; s = s->next) {
        find_deciding(f, s->target);
        find_deciding(f, s->value);
        find_deciding(f, s->high);
        if (s->kind == HD_MODEL_PICK) {
            reach_from(f, s->value, TO_ADDRESS);
            reach_from(f, s->high, TO_ADDRESS);
        }
        if (s->kind == HD_MODEL_IF || s->kind == HD_MODEL_WHILE || s->kind == HD_MODEL_AWAIT ||
            s->kind == HD_MODEL_ASSUME || s->kind == HD_MODEL_ASSERT)
            add_condition(f, s);
        if (s->kind == HD_MODEL_ASSIGN || s->kind == HD_MODEL_PICK)
            add_source(f, s);
        if (s->kind == HD_MODEL_ATOMIC) {
            f->block = HD_NEW(block);
            hd_vec_push(&f->blocks, f->block);
        }
        gather_flows(f, s->body);
        gather_flows(f, s->otherwise);
        if (s->kind == HD_MODEL_ATOMIC)
            f->block = NULL;
    }
}

/* What is assigned to a variable reaches what the variable reaches. */
static void follow_variable(flow *f, const hd_model_variable *v) {
    unsigned where = (v->to_address ? TO_ADDRESS : 0u) | (v->to_condition ? TO_CONDITION : 0u);
    for (const hd_model_source *source = v->sources; source; source = source->next) {
        reach_from(f, source->statement->value, where);
        reach_from(f, source->statement->target->a, where);
        block *b = source->block;
        if (!b || (b->reached | where) == b->reached)
            continue;
        b->reached |= where;
        for (size_t i = 0; i < b->conditions.length; i++)
            reach_from(f, b->conditions.data[i], where);
    }
}

static void free_blocks(flow *f) {
    for (size_t i = 0; i < f->blocks.length; i++) {
        hd_vec_release(&f->blocks.data[i]->conditions);
        free(f->blocks.data[i]);
    }
    hd_vec_release(&f->blocks);
}

/* ---- Branching transitions ---- */

typedef struct contents {
    bool shared;    /* something shared is read */
    bool asserts;   /* there is an assertion */
    bool condition; /* a local is assigned that reaches a condition */
} contents;

static void look_into(const hd_model_statement *s, contents *c) {
    for (; s; s = s->next) {
        c->shared |= reads_shared(s->value) || (s->target && reads_shared(s->target->a));
        c->asserts |= s->kind == HD_MODEL_ASSERT;
        if (s->kind == HD_MODEL_ASSIGN && s->target)
            c->condition |=
                s->target->variable->kind == HD_MODEL_LOCAL && s->target->variable->to_condition;
        look_into(s->body, c);
        look_into(s->otherwise, c);
    }
}

static bool is_branching(const hd_model_statement *s) {
    contents c = {0};
    switch (s->kind) {
    case HD_MODEL_IF:
    case HD_MODEL_WHILE:
    case HD_MODEL_ASSERT:
        return s->value->shared;
    case HD_MODEL_PICK:
        return true;
    case HD_MODEL_ASSIGN:
        return s->target->variable->kind == HD_MODEL_LOCAL && s->target->variable->to_condition &&
               (s->value->shared || reads_shared(s->target->a));
    case HD_MODEL_ATOMIC:
        look_into(s->body, &c);
        return c.shared && (c.asserts || c.condition);
    default:
        return false;
    }
}

/* Statements inside an atomic block are not transitions. */
static void mark_branching(hd_model_statement *s) {
    for (; s; s = s->next) {
        s->branching = is_branching(s);
        if (s->kind == HD_MODEL_ATOMIC)
            continue;
        mark_branching(s->body);
        mark_branching(s->otherwise);
    }
}

void hd_model_tree_influence(hd_model_tree *tree) {
    flow f = {.tree = tree};
    for (const hd_model_thread *t = tree->threads; t; t = t->next)
        gather_flows(&f, t->body);
    while (f.changed.length > 0)
        follow_variable(&f, hd_vec_pop(&f.changed));
    for (const hd_model_thread *t = tree->threads; t; t = t->next)
        mark_branching(t->body);
    hd_vec_release(&f.changed);
    free_blocks(&f);
}

/* ---- For others ---- */

static const hd_model_tree *tree_of(const hd_machine *machine) {
    return hd_model_of_const(machine)->program->tree;
}

bool hd_model_is_branching(const hd_machine *machine, uint32_t position) {
    const hd_model_tree *tree = tree_of(machine);
    assert(position < tree->statements.length);
    return tree->statements.data[position]->branching;
}

bool hd_model_sets_address(const hd_machine *machine, uint32_t location) {
    assert(location < machine->locations);
    for (const hd_model_variable *v = tree_of(machine)->variables; v; v = v->next)
        if (location - v->first < v->size)
            return v->to_address;
    return false; /* a flag */
}

void hd_model_explain(const hd_machine *machine, hd_vec_char *to) {
    const hd_model_tree *tree = tree_of(machine);
    for (uint32_t i = 0; i < tree->statements.length; i++) {
        const hd_model_statement *s = tree->statements.data[i];
        if (!s->branching)
            continue;
        hd_model_say(to, "%.200s:%u: branching: ", tree->name, s->line);
        hd_model_text(machine, i, to);
        hd_model_say(to, "\n");
    }
    for (const hd_model_variable *v = tree->variables; v; v = v->next)
        if (v->to_address)
            hd_model_say(to, "%.200s: reaches an address\n", v->name);
}
