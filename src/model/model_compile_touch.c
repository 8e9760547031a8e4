/*
 * What an operation's code touches: whether the operation is visible to other threads, and whether
 * its accesses are the same in every state.
 */
#include "model_compile.h"

/* ---- Accesses of an instruction ---- */

void hd_model_touched(hd_model_compiler *compiler, hd_model_touch *t, uint32_t location,
                      uint8_t mode) {
    if (location >= compiler->program->locations)
        return;
    t->shared = true;
    t->certainly |= !t->jumps && !t->may_fail;
    hd_vec_push(&compiler->program->accesses, (hd_machine_access){location, mode});
}

static bool is_state(const hd_model_compiler *compiler, uint32_t array) {
    return compiler->program->arrays.data[array].variable->kind != HD_MODEL_LOCAL;
}

static bool can_fail(const hd_model_compiler *compiler, const hd_model_instruction *i) {
    int64_t divisor;
    if (hd_model_divides(i->code))
        return !hd_model_compiler_known(compiler, i->b, &divisor) || divisor == 0;
    return i->code == HD_MODEL_ADDRESS || i->code == HD_MODEL_CHECK || i->code == HD_MODEL_HOLD;
}

/* An access through an address in a cell, which is known or not. */
static void touch_through(hd_model_compiler *compiler, hd_model_touch *t, uint32_t address,
                          uint8_t mode) {
    int64_t location;
    if (hd_model_compiler_known(compiler, address, &location)) {
        hd_model_touched(compiler, t, (uint32_t)location, mode);
        return;
    }
    /* It can point into any array; the address was computed just before. */
    t->computed = true;
}

static void touch_instruction(hd_model_compiler *compiler, hd_model_touch *t,
                              const hd_model_instruction *i) {
    switch (i->code) {
    case HD_MODEL_ADDRESS:
        hd_model_touched(compiler, t, i->b, HD_MACHINE_READ);
        t->shared |= is_state(compiler, i->a);
        break;
    case HD_MODEL_LOAD:
        touch_through(compiler, t, i->a, HD_MACHINE_READ);
        hd_model_touched(compiler, t, i->to, HD_MACHINE_WRITE);
        break;
    case HD_MODEL_STORE:
        hd_model_touched(compiler, t, i->a, HD_MACHINE_READ);
        touch_through(compiler, t, i->to, HD_MACHINE_WRITE);
        break;
    case HD_MODEL_COMPARE_SWAP:
        touch_through(compiler, t, i->a, HD_MACHINE_READ);
        hd_model_touched(compiler, t, i->to, HD_MACHINE_WRITE);
        t->computed = true;
        break;
    case HD_MODEL_JUMP:
    case HD_MODEL_DONE:
        break;
    default:
        hd_model_touched(compiler, t, i->a, HD_MACHINE_READ);
        if (i->code < HD_MODEL_BINARY_CODES)
            hd_model_touched(compiler, t, i->b, HD_MACHINE_READ);
        t->may_fail |= can_fail(compiler, i);
        if (i->code <= HD_MODEL_MOVE)
            hd_model_touched(compiler, t, i->to, HD_MACHINE_WRITE);
    }
    t->may_fail |= can_fail(compiler, i);
    t->jumps |= i->code >= HD_MODEL_JUMP && i->code <= HD_MODEL_JUMP_NONZERO;
}

/* ---- Do values of locations decide what is accessed? ---- */

typedef struct spread {
    hd_model_compiler *compiler;
    bool locals;  /* some local has a value read from a location */
    bool changed; /* something was added */
    bool decides;
} spread;

static bool is_of_shared(const spread *s, uint32_t cell) {
    const hd_model_program *program = s->compiler->program;
    if (cell < program->locations)
        return true;
    if (cell < program->states)
        return s->locals;
    if (cell >= program->first_constant)
        return false;
    uint32_t temporary = cell - program->states;
    return temporary >= HD_MODEL_TEMPORARIES || s->compiler->of_shared[temporary];
}

static void spread_to(spread *s, uint32_t cell) {
    const hd_model_program *program = s->compiler->program;
    if (cell < program->locations || is_of_shared(s, cell))
        return;
    if (cell >= program->first_constant)
        return;
    s->changed = true;
    if (cell < program->states)
        s->locals = true;
    else
        s->compiler->of_shared[cell - program->states] = 1;
}

static void spread_instruction(spread *s, const hd_model_instruction *i) {
    bool a = is_of_shared(s, i->a), b = i->code < HD_MODEL_BINARY_CODES && is_of_shared(s, i->b);
    switch (i->code) {
    case HD_MODEL_ADDRESS:
        s->decides |= is_of_shared(s, i->b);
        return;
    case HD_MODEL_COMPARE_SWAP:
        s->decides = true;
        return;
    case HD_MODEL_LOAD: /* from an array of locations or one that may be */
        spread_to(s, i->to);
        return;
    case HD_MODEL_STORE:
        s->changed |= a && !s->locals;
        s->locals |= a;
        return;
    case HD_MODEL_JUMP:
    case HD_MODEL_DONE:
        return;
    case HD_MODEL_JUMP_ZERO:
    case HD_MODEL_JUMP_NONZERO:
    case HD_MODEL_CHECK:
    case HD_MODEL_HOLD:
        s->decides |= a;
        return;
    default:
        s->decides |= b && hd_model_divides(i->code);
        if (a || b)
            spread_to(s, i->to);
    }
}

/* Propagates along the code, on whatever path; if the code jumps back, again until nothing is
 * added. */
static bool access_varies(hd_model_compiler *compiler, uint32_t code) {
    spread s = {.compiler = compiler};
    bool loops;
    do {
        loops = s.changed = false;
        for (uint32_t i = code; i < hd_model_compiler_here(compiler); i++) {
            const hd_model_instruction *instruction = &compiler->program->code.data[i];
            spread_instruction(&s, instruction);
            loops |= instruction->code == HD_MODEL_JUMP && instruction->to <= i;
        }
    } while (loops && s.changed && !s.decides);
    memset(compiler->of_shared, 0, sizeof compiler->of_shared);
    return s.decides;
}

/* ---- Kinds of operations ---- */

static bool is_notify(const hd_model_operation *operation) {
    return operation->kind == HD_MODEL_OP_NOTIFY || operation->kind == HD_MODEL_OP_NOTIFY_ALL;
}

void hd_model_classify(hd_model_compiler *compiler, hd_model_operation *operation,
                       hd_model_touch t) {
    hd_model_program *program = compiler->program;
    uint32_t first = operation->accesses;
    for (uint32_t i = operation->code; i < hd_model_compiler_here(compiler); i++)
        touch_instruction(compiler, &t, &program->code.data[i]);
    bool chooses = operation->kind == HD_MODEL_OP_CHOOSE; /* a step even if it touches nothing */
    operation->visibility = chooses       ? HD_MODEL_VISIBLE
                            : !t.shared   ? HD_MODEL_INVISIBLE
                            : t.certainly ? HD_MODEL_VISIBLE
                                          : HD_MODEL_PERHAPS;
    program->fails_unseen |= operation->visibility == HD_MODEL_INVISIBLE &&
                             (t.may_fail || operation->kind == HD_MODEL_OP_ASSERT);
    operation->fixed = !t.jumps && !t.may_fail && !t.computed && !chooses;
    operation->varies =
        !operation->fixed && (is_notify(operation) || access_varies(compiler, operation->code));
    program->picks_locks |= operation->kind == HD_MODEL_OP_LOCK && operation->varies;
    uint32_t count = (uint32_t)program->accesses.length - first;
    if (operation->fixed)
        operation->access_count = hd_model_merge(program->accesses.data + first, count);
    program->accesses.length = first + operation->access_count;
}

/* ---- Sets of accesses ---- */

static int by_location(const void *a, const void *b) {
    uint32_t x = ((const hd_machine_access *)a)->location;
    uint32_t y = ((const hd_machine_access *)b)->location;
    return (x > y) - (x < y);
}

static uint32_t merge_many(hd_machine_access *accesses, uint32_t count) {
    uint32_t kept = 0;
    qsort(accesses, count, sizeof *accesses, by_location);
    for (uint32_t i = 1; i < count; i++) {
        if (accesses[i].location != accesses[kept].location)
            accesses[++kept] = accesses[i];
        else
            accesses[kept].mode |= accesses[i].mode;
    }
    return kept + 1;
}

uint32_t hd_model_merge(hd_machine_access *accesses, uint32_t count) {
    uint32_t kept = 0;
    if (count > 32)
        return merge_many(accesses, count);
    for (uint32_t i = 0; i < count; i++) {
        hd_machine_access access = accesses[i];
        uint32_t at = kept;
        while (at > 0 && accesses[at - 1].location > access.location)
            at--;
        if (at > 0 && accesses[at - 1].location == access.location) {
            accesses[at - 1].mode |= access.mode;
            continue;
        }
        memmove(&accesses[at + 1], &accesses[at], (kept - at) * sizeof *accesses);
        accesses[at] = access;
        kept++;
    }
    return kept;
}
