/*
 * Expressions to code.  What is constant for this instance (id, parameters, and expressions of
 * these) is computed here and costs nothing later.
 */
#include "model_compile.h"

/* ---- Cells ---- */

uint32_t hd_model_compiler_temporary(hd_model_compiler *compiler) {
    assert(compiler->temporaries + 1 < HD_MODEL_TEMPORARIES); /* the last is the choice */
    return compiler->program->states + compiler->temporaries++;
}

uint32_t hd_model_compiler_constant(hd_model_compiler *compiler, int64_t value) {
    bool added;
    uint32_t *number = hd_map_at(&compiler->constants, (uint64_t)value, &added);
    if (added) {
        *number = (uint32_t)compiler->program->constants.length;
        hd_vec_push(&compiler->program->constants, value);
    }
    return compiler->program->first_constant + *number;
}

bool hd_model_compiler_known(const hd_model_compiler *compiler, uint32_t cell, int64_t *value) {
    if (cell < compiler->program->first_constant)
        return false;
    *value = compiler->program->constants.data[cell - compiler->program->first_constant];
    return true;
}

/* ---- Instructions ---- */

uint32_t hd_model_compiler_here(const hd_model_compiler *compiler) {
    return (uint32_t)compiler->program->code.length;
}

uint32_t hd_model_compiler_emit(hd_model_compiler *compiler, enum hd_model_code code, uint32_t to,
                                uint32_t a, uint32_t b) {
    hd_model_program *program = compiler->program;
    if (program->code.length >= HD_MODEL_MAX_INSTRUCTIONS) {
        compiler->too_large = true;
        return HD_MODEL_MAX_INSTRUCTIONS - 1;
    }
    hd_model_instruction instruction = {.to = to, .a = a, .b = b};
    instruction.code = (unsigned)code & 255;
    instruction.position = compiler->position & 0xffffff;
    hd_vec_push(&program->code, instruction);
    return (uint32_t)program->code.length - 1;
}

void hd_model_compiler_land(hd_model_compiler *compiler, uint32_t jump) {
    compiler->program->code.data[jump].to = hd_model_compiler_here(compiler);
}

/* Where a partial value can be put: not yet where it is wanted, since that may still be read. */
static uint32_t scratch_cell(hd_model_compiler *compiler, uint32_t wanted, uint32_t to) {
    return wanted == HD_MODEL_NOWHERE ? to : hd_model_compiler_temporary(compiler);
}

/* The value is in `cell`; now it must be where it is wanted.  A shared variable is read and written
 * even if the value is already there: other threads may act around `a = a`. */
static uint32_t deliver_value(hd_model_compiler *compiler, uint32_t cell, uint32_t wanted) {
    bool shared = cell < compiler->program->locations;
    if (wanted == HD_MODEL_NOWHERE || (wanted == cell && !shared))
        return cell;
    hd_model_compiler_emit(compiler, HD_MODEL_MOVE, wanted, cell, 0);
    return wanted;
}

/* ---- Variables ---- */

static uint32_t array_number(hd_model_compiler *compiler, const hd_model_variable *variable) {
    hd_model_program *program = compiler->program;
    uint32_t first = hd_model_cell(program, compiler->thread, variable, 0);
    /* Empty arrays share their first cell with what follows. */
    uint64_t key = (uint64_t)first << 25 | variable->size;
    bool added;
    uint32_t *number = hd_map_at(&compiler->arrays, key, &added);
    if (added) {
        *number = (uint32_t)program->arrays.length;
        hd_vec_push(&program->arrays, (hd_model_array){variable, first, variable->size});
    }
    return *number;
}

uint32_t hd_model_compiler_address(hd_model_compiler *compiler, const hd_model_expression *use,
                                   uint32_t *direct) {
    const hd_model_variable *variable = use->variable;
    *direct = HD_MODEL_NOWHERE;
    uint32_t index = HD_MODEL_NOWHERE;
    int64_t element = 0;
    if (use->a)
        index = hd_model_compiler_expression(compiler, use->a, HD_MODEL_NOWHERE);
    if (!use->a || (hd_model_compiler_known(compiler, index, &element) && element >= 0 &&
                    element < variable->size)) {
        *direct = hd_model_cell(compiler->program, compiler->thread, variable, (uint32_t)element);
        return hd_model_compiler_constant(compiler, *direct);
    }
    uint32_t to = hd_model_compiler_temporary(compiler);
    hd_model_compiler_emit(compiler, HD_MODEL_ADDRESS, to, array_number(compiler, variable), index);
    return to;
}

/* The functions below take the cell where the value is wanted, or nowhere, and the cell to put it
 * in if it must be stored: that one, or a temporary. */
static uint32_t use_of(hd_model_compiler *compiler, const hd_model_expression *e, uint32_t wanted,
                       uint32_t to) {
    uint32_t direct;
    uint32_t address = hd_model_compiler_address(compiler, e, &direct);
    if (direct != HD_MODEL_NOWHERE)
        return deliver_value(compiler, direct, wanted);
    hd_model_compiler_emit(compiler, HD_MODEL_LOAD, to, address, 0);
    return to;
}

void hd_model_compiler_assign(hd_model_compiler *compiler, const hd_model_expression *target,
                              const hd_model_expression *value) {
    uint32_t direct;
    uint32_t address = hd_model_compiler_address(compiler, target, &direct);
    uint32_t cell = hd_model_compiler_expression(compiler, value, direct);
    if (direct == HD_MODEL_NOWHERE)
        hd_model_compiler_emit(compiler, HD_MODEL_STORE, address, cell, 0);
}

/* ---- Operators ---- */

static uint32_t compile_unary(hd_model_compiler *compiler, const hd_model_expression *e,
                              uint32_t wanted, uint32_t to) {
    uint32_t a = hd_model_compiler_expression(compiler, e->a, HD_MODEL_NOWHERE);
    int64_t value;
    if (hd_model_compiler_known(compiler, a, &value)) {
        value = hd_model_apply_unary(e->operation, value);
        return deliver_value(compiler, hd_model_compiler_constant(compiler, value), wanted);
    }
    hd_model_compiler_emit(compiler, e->operation, to, a, 0);
    return to;
}

/* An operand that a cas later in the expression could change is taken first. */
static uint32_t left_operand(hd_model_compiler *compiler, const hd_model_expression *e,
                             const hd_model_expression *later) {
    uint32_t cell = hd_model_compiler_expression(compiler, e, HD_MODEL_NOWHERE);
    if (!later->swaps || cell >= compiler->program->locations)
        return cell;
    return deliver_value(compiler, cell, hd_model_compiler_temporary(compiler));
}

static uint32_t apply_operator(hd_model_compiler *compiler, enum hd_model_code code, uint32_t a,
                               uint32_t b, uint32_t wanted, uint32_t to) {
    int64_t left, right;
    if (hd_model_compiler_known(compiler, a, &left) &&
        hd_model_compiler_known(compiler, b, &right) && !(hd_model_divides(code) && right == 0)) {
        int64_t value = hd_model_apply(code, left, right);
        return deliver_value(compiler, hd_model_compiler_constant(compiler, value), wanted);
    }
    hd_model_compiler_emit(compiler, code, to, a, b);
    return to;
}

static uint32_t compile_binary(hd_model_compiler *compiler, const hd_model_expression *e,
                               uint32_t wanted, uint32_t to) {
    uint32_t a = left_operand(compiler, e->a, e->b);
    uint32_t b = hd_model_compiler_expression(compiler, e->b, HD_MODEL_NOWHERE);
    return apply_operator(compiler, e->operation, a, b, wanted, to);
}

/* Can an expression be evaluated whether or not it is needed: nothing shared is
 * read, nothing can fail? */
static bool is_harmless(const hd_model_expression *e) {
    if (!e)
        return true;
    if (e->shared || (e->kind == HD_MODEL_USE && e->a && e->a->kind != HD_MODEL_NUMBER) ||
        (e->kind == HD_MODEL_BINARY && hd_model_divides(e->operation)))
        return false;
    if (e->kind == HD_MODEL_USE && e->a && (uint64_t)e->a->value >= e->variable->size)
        return false;
    return is_harmless(e->a) && is_harmless(e->b) && is_harmless(e->c);
}

/* && and ||, whose right side counts only if the left one is not enough. */
static uint32_t compile_logical(hd_model_compiler *compiler, const hd_model_expression *e,
                                uint32_t wanted, uint32_t to) {
    bool both = e->kind == HD_MODEL_AND;
    enum hd_model_code code = both ? HD_MODEL_BOTH : HD_MODEL_ANY;
    uint32_t a = left_operand(compiler, e->a, e->b);
    int64_t left;
    bool known = hd_model_compiler_known(compiler, a, &left);
    if (known && (left != 0) != both)
        return deliver_value(compiler, hd_model_compiler_constant(compiler, !both), wanted);
    if (known || is_harmless(e->b)) {
        uint32_t b = hd_model_compiler_expression(compiler, e->b, HD_MODEL_NOWHERE);
        return apply_operator(compiler, code, a, b, wanted, to);
    }
    uint32_t result = scratch_cell(compiler, wanted, to);
    hd_model_compiler_emit(compiler, HD_MODEL_UNEQUAL, result, a,
                           hd_model_compiler_constant(compiler, 0));
    uint32_t jump = hd_model_compiler_emit(
        compiler, both ? HD_MODEL_JUMP_ZERO : HD_MODEL_JUMP_NONZERO, 0, result, 0);
    uint32_t b = hd_model_compiler_expression(compiler, e->b, HD_MODEL_NOWHERE);
    hd_model_compiler_emit(compiler, HD_MODEL_UNEQUAL, result, b,
                           hd_model_compiler_constant(compiler, 0));
    hd_model_compiler_land(compiler, jump);
    return deliver_value(compiler, result, wanted);
}

static uint32_t compile_choice(hd_model_compiler *compiler, const hd_model_expression *e,
                               uint32_t wanted, uint32_t to) {
    uint32_t a = hd_model_compiler_expression(compiler, e->a, HD_MODEL_NOWHERE);
    int64_t known;
    if (hd_model_compiler_known(compiler, a, &known))
        return hd_model_compiler_expression(compiler, known ? e->b : e->c, wanted);
    uint32_t result = scratch_cell(compiler, wanted, to);
    uint32_t jump = hd_model_compiler_emit(compiler, HD_MODEL_JUMP_ZERO, 0, a, 0);
    hd_model_compiler_expression(compiler, e->b, result);
    uint32_t end = hd_model_compiler_emit(compiler, HD_MODEL_JUMP, 0, 0, 0);
    hd_model_compiler_land(compiler, jump);
    hd_model_compiler_expression(compiler, e->c, result);
    hd_model_compiler_land(compiler, end);
    return deliver_value(compiler, result, wanted);
}

/* The expected and the new value stand side by side. */
static uint32_t compile_swap(hd_model_compiler *compiler, const hd_model_expression *e,
                             uint32_t to) {
    uint32_t direct;
    uint32_t address = hd_model_compiler_address(compiler, e->a, &direct);
    uint32_t pair = hd_model_compiler_temporary(compiler);
    hd_model_compiler_temporary(compiler);
    hd_model_compiler_expression(compiler, e->b, pair);
    hd_model_compiler_expression(compiler, e->c, pair + 1);
    hd_model_compiler_emit(compiler, HD_MODEL_COMPARE_SWAP, to, address, pair);
    return to;
}

static uint32_t of_kind(hd_model_compiler *compiler, const hd_model_expression *e, uint32_t wanted,
                        uint32_t to) {
    int64_t value = e->value;
    switch (e->kind) {
    case HD_MODEL_USE:
        return use_of(compiler, e, wanted, to);
    case HD_MODEL_UNARY:
        return compile_unary(compiler, e, wanted, to);
    case HD_MODEL_BINARY:
        return compile_binary(compiler, e, wanted, to);
    case HD_MODEL_AND:
    case HD_MODEL_OR:
        return compile_logical(compiler, e, wanted, to);
    case HD_MODEL_CHOOSE:
        return compile_choice(compiler, e, wanted, to);
    case HD_MODEL_SWAP:
        return compile_swap(compiler, e, to);
    case HD_MODEL_ID:
        value = compiler->program->instances[compiler->thread].id;
        break;
    case HD_MODEL_SELF:
        value = (int64_t)compiler->thread + 1;
        break;
    case HD_MODEL_CHOICE:
        return deliver_value(compiler, hd_model_choice_cell(compiler->program), wanted);
    default:
        assert(e->kind == HD_MODEL_NUMBER);
    }
    return deliver_value(compiler, hd_model_compiler_constant(compiler, value), wanted);
}

uint32_t hd_model_compiler_expression(hd_model_compiler *compiler, const hd_model_expression *e,
                                      uint32_t wanted) {
    uint32_t mark = compiler->temporaries;
    uint32_t to = wanted == HD_MODEL_NOWHERE ? hd_model_compiler_temporary(compiler) : wanted;
    uint32_t cell = of_kind(compiler, e, wanted, to);
    /* All temporaries but the one with the value are free again. */
    compiler->temporaries = mark + (wanted == HD_MODEL_NOWHERE && cell == to);
    return cell;
}
