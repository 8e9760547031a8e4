/*
 * Machines of models: made, copied, freed; files read.
 */
#include "model_machine.h"

#include <stdio.h>

/* Invisible operations that all threads together may run before the first step.
 * What is left runs as a transition without accesses. */
enum { START_STEPS = 16 * HD_MODEL_MAX_LOCAL_STEPS };

static hd_machine *copy_machine(const hd_machine *machine);
static void free_machine(hd_machine *machine);

/* Instances of a thread are, unless it uses its number, or others name one of them. */
static uint32_t alike(hd_machine *machine, uint32_t thread, uint32_t *creator) {
    const hd_model_thread *one = hd_model_of_const(machine)->program->instances[thread].thread;
    *creator = UINT32_MAX;
    if (one->forked || one->joined || (one->uses_id && !hd_machine_declared(machine, one->name)))
        return thread;
    return one->first;
}

bool hd_model_has_thread(const hd_machine *machine, const char *name, size_t length) {
    const hd_model_thread *thread = hd_model_of_const(machine)->program->tree->threads;
    while (thread && (strncmp(thread->name, name, length) != 0 || thread->name[length]))
        thread = thread->next;
    return thread != NULL;
}

/* Kinds of operations that are not listed are not known to follow the rules of by_reads.  What an
 * invariant reads may depend on the choice. */
static bool explores_by_reads(const hd_machine *machine) {
    const hd_model_program *program = hd_model_of_const(machine)->program;
    for (size_t i = 0; i < program->operations.length; i++)
        switch (program->operations.data[i].kind) {
        case HD_MODEL_OP_COMPUTE:
        case HD_MODEL_OP_BRANCH:
        case HD_MODEL_OP_ASSERT:
        case HD_MODEL_OP_AWAIT:
        case HD_MODEL_OP_LOCK:
        case HD_MODEL_OP_UNLOCK:
        case HD_MODEL_OP_WAIT:
        case HD_MODEL_OP_WAKE:
        case HD_MODEL_OP_NOTIFY:
        case HD_MODEL_OP_NOTIFY_ALL:
        case HD_MODEL_OP_GOTO:
        case HD_MODEL_OP_END:
            break;
        case HD_MODEL_OP_CHOOSE:
            if (!program->invariants.length)
                break;
            return false;
        default:
            return false;
        }
    return true;
}

/* If one is tried, or found by way of a shared variable, all are. */
static bool lock_is_read(const hd_machine *machine, uint32_t location) {
    const hd_model_program *program = hd_model_of_const(machine)->program;
    if (!program->mutexes && !program->picks_locks)
        return false;
    const hd_model_variable *v = hd_model_variable_at(program, location);
    return v && v->kind == HD_MODEL_MUTEX;
}

static const hd_machine_type type = {
    .name = "model",
    .next = hd_model_next,
    .step = hd_model_take,
    .undo = hd_model_undo,
    .restart = hd_model_restart,
    .by_reads = explores_by_reads,
    .lock_is_read = lock_is_read,
    .ahead = hd_model_ahead,
    .alike = alike,
    .thread_name = hd_model_thread_name,
    .location_name = hd_model_location_name,
    .describe = hd_model_describe,
    .failure = hd_model_failure_text,
    .record = hd_model_record,
    .state = hd_model_state,
    .go_to = hd_model_go_to,
    .tell_states = hd_model_tell_states,
    .copy = copy_machine,
    .free = free_machine,
};

static hd_model_machine *create_machine(hd_model_program *program) {
    hd_model_machine *m = HD_NEW(hd_model_machine);
    uint32_t threads = program->tree->thread_count;
    size_t cells = program->first_constant + program->constants.length;
    atomic_fetch_add(&program->users, 1);
    m->machine = (hd_machine){.type = &type, .threads = threads, .locations = program->locations};
    m->program = program;
    m->code = program->code.data;
    m->operations = program->operations.data;
    m->locations = program->locations;
    m->states = program->states;
    m->cells = HD_NEW_ARRAY(int64_t, cells + 1);
    memcpy(m->cells, program->start, program->states * sizeof *m->cells);
    if (program->constants.length > 0)
        memcpy(m->cells + program->first_constant, program->constants.data,
               program->constants.length * sizeof *m->cells);
    m->stamps = HD_NEW_ARRAY(uint64_t, (size_t)program->locations + 1);
    m->moved = HD_NEW_ARRAY(uint64_t, (size_t)threads + 1);
    m->last = HD_NEW_ARRAY(uint32_t, (size_t)threads + 1);
    m->looks = HD_NEW_ARRAY(hd_model_look, (size_t)threads + 1);
    m->clock = 1;
    for (uint32_t t = 0; t < threads; t++)
        m->moved[t] = 1;
    return m;
}

/* Threads start with what touches no location; that is part of the first state.  A thread that
 * fails there stays before the operation that fails. */
static void start_threads(hd_model_machine *m) {
    uint64_t left = START_STEPS;
    for (uint32_t t = 0; t < m->machine.threads && left > 0; t++) {
        uint32_t limit =
            left < HD_MODEL_MAX_LOCAL_STEPS ? (uint32_t)left : HD_MODEL_MAX_LOCAL_STEPS;
        hd_model_settle(m, t, limit);
        left -= m->log.length < left ? m->log.length : left;
        hd_vec_clear(&m->log);
    }
    hd_vec_release(&m->log);
    m->failure = (hd_model_failure){0};
    memcpy(m->program->start, m->cells, m->program->states * sizeof *m->cells);
    m->clock++;
    for (uint32_t t = 0; t < m->machine.threads; t++)
        m->moved[t] = m->clock;
}

static hd_machine *copy_machine(const hd_machine *machine) {
    hd_machine *other = &create_machine(hd_model_of_const(machine)->program)->machine;
    other->declared = machine->declared;
    return other;
}

static void free_lists(hd_model_machine *m) {
    for (uint32_t t = 0; m->lists && t < m->machine.threads; t++) {
        hd_vec_release(&m->lists[t].entries);
        hd_vec_release(&m->lists[t].accesses);
        hd_vec_release(&m->lists[t].addresses);
    }
    free(m->lists);
    free(m->origins);
    hd_vec_release(&m->tainted);
}

static void free_names(hd_model_machine *m) {
    hd_names_release(&m->location_names);
    hd_names_release(&m->thread_names);
    hd_map_release(&m->location_name_of);
    hd_map_release(&m->thread_name_of);
}

static void free_machine(hd_machine *machine) {
    hd_model_machine *m = hd_model_of(machine);
    for (uint32_t t = 0; t < machine->threads; t++)
        hd_vec_release(&m->looks[t].accesses);
    free(m->looks);
    free(m->last);
    hd_vec_release(&m->spare.accesses);
    hd_vec_release(&m->locals);
    free(m->cells);
    free(m->stamps);
    free(m->moved);
    hd_vec_release(&m->log);
    hd_vec_release(&m->steps);
    hd_vec_release(&m->before);
    hd_vec_release(&m->seen);
    hd_vec_release(&m->scratch);
    free_lists(m);
    free_names(m);
    if (atomic_fetch_sub(&m->program->users, 1) == 1)
        hd_model_program_free(m->program);
    free(m);
}

/* ---- Reading ---- */

/* A state before which nothing happened has no schedule that leads to it. */
static bool invariants_hold(hd_model_machine *m, hd_model_error *error) {
    const hd_model_tree *tree = m->program->tree;
    for (size_t i = 0; i < m->program->invariants.length; i++)
        if (hd_model_run(m, m->program->invariants.data[i]) != HD_MODEL_RAN)
            return hd_model_error_at(error, tree, tree->invariants.data[i]->at,
                                     "the invariant does not hold in the first state");
    return true;
}

static hd_machine *machine_of_tree(hd_model_tree *tree, const hd_model_define *defines,
                                   size_t count, hd_model_error *error) {
    hd_model_program *program = NULL;
    if (hd_model_tree_parse(tree, defines, count, error)) {
        hd_model_tree_influence(tree);
        program = hd_model_compile(tree, error);
    }
    if (!program) {
        hd_model_tree_free(tree);
        return NULL;
    }
    hd_model_machine *m = create_machine(program);
    if (!invariants_hold(m, error)) {
        free_machine(&m->machine);
        return NULL;
    }
    start_threads(m);
    return &m->machine;
}

static hd_machine *fail_file(hd_model_error *error, const char *why) {
    *error = (hd_model_error){0};
    snprintf(error->text, sizeof error->text, "%s", why);
    return NULL;
}

hd_machine *hd_model_parse(const char *name, const char *text, size_t length,
                           const hd_model_define *defines, size_t count, hd_model_error *error) {
    if (length > HD_MODEL_MAX_TEXT)
        return fail_file(error, "the model is larger than 16 MiB");
    hd_model_tree *tree = HD_NEW(hd_model_tree);
    tree->name = hd_mem_string(name, strlen(name));
    tree->text = hd_mem_string(text, length);
    tree->length = (uint32_t)length;
    return machine_of_tree(tree, defines, count, error);
}

hd_machine *hd_model_load(const char *path, const hd_model_define *defines, size_t count,
                          hd_model_error *error) {
    hd_vec_char text = {0};
    int wrong = hd_file_read(path, HD_MODEL_MAX_TEXT, &text);
    hd_machine *machine = wrong ? fail_file(error, hd_file_error(wrong))
                                : hd_model_parse(strcmp(path, "-") == 0 ? "stdin" : path, text.data,
                                                 text.length, defines, count, error);
    hd_vec_release(&text);
    return machine;
}

/* ---- The present state ---- */

int64_t hd_model_value(const hd_machine *machine, uint32_t location) {
    assert(location < machine->locations);
    return hd_model_of_const(machine)->cells[location];
}

bool hd_model_is_flag(const hd_machine *machine, uint32_t location) {
    return location >= hd_model_of_const(machine)->program->flags;
}

uint32_t hd_model_flag_thread(const hd_machine *machine, uint32_t location) {
    assert(hd_model_is_flag(machine, location));
    return location - hd_model_of_const(machine)->program->flags;
}

uint64_t hd_model_hash(const hd_machine *machine) {
    const hd_model_machine *m = hd_model_of_const(machine);
    uint64_t hash = 0x9e3779b97f4a7c15;
    for (uint32_t i = 0; i < m->program->states; i++) {
        hash ^= (uint64_t)m->cells[i];
        hash *= 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
    }
    return hash;
}
