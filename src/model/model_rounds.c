/*
 * Rounds of loops that only wait.
 *
 * A thread that comes back to a state of its own, program counter and locals alike, without having
 * written anything since, has been round for nothing: what it does from there it could have done
 * without that round.  So the operation that would close such a round is not enabled.  It is an
 * await: enabled with values that lead elsewhere.  Failed rounds are no executions, and a loop that
 * waits is finite.
 *
 *   wait    the operation comes back to where it is.  A run that ends there is a deadlock: the
 *           thread would go round for ever.
 *   retry   it comes back to where the thread was before.  A run that ends there is one in which a
 *           round was begun for nothing, and there is another without that round.  It is a
 *           deadlock only if the thread, alone, comes round to the same state again.
 *
 * Only operations in loops are looked at, and not where each round counts or writes: see
 * hd_model_mark_rounds.  Locals that are assigned before they are read again make no difference.
 */
#include "model_machine.h"

/* ---- Which operations can close a round ---- */

static bool is_constant(const hd_model_program *program, uint32_t cell, int64_t *value) {
    if (cell < program->first_constant)
        return false;
    *value = program->constants.data[cell - program->first_constant];
    return true;
}

static bool is_local(const hd_model_program *program, uint32_t cell) {
    return cell >= program->locations && cell < program->states;
}

/* v = v + 1 */
static bool adds_constant(const hd_model_program *program, const hd_model_operation *operation,
                          hd_model_mover *mover) {
    const hd_model_instruction *i = &program->code.data[operation->code];
    int64_t value = 0;
    if (operation->kind != HD_MODEL_OP_COMPUTE || i[1].code != HD_MODEL_DONE ||
        (i->code != HD_MODEL_ADD && i->code != HD_MODEL_SUBTRACT) || i->to != i->a ||
        !is_local(program, i->to) || !is_constant(program, i->b, &value))
        return false;
    if (i->code == HD_MODEL_SUBTRACT)
        value = (int64_t)(0 - (uint64_t)value);
    *mover = (hd_model_mover){.local = i->to, .known = true, .by = value};
    return value != 0;
}

/* v = (v + 1) % 8 */
static bool adds_modulo(const hd_model_program *program, const hd_model_operation *operation,
                        hd_model_mover *mover) {
    const hd_model_instruction *i = &program->code.data[operation->code];
    int64_t value = 0, modulus = 0;
    if (operation->kind != HD_MODEL_OP_COMPUTE || i->code != HD_MODEL_ADD ||
        i[1].code != HD_MODEL_REMAINDER || i[2].code != HD_MODEL_DONE || i[1].a != i->to ||
        i[1].to != i->a || !is_local(program, i->a) || !is_constant(program, i->b, &value) ||
        !is_constant(program, i[1].b, &modulus))
        return false;
    *mover = (hd_model_mover){.local = i->a, .known = true, .by = value, .modulus = modulus};
    return value > 0 && value < modulus;
}

static bool changes_local(const hd_model_program *program, const hd_model_operation *operation,
                          hd_model_mover *mover) {
    return adds_constant(program, operation, mover) || adds_modulo(program, operation, mover);
}

static int64_t moved(const hd_model_mover *mover, int64_t value) {
    int64_t sum = (int64_t)((uint64_t)value + (uint64_t)mover->by);
    return mover->modulus ? hd_model_remainder(sum, mover->modulus) : sum;
}

/* The array of which an instruction of the code stores an element; NULL: not known. */
static const hd_model_array *array_of(const hd_model_program *program, uint32_t code,
                                      const hd_model_instruction *store) {
    for (const hd_model_instruction *i = store; i-- > &program->code.data[code];)
        if (i->code == HD_MODEL_ADDRESS && i->to == store->to)
            return &program->arrays.data[i->a];
    return NULL;
}

/* May the code assign a cell from `first` up to `last`? */
static bool assigns(const hd_model_program *program, uint32_t code, uint32_t first, uint32_t last) {
    for (const hd_model_instruction *i = &program->code.data[code]; i->code != HD_MODEL_DONE; i++) {
        if (i->code == HD_MODEL_STORE) {
            const hd_model_array *array = array_of(program, code, i);
            if (!array || (array->first <= last && array->first + array->size > first))
                return true;
        } else if (i->code < HD_MODEL_JUMP && i->to >= first && i->to <= last)
            return true;
    }
    return false;
}

/* Is the local a counter: changed by one operation of the loop and no other? */
static bool is_counter(const hd_model_program *program, uint32_t first, uint32_t last, uint32_t at,
                       uint32_t local) {
    for (uint32_t o = first; o <= last; o++) {
        const hd_model_operation *operation = &program->operations.data[o];
        if (o != at && operation->kind < HD_MODEL_OP_GOTO &&
            assigns(program, operation->code, local, local))
            return false;
    }
    return true;
}

/* Code without jumps that assigns a shared variable, or an element of a shared array. */
static bool writes_always(const hd_model_program *program, const hd_model_operation *operation) {
    bool writes = false;
    if (operation->kind > HD_MODEL_OP_AWAIT)
        return operation->kind != HD_MODEL_OP_WAKE;
    for (const hd_model_instruction *i = &program->code.data[operation->code];
         i->code != HD_MODEL_DONE; i++) {
        if (i->code >= HD_MODEL_JUMP && i->code <= HD_MODEL_JUMP_NONZERO)
            return false;
        const hd_model_array *array =
            i->code == HD_MODEL_STORE ? array_of(program, operation->code, i) : NULL;
        if (i->code == HD_MODEL_STORE)
            writes |= array && array->first < program->locations;
        else
            writes |= i->code < HD_MODEL_JUMP && i->to < program->locations;
    }
    return writes;
}

/* Does every round, from the condition on, count or write before it can branch again? */
static bool never_idle(const hd_model_program *program, uint32_t first, uint32_t last) {
    uint32_t at = program->operations.data[first].next;
    hd_model_mover mover;
    if (program->operations.data[first].kind != HD_MODEL_OP_BRANCH)
        return false;
    while (at > first && at <= last) {
        const hd_model_operation *operation = &program->operations.data[at];
        if (writes_always(program, operation) ||
            (adds_constant(program, operation, &mover) &&
             is_counter(program, first, last, at, mover.local)))
            return true;
        if (operation->kind == HD_MODEL_OP_BRANCH || operation->next <= at)
            return false;
        at = operation->next;
    }
    return false;
}

/* A thread that chooses can leave a loop by another choice. */
static bool has_choice(const hd_model_program *program, uint32_t first, uint32_t last) {
    for (uint32_t o = first; o <= last; o++)
        if (program->operations.data[o].kind == HD_MODEL_OP_CHOOSE)
            return true;
    return false;
}

static bool mark_loops(hd_model_program *program, uint32_t first) {
    bool any = false;
    for (uint32_t last = first; last < program->operations.length; last++) {
        const hd_model_operation *operation = &program->operations.data[last];
        if (operation->kind == HD_MODEL_OP_GOTO || operation->kind == HD_MODEL_OP_END)
            continue;
        uint32_t back[2] = {operation->next, operation->otherwise};
        for (int i = 0; i < 1 + (operation->kind == HD_MODEL_OP_BRANCH); i++) {
            if (back[i] > last || back[i] < first || never_idle(program, back[i], last) ||
                has_choice(program, back[i], last))
                continue;
            for (uint32_t o = back[i]; o <= last; o++) {
                hd_model_operation *in = &program->operations.data[o];
                in->rounds = in->kind <= HD_MODEL_OP_AWAIT &&
                             in->visibility != HD_MODEL_INVISIBLE && !writes_always(program, in);
                in->decides = in->kind == HD_MODEL_OP_BRANCH &&
                              !assigns(program, in->code, program->locations, program->states - 1);
                any |= in->rounds;
            }
        }
    }
    return any;
}

/* ---- Which locals matter ---- */

/* The first locals of a thread, as bits; the others always matter. */
enum { MASKED = 64 };

typedef struct liveness {
    const hd_model_program *program;
    uint32_t frame, count; /* of the thread's locals */
    uint64_t always;       /* elements of arrays, which are found by computed addresses */
} liveness;

static uint64_t bit_of(const liveness *l, uint32_t cell) {
    uint32_t local = cell - l->frame;
    return cell >= l->frame && local < l->count && local < MASKED ? UINT64_C(1) << local : 0;
}

static bool reads_second(uint8_t code) {
    return code < HD_MODEL_BINARY_CODES || code == HD_MODEL_ADDRESS ||
           code == HD_MODEL_COMPARE_SWAP;
}

/* What is live before an operation, given what is after it.  In code that jumps, what is assigned
 * may not be. */
static uint64_t live_before(const liveness *l, const hd_model_operation *operation, uint64_t live) {
    const hd_model_instruction *begin = &l->program->code.data[operation->code], *end = begin;
    bool jumps = false;
    for (; end->code != HD_MODEL_DONE; end++)
        jumps |= end->code >= HD_MODEL_JUMP && end->code <= HD_MODEL_JUMP_NONZERO;
    live |= bit_of(l, operation->value) | bit_of(l, operation->second);
    for (const hd_model_instruction *i = end; i-- > begin;) {
        bool assigns_it = i->code < HD_MODEL_JUMP && i->code != HD_MODEL_STORE;
        if (assigns_it && !jumps)
            live &= ~bit_of(l, i->to);
        if (!assigns_it)
            live |= bit_of(l, i->to);
        live |= bit_of(l, i->a);
        if (reads_second(i->code))
            live |= bit_of(l, i->b) | (i->code == HD_MODEL_COMPARE_SWAP ? bit_of(l, i->b + 1) : 0);
    }
    return live | l->always;
}

static uint64_t live_at(const hd_model_program *program, uint32_t operation) {
    return program->turns.data[operation].live;
}

static void find_arrays(liveness *l, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        const hd_model_instruction *instruction = &l->program->code.data[i];
        if (instruction->code != HD_MODEL_ADDRESS)
            continue;
        const hd_model_array *array = &l->program->arrays.data[instruction->a];
        for (uint32_t k = 0; k < array->size; k++)
            l->always |= bit_of(l, array->first + k);
    }
}

/* Backwards until nothing is added. */
static void find_live(hd_model_program *program, uint32_t thread, uint32_t first) {
    liveness l = {.program = program,
                  .frame = program->instances[thread].frame,
                  .count = program->instances[thread].thread->frame};
    uint32_t count = (uint32_t)program->operations.length;
    bool grows = true;
    find_arrays(&l, program->operations.data[first].code, (uint32_t)program->code.length);
    while (grows) {
        grows = false;
        for (uint32_t o = count; o-- > first;) {
            const hd_model_operation *operation = &program->operations.data[o];
            hd_model_turn *turn = &program->turns.data[o];
            turn->live_known = true;
            if (operation->kind == HD_MODEL_OP_END || operation->kind == HD_MODEL_OP_GOTO)
                continue;
            uint64_t after = live_at(program, operation->next);
            if (operation->kind == HD_MODEL_OP_BRANCH)
                after |= live_at(program, operation->otherwise);
            uint64_t live = live_before(&l, operation, after);
            grows |= live != turn->live;
            turn->live = live;
        }
    }
}

/* ---- Can an operation come back to itself at once? ---- */

enum { LONG = 32, MANY = 256 };

typedef struct paths {
    const hd_model_program *program;
    uint32_t from; /* the operation */
    uint64_t live;
    uint32_t frame, left;
    uint32_t operations[LONG]; /* after it, none of which touches a location */
} paths;

/* Does the operation of the path change a local that matters and that no other one assigns? */
static bool moves(const paths *p, uint32_t length, uint32_t i, hd_model_mover *mover) {
    const hd_model_operation *operations = p->program->operations.data;
    if (!changes_local(p->program, &operations[p->operations[i]], mover) ||
        (mover->local - p->frame < MASKED && !(p->live >> (mover->local - p->frame) & 1)))
        return false;
    for (uint32_t k = 0; k < length; k++)
        if (k != i &&
            assigns(p->program, operations[p->operations[k]].code, mover->local, mover->local))
            return false;
    return true;
}

/* Does one operation of the path?  The mover of all paths stays known if it is that of this path
 * too. */
static bool path_changes(const paths *p, uint32_t length, hd_model_mover *all) {
    bool changes = false, same = false;
    for (uint32_t i = 0; i < length; i++) {
        hd_model_mover mover;
        if (!moves(p, length, i, &mover))
            continue;
        if (all->known && !all->by)
            *all = mover;
        same |= mover.local == all->local && mover.by == all->by && mover.modulus == all->modulus;
        changes = true;
    }
    all->known &= same;
    return changes;
}

static bool all_change(paths *p, uint32_t at, uint32_t length, hd_model_mover *all) {
    const hd_model_operation *operation = &p->program->operations.data[at];
    if (at == p->from)
        return path_changes(p, length, all);
    if (operation->kind == HD_MODEL_OP_END || operation->visibility == HD_MODEL_VISIBLE)
        return true;
    if (length == LONG || p->left-- == 0)
        return false;
    p->operations[length] = at;
    return all_change(p, operation->next, length + 1, all) &&
           (operation->kind != HD_MODEL_OP_BRANCH ||
            all_change(p, operation->otherwise, length + 1, all));
}

static void find_movers(hd_model_program *program, uint32_t thread, uint32_t first) {
    for (uint32_t o = first; o < program->operations.length; o++) {
        hd_model_operation *in = &program->operations.data[o];
        hd_model_mover *movers = program->turns.data[o].movers;
        paths p = {.program = program,
                   .from = o,
                   .live = program->turns.data[o].live,
                   .frame = program->instances[thread].frame,
                   .left = MANY};
        movers[0].known = movers[1].known = true;
        in->moves_on = in->rounds && in->decides && all_change(&p, in->next, 0, &movers[0]) &&
                       all_change(&p, in->otherwise, 0, &movers[1]);
    }
}

void hd_model_mark_rounds(hd_model_program *program, uint32_t thread, uint32_t first) {
    hd_vec_resize(&program->turns, program->operations.length);
    if (!mark_loops(program, first))
        return;
    find_live(program, thread, first);
    find_movers(program, thread, first);
}

/* ---- Does an operation close one? ---- */

/* The thread's counter and locals. */
static void copy_locals(hd_model_machine *m, uint32_t thread, int64_t *to) {
    const hd_model_instance *instance = &m->program->instances[thread];
    to[0] = m->cells[m->locations + thread];
    memcpy(to + 1, m->cells + instance->frame, instance->thread->frame * sizeof *to);
}

/* Are they the same as far as it matters? */
static bool same_locals(const hd_model_machine *m, uint32_t thread, const int64_t *a,
                        const int64_t *b) {
    uint32_t count = m->program->instances[thread].thread->frame;
    uint64_t live = m->program->turns.data[a[0]].live;
    if (a[0] != b[0])
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (a[1 + i] != b[1 + i] && (i >= MASKED || live >> i & 1))
            return false;
    return true;
}

/* Takes back the changes of the log from `end` down to `begin` in a copy of a thread's locals;
 * false if a location was changed. */
static bool take_back(hd_model_machine *m, uint32_t thread, size_t begin, size_t end,
                      int64_t *past) {
    uint32_t frame = m->program->instances[thread].frame;
    for (size_t i = end; i-- > begin;) {
        hd_model_change change = m->log.data[i];
        if (change.cell < m->locations)
            return false;
        if (change.cell == m->locations + thread)
            past[0] = change.old;
        else
            past[1 + change.cell - frame] = change.old;
    }
    return true;
}

/* The step of its thread before a step, from 1 on; 0: none.  Most steps are taken back before this
 * is asked. */
static uint32_t step_before(hd_model_machine *m, uint32_t step) {
    while (m->before.length < step) {
        uint32_t *last = &m->last[m->steps.data[m->before.length].thread];
        hd_vec_push(&m->before, *last);
        *last = (uint32_t)m->before.length;
    }
    return m->before.data[step - 1];
}

/* A thread's last step: mostly that of all. */
static inline uint32_t last_step(hd_model_machine *m, uint32_t thread) {
    uint32_t length = (uint32_t)m->steps.length;
    if (!length || m->steps.data[length - 1].thread == thread)
        return length;
    step_before(m, length);
    return m->last[thread];
}

/* Was the thread, which has come on since `mark`, in its present state before? */
static enum hd_model_round find_before(hd_model_machine *m, uint32_t thread, size_t mark) {
    enum { FAR = 4096 }; /* own steps */
    size_t count = 1 + m->program->instances[thread].thread->frame;
    hd_vec_resize(&m->locals, 2 * count);
    int64_t *now = m->locals.data, *past = now + count;
    copy_locals(m, thread, now);
    memcpy(past, now, count * sizeof *now);
    if (!take_back(m, thread, mark, m->log.length, past))
        return HD_MODEL_NO_ROUND;
    if (same_locals(m, thread, past, now))
        return HD_MODEL_WAIT_ROUND;
    uint32_t step = last_step(m, thread);
    for (int steps = 0; steps < FAR && step > 0; steps++) {
        const hd_model_step *taken = &m->steps.data[step - 1];
        size_t end = step < m->steps.length ? taken[1].log : mark;
        if (!take_back(m, thread, taken->log, end, past))
            return HD_MODEL_NO_ROUND;
        if (same_locals(m, thread, past, now))
            return HD_MODEL_RETRY_ROUND;
        step = step_before(m, step);
    }
    return HD_MODEL_NO_ROUND;
}

/* Of invisible steps that are tried: a round with more does not count as one. */
enum { LOCAL_STEPS = 1024 };

/* Runs the thread's operation and what is invisible after it; false if it writes, acts or fails.
 * The caller takes it back. */
static bool read_on(hd_model_machine *m, uint32_t thread) {
    const hd_model_operation *at = hd_model_at(m, thread);
    if (at->kind > HD_MODEL_OP_AWAIT)
        return false;
    hd_model_log_counter(m, thread);
    hd_vec_clear(&m->seen);
    if (hd_model_run_recorded(m, at->code) != HD_MODEL_RAN)
        return false;
    for (size_t i = 0; i < m->seen.length; i++)
        if (m->seen.data[i].mode & HD_MACHINE_WRITES)
            return false;
    return hd_model_conclude(m, thread, at) == HD_MODEL_RAN &&
           hd_model_settle(m, thread, LOCAL_STEPS) == HD_MODEL_RAN;
}

/* What is tried here is taken back, and so is what it found by looking. */
typedef struct attempt {
    hd_model_machine *m;
    uint32_t thread;
    hd_model_failure failure;
    hd_model_look look;
    size_t mark;
} attempt;

static attempt begin_attempt(hd_model_machine *m, uint32_t thread) {
    attempt a = {m, thread, m->failure, m->looks[thread], m->log.length};
    m->looks[thread] = m->spare;
    return a;
}

static void end_attempt(const attempt *a) {
    hd_model_roll_back(a->m, a->mark);
    a->m->failure = a->failure;
    a->m->spare = a->m->looks[a->thread];
    a->m->looks[a->thread] = a->look;
}

/* Would the thread close a round if it went on there? */
static bool closes_from(hd_model_machine *m, uint32_t thread, uint32_t operation) {
    attempt a = begin_attempt(m, thread);
    hd_model_log_counter(m, thread);
    hd_model_go(m, thread, operation);
    bool closes = hd_model_settle(m, thread, LOCAL_STEPS) == HD_MODEL_RAN &&
                  find_before(m, thread, a.mark) != HD_MODEL_NO_ROUND;
    end_attempt(&a);
    return closes;
}

/* Did a step write, so that no state before it counts? */
static bool wrote(const hd_model_machine *m, uint32_t step) {
    const hd_model_step *taken = &m->steps.data[step - 1];
    size_t end = step < m->steps.length ? taken[1].log : m->log.length;
    for (size_t i = taken->log; i < end; i++)
        if (m->log.data[i].cell < m->locations)
            return true;
    return false;
}

/* Has the thread just written?  Or since then taken this operation only, and what moves on has no
 * value then that it had before one of those steps? */
static bool keeps_moving(hd_model_machine *m, uint32_t thread) {
    enum { FAR = 64 }; /* own steps */
    const uint32_t counter = m->locations + thread;
    const hd_model_mover *movers = m->program->turns.data[m->cells[counter]].movers;
    const int64_t here = m->cells[counter];
    uint32_t step = last_step(m, thread);
    if (!step || wrote(m, step))
        return true;
    if (!movers[0].known || !movers[1].known)
        return false;
    int64_t then[2], past[2], where = here;
    for (int i = 0; i < 2; i++) {
        past[i] = m->cells[movers[i].local];
        then[i] = moved(&movers[i], past[i]);
    }
    for (int steps = 0; step && !wrote(m, step); steps++) {
        const hd_model_step *taken = &m->steps.data[step - 1];
        size_t end = step < m->steps.length ? taken[1].log : m->log.length;
        if (steps == FAR)
            return false;
        while (end-- > taken->log) {
            hd_model_change change = m->log.data[end];
            if (change.cell == counter)
                where = change.old;
            for (int i = 0; i < 2; i++)
                if (change.cell == movers[i].local)
                    past[i] = change.old;
        }
        if (where != here || (movers[0].by && past[0] == then[0]) ||
            (movers[1].by && past[1] == then[1]))
            return false;
        step = step_before(m, step);
    }
    return true;
}

bool hd_model_may_close_round(hd_model_machine *m, uint32_t thread) {
    const hd_model_operation *at = hd_model_at(m, thread);
    if (!at->decides)
        return true;
    bool moves = at->moves_on && keeps_moving(m, thread);
    assert(!moves || (!closes_from(m, thread, at->next) && !closes_from(m, thread, at->otherwise)));
    return !moves && (closes_from(m, thread, at->next) || closes_from(m, thread, at->otherwise));
}

enum hd_model_round hd_model_closes_round(hd_model_machine *m, uint32_t thread) {
    attempt a = begin_attempt(m, thread);
    enum hd_model_round round = HD_MODEL_NO_ROUND;
    if (read_on(m, thread))
        round = find_before(m, thread, a.mark);
    end_attempt(&a);
    return round;
}

bool hd_model_goes_round(hd_model_machine *m, uint32_t thread) {
    enum { FAR = 4096 };
    size_t count = 1 + m->program->instances[thread].thread->frame;
    bool same = false;
    attempt a = begin_attempt(m, thread);
    hd_vec_resize(&m->locals, 2 * count);
    int64_t *begin = m->locals.data, *now = begin + count;
    copy_locals(m, thread, begin);
    for (int steps = 0; steps < FAR && !same && read_on(m, thread); steps++) {
        copy_locals(m, thread, now);
        same = same_locals(m, thread, begin, now);
    }
    end_attempt(&a);
    return same;
}
