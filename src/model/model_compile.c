/*
 * Statements to operations, for each instance of each thread, and the layout of
 * cells.
 */
#include "model_compile.h"

static void compile_statement(hd_model_compiler *compiler, const hd_model_statement *s);

/* ---- Operations ---- */

static uint32_t next_operation(const hd_model_compiler *compiler) {
    return (uint32_t)compiler->program->operations.length;
}

static hd_model_operation start_operation(const hd_model_compiler *compiler, uint8_t kind) {
    return (hd_model_operation){.kind = kind,
                                .code = hd_model_compiler_here(compiler),
                                .next = next_operation(compiler) + 1,
                                .otherwise = next_operation(compiler) + 1,
                                .accesses = (uint32_t)compiler->program->accesses.length,
                                .position = compiler->position};
}

/* Ends an operation's code and enters the operation; returns its number. */
static uint32_t finish_operation(hd_model_compiler *compiler, hd_model_operation operation,
                                 hd_model_touch beside) {
    hd_model_program *program = compiler->program;
    bool decides = operation.kind == HD_MODEL_OP_AWAIT || operation.kind == HD_MODEL_OP_ASSERT;
    hd_model_compiler_invariants(compiler, operation.code,
                                 decides ? operation.value : HD_MODEL_NOWHERE);
    hd_model_compiler_emit(compiler, HD_MODEL_DONE, 0, 0, 0);
    hd_model_classify(compiler, &operation, beside);
    if (program->operations.length >= HD_MODEL_MAX_INSTRUCTIONS)
        compiler->too_large = true;
    if (!compiler->too_large)
        hd_vec_push(&program->operations, operation);
    compiler->temporaries = 0;
    return next_operation(compiler) - 1;
}

static uint32_t compile_plain(hd_model_compiler *compiler, uint8_t kind) {
    return finish_operation(compiler, start_operation(compiler, kind), (hd_model_touch){0});
}

static void set_next(hd_model_compiler *compiler, uint32_t operation, uint32_t next) {
    if (!compiler->too_large)
        compiler->program->operations.data[operation].next = next;
}

static void set_otherwise(hd_model_compiler *compiler, uint32_t operation, uint32_t otherwise) {
    if (!compiler->too_large)
        compiler->program->operations.data[operation].otherwise = otherwise;
}

static void compile_goto(hd_model_compiler *compiler, uint32_t to) {
    set_next(compiler, compile_plain(compiler, HD_MODEL_OP_GOTO), to);
}

/* An operation that has a condition: its value is in a temporary or a local. */
static uint32_t compile_conditional(hd_model_compiler *compiler, uint8_t kind,
                                    const hd_model_statement *s) {
    const hd_model_expression *condition = s->value;
    hd_model_operation operation = start_operation(compiler, kind);
    operation.assumes = s->kind == HD_MODEL_ASSUME;
    operation.starts = s->form == HD_MODEL_FORM_START;
    operation.value = hd_model_compiler_expression(compiler, condition, HD_MODEL_NOWHERE);
    operation.awaits = kind == HD_MODEL_OP_AWAIT;
    if (operation.value < compiler->program->locations) {
        uint32_t shared = operation.value;
        operation.value = hd_model_compiler_temporary(compiler);
        hd_model_compiler_emit(compiler, HD_MODEL_MOVE, operation.value, shared, 0);
    }
    return finish_operation(compiler, operation, (hd_model_touch){0});
}

/* An object that the operation accesses besides what its code does. */
static uint32_t compile_object(hd_model_compiler *compiler, const hd_model_expression *e,
                               uint8_t mode, hd_model_touch *t) {
    uint32_t direct;
    uint32_t cell = hd_model_compiler_address(compiler, e, &direct);
    if (direct == HD_MODEL_NOWHERE)
        t->computed = t->shared = true;
    else
        hd_model_touched(compiler, t, direct, mode);
    return cell;
}

static void compile_lock(hd_model_compiler *compiler, uint8_t kind,
                         const hd_model_expression *mutex) {
    hd_model_touch t = {0};
    hd_model_operation operation = start_operation(compiler, kind);
    uint8_t mode = kind == HD_MODEL_OP_LOCK ? HD_MACHINE_ACQUIRE : HD_MACHINE_RELEASE;
    operation.value = compile_object(compiler, mutex, mode, &t);
    finish_operation(compiler, operation, t);
}

static void compile_wait(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t flag = compiler->program->flags + compiler->thread;
    hd_model_touch t = {0};
    hd_model_operation operation = start_operation(compiler, HD_MODEL_OP_WAIT);
    operation.value = compile_object(compiler, s->target, HD_MACHINE_READ | HD_MACHINE_WRITE, &t);
    operation.second = compile_object(compiler, s->value, HD_MACHINE_RELEASE, &t);
    hd_model_touched(compiler, &t, flag, HD_MACHINE_WRITE);
    finish_operation(compiler, operation, t);

    compiler->position = s->position + HD_MODEL_WAIT_WAKE;
    t = (hd_model_touch){0};
    operation = start_operation(compiler, HD_MODEL_OP_WAKE);
    operation.value = flag;
    operation.awaits = true;
    hd_model_touched(compiler, &t, flag, HD_MACHINE_READ);
    finish_operation(compiler, operation, t);

    compiler->position = s->position + HD_MODEL_WAIT_ACQUIRE;
    compile_lock(compiler, HD_MODEL_OP_LOCK, s->value);
}

/* Which thread a notify wakes depends on the state. */
static void compile_notify(hd_model_compiler *compiler, uint8_t kind,
                           const hd_model_expression *cond) {
    hd_model_touch t = {.computed = true};
    hd_model_operation operation = start_operation(compiler, kind);
    operation.value = compile_object(compiler, cond, HD_MACHINE_READ | HD_MACHINE_WRITE, &t);
    finish_operation(compiler, operation, t);
}

static void compile_computation(hd_model_compiler *compiler, const hd_model_statement *s) {
    hd_model_operation operation = start_operation(compiler, HD_MODEL_OP_COMPUTE);
    if (s->kind == HD_MODEL_ASSIGN)
        hd_model_compiler_assign(compiler, s->target, s->value);
    else
        hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    finish_operation(compiler, operation, (hd_model_touch){0});
}

/* target = low + choice, if that is not more than high */
static void compile_choose(hd_model_compiler *compiler, const hd_model_statement *s) {
    hd_model_operation operation = start_operation(compiler, HD_MODEL_OP_CHOOSE);
    uint32_t ends[2] = {hd_model_compiler_temporary(compiler),
                        hd_model_compiler_temporary(compiler)};
    uint32_t size = hd_model_compiler_temporary(compiler);
    uint32_t enough = hd_model_compiler_temporary(compiler);
    uint32_t direct;
    uint32_t address = hd_model_compiler_address(compiler, s->target, &direct);
    hd_model_compiler_expression(compiler, s->value, ends[0]);
    hd_model_compiler_expression(compiler, s->high, ends[1]);
    hd_model_compiler_emit(compiler, HD_MODEL_SUBTRACT, size, ends[1], ends[0]);
    hd_model_compiler_emit(compiler, HD_MODEL_LESS, enough, size,
                           hd_model_compiler_constant(compiler, HD_MODEL_MAX_CHOICES));
    hd_model_compiler_emit(compiler, HD_MODEL_CHECK, 0, enough, 0);
    hd_model_compiler_emit(compiler, HD_MODEL_GREATER_EQUAL, enough, size,
                           hd_model_compiler_constant(compiler, 0));
    hd_model_compiler_emit(compiler, HD_MODEL_CHECK, 0, enough, 0);
    hd_model_compiler_emit(compiler, HD_MODEL_LESS_EQUAL, enough, ends[0], ends[1]);
    hd_model_compiler_emit(compiler, HD_MODEL_CHECK, 0, enough, 0);
    uint32_t choice = hd_model_choice_cell(compiler->program);
    if (direct != HD_MODEL_NOWHERE)
        hd_model_compiler_emit(compiler, HD_MODEL_ADD, direct, ends[0], choice);
    else {
        hd_model_compiler_emit(compiler, HD_MODEL_ADD, enough, ends[0], choice);
        hd_model_compiler_emit(compiler, HD_MODEL_STORE, address, enough, 0);
    }
    operation.value = ends[0];
    operation.second = ends[1];
    finish_operation(compiler, operation, (hd_model_touch){0});
}

/* ---- Calls ---- */

static void compile_call(hd_model_compiler *compiler, const hd_model_statement *s) {
    size_t outer = compiler->returns.length;
    compile_statement(compiler, s->body);
    for (; compiler->returns.length > outer; compiler->returns.length--)
        set_next(compiler, *hd_vec_last(&compiler->returns), next_operation(compiler));
    compile_statement(compiler, s->otherwise);
}

/* ---- Control ---- */

/* Is the condition the same in every state?  Then no operation is needed. */
static bool is_decided(hd_model_compiler *compiler, const hd_model_expression *e, int64_t *value) {
    uint32_t mark = hd_model_compiler_here(compiler);
    uint32_t cell = hd_model_compiler_expression(compiler, e, HD_MODEL_NOWHERE);
    compiler->temporaries = 0;
    compiler->program->code.length = mark;
    return hd_model_compiler_known(compiler, cell, value);
}

static void compile_if(hd_model_compiler *compiler, const hd_model_statement *s) {
    int64_t known;
    if (is_decided(compiler, s->value, &known)) {
        compile_statement(compiler, known ? s->body : s->otherwise);
        return;
    }
    uint32_t branch = compile_conditional(compiler, HD_MODEL_OP_BRANCH, s);
    compile_statement(compiler, s->body);
    if (s->otherwise) {
        uint32_t over = compile_plain(compiler, HD_MODEL_OP_GOTO);
        set_otherwise(compiler, branch, next_operation(compiler));
        compile_statement(compiler, s->otherwise);
        set_next(compiler, over, next_operation(compiler));
    } else {
        set_otherwise(compiler, branch, next_operation(compiler));
    }
}

/* An endless loop keeps its branch, so that it has a step that is counted. */
static void compile_while(hd_model_compiler *compiler, const hd_model_statement *s) {
    int64_t known;
    if (is_decided(compiler, s->value, &known) && !known)
        return;
    uint32_t branch = compile_conditional(compiler, HD_MODEL_OP_BRANCH, s);
    compile_statement(compiler, s->body);
    compile_statement(compiler, s->otherwise); /* the step of a for */
    compile_goto(compiler, branch);
    set_otherwise(compiler, branch, next_operation(compiler));
}

/* ---- Atomic blocks: one operation with jumps inside ---- */

static void compile_inside(hd_model_compiler *compiler, const hd_model_statement *s);

static void compile_inside_if(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t value = hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    uint32_t over = hd_model_compiler_emit(compiler, HD_MODEL_JUMP_ZERO, 0, value, 0);
    compile_inside(compiler, s->body);
    if (s->otherwise) {
        uint32_t end = hd_model_compiler_emit(compiler, HD_MODEL_JUMP, 0, 0, 0);
        hd_model_compiler_land(compiler, over);
        over = end;
        compile_inside(compiler, s->otherwise);
    }
    hd_model_compiler_land(compiler, over);
}

static void compile_inside_while(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t top = hd_model_compiler_here(compiler);
    uint32_t value = hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    uint32_t out = hd_model_compiler_emit(compiler, HD_MODEL_JUMP_ZERO, 0, value, 0);
    compile_inside(compiler, s->body);
    if (s->otherwise)
        compile_inside(compiler, s->otherwise);
    compiler->position = s->position;
    hd_model_compiler_emit(compiler, HD_MODEL_JUMP, top, 0, 0);
    hd_model_compiler_land(compiler, out);
}

static void compile_inside_check(hd_model_compiler *compiler, const hd_model_statement *s) {
    uint32_t value = hd_model_compiler_expression(compiler, s->value, HD_MODEL_NOWHERE);
    hd_model_compiler_emit(compiler, s->kind == HD_MODEL_ASSERT ? HD_MODEL_CHECK : HD_MODEL_HOLD, 0,
                           value, s->kind == HD_MODEL_ASSUME);
}

static void compile_inside_call(hd_model_compiler *compiler, const hd_model_statement *s) {
    size_t outer = compiler->returns.length;
    compile_inside(compiler, s->body);
    for (; compiler->returns.length > outer; compiler->returns.length--)
        hd_model_compiler_land(compiler, *hd_vec_last(&compiler->returns));
    if (s->otherwise)
        compile_inside(compiler, s->otherwise);
}

static void compile_inside(hd_model_compiler *compiler, const hd_model_statement *s) {
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
        compile_inside_if(compiler, s);
        break;
    case HD_MODEL_WHILE:
        compile_inside_while(compiler, s);
        break;
    case HD_MODEL_AWAIT:
    case HD_MODEL_ASSUME:
    case HD_MODEL_ASSERT:
        compile_inside_check(compiler, s);
        break;
    case HD_MODEL_CALL:
        compile_inside_call(compiler, s);
        break;
    case HD_MODEL_RETURN:
        hd_vec_push(&compiler->returns, hd_model_compiler_emit(compiler, HD_MODEL_JUMP, 0, 0, 0));
        break;
    case HD_MODEL_BLOCK:
        for (s = s->body; s; s = s->next)
            compile_inside(compiler, s);
        break;
    default:
        assert(s->kind == HD_MODEL_SKIP);
    }
}

static void compile_atomic(hd_model_compiler *compiler, const hd_model_statement *s) {
    const hd_model_statement *first = s->body->body;
    if (!first)
        return;
    hd_model_operation operation = start_operation(compiler, HD_MODEL_OP_COMPUTE);
    operation.awaits = first->kind == HD_MODEL_AWAIT;
    compile_inside(compiler, s->body);
    for (uint32_t i = operation.code; i < hd_model_compiler_here(compiler); i++) {
        const hd_model_instruction *instruction = &compiler->program->code.data[i];
        operation.assumes |= instruction->code == HD_MODEL_HOLD && instruction->b;
    }
    operation.awaits |= operation.assumes;
    finish_operation(compiler, operation, (hd_model_touch){0});
}

/* ---- All statements ---- */

static void compile_statement(hd_model_compiler *compiler, const hd_model_statement *s) {
    if (!s || compiler->too_large)
        return;
    compiler->position = s->position;
    compiler->temporaries = 0;
    switch (s->kind) {
    case HD_MODEL_ASSIGN:
    case HD_MODEL_COMPUTE:
        compile_computation(compiler, s);
        break;
    case HD_MODEL_IF:
        compile_if(compiler, s);
        break;
    case HD_MODEL_WHILE:
        compile_while(compiler, s);
        break;
    case HD_MODEL_BLOCK:
        for (s = s->body; s; s = s->next)
            compile_statement(compiler, s);
        break;
    case HD_MODEL_ATOMIC:
        compile_atomic(compiler, s);
        break;
    case HD_MODEL_AWAIT:
    case HD_MODEL_ASSUME:
        compile_conditional(compiler, HD_MODEL_OP_AWAIT, s);
        break;
    case HD_MODEL_ASSERT:
        compile_conditional(compiler, HD_MODEL_OP_ASSERT, s);
        break;
    case HD_MODEL_PICK:
        compile_choose(compiler, s);
        break;
    case HD_MODEL_CALL:
        compile_call(compiler, s);
        break;
    case HD_MODEL_RETURN:
        hd_vec_push(&compiler->returns, compile_plain(compiler, HD_MODEL_OP_GOTO));
        break;
    case HD_MODEL_LOCK:
        compile_lock(compiler, HD_MODEL_OP_LOCK, s->target);
        break;
    case HD_MODEL_UNLOCK:
        compile_lock(compiler, HD_MODEL_OP_UNLOCK, s->target);
        break;
    case HD_MODEL_WAIT:
        compile_wait(compiler, s);
        break;
    case HD_MODEL_NOTIFY:
        compile_notify(compiler, HD_MODEL_OP_NOTIFY, s->target);
        break;
    case HD_MODEL_NOTIFY_ALL:
        compile_notify(compiler, HD_MODEL_OP_NOTIFY_ALL, s->target);
        break;
    default:
        assert(s->kind == HD_MODEL_SKIP);
    }
}

/* ---- Threads ---- */

/* The operation after the gotos, which are therefore never run.  Every loop has a branch in it. */
static uint32_t after_gotos(const hd_model_program *program, uint32_t operation) {
    while (program->operations.data[operation].kind == HD_MODEL_OP_GOTO)
        operation = program->operations.data[operation].next;
    return operation;
}

static void resolve_gotos(hd_model_program *program, uint32_t first) {
    for (size_t i = first; i < program->operations.length; i++) {
        hd_model_operation *operation = &program->operations.data[i];
        if (operation->kind == HD_MODEL_OP_END)
            continue;
        operation->next = after_gotos(program, operation->next);
        operation->otherwise = after_gotos(program, operation->otherwise);
    }
}

/* First values of locals: constants once id is known. */
static bool set_locals(hd_model_compiler *compiler) {
    hd_model_program *program = compiler->program;
    const hd_model_instance *instance = &program->instances[compiler->thread];
    for (const hd_model_variable *v = instance->thread->locals; v; v = v->next)
        for (uint32_t i = 0; i < v->initial_count; i++) {
            int64_t *to = &program->start[instance->frame + v->first + i];
            if (!is_decided(compiler, v->initial[i], to))
                return hd_model_error_at(compiler->error, program->tree, v->initial[i]->at,
                                         "division by zero in the first value of %.64s", v->name);
        }
    return true;
}

static bool compile_instance(hd_model_compiler *compiler) {
    hd_model_program *program = compiler->program;
    const hd_model_thread *thread = program->instances[compiler->thread].thread;
    if (hd_clock_over() && hd_clock_look() == HD_CLOCK_LATE)
        return hd_model_error_at(compiler->error, program->tree, thread->at, "%s", hd_clock_why());
    if (!set_locals(compiler))
        return false;
    uint32_t first = next_operation(compiler);
    compile_statement(compiler, thread->body);
    compile_plain(compiler, HD_MODEL_OP_END);
    if (compiler->too_large)
        return hd_model_error_at(compiler->error, program->tree, thread->at,
                                 "the threads have more than %d instructions",
                                 HD_MODEL_MAX_INSTRUCTIONS);
    resolve_gotos(program, first);
    hd_model_mark_rounds(program, compiler->thread, first);
    program->start[program->locations + compiler->thread] = after_gotos(program, first);
    return true;
}

/* ---- The whole ---- */

static void find_mutexes(hd_model_program *program) {
    if (!program->tree->tries)
        return;
    program->mutexes = HD_NEW_ARRAY(bool, program->locations + 1);
    for (const hd_model_variable *v = program->tree->variables; v; v = v->next)
        for (uint32_t i = 0; v->kind == HD_MODEL_MUTEX && i < v->size; i++)
            program->mutexes[v->first + i] = true;
}

static void lay_out_cells(hd_model_program *program) {
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
    lay_out_cells(program);
    set_variables(program);
    find_mutexes(program);
    hd_model_compiler compiler = {.program = program, .error = error};
    bool good = true;
    for (; good && compiler.thread < tree->thread_count; compiler.thread++)
        good = compile_instance(&compiler);
    if (good)
        hd_model_compiler_first_state(&compiler);
    hd_vec_release(&compiler.returns);
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
    hd_vec_release(&program->turns);
    hd_vec_release(&program->accesses);
    hd_vec_release(&program->arrays);
    hd_vec_release(&program->constants);
    hd_vec_release(&program->invariants);
    free(program->mutexes);
    free(program->instances);
    free(program->start);
    free(program);
}
