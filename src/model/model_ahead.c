/*
 * What a thread will certainly do (hd_machine_type.ahead): a walk along its code from the current
 * state, undone at the end.
 *
 * Any value read from shared memory may be different when the operation is really taken, so each
 * value carries its origins: the shared reads that it depends on.  A bit each for the reads of the
 * current operation, and one bit for all reads of operations before it.  A location that the walk
 * wrote carries the origins of the value; reading it is a shared read all the same, since another
 * thread may write between.
 *
 * What an operation accesses is decided at certain points: an index, a divisor
 * (a failure ends the operation), both sides of a compare-and-swap, a jump.  If
 * the value there depends on a read of an earlier operation, the list ends
 * before this one.  If it depends on reads of the operation itself, their
 * locations are its `addresses`.
 *
 * Where control depends on a shared value, the list ends: after the operation that reads it, which
 * is branching.
 */
#include "model_machine.h"

#define EARLIER (UINT64_C(1) << 63) /* origin: a read of an operation before */

enum { LAST_BIT = 62 }; /* stands for all accesses of the operation from there on */

typedef struct walk {
    hd_model_machine *m;
    hd_model_list *list;
    uint32_t thread;
    uint64_t decided; /* origins of what decides the accesses of the current operation */
    uint64_t control; /* of what decides which of its code is run */
    bool fragile;     /* it has an assertion over values with origins */
} walk;

/* What to do after an operation. */
enum progress { GO_ON, STOP };

/* ---- Running with origins ---- */

/* The origin for the next access of the current operation. */
static uint64_t next_access(const hd_model_machine *m) {
    return UINT64_C(1) << (m->seen.length < LAST_BIT ? m->seen.length : LAST_BIT);
}

/* A location has the origins of what this walk wrote there. */
static uint64_t origins_of(const hd_model_machine *m, uint32_t cell) {
    return cell < m->program->first_constant ? m->origins[cell] : 0;
}

static int64_t get_cell(walk *w, uint32_t cell, uint64_t *origins) {
    hd_model_machine *m = w->m;
    *origins |= origins_of(m, cell);
    if (cell < m->locations) {
        *origins |= next_access(m);
        hd_model_see(m, cell, HD_MACHINE_READ, m->cells[cell]);
    }
    return m->cells[cell];
}

static void put_cell(walk *w, uint32_t cell, int64_t value, uint64_t origins) {
    hd_model_machine *m = w->m;
    if (cell >= m->states)
        m->cells[cell] = value;
    else
        hd_model_set(m, cell, value);
    if (cell < m->locations)
        hd_model_see(m, cell, hd_model_write_mode(m->program, cell), value);
    origins |= w->control;
    if (origins != 0 && m->origins[cell] == 0)
        hd_vec_push(&m->tainted, cell);
    m->origins[cell] = origins;
}

static enum hd_model_outcome walk_address(walk *w, const hd_model_instruction *i) {
    hd_model_machine *m = w->m;
    const hd_model_array *array = &m->program->arrays.data[i->a];
    uint64_t origins = 0;
    int64_t index = get_cell(w, i->b, &origins);
    w->decided |= origins;
    if ((uint64_t)index >= array->size)
        return HD_MODEL_FAILED;
    put_cell(w, i->to, array->first + index, origins);
    return HD_MODEL_RAN;
}

static void walk_swap(walk *w, const hd_model_instruction *i) {
    hd_model_machine *m = w->m;
    uint32_t cell = (uint32_t)m->cells[i->a];
    uint64_t origins = origins_of(m, i->a) | origins_of(m, i->b);
    bool same = get_cell(w, cell, &origins) == m->cells[i->b];
    w->decided |= origins;
    if (same)
        put_cell(w, cell, m->cells[i->b + 1], origins | origins_of(m, i->b + 1));
    put_cell(w, i->to, same, origins);
}

static enum hd_model_outcome walk_binary(walk *w, const hd_model_instruction *i) {
    uint64_t origins = 0, divisor = 0;
    int64_t a = get_cell(w, i->a, &origins), b = get_cell(w, i->b, &divisor);
    if (hd_model_divides(i->code)) {
        w->decided |= divisor;
        if (b == 0)
            return HD_MODEL_FAILED;
    }
    put_cell(w, i->to, hd_model_apply(i->code, a, b), origins | divisor);
    return HD_MODEL_RAN;
}

/* A value that decides how the code goes on. */
static bool walk_test(walk *w, uint32_t cell) {
    uint64_t origins = 0;
    bool result = get_cell(w, cell, &origins) != 0;
    w->decided |= origins;
    w->control |= origins;
    return result;
}

static bool check_cell(walk *w, uint32_t cell) {
    uint64_t origins = 0;
    bool result = get_cell(w, cell, &origins) != 0;
    w->fragile |= origins != 0;
    return result;
}

/* Instructions that neither jump nor end the code. */
static enum hd_model_outcome walk_plain(walk *w, const hd_model_instruction *i) {
    hd_model_machine *m = w->m;
    uint64_t origins = w->control;
    switch (i->code) {
    case HD_MODEL_NEGATE:
    case HD_MODEL_NOT: {
        int64_t a = get_cell(w, i->a, &origins);
        put_cell(w, i->to, hd_model_apply_unary(i->code, a), origins);
        return HD_MODEL_RAN;
    }
    case HD_MODEL_MOVE: {
        int64_t a = get_cell(w, i->a, &origins);
        put_cell(w, i->to, a, origins);
        return HD_MODEL_RAN;
    }
    case HD_MODEL_ADDRESS:
        return walk_address(w, i);
    case HD_MODEL_LOAD: {
        origins |= origins_of(m, i->a);
        int64_t a = get_cell(w, (uint32_t)m->cells[i->a], &origins);
        put_cell(w, i->to, a, origins);
        return HD_MODEL_RAN;
    }
    case HD_MODEL_STORE: {
        origins |= origins_of(m, i->to);
        int64_t a = get_cell(w, i->a, &origins);
        put_cell(w, (uint32_t)m->cells[i->to], a, origins);
        return HD_MODEL_RAN;
    }
    case HD_MODEL_COMPARE_SWAP:
        walk_swap(w, i);
        return HD_MODEL_RAN;
    case HD_MODEL_CHECK:
        return check_cell(w, i->a) ? HD_MODEL_RAN : HD_MODEL_FAILED;
    case HD_MODEL_HOLD:
        return walk_test(w, i->a) ? HD_MODEL_RAN : HD_MODEL_BLOCKED;
    default:
        return walk_binary(w, i);
    }
}

static enum hd_model_outcome run_code(walk *w, uint32_t code) {
    const hd_model_instruction *first = w->m->code, *i = first + code;
    for (uint32_t fuel = HD_MODEL_MAX_LOCAL_STEPS; i->code != HD_MODEL_DONE;) {
        bool jumps = i->code == HD_MODEL_JUMP;
        if (jumps && fuel-- == 0)
            return HD_MODEL_FAILED;
        if (i->code == HD_MODEL_JUMP_ZERO)
            jumps = !walk_test(w, i->a);
        else if (i->code == HD_MODEL_JUMP_NONZERO)
            jumps = walk_test(w, i->a);
        else if (!jumps) {
            enum hd_model_outcome outcome = walk_plain(w, i);
            if (outcome != HD_MODEL_RAN)
                return outcome;
        }
        i = jumps ? first + i->to : i + 1;
    }
    return HD_MODEL_RAN;
}

/* ---- The list ---- */

static bool is_empty(const walk *w) {
    return w->list->entries.length == 0;
}

/* The previous operation did not alone decide what comes next. */
static enum progress stop_branching(walk *w) {
    if (!is_empty(w)) {
        hd_vec_last(&w->list->entries)->branching = true;
        hd_vec_last(&w->list->entries)->may_fail = w->m->program->fails_unseen;
    }
    return STOP;
}

/* The same if what comes next certainly fails, and with it the operation before. */
static enum progress stop_failing(walk *w) {
    stop_branching(w);
    if (!is_empty(w))
        hd_vec_last(&w->list->entries)->may_fail = true;
    return STOP;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts and removes duplicates; returns how many are left. */
static uint32_t keep_distinct(uint32_t *numbers, size_t count) {
    uint32_t kept = 0;
    if (count > 1)
        qsort(numbers, count, sizeof *numbers, by_number);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

/* Enters the current operation; its accesses are those seen. */
static hd_machine_ahead *enter_operation(walk *w, const hd_model_operation *operation) {
    hd_model_machine *m = w->m;
    hd_model_list *list = w->list;
    size_t first = list->accesses.length, first_address = list->addresses.length;
    for (size_t i = 0; i < m->seen.length; i++) {
        const hd_model_seen *seen = &m->seen.data[i];
        hd_vec_push(&list->accesses, (hd_machine_access){seen->location, seen->mode});
        if (w->decided >> (i < LAST_BIT ? i : LAST_BIT) & 1)
            hd_vec_push(&list->addresses, seen->location);
    }
    hd_machine_ahead entry = {0};
    if (list->addresses.length > first_address)
        entry.address_count = keep_distinct(list->addresses.data + first_address,
                                            list->addresses.length - first_address);
    list->addresses.length = first_address + entry.address_count;
    entry.operation.count =
        m->seen.length == 0 ? 0
                            : hd_model_merge(list->accesses.data + first, (uint32_t)m->seen.length);
    list->accesses.length = first + entry.operation.count;
    entry.operation.position = operation->position;
    entry.operation.awaits = operation->awaits;
    entry.operation.varies = operation->varies;
    entry.operation.choices = 1;
    hd_vec_push(&list->entries, entry);
    return hd_vec_last(&list->entries);
}

/* Sets the pointers into vectors, once these no longer grow. */
static void point_into_vectors(hd_model_list *list) {
    const hd_machine_access *access = list->accesses.data;
    const uint32_t *next = list->addresses.data;
    for (size_t i = 0; i < list->entries.length; i++) {
        hd_machine_ahead *entry = &list->entries.data[i];
        entry->operation.accesses = access;
        entry->addresses = next;
        if (entry->operation.count > 0)
            access += entry->operation.count;
        if (entry->address_count > 0)
            next += entry->address_count;
    }
}

/* ---- Walking ---- */

/* Reads of the current operation are now reads of an earlier one. */
static void grow_old(hd_model_machine *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->tainted.length; i++) {
        uint32_t cell = m->tainted.data[i];
        if (m->origins[cell] == 0)
            continue;
        m->origins[cell] = EARLIER;
        m->tainted.data[kept++] = cell;
    }
    m->tainted.length = kept;
}

/* What the operation does besides its code, and what decides that. */
static void look_at_act(walk *w, const hd_model_operation *operation) {
    hd_model_machine *m = w->m;
    uint64_t first = next_access(m);
    hd_model_see_act(m, w->thread, operation);
    if (operation->kind == HD_MODEL_OP_AWAIT)
        w->decided |= origins_of(m, operation->value);
    /* The flag; the condition variable: it changes whenever its waiters do. */
    if (operation->kind == HD_MODEL_OP_WAKE || operation->kind == HD_MODEL_OP_NOTIFY ||
        operation->kind == HD_MODEL_OP_NOTIFY_ALL)
        w->decided |= first;
}

/* Does control go on in a way that depends on shared values? */
static bool branches_on_shared(const walk *w, const hd_model_operation *operation) {
    if (operation->kind == HD_MODEL_OP_BRANCH || operation->kind == HD_MODEL_OP_ASSERT)
        return w->fragile || origins_of(w->m, operation->value) != 0;
    return w->fragile;
}

/* An operation that touches no location. */
static enum progress pass_operation(walk *w, const hd_model_operation *operation,
                                    enum hd_model_outcome outcome) {
    bool enabled = outcome != HD_MODEL_BLOCKED &&
                   (outcome == HD_MODEL_FAILED || hd_model_act_enabled(w->m, operation));
    if (is_empty(w) || !enabled) {
        hd_machine_ahead *entry = enter_operation(w, operation);
        entry->operation.enabled = enabled;
        entry->branching = true;
        entry->may_fail = outcome == HD_MODEL_FAILED || w->m->program->fails_unseen;
        return STOP;
    }
    if (outcome == HD_MODEL_FAILED && operation->visibility == HD_MODEL_PERHAPS)
        return STOP; /* a step of its own */
    if (outcome == HD_MODEL_FAILED || w->fragile)
        return stop_failing(w);
    if (branches_on_shared(w, operation))
        return operation->kind == HD_MODEL_OP_ASSERT ? stop_failing(w) : stop_branching(w);
    outcome = hd_model_conclude(w->m, w->thread, operation);
    return outcome == HD_MODEL_RAN ? GO_ON : stop_failing(w);
}

/* An operation that touches a location. */
static enum progress list_it(walk *w, const hd_model_operation *operation,
                             enum hd_model_outcome outcome) {
    hd_model_machine *m = w->m;
    hd_machine_ahead *entry = enter_operation(w, operation);
    entry->operation.enabled = outcome != HD_MODEL_BLOCKED;
    if (outcome == HD_MODEL_RAN) {
        entry->operation.enabled = hd_model_act_enabled(m, operation);
        entry->operation.choices = hd_model_choices(m, operation);
    }
    entry->branching = outcome == HD_MODEL_FAILED || branches_on_shared(w, operation) ||
                       entry->operation.choices > 1;
    entry->may_fail = outcome == HD_MODEL_FAILED || w->fragile ||
                      operation->kind == HD_MODEL_OP_ASSERT ||
                      (entry->branching && w->m->program->fails_unseen);
    if (entry->branching || !entry->operation.enabled ||
        w->list->entries.length >= HD_MODEL_MAX_AHEAD)
        return STOP;
    outcome = hd_model_act(m, w->thread, operation, 0);
    if (outcome == HD_MODEL_RAN)
        outcome = hd_model_conclude(m, w->thread, operation);
    return outcome == HD_MODEL_RAN ? GO_ON : stop_failing(w);
}

/* All values that the operation at hand reads decide how it goes on. */
static void decide_by_all(walk *w, hd_machine_ahead *entry) {
    hd_vec_clear(&w->list->addresses);
    for (uint32_t i = 0; i < entry->operation.count; i++)
        hd_vec_push(&w->list->addresses, w->list->accesses.data[i].location);
    entry->address_count = entry->operation.count;
    entry->branching = true;
}

/* A choice after which invariants are checked; it is listed alone. */
static enum progress consider_choice(walk *w, const hd_model_operation *operation) {
    enum hd_model_outcome outcome;
    if (!is_empty(w))
        return STOP;
    uint32_t choices = hd_model_see_choices(w->m, operation, &outcome);
    hd_machine_ahead *entry = enter_operation(w, operation);
    entry->operation.enabled = outcome != HD_MODEL_BLOCKED;
    entry->operation.choices = choices;
    entry->may_fail = true;
    decide_by_all(w, entry);
    return STOP;
}

static enum progress consider_operation(walk *w, const hd_model_operation *operation) {
    hd_model_machine *m = w->m;
    hd_vec_clear(&m->seen);
    w->decided = w->control = 0;
    w->fragile = false;
    if (hd_model_choice_is_checked(m, operation))
        return consider_choice(w, operation);
    enum hd_model_outcome outcome = run_code(w, operation->code);
    if (outcome == HD_MODEL_RAN)
        look_at_act(w, operation);
    if (w->decided & EARLIER) {
        if (operation->visibility == HD_MODEL_VISIBLE)
            return STOP;
        return operation->kind == HD_MODEL_OP_ASSERT ? stop_failing(w) : stop_branching(w);
    }
    bool passes = m->seen.length == 0 && operation->kind != HD_MODEL_OP_CHOOSE;
    enum progress progress =
        passes ? pass_operation(w, operation, outcome) : list_it(w, operation, outcome);
    grow_old(m);
    return progress;
}

/* An operation that may close a round: the values that it reads, and the steps before it, decide
 * whether it is enabled, so it is listed alone. */
static enum progress consider_round(walk *w, const hd_model_operation *operation) {
    if (!is_empty(w))
        return STOP;
    bool may_close = hd_model_may_close_round(w->m, w->thread);
    bool closes = may_close && hd_model_closes_round(w->m, w->thread) != HD_MODEL_NO_ROUND;
    enum progress progress = consider_operation(w, operation);
    if (is_empty(w))
        return progress;
    hd_machine_ahead *entry = hd_vec_last(&w->list->entries);
    decide_by_all(w, entry);
    entry->may_fail |= w->m->program->fails_unseen;
    entry->operation.enabled &= !closes;
    entry->operation.awaits |= may_close;
    return STOP;
}

static void walk_on(walk *w) {
    for (uint32_t steps = 0; steps < HD_MODEL_MAX_LOCAL_STEPS; steps++) {
        const hd_model_operation *at = hd_model_at(w->m, w->thread);
        if (at->kind == HD_MODEL_OP_END && !is_empty(w))
            hd_vec_last(&w->list->entries)->last = true;
        if (at->kind == HD_MODEL_OP_END ||
            (at->rounds ? consider_round : consider_operation)(w, at) == STOP)
            return;
    }
    stop_branching(w);
}

static void prepare_ahead(hd_model_machine *m) {
    if (m->lists)
        return;
    m->lists = HD_NEW_ARRAY(hd_model_list, m->machine.threads);
    m->origins = HD_NEW_ARRAY(uint64_t, m->program->first_constant);
}

uint32_t hd_model_ahead(hd_machine *machine, uint32_t thread, const hd_machine_ahead **list) {
    hd_model_machine *m = hd_model_of(machine);
    assert(thread < machine->threads);
    prepare_ahead(m);
    walk w = {.m = m, .list = &m->lists[thread], .thread = thread};
    hd_vec_clear(&w.list->entries);
    hd_vec_clear(&w.list->accesses);
    hd_vec_clear(&w.list->addresses);
    hd_model_failure failure = m->failure;
    size_t mark = m->log.length;
    assert(m->cells[hd_model_choice_cell(m->program)] == 0);
    hd_model_log_counter(m, thread);
    walk_on(&w);
    hd_model_roll_back(m, mark);
    m->failure = failure;
    for (size_t i = 0; i < m->tainted.length; i++)
        m->origins[m->tainted.data[i]] = 0;
    hd_vec_clear(&m->tainted);
    point_into_vectors(w.list);
    *list = w.list->entries.data;
    return (uint32_t)w.list->entries.length;
}
