/*
 * The interpreter.  It is compiled twice from one text: plain, for steps, and with a recorder, to
 * look at what a step would access.
 */
#include "model_machine.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE int64_t get_cell(hd_model_machine *m, uint32_t cell, bool recorded) {
    int64_t value = m->cells[cell];
    if (recorded && cell < m->locations)
        hd_model_see(m, cell, HD_MACHINE_READ, value);
    return value;
}

static ALWAYS_INLINE void put_cell(hd_model_machine *m, uint32_t cell, int64_t value,
                                   bool recorded) {
    if (cell >= m->states) {
        m->cells[cell] = value;
        return;
    }
    hd_model_set(m, cell, value);
    if (cell < m->locations) {
        if (recorded)
            hd_model_see(m, cell, hd_model_write_mode(m->program, cell), value);
        else
            m->stamps[cell] = m->clock;
    }
}

static enum hd_model_outcome fail_operation(hd_model_machine *m, uint8_t kind,
                                            const hd_model_instruction *at) {
    m->failure = (hd_model_failure){.kind = kind, .position = at->position};
    return HD_MODEL_FAILED;
}

static enum hd_model_outcome fail_index(hd_model_machine *m, const hd_model_instruction *at,
                                        int64_t index) {
    fail_operation(m, HD_MODEL_FAIL_INDEX, at);
    m->failure.array = at->a;
    m->failure.index = index;
    return HD_MODEL_FAILED;
}

static ALWAYS_INLINE bool compare_and_swap(hd_model_machine *m, const hd_model_instruction *i,
                                           bool recorded) {
    uint32_t cell = (uint32_t)m->cells[i->a];
    if (get_cell(m, cell, recorded) != m->cells[i->b])
        return false;
    put_cell(m, cell, m->cells[i->b + 1], recorded);
    return true;
}

/* One case for each binary operator, since the switch is what takes the time. */
#define BINARY_CASE(name, text, binds)                                                             \
    case HD_MODEL_##name: {                                                                        \
        int64_t a = get_cell(m, i->a, recorded), b = get_cell(m, i->b, recorded);                  \
        if (hd_model_divides(HD_MODEL_##name) && b == 0)                                           \
            return fail_operation(m, HD_MODEL_FAIL_DIVISION, i);                                   \
        put_cell(m, i->to, hd_model_apply(HD_MODEL_##name, a, b), recorded);                       \
        break;                                                                                     \
    }

/* NOLINTNEXTLINE(readability-function-size): its size is that of the expanded macro */
static ALWAYS_INLINE enum hd_model_outcome run_code(hd_model_machine *m, uint32_t code,
                                                    bool recorded) {
    uint32_t fuel = HD_MODEL_MAX_LOCAL_STEPS;
    for (const hd_model_instruction *i = &m->code[code];; i++) {
        switch (i->code) {
            HD_MODEL_OPERATORS(BINARY_CASE)
        case HD_MODEL_NEGATE:
        case HD_MODEL_NOT:
            put_cell(m, i->to, hd_model_apply_unary(i->code, get_cell(m, i->a, recorded)),
                     recorded);
            break;
        case HD_MODEL_MOVE:
            put_cell(m, i->to, get_cell(m, i->a, recorded), recorded);
            break;
        case HD_MODEL_ADDRESS: {
            const hd_model_array *array = &m->program->arrays.data[i->a];
            int64_t index = get_cell(m, i->b, recorded);
            if ((uint64_t)index >= array->size)
                return fail_index(m, i, index);
            m->cells[i->to] = array->first + index;
            break;
        }
        case HD_MODEL_LOAD:
            put_cell(m, i->to, get_cell(m, (uint32_t)m->cells[i->a], recorded), recorded);
            break;
        case HD_MODEL_STORE:
            put_cell(m, (uint32_t)m->cells[i->to], get_cell(m, i->a, recorded), recorded);
            break;
        case HD_MODEL_COMPARE_SWAP:
            put_cell(m, i->to, compare_and_swap(m, i, recorded), recorded);
            break;
        case HD_MODEL_JUMP:
            if (fuel-- == 0)
                return fail_operation(m, HD_MODEL_FAIL_ATOMIC_LOOP, i);
            i = &m->code[i->to] - 1;
            break;
        case HD_MODEL_JUMP_ZERO:
            if (get_cell(m, i->a, recorded) == 0)
                i = &m->code[i->to] - 1;
            break;
        case HD_MODEL_JUMP_NONZERO:
            if (get_cell(m, i->a, recorded) != 0)
                i = &m->code[i->to] - 1;
            break;
        case HD_MODEL_CHECK:
            if (get_cell(m, i->a, recorded) == 0)
                return fail_operation(m, HD_MODEL_FAIL_ASSERTION, i);
            break;
        case HD_MODEL_HOLD:
            if (get_cell(m, i->a, recorded) == 0) {
                m->assumption = i->b != 0;
                return HD_MODEL_BLOCKED;
            }
            break;
        default:
            assert(i->code == HD_MODEL_DONE);
            return HD_MODEL_RAN;
        }
    }
}

enum hd_model_outcome hd_model_run(hd_model_machine *m, uint32_t code) {
    return run_code(m, code, false);
}

enum hd_model_outcome hd_model_run_recorded(hd_model_machine *m, uint32_t code) {
    return run_code(m, code, true);
}

/* ---- Locks and condition variables ---- */

/* The object of an operation whose code has run. */
static uint32_t object_cell(const hd_model_machine *m, const hd_model_operation *operation) {
    return (uint32_t)m->cells[operation->value];
}

static enum hd_model_outcome fail_holder(hd_model_machine *m, const hd_model_operation *operation,
                                         uint8_t kind, uint32_t mutex) {
    m->failure = (hd_model_failure){.kind = kind, .position = operation->position, .cell = mutex};
    return HD_MODEL_FAILED;
}

static enum hd_model_outcome lock_mutex(hd_model_machine *m, uint32_t thread, uint32_t mutex) {
    if (m->cells[mutex] != 0)
        return HD_MODEL_BLOCKED;
    hd_model_change_location(m, mutex, (int64_t)thread + 1);
    return HD_MODEL_RAN;
}

static enum hd_model_outcome unlock_mutex(hd_model_machine *m, uint32_t thread,
                                          const hd_model_operation *operation, uint32_t mutex) {
    if (m->cells[mutex] != (int64_t)thread + 1)
        return fail_holder(m, operation, HD_MODEL_FAIL_UNLOCK, mutex);
    hd_model_change_location(m, mutex, 0);
    return HD_MODEL_RAN;
}

static enum hd_model_outcome start_waiting(hd_model_machine *m, uint32_t thread,
                                           const hd_model_operation *operation) {
    uint32_t condition = object_cell(m, operation), mutex = (uint32_t)m->cells[operation->second];
    if (m->cells[mutex] != (int64_t)thread + 1)
        return fail_holder(m, operation, HD_MODEL_FAIL_WAIT, mutex);
    hd_model_change_location(m, mutex, 0);
    hd_model_change_location(m, condition, m->cells[condition] + 1);
    hd_model_change_location(m, m->program->flags + thread, (int64_t)condition + 1);
    return HD_MODEL_RAN;
}

/* The flag of the first waiter of a condition from flag `from` on. */
static uint32_t find_waiter(const hd_model_machine *m, uint32_t condition, uint32_t from) {
    while (m->cells[from] != (int64_t)condition + 1)
        from++;
    assert(from < m->program->locations);
    return from;
}

/* Waiters in the order of threads; `choice` says which. */
static void notify_waiter(hd_model_machine *m, uint32_t condition, uint32_t choice) {
    if (m->cells[condition] == 0)
        return;
    assert(choice < m->cells[condition]);
    uint32_t flag = find_waiter(m, condition, m->program->flags);
    while (choice-- > 0)
        flag = find_waiter(m, condition, flag + 1);
    hd_model_change_location(m, flag, 0);
    hd_model_change_location(m, condition, m->cells[condition] - 1);
}

static void notify_all(hd_model_machine *m, uint32_t condition) {
    while (m->cells[condition] > 0)
        notify_waiter(m, condition, 0);
}

enum hd_model_outcome hd_model_act(hd_model_machine *m, uint32_t thread,
                                   const hd_model_operation *operation, uint32_t choice) {
    switch (operation->kind) {
    case HD_MODEL_OP_LOCK:
        return lock_mutex(m, thread, object_cell(m, operation));
    case HD_MODEL_OP_UNLOCK:
        return unlock_mutex(m, thread, operation, object_cell(m, operation));
    case HD_MODEL_OP_WAIT:
        return start_waiting(m, thread, operation);
    case HD_MODEL_OP_WAKE:
        return m->cells[operation->value] == 0 ? HD_MODEL_RAN : HD_MODEL_BLOCKED;
    case HD_MODEL_OP_NOTIFY:
        notify_waiter(m, object_cell(m, operation), choice);
        return HD_MODEL_RAN;
    case HD_MODEL_OP_NOTIFY_ALL:
        notify_all(m, object_cell(m, operation));
        return HD_MODEL_RAN;
    default:
        return HD_MODEL_RAN;
    }
}

/* The flags of all waiters, even where only one of them is woken: which one is a choice, and this
 * adds no dependence beyond that of the condition variable. */
static void see_notify(hd_model_machine *m, uint32_t condition) {
    hd_model_see(m, condition, HD_MACHINE_READ | HD_MACHINE_WRITE, 0);
    uint32_t flag = m->program->flags;
    for (int64_t left = m->cells[condition]; left > 0; left--) {
        flag = find_waiter(m, condition, flag);
        hd_model_see(m, flag++, HD_MACHINE_WRITE, 0);
    }
}

void hd_model_see_act(hd_model_machine *m, uint32_t thread, const hd_model_operation *operation) {
    switch (operation->kind) {
    case HD_MODEL_OP_LOCK:
        hd_model_see(m, object_cell(m, operation), HD_MACHINE_ACQUIRE, 0);
        break;
    case HD_MODEL_OP_UNLOCK:
        hd_model_see(m, object_cell(m, operation), HD_MACHINE_RELEASE, 0);
        break;
    case HD_MODEL_OP_WAIT:
        hd_model_see(m, object_cell(m, operation), HD_MACHINE_READ | HD_MACHINE_WRITE, 0);
        hd_model_see(m, (uint32_t)m->cells[operation->second], HD_MACHINE_RELEASE, 0);
        hd_model_see(m, m->program->flags + thread, HD_MACHINE_WRITE, 0);
        break;
    case HD_MODEL_OP_WAKE:
        hd_model_see(m, operation->value, HD_MACHINE_READ, 0);
        break;
    case HD_MODEL_OP_NOTIFY:
    case HD_MODEL_OP_NOTIFY_ALL:
        see_notify(m, object_cell(m, operation));
        break;
    default:
        break;
    }
}

bool hd_model_act_enabled(const hd_model_machine *m, const hd_model_operation *operation) {
    switch (operation->kind) {
    case HD_MODEL_OP_LOCK:
        return m->cells[object_cell(m, operation)] == 0;
    case HD_MODEL_OP_WAKE:
        return m->cells[operation->value] == 0;
    case HD_MODEL_OP_AWAIT:
        return m->cells[operation->value] != 0;
    default:
        return true;
    }
}

uint32_t hd_model_choices(const hd_model_machine *m, const hd_model_operation *operation) {
    if (operation->kind == HD_MODEL_OP_CHOOSE)
        return (uint32_t)(m->cells[operation->second] - m->cells[operation->value] + 1);
    if (operation->kind != HD_MODEL_OP_NOTIFY)
        return 1;
    int64_t waiters = m->cells[object_cell(m, operation)];
    return waiters > 1 ? (uint32_t)waiters : 1;
}
