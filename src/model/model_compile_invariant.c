/*
 * Invariants.  Where an operation may write a variable of one, the operation's code ends by
 * evaluating the invariant, as an assertion: so it reads the other variables, and depends on the
 * operations that write them.
 */
#include "model_compile.h"

/* The array in which the address in a temporary lies; NULL: not known. */
static const hd_model_array *array_at(const hd_model_compiler *compiler, uint32_t code, uint32_t at,
                                      uint32_t address) {
    while (at-- > code) {
        const hd_model_instruction *i = &compiler->program->code.data[at];
        if (i->code == HD_MODEL_ADDRESS && i->to == address)
            return &compiler->program->arrays.data[i->a];
    }
    return NULL;
}

/* May the instruction write to a cell of the variable? */
static bool may_write(const hd_model_compiler *compiler, uint32_t code, uint32_t at,
                      const hd_model_variable *v) {
    const hd_model_instruction *i = &compiler->program->code.data[at];
    int64_t cell = i->to;
    if (i->code >= HD_MODEL_JUMP)
        return false;
    if (i->code == HD_MODEL_STORE || i->code == HD_MODEL_COMPARE_SWAP) {
        uint32_t address = i->code == HD_MODEL_STORE ? i->to : i->a;
        if (!hd_model_compiler_known(compiler, address, &cell)) {
            const hd_model_array *array = array_at(compiler, code, at, address);
            return !array || array->variable == v;
        }
    }
    return cell - (int64_t)v->first >= 0 && cell - (int64_t)v->first < (int64_t)v->size;
}

static bool may_change(const hd_model_compiler *compiler, uint32_t code, uint32_t end,
                       const hd_model_expression *e) {
    if (!e)
        return false;
    if (e->kind == HD_MODEL_USE)
        for (uint32_t at = code; at < end; at++)
            if (may_write(compiler, code, at, e->variable))
                return true;
    return may_change(compiler, code, end, e->a) || may_change(compiler, code, end, e->b) ||
           may_change(compiler, code, end, e->c);
}

void hd_model_compiler_invariants(hd_model_compiler *compiler, uint32_t code, uint32_t value) {
    const hd_model_tree *tree = compiler->program->tree;
    uint32_t position = compiler->position, end = hd_model_compiler_here(compiler);
    for (size_t k = 0; k < tree->invariants.length; k++) {
        const hd_model_statement *s = tree->invariants.data[k];
        if (!may_change(compiler, code, end, s->value))
            continue;
        uint32_t over = HD_MODEL_NOWHERE;
        if (value != HD_MODEL_NOWHERE)
            over = hd_model_compiler_emit(compiler, HD_MODEL_JUMP_ZERO, 0, value, 0);
        compiler->position = s->position;
        hd_model_compiler_emit(compiler, HD_MODEL_CHECK, 0,
                               hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE),
                               0);
        compiler->position = position;
        if (over != HD_MODEL_NOWHERE)
            hd_model_compiler_land(compiler, over);
    }
}

/* Code that checks each of them alone, for the first state. */
void hd_model_compiler_first_state(hd_model_compiler *compiler) {
    hd_model_program *program = compiler->program;
    compiler->thread = 0;
    for (size_t k = 0; k < program->tree->invariants.length; k++) {
        const hd_model_statement *s = program->tree->invariants.data[k];
        hd_vec_push(&program->invariants, hd_model_compiler_here(compiler));
        compiler->position = s->position;
        compiler->temporaries = 0;
        hd_model_compiler_emit(compiler, HD_MODEL_CHECK, 0,
                               hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE),
                               0);
        hd_model_compiler_emit(compiler, HD_MODEL_DONE, 0, 0, 0);
    }
}
