/*
 * One step at a time: looking at the next operation, taking it, taking it back.
 * The explorer spends its time here.
 */
#include "model_machine.h"

/* ---- Looking ---- */

static bool still_valid(const hd_model_machine *m, uint32_t thread, const hd_model_look *look) {
    if (look->stamp < m->moved[thread])
        return false;
    for (size_t i = 0; i < look->accesses.length; i++)
        if (look->stamp < m->stamps[look->accesses.data[i].location])
            return false;
    return true;
}

/* What was seen is what the thread's operation accesses. */
static void keep_accesses(hd_model_machine *m, uint32_t thread) {
    hd_model_look *look = &m->looks[thread];
    hd_vec_clear(&look->accesses);
    for (size_t i = 0; i < m->seen.length; i++)
        hd_vec_push(&look->accesses,
                    (hd_machine_access){m->seen.data[i].location, m->seen.data[i].mode});
    look->accesses.length = hd_model_merge(look->accesses.data, (uint32_t)look->accesses.length);
    look->stamp = m->clock;
}

/* A choice of which invariants are checked after it: what they read, and whether they hold, depends
 * on what is chosen. */
bool hd_model_choice_is_checked(const hd_model_machine *m, const hd_model_operation *operation) {
    return operation->kind == HD_MODEL_OP_CHOOSE && m->program->invariants.length;
}

uint32_t hd_model_see_choices(hd_model_machine *m, const hd_model_operation *operation,
                              enum hd_model_outcome *outcome) {
    const uint32_t cell = hd_model_choice_cell(m->program);
    const size_t mark = m->log.length;
    uint32_t choices = 1;
    for (uint32_t choice = 0; choice < choices; choice++) {
        m->cells[cell] = choice;
        enum hd_model_outcome now = hd_model_run_recorded(m, operation->code);
        if (choice == 0) { /* what fails elsewhere is an invariant; before it the range is known */
            bool has_range = now == HD_MODEL_RAN ||
                             (now == HD_MODEL_FAILED && m->failure.position != operation->position);
            choices = has_range ? hd_model_choices(m, operation) : 1;
            *outcome = has_range ? HD_MODEL_RAN : now;
        }
        hd_model_roll_back(m, mark);
    }
    m->cells[cell] = 0;
    return choices;
}

/* Runs an operation with the recorder and takes it back.  A failure does not count yet: the step
 * itself will fail. */
static void look_at(hd_model_machine *m, uint32_t thread, const hd_model_operation *operation) {
    hd_model_look *look = &m->looks[thread];
    hd_model_failure failure = m->failure;
    size_t mark = m->log.length;
    hd_vec_clear(&m->seen);
    bool checked = hd_model_choice_is_checked(m, operation);
    enum hd_model_outcome outcome;
    assert(m->cells[hd_model_choice_cell(m->program)] == 0);
    look->choices = 1;
    if (checked)
        look->choices = hd_model_see_choices(m, operation, &outcome);
    else
        outcome = hd_model_run_recorded(m, operation->code);
    look->assumption = outcome == HD_MODEL_BLOCKED && m->assumption;
    look->enabled = outcome != HD_MODEL_BLOCKED;
    look->failed = outcome == HD_MODEL_FAILED;
    look->round = HD_MODEL_NO_ROUND;
    look->round_known = false;
    if (outcome == HD_MODEL_RAN && !checked) {
        look->enabled = hd_model_act_enabled(m, operation);
        look->assumption =
            operation->kind == HD_MODEL_OP_AWAIT && operation->assumes && !look->enabled;
        look->choices = hd_model_choices(m, operation);
        hd_model_see_act(m, thread, operation);
    }
    hd_model_roll_back(m, mark);
    keep_accesses(m, thread);
    m->failure = failure;
}

/* Of an operation that may close a round, which then has to wait. */
static void look_at_round(hd_model_machine *m, uint32_t thread) {
    hd_model_look *look = &m->looks[thread];
    if (look->may_close_stamp < m->moved[thread]) {
        look->may_close = hd_model_may_close_round(m, thread);
        look->may_close_stamp = m->clock;
    }
    look->round = (uint8_t)(look->may_close ? hd_model_closes_round(m, thread) : HD_MODEL_NO_ROUND);
    look->enabled &= look->round == HD_MODEL_NO_ROUND;
    look->round_known = true;
}

/* Is an operation whose accesses are fixed enabled? */
static bool fixed_enabled(hd_model_machine *m, const hd_model_operation *operation) {
    if (operation->kind == HD_MODEL_OP_AWAIT)
        hd_model_run(m, operation->code);
    return hd_model_act_enabled(m, operation);
}

bool hd_model_next(hd_machine *machine, uint32_t thread, hd_machine_operation *operation) {
    hd_model_machine *m = hd_model_of(machine);
    assert(thread < machine->threads);
    const hd_model_operation *at = hd_model_at(m, thread);
    if (at->kind == HD_MODEL_OP_END)
        return false;
    operation->position = at->position;
    operation->awaits = at->awaits;
    operation->varies = at->varies;
    operation->ends = operation->idle = operation->yields = operation->retries = false;
    operation->outside = false;
    operation->ended_before = 0;
    bool rounds = at->rounds && !m->every_round;
    if (at->fixed && !rounds) {
        operation->accesses = m->program->accesses.data + at->accesses;
        operation->count = at->access_count;
        operation->choices = 1;
        operation->enabled = fixed_enabled(m, at);
        operation->retries = at->assumes && !operation->enabled;
        operation->idle = at->starts && !operation->enabled;
        return true;
    }
    hd_model_look *look = &m->looks[thread];
    if (!still_valid(m, thread, look))
        look_at(m, thread, at);
    if (rounds && !look->round_known)
        look_at_round(m, thread);
    operation->awaits |= rounds && look->may_close;
    operation->retries = (at->assumes && look->assumption) ||
                         (look->round == HD_MODEL_RETRY_ROUND && !hd_model_goes_round(m, thread));
    operation->idle = at->starts && !look->enabled;
    operation->accesses = look->accesses.data;
    operation->count = (uint32_t)look->accesses.length;
    operation->choices = look->choices;
    operation->enabled = look->enabled;
    return true;
}

/* ---- Running ---- */

enum hd_model_outcome hd_model_conclude(hd_model_machine *m, uint32_t thread,
                                        const hd_model_operation *operation) {
    bool good = true;
    if (operation->kind == HD_MODEL_OP_BRANCH || operation->kind == HD_MODEL_OP_ASSERT ||
        operation->kind == HD_MODEL_OP_AWAIT)
        good = m->cells[operation->value] != 0;
    if (!good && operation->kind == HD_MODEL_OP_AWAIT)
        return HD_MODEL_BLOCKED;
    if (!good && operation->kind == HD_MODEL_OP_ASSERT) {
        m->failure =
            (hd_model_failure){.kind = HD_MODEL_FAIL_ASSERTION, .position = operation->position};
        return HD_MODEL_FAILED;
    }
    hd_model_go(m, thread, good ? operation->next : operation->otherwise);
    return HD_MODEL_RAN;
}

static enum hd_model_outcome perform_operation(hd_model_machine *m, uint32_t thread,
                                               const hd_model_operation *operation,
                                               uint32_t choice) {
    size_t mark = m->log.length;
    enum hd_model_outcome outcome = hd_model_run(m, operation->code);
    if (outcome == HD_MODEL_RAN && operation->kind > HD_MODEL_OP_AWAIT)
        outcome = hd_model_act(m, thread, operation, choice);
    if (outcome == HD_MODEL_RAN)
        outcome = hd_model_conclude(m, thread, operation);
    if (outcome != HD_MODEL_RAN)
        hd_model_roll_back(m, mark);
    return outcome;
}

/* Of any other way than the first the code has to know. */
static enum hd_model_outcome perform_chosen(hd_model_machine *m, uint32_t thread,
                                            const hd_model_operation *operation, uint32_t choice) {
    int64_t *chosen = &m->cells[hd_model_choice_cell(m->program)];
    assert(*chosen == 0);
    *chosen = choice;
    enum hd_model_outcome outcome = perform_operation(m, thread, operation, choice);
    *chosen = 0;
    return outcome;
}

/* Runs the operation only if that touches no location.  One that fails before it touches any is
 * still a step of its own. */
static enum hd_model_outcome perform_invisible(hd_model_machine *m, uint32_t thread,
                                               const hd_model_operation *operation) {
    if (operation->visibility == HD_MODEL_INVISIBLE)
        return perform_operation(m, thread, operation, 0);
    look_at(m, thread, operation);
    if (m->looks[thread].accesses.length > 0 || m->looks[thread].failed)
        return HD_MODEL_BLOCKED;
    m->looks[thread].stamp = 0;
    return perform_operation(m, thread, operation, 0);
}

static enum hd_model_outcome fail_loop(hd_model_machine *m, uint32_t position) {
    m->failure = (hd_model_failure){.kind = HD_MODEL_FAIL_LOCAL_LOOP, .position = position};
    return HD_MODEL_FAILED;
}

enum hd_model_outcome hd_model_settle(hd_model_machine *m, uint32_t thread, uint32_t limit) {
    const hd_model_operation *at = hd_model_at(m, thread);
    uint32_t branch = at->position; /* the last one: every loop has one */
    for (uint32_t steps = 0; at->visibility != HD_MODEL_VISIBLE && at->kind != HD_MODEL_OP_END;
         steps++) {
        if (steps == limit)
            return fail_loop(m, branch);
        if (at->kind == HD_MODEL_OP_BRANCH)
            branch = at->position;
        enum hd_model_outcome outcome = perform_invisible(m, thread, at);
        if (outcome != HD_MODEL_RAN)
            return outcome == HD_MODEL_FAILED ? outcome : HD_MODEL_RAN;
        at = hd_model_at(m, thread);
    }
    return HD_MODEL_RAN;
}

enum hd_machine_result hd_model_take(hd_machine *machine, uint32_t thread, uint32_t choice) {
    hd_model_machine *m = hd_model_of(machine);
    assert(thread < machine->threads);
    const hd_model_operation *at = hd_model_at(m, thread);
    assert(at->kind != HD_MODEL_OP_END);
    hd_vec_push(&m->steps, (hd_model_step){m->log.length, thread, choice});
    m->moved[thread] = ++m->clock;
    hd_model_log_counter(m, thread);
    enum hd_model_outcome outcome =
        choice ? perform_chosen(m, thread, at, choice) : perform_operation(m, thread, at, 0);
    assert(outcome != HD_MODEL_BLOCKED);
    if (outcome == HD_MODEL_RAN)
        outcome = hd_model_settle(m, thread, HD_MODEL_MAX_LOCAL_STEPS);
    if (outcome != HD_MODEL_FAILED)
        return HD_MACHINE_WENT_ON;
    m->failure.thread = thread;
    return HD_MACHINE_FAILED;
}

void hd_model_undo(hd_machine *machine) {
    hd_model_machine *m = hd_model_of(machine);
    hd_model_step step = hd_vec_pop(&m->steps);
    if (m->before.length > m->steps.length)
        m->last[step.thread] = hd_vec_pop(&m->before);
    uint32_t locations = m->locations;
    m->clock++;
    for (size_t i = m->log.length; i-- > step.log;) {
        hd_model_change change = m->log.data[i];
        m->cells[change.cell] = change.old;
        if (change.cell < locations)
            m->stamps[change.cell] = m->clock;
    }
    m->log.length = step.log;
    m->moved[step.thread] = m->clock;
    m->failure.kind = HD_MODEL_NO_FAILURE;
}

void hd_model_restart(hd_machine *machine) {
    hd_model_machine *m = hd_model_of(machine);
    while (m->steps.length > 0)
        hd_model_undo(machine);
    if (m->placed)
        hd_model_place(m, m->program->start);
    m->placed = false;
    m->failure.kind = HD_MODEL_NO_FAILURE;
}
