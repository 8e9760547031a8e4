/*
 * Statements to operations, for each instance of each thread, and the layout of
 * cells.
 */
#include "model_compile.h"

static void statement(hd_model_compiler *compiler, const hd_model_statement *s);

/* ---- What an operation's code touches ---- */

typedef struct touch {
    bool jumps;     /* some of the code may not be run */
    bool may_fail;  /* or be left before its end */
    bool shared;    /* touches a location, perhaps */
    bool certainly; /* and in any case */
    bool computed;  /* one that is not known before it runs */
} touch;

static void touched(hd_model_compiler *compiler, touch *t, uint32_t location, uint8_t mode) {
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
static void touch_through(hd_model_compiler *compiler, touch *t, uint32_t address, uint8_t mode) {
    int64_t location;
    if (hd_model_compiler_known(compiler, address, &location)) {
        touched(compiler, t, (uint32_t)location, mode);
        return;
    }
    /* It can point into any array; the address was computed just before. */
    t->computed = true;
}

static void touch_instruction(hd_model_compiler *compiler, touch *t,
                              const hd_model_instruction *i) {
    switch (i->code) {
    case HD_MODEL_ADDRESS:
        touched(compiler, t, i->b, HD_MACHINE_READ);
        t->shared |= is_state(compiler, i->a);
        break;
    case HD_MODEL_LOAD:
        touch_through(compiler, t, i->a, HD_MACHINE_READ);
        touched(compiler, t, i->to, HD_MACHINE_WRITE);
        break;
    case HD_MODEL_STORE:
        touched(compiler, t, i->a, HD_MACHINE_READ);
        touch_through(compiler, t, i->to, HD_MACHINE_WRITE);
        break;
    case HD_MODEL_COMPARE_SWAP:
        touch_through(compiler, t, i->a, HD_MACHINE_READ);
        touched(compiler, t, i->to, HD_MACHINE_WRITE);
        t->computed = true;
        break;
    case HD_MODEL_JUMP:
    case HD_MODEL_DONE:
        break;
    default:
        touched(compiler, t, i->a, HD_MACHINE_READ);
        if (i->code < HD_MODEL_BINARY_CODES)
            touched(compiler, t, i->b, HD_MACHINE_READ);
        t->may_fail |= can_fail(compiler, i);
        if (i->code <= HD_MODEL_MOVE)
            touched(compiler, t, i->to, HD_MACHINE_WRITE);
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

static bool of_shared(const spread *s, uint32_t cell) {
    const hd_model_program *program = s->compiler->program;
    if (cell < program->locations)
        return true;
    if (cell < program->states)
        return s->locals;
    return cell < program->first_constant && s->compiler->of_shared[cell - program->states];
}

static void spread_to(spread *s, uint32_t cell) {
    const hd_model_program *program = s->compiler->program;
    if (cell < program->locations || of_shared(s, cell))
        return;
    s->changed = true;
    if (cell < program->states)
        s->locals = true;
    else
        s->compiler->of_shared[cell - program->states] = 1;
}

static void spread_one(spread *s, const hd_model_instruction *i) {
    bool a = of_shared(s, i->a), b = i->code < HD_MODEL_BINARY_CODES && of_shared(s, i->b);
    switch (i->code) {
    case HD_MODEL_ADDRESS:
        s->decides |= of_shared(s, i->b);
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
static bool varies(hd_model_compiler *compiler, uint32_t code) {
    spread s = {.compiler = compiler};
    bool loops;
    do {
        loops = s.changed = false;
        for (uint32_t i = code; i < hd_model_compiler_here(compiler); i++) {
            const hd_model_instruction *instruction = &compiler->program->code.data[i];
            spread_one(&s, instruction);
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

/* Decides whether an operation is visible and its accesses are fixed.  `t` has what it touches
 * besides its code. */
static void classify(hd_model_compiler *compiler, hd_model_operation *operation, touch t) {
    hd_model_program *program = compiler->program;
    uint32_t first = operation->accesses;
    for (uint32_t i = operation->code; i < hd_model_compiler_here(compiler); i++)
        touch_instruction(compiler, &t, &program->code.data[i]);
    operation->visibility = !t.shared     ? HD_MODEL_INVISIBLE
                            : t.certainly ? HD_MODEL_VISIBLE
                                          : HD_MODEL_PERHAPS;
    program->fails_unseen |= operation->visibility == HD_MODEL_INVISIBLE &&
                             (t.may_fail || operation->kind == HD_MODEL_OP_ASSERT);
    operation->fixed = !t.jumps && !t.may_fail && !t.computed;
    operation->varies =
        !operation->fixed && (is_notify(operation) || varies(compiler, operation->code));
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

/* ---- Operations ---- */

static uint32_t here(const hd_model_compiler *compiler) {
    return (uint32_t)compiler->program->operations.length;
}

static hd_model_operation start(const hd_model_compiler *compiler, uint8_t kind) {
    return (hd_model_operation){.kind = kind,
                                .code = hd_model_compiler_here(compiler),
                                .next = here(compiler) + 1,
                                .otherwise = here(compiler) + 1,
                                .accesses = (uint32_t)compiler->program->accesses.length,
                                .position = compiler->position};
}

/* Ends an operation's code and enters the operation; returns its number. */
static uint32_t finish(hd_model_compiler *compiler, hd_model_operation operation, touch beside) {
    hd_model_program *program = compiler->program;
    hd_model_compiler_emit(compiler, HD_MODEL_DONE, 0, 0, 0);
    classify(compiler, &operation, beside);
    if (program->operations.length >= HD_MODEL_MAX_INSTRUCTIONS)
        compiler->too_large = true;
    if (!compiler->too_large)
        hd_vec_push(&program->operations, operation);
    compiler->temporaries = 0;
    return here(compiler) - 1;
}

static uint32_t plain(hd_model_compiler *compiler, uint8_t kind) {
    return finish(compiler, start(compiler, kind), (touch){0});
}

static void set_next(hd_model_compiler *compiler, uint32_t operation, uint32_t next) {
    if (!compiler->too_large)
        compiler->program->operations.data[operation].next = next;
}

static void set_otherwise(hd_model_compiler *compiler, uint32_t operation, uint32_t otherwise) {
    if (!compiler->too_large)
        compiler->program->operations.data[operation].otherwise = otherwise;
}

static void jump(hd_model_compiler *compiler, uint32_t to) {
    set_next(compiler, plain(compiler, HD_MODEL_OP_GOTO), to);
}

/* An operation that has a condition: its value is in a temporary or a local. */
static uint32_t conditional(hd_model_compiler *compiler, uint8_t kind,
                            const hd_model_expression *condition) {
    hd_model_operation operation = start(compiler, kind);
    operation.value = hd_model_compiler_expression(compiler, condition, HD_MODEL_NOWHERE);
    operation.awaits = kind == HD_MODEL_OP_AWAIT;
    if (operation.value < compiler->program->locations) {
        uint32_t shared = operation.value;
        operation.value = hd_model_compiler_temporary(compiler);
        hd_model_compiler_emit(compiler, HD_MODEL_MOVE, operation.value, shared, 0);
    }
    return finish(compiler, operation, (touch){0});
}

/* An object that the operation accesses besides what its code does. */
static uint32_t object(hd_model_compiler *compiler, const hd_model_expression *e, uint8_t mode,
                       touch *t) {
    uint32_t direct;
    uint32_t cell = hd_model_compiler_address(compiler, e, &direct);
    if (direct == HD_MODEL_NOWHERE)
        t->computed = t->shared = true;
    else
        touched(compiler, t, direct, mode);
    return cell;
}

static void lock(hd_model_compiler *compiler, uint8_t kind, const hd_model_expression *mutex) {
    touch t = {0};
    hd_model_operation operation = start(compiler, kind);
    uint8_t mode = kind == HD_MODEL_OP_LOCK ? HD_MACHINE_ACQUIRE : HD_MACHINE_RELEASE;
    operation.value = object(compiler, mutex, mode, &t);
    finish(compiler, operation, t);
}

static void wait(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t flag = compiler->program->flags + compiler->thread;
    touch t = {0};
    hd_model_operation operation = start(compiler, HD_MODEL_OP_WAIT);
    operation.value = object(compiler, s->target, HD_MACHINE_WRITE, &t);
    operation.second = object(compiler, s->value, HD_MACHINE_RELEASE, &t);
    touched(compiler, &t, flag, HD_MACHINE_WRITE);
    finish(compiler, operation, t);

    compiler->position = s->position + HD_MODEL_WAIT_WAKE;
    t = (touch){0};
    operation = start(compiler, HD_MODEL_OP_WAKE);
    operation.value = flag;
    operation.awaits = true;
    touched(compiler, &t, flag, HD_MACHINE_READ);
    finish(compiler, operation, t);

    compiler->position = s->position + HD_MODEL_WAIT_ACQUIRE;
    lock(compiler, HD_MODEL_OP_LOCK, s->value);
}

/* Which thread a notify wakes depends on the state. */
static void notify(hd_model_compiler *compiler, uint8_t kind, const hd_model_expression *cond) {
    touch t = {.computed = true};
    hd_model_operation operation = start(compiler, kind);
    operation.value = object(compiler, cond, HD_MACHINE_WRITE, &t);
    finish(compiler, operation, t);
}

static void compute(hd_model_compiler *compiler, const hd_model_statement *s) {
    hd_model_operation operation = start(compiler, HD_MODEL_OP_COMPUTE);
    if (s->kind == HD_MODEL_ASSIGN)
        hd_model_compiler_assign(compiler, s->target, s->value);
    else
        hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    finish(compiler, operation, (touch){0});
}

/* ---- Control ---- */

/* Is the condition the same in every state?  Then no operation is needed. */
static bool decided(hd_model_compiler *compiler, const hd_model_expression *e, int64_t *value) {
    uint32_t mark = hd_model_compiler_here(compiler);
    uint32_t cell = hd_model_compiler_expression(compiler, e, HD_MODEL_NOWHERE);
    compiler->temporaries = 0;
    compiler->program->code.length = mark;
    return hd_model_compiler_known(compiler, cell, value);
}

static void if_else(hd_model_compiler *compiler, const hd_model_statement *s) {
    int64_t known;
    if (decided(compiler, s->value, &known)) {
        statement(compiler, known ? s->body : s->otherwise);
        return;
    }
    uint32_t branch = conditional(compiler, HD_MODEL_OP_BRANCH, s->value);
    statement(compiler, s->body);
    if (s->otherwise) {
        uint32_t over = plain(compiler, HD_MODEL_OP_GOTO);
        set_otherwise(compiler, branch, here(compiler));
        statement(compiler, s->otherwise);
        set_next(compiler, over, here(compiler));
    } else {
        set_otherwise(compiler, branch, here(compiler));
    }
}

/* An endless loop keeps its branch, so that it has a step that is counted. */
static void while_loop(hd_model_compiler *compiler, const hd_model_statement *s) {
    int64_t known;
    if (decided(compiler, s->value, &known) && !known)
        return;
    uint32_t branch = conditional(compiler, HD_MODEL_OP_BRANCH, s->value);
    statement(compiler, s->body);
    jump(compiler, branch);
    set_otherwise(compiler, branch, here(compiler));
}

/* ---- Atomic blocks: one operation with jumps inside ---- */

static void inside(hd_model_compiler *compiler, const hd_model_statement *s);

static void inside_if(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t value = hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    uint32_t over = hd_model_compiler_emit(compiler, HD_MODEL_JUMP_ZERO, 0, value, 0);
    inside(compiler, s->body);
    if (s->otherwise) {
        uint32_t end = hd_model_compiler_emit(compiler, HD_MODEL_JUMP, 0, 0, 0);
        hd_model_compiler_land(compiler, over);
        over = end;
        inside(compiler, s->otherwise);
    }
    hd_model_compiler_land(compiler, over);
}

static void inside_while(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t top = hd_model_compiler_here(compiler);
    uint32_t value = hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    uint32_t out = hd_model_compiler_emit(compiler, HD_MODEL_JUMP_ZERO, 0, value, 0);
    inside(compiler, s->body);
    compiler->position = s->position;
    hd_model_compiler_emit(compiler, HD_MODEL_JUMP, top, 0, 0);
    hd_model_compiler_land(compiler, out);
}

static void inside_check(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t value = hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    hd_model_compiler_emit(compiler, s->kind == HD_MODEL_ASSERT ? HD_MODEL_CHECK : HD_MODEL_HOLD, 0,
                           value, 0);
}

static void inside(hd_model_compiler *compiler, const hd_model_statement *s) {
    compiler->position = s->position;
    compiler->temporaries = 0;
    switch (s->kind) {
    case HD_MODEL_ASSIGN:
        hd_model_compiler_assign(compiler, s->target, s->value);
        break;
    case HD_MODEL_COMPUTE:
        hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
        break;
    case HD_MODEL_IF:
        inside_if(compiler, s);
        break;
    case HD_MODEL_WHILE:
        inside_while(compiler, s);
        break;
    case HD_MODEL_AWAIT:
    case HD_MODEL_ASSERT:
        inside_check(compiler, s);
        break;
    case HD_MODEL_BLOCK:
        for (s = s->body; s; s = s->next)
            inside(compiler, s);
        break;
    default:
        assert(s->kind == HD_MODEL_SKIP);
    }
}

static void atomic(hd_model_compiler *compiler, const hd_model_statement *s) {
    const hd_model_statement *first = s->body->body;
    if (!first)
        return;
    hd_model_operation operation = start(compiler, HD_MODEL_OP_COMPUTE);
    operation.awaits = first->kind == HD_MODEL_AWAIT;
    inside(compiler, s->body);
    finish(compiler, operation, (touch){0});
}

/* ---- All statements ---- */

static void statement(hd_model_compiler *compiler, const hd_model_statement *s) {
    if (!s || compiler->too_large)
        return;
    compiler->position = s->position;
    compiler->temporaries = 0;
    switch (s->kind) {
    case HD_MODEL_ASSIGN:
    case HD_MODEL_COMPUTE:
        compute(compiler, s);
        break;
    case HD_MODEL_IF:
        if_else(compiler, s);
        break;
    case HD_MODEL_WHILE:
        while_loop(compiler, s);
        break;
    case HD_MODEL_BLOCK:
        for (s = s->body; s; s = s->next)
            statement(compiler, s);
        break;
    case HD_MODEL_ATOMIC:
        atomic(compiler, s);
        break;
    case HD_MODEL_AWAIT:
        conditional(compiler, HD_MODEL_OP_AWAIT, s->value);
        break;
    case HD_MODEL_ASSERT:
        conditional(compiler, HD_MODEL_OP_ASSERT, s->value);
        break;
    case HD_MODEL_LOCK:
        lock(compiler, HD_MODEL_OP_LOCK, s->target);
        break;
    case HD_MODEL_UNLOCK:
        lock(compiler, HD_MODEL_OP_UNLOCK, s->target);
        break;
    case HD_MODEL_WAIT:
        wait(compiler, s);
        break;
    case HD_MODEL_NOTIFY:
        notify(compiler, HD_MODEL_OP_NOTIFY, s->target);
        break;
    case HD_MODEL_NOTIFY_ALL:
        notify(compiler, HD_MODEL_OP_NOTIFY_ALL, s->target);
        break;
    default:
        assert(s->kind == HD_MODEL_SKIP);
    }
}

/* ---- Threads ---- */

/* The operation after the gotos, which are therefore never run.  Every loop has a branch in it. */
static uint32_t resolved(const hd_model_program *program, uint32_t operation) {
    while (program->operations.data[operation].kind == HD_MODEL_OP_GOTO)
        operation = program->operations.data[operation].next;
    return operation;
}

static void resolve(hd_model_program *program, uint32_t first) {
    for (size_t i = first; i < program->operations.length; i++) {
        hd_model_operation *operation = &program->operations.data[i];
        if (operation->kind == HD_MODEL_OP_END)
            continue;
        operation->next = resolved(program, operation->next);
        operation->otherwise = resolved(program, operation->otherwise);
    }
}

/* First values of locals: constants once id is known. */
static bool set_locals(hd_model_compiler *compiler) {
    hd_model_program *program = compiler->program;
    const hd_model_instance *instance = &program->instances[compiler->thread];
    for (const hd_model_variable *v = instance->thread->locals; v; v = v->next)
        for (uint32_t i = 0; i < v->initial_count; i++) {
            int64_t *to = &program->start[instance->frame + v->first + i];
            if (!decided(compiler, v->initial[i], to))
                return hd_model_error_at(compiler->error, program->tree, v->initial[i]->at,
                                         "division by zero in the first value of %.64s", v->name);
        }
    return true;
}

static bool instance(hd_model_compiler *compiler) {
    hd_model_program *program = compiler->program;
    const hd_model_thread *thread = program->instances[compiler->thread].thread;
    if (!set_locals(compiler))
        return false;
    uint32_t first = here(compiler);
    statement(compiler, thread->body);
    plain(compiler, HD_MODEL_OP_END);
    if (compiler->too_large)
        return hd_model_error_at(compiler->error, program->tree, thread->at,
                                 "the threads have more than %d instructions",
                                 HD_MODEL_MAX_INSTRUCTIONS);
    resolve(program, first);
    program->start[program->locations + compiler->thread] = resolved(program, first);
    return true;
}

/* ---- The whole ---- */

static void lay_out(hd_model_program *program) {
    const hd_model_tree *tree = program->tree;
    program->flags = tree->variable_cells;
    program->locations = tree->variable_cells + (tree->conditions ? tree->thread_count : 0);
    uint32_t frame = program->locations + tree->thread_count;
    program->instances = HD_NEW_ARRAY(hd_model_instance, tree->thread_count + 1);
    for (const hd_model_thread *t = tree->threads; t; t = t->next)
        for (uint32_t id = 0; id < t->count; id++) {
            program->instances[t->first + id] = (hd_model_instance){t, id, frame};
            frame += t->frame;
        }
    program->states = frame;
    program->first_constant = frame + HD_MODEL_TEMPORARIES;
    program->start = HD_NEW_ARRAY(int64_t, (size_t)program->states + 1);
}

static void set_variables(hd_model_program *program) {
    for (const hd_model_variable *v = program->tree->variables; v; v = v->next)
        for (uint32_t i = 0; i < v->initial_count; i++)
            program->start[v->first + i] = v->initial[i]->value;
}

hd_model_program *hd_model_compile(hd_model_tree *tree, hd_model_error *error) {
    hd_model_program *program = HD_NEW(hd_model_program);
    program->tree = tree;
    hd_vec_reserve(&program->accesses, 1); /* so that operations without any can point there */
    lay_out(program);
    set_variables(program);
    hd_model_compiler compiler = {.program = program, .error = error};
    bool good = true;
    for (; good && compiler.thread < tree->thread_count; compiler.thread++)
        good = instance(&compiler);
    hd_map_release(&compiler.constants);
    hd_map_release(&compiler.arrays);
    if (good)
        return program;
    program->tree = NULL;
    hd_model_program_free(program);
    return NULL;
}

void hd_model_program_free(hd_model_program *program) {
    if (program->tree)
        hd_model_tree_free(program->tree);
    hd_vec_release(&program->code);
    hd_vec_release(&program->operations);
    hd_vec_release(&program->accesses);
    hd_vec_release(&program->arrays);
    hd_vec_release(&program->constants);
    free(program->instances);
    free(program->start);
    free(program);
}
