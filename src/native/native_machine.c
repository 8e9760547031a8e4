#include "native_machine.h"

#include <stdlib.h>
#include <unistd.h>

#include "native_program.h"
#include "native_reads.h"
#include "native_sections.h"

/* --- the machine ---------------------------------------------------------------------------- */

/* The thread's pending operation; NULL if it has ended. */
const heddle_wire_next *hd_native_program_pending(const hd_native_program *m, uint32_t thread) {
    static const heddle_wire_next start = {.operation = {.kind = HEDDLE_WIRE_START}};
    static const heddle_wire_next unborn = {.operation = {.kind = HEDDLE_WIRE_NOTHING}};
    const heddle_wire_step *last = hd_native_program_step(m);
    if (hd_native_program_broken(m) || m->failed || (last && last->over && last->thread == thread))
        return NULL;
    const heddle_wire_next *next = hd_native_program_logged(m, thread);
    if (!next)
        return !thread && !last ? &start : &unborn;
    return next->ended ? NULL : next;
}

/* The threads that wait in such an operation at an object; enters their flags. */
static uint32_t waiters(hd_native_program *m, unsigned kind, uint64_t object,
                        hd_native_accesses *flags) {
    uint32_t count = 0;
    for (uint32_t thread = 0; thread < m->base.threads; thread++) {
        const heddle_wire_next *next = hd_native_program_pending(m, thread);
        bool moved = m->exits & HEDDLE_WIRE_MOVES_WAITERS && kind == HEDDLE_WIRE_FUTEX;
        if (!next || next->operation.kind != kind ||
            (next->operation.address != object && !moved) ||
            (m->path.length && hd_launch_log_succeeds(m->log, m->path.length - 1, thread)))
            continue;
        count++;
        hd_native_locations_add(&m->locations, HD_NATIVE_FLAG, thread,
                                m->base.reads ? HD_MACHINE_WRITE : HD_MACHINE_RELEASE, flags);
    }
    return count;
}

/* The kind of operation in which threads wait that this one may wake; 0: it wakes none. */
static unsigned lets_go(const hd_native_program *m, const heddle_wire_operation *operation) {
    switch (operation->kind) {
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
        return HEDDLE_WAKE + 1;
    case HEDDLE_BARRIER_IN + 1:
        return HEDDLE_BARRIER_OUT + 1;
    case HEDDLE_WIRE_FENCE:
        return operation->address ? HEDDLE_WIRE_FUTEX : 0;
    case HEDDLE_WIRE_ATOMIC:
        return m->exits & HEDDLE_WIRE_MOVES_WAITERS ? HEDDLE_WIRE_FUTEX : 0;
    default:
        return 0;
    }
}

/* Could the thread go on before the last step? */
static bool could_go_on(const hd_native_program *m, uint32_t thread) {
    size_t length = m->path.length;
    return length < 2 ? thread == 0 : hd_launch_log_enabled(m->log, length - 2, thread);
}

static uint8_t memory_of(const heddle_wire_operation *about) {
    switch (about->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_WRITE + 1:
        return about->orders & HEDDLE_WIRE_EXEMPT ? HD_MACHINE_EXEMPT : HD_MACHINE_PLAIN;
    case HEDDLE_ATOMIC_READ + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
    case HEDDLE_ATOMIC_RMW + 1:
        return HD_MACHINE_ATOMIC;
    default:
        return HD_MACHINE_NO_MEMORY;
    }
}

/* Does it use what is not in the memory of the program?  What a lock is stays there. */
static bool is_outside(const heddle_wire_operation *about) {
    enum {
        ODD = HEDDLE_WIRE_TIMED | HEDDLE_WIRE_EITHER | HEDDLE_WIRE_LOOKS | HEDDLE_WIRE_WAKES |
              HEDDLE_WIRE_ODD
    };
    switch (about->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_READ + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
    case HEDDLE_ATOMIC_RMW + 1:
    case HEDDLE_WIRE_YIELD:
        return about->flags & ODD;
    case HEDDLE_WIRE_SLEEP: /* if the program does not ask how long it was (rt_state.c) */
        return about->flags & ODD & ~HEDDLE_WIRE_TIMED;
    case HEDDLE_ACQUIRE + 1:
    case HEDDLE_RELEASE + 1:
        return about->flags & ODD || about->size == HEDDLE_WIRE_STREAM ||
               about->size == HEDDLE_WIRE_ANNOTATED;
    case HEDDLE_WIRE_FENCE:
        return about->flags & ODD || about->address;
    default:
        return true;
    }
}

/* By location; those of one location are one. */
static void sort_accesses(hd_native_accesses *accesses) {
    size_t kept = 0;
    for (size_t i = 0; i < accesses->length; i++) {
        uint32_t location = accesses->data[i].location;
        uint8_t mode = accesses->data[i].mode;
        size_t at = kept;
        while (at && accesses->data[at - 1].location > location)
            at--;
        if (at && accesses->data[at - 1].location == location) {
            accesses->data[at - 1].mode |= mode;
            continue;
        }
        if (at < kept)
            memmove(accesses->data + at + 1, accesses->data + at,
                    (kept - at) * sizeof *accesses->data);
        accesses->data[at].location = location;
        accesses->data[at].mode = mode;
        kept++;
    }
    accesses->length = kept;
}

static bool next(hd_machine *machine, uint32_t thread, hd_machine_operation *operation) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_native_accesses *accesses = &m->accesses[thread];
    const heddle_wire_next *pending = hd_native_program_pending(m, thread);
    if (!pending)
        return false;
    const heddle_wire_operation *about = &pending->operation;
    const heddle_wire_step *last = hd_native_program_step(m);
    bool succeeds = last ? hd_launch_log_succeeds(m->log, m->path.length - 1, thread) : true;
    *operation = (hd_machine_operation){.choices = 1};
    bool over = last && last->over;
    operation->enabled =
        !over && (last ? hd_launch_log_enabled(m->log, m->path.length - 1, thread) : thread == 0);
    operation->enabled &= !hd_native_program_drawn_out(m);
    operation->idle = over ? !could_go_on(m, thread) : about->kind == HEDDLE_WIRE_NOTHING;
    operation->retries = !operation->enabled &&
                         (about->flags & HEDDLE_WIRE_SPINS || about->kind == HEDDLE_WIRE_ROUND) &&
                         m->log->end == HD_LAUNCH_VAIN && m->path.length == m->log->steps.length;
    operation->yields = about->kind == HEDDLE_WIRE_YIELD || about->kind == HEDDLE_WIRE_SLEEP ||
                        (about->flags & HEDDLE_WIRE_TIMED && !succeeds);
    operation->position = (uint32_t)(about->code - m->server.run.wire->code);
    operation->memory = memory_of(about);
    operation->updates = about->kind == HEDDLE_ATOMIC_RMW + 1 && succeeds;
    operation->fails = !succeeds && about->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED) &&
                       (about->kind == HEDDLE_ACQUIRE + 1 ||
                        about->kind == HEDDLE_READ_ACQUIRE + 1 || about->kind == HEDDLE_RECV + 1);
    operation->outside = is_outside(about);
    operation->joins =
        about->kind == HEDDLE_JOIN + 1 && !(about->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED));
    operation->fence = about->kind == HEDDLE_WIRE_FENCE && !about->address && !about->size;
    if (operation->memory == HD_MACHINE_ATOMIC || operation->fence)
        operation->order = hd_native_program_order(about, succeeds);
    hd_vec_clear(accesses);
    if (machine->reads)
        m->changed |= hd_native_reads_enter(m, thread, pending, succeeds, operation, accesses);
    else {
        m->changed |= hd_native_locations_enter(&m->locations, thread, pending, succeeds, operation,
                                                accesses);
        hd_native_program_threads(m, thread, pending, succeeds, operation);
    }
    operation->idle |= over;
    bool party = machine->reads && about->kind == HEDDLE_BARRIER_IN + 1 &&
                 hd_native_locations_party(&m->locations, about->address);
    if (lets_go(m, about) && !party) {
        uint32_t count = waiters(m, lets_go(m, about), about->address, accesses);
        operation->choices = about->kind == HEDDLE_NOTIFY + 1 && count ? count : 1;
    }
    if (about->flags & HEDDLE_WIRE_WAKES && !succeeds)
        operation->choices = 2; /* its time is up, or it wakes by itself */
    if (about->flags & HEDDLE_WIRE_EITHER && succeeds)
        operation->choices = 2; /* it is cancelled or not, interrupted or not */
    if (about->kind == HEDDLE_WIRE_CHOICE)
        operation->choices = about->size;
    sort_accesses(accesses);
    machine->locations = m->locations.count;
    operation->accesses = accesses->data;
    operation->count = (uint32_t)accesses->length;
    return true;
}

/* The next operations that are new after the last step. */
static void enter_nexts(hd_native_program *m) {
    const hd_launch_log *log = m->log;
    size_t number = m->path.length - 1;
    uint32_t from = number ? log->steps.data[number - 1].nexts : 0;
    for (uint32_t i = from; i < log->steps.data[number].nexts; i++) {
        uint32_t thread = log->nexts.data[i].thread;
        if (log->nexts.data[i].inner)
            continue;
        hd_vec_push(&m->changes, (hd_native_change){thread, m->next[thread]});
        m->next[thread] = i + 1;
    }
}

static enum hd_machine_result step(hd_machine *machine, uint32_t thread, uint32_t choice) {
    hd_native_program *m = hd_native_program_of(machine);
    heddle_wire_decision decision = {(uint16_t)thread, (uint16_t)choice};
    size_t number = m->path.length;
    hd_vec_push(&m->path, decision);
    hd_vec_push(&m->taken, (hd_native_taken){m->next[thread], (uint32_t)m->changes.length});
    if (hd_native_program_broken(m))
        return m->base.late ? HD_MACHINE_HUNG : HD_MACHINE_FAILED;
    const hd_launch_log *log = m->log;
    if (!log || number >= log->steps.length || log->steps.data[number].thread != thread ||
        log->steps.data[number].choice != choice)
        hd_native_program_find_log(m);
    if (hd_native_program_broken(m))
        return m->base.late ? HD_MACHINE_HUNG : HD_MACHINE_FAILED;
    log = m->log;
    hd_native_program_note_body(m);
    enter_nexts(m);
    bool last = number + 1 == log->steps.length;
    m->failed = last && (log->end == HD_LAUNCH_FAILED || log->end == HD_LAUNCH_HUNG);
    if (!m->failed)
        return HD_MACHINE_WENT_ON;
    return log->end == HD_LAUNCH_HUNG ? HD_MACHINE_HUNG : HD_MACHINE_FAILED;
}

static void undo(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_native_taken back = hd_vec_pop(&m->taken);
    m->path.length--;
    while (m->changes.length > back.changes) {
        hd_native_change change = hd_vec_pop(&m->changes);
        m->next[change.thread] = change.before;
    }
    m->failed = false;
}

static void restart(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_vec_clear(&m->path);
    hd_vec_clear(&m->taken);
    for (size_t i = 0; i < m->changes.length; i++) /* most of the table is never used */
        m->next[m->changes.data[i].thread] = 0;
    hd_vec_clear(&m->changes);
    m->failed = false;
}

static void foresee(hd_machine *machine, const hd_step *steps, size_t count, uint32_t first) {
    hd_native_program *m = hd_native_program_of(machine);
    size_t length = m->path.length;
    uint32_t usual = m->server.manner.first;
    if (hd_native_program_broken(m) || length + count > HEDDLE_WIRE_STEPS)
        return;
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&m->path,
                    (heddle_wire_decision){(uint16_t)steps[i].thread, (uint16_t)steps[i].choice});
    m->server.manner.first = first + 1;
    if (!hd_native_program_has_path(m, m->log))
        hd_native_program_find_log(m);
    m->server.manner.first = usual;
    m->path.length = length;
}

/* If the run cannot follow these steps, that shows when they are taken. */
static void expect(hd_machine *machine, const hd_step *steps, size_t count) {
    hd_native_program *m = hd_native_program_of(machine);
    bool known = false;
    restart(machine);
    if (hd_native_program_broken(m) || count > HEDDLE_WIRE_STEPS)
        return;
    for (size_t i = 0; i < count; i++) {
        heddle_wire_decision decision = {(uint16_t)steps[i].thread, (uint16_t)steps[i].choice};
        hd_vec_push(&m->path, decision);
    }
    for (int i = 0; i < HD_NATIVE_LOGS && !known; i++)
        known = m->logs[i].used && hd_native_program_has_path(m, &m->logs[i]);
    if (!known) {
        hd_native_program_make_log(m, 0);
        m->log->used = m->log->end == HD_LAUNCH_LOST ? 0 : ++m->uses;
        hd_native_program_saw_new(m);
    }
    restart(machine);
}

void hd_native_machine_manner(hd_machine *machine, hd_native_manner manner) {
    hd_native_program_of(machine)->server.manner = manner;
}

bool hd_native_machine_whole_run(hd_machine *machine, hd_steps *steps) {
    hd_native_program *m = hd_native_program_of(machine);
    restart(machine);
    machine->asleep = 0;
    hd_native_program_run(m);
    m->log->used = ++m->uses;
    hd_vec_clear(steps);
    size_t length = m->log->steps.length;
    length -= m->log->beyond && length; /* that step does not end */
    for (size_t i = 0; i < length; i++) {
        const heddle_wire_step *step = &m->log->steps.data[i];
        hd_vec_push(steps, (hd_step){step->thread, step->choice});
    }
    return m->log->end != HD_LAUNCH_CUT && m->log->end != HD_LAUNCH_HUNG;
}

/* --- beginning and end ---------------------------------------------------------------------- */

void hd_native_machine_renew(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    restart(machine);
    for (size_t i = 0; i < m->fresh.length; i++)
        if (!hd_native_server_share(&m->server, m->fresh.data[i]))
            hd_error_set(&m->broken, "threads share more than %d words of memory",
                         HEDDLE_WIRE_SHARED / 2);
    hd_vec_clear(&m->fresh);
    hd_native_locations_renew(&m->locations);
    hd_native_program_forget_logs(m);
    hd_predict_forget(&m->predictor);
    m->told = false;
    machine->threads = m->server.explore->threads;
    if (m->vain_more) {
        m->runs_before = m->runs;
        m->vain_before = m->vain;
    }
    m->runs = m->vain = 0;
    if (hd_native_program_lends(m))
        m->server.explore->renewed++;
    bool learns = hd_native_program_begins_learning(m);
    m->stays_more = m->vain_more = false;
    if ((m->server.explore->ends & ~m->ends) || m->server.explore->loop_news != m->loop_news ||
        m->server.explore->stays != m->server.explore->stays_used ||
        m->server.explore->reaches.count != m->server.explore->reaches.used ||
        m->server.explore->copies != m->copies || m->server.explore->targets != m->targets ||
        m->server.explore->section_news != m->section_news || hd_native_program_awaits_more(m) ||
        (m->server.explore->exits & ~m->exits & ~(uint32_t)HEDDLE_WIRE_EXITS))
        m->server.explore->renewed++;
    hd_native_program_use_loops(m);
    m->loop_news = m->server.explore->loop_news;
    m->copies = m->server.explore->copies;
    hd_native_sections_use(m->server.explore);
    m->section_news = m->server.explore->section_news;
    m->targets = m->locations.targets = m->server.explore->targets;
    m->ends = m->server.explore->ends;
    if (m->ends & HEDDLE_WIRE_ENDS_ALONE)
        hd_native_reads_alone_renew(m);
    m->exits = m->server.explore->exits;
    if (m->server.explore->caught != m->caught)
        m->server.explore->renewed++;
    m->caught = m->server.explore->caught;
    m->locations.exits = m->exits;
    hd_native_program_forget(m);
    if (m->base.late)
        m->broken.text[0] = '\0';
    m->changed = m->lost = m->base.late = false;
    if (learns)
        hd_native_program_learn_first(m);
}

static void free_machine(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    if (m->options.tally) {
        __atomic_add_fetch(&m->options.tally->done, m->tally.done, __ATOMIC_RELAXED);
        __atomic_add_fetch(&m->options.tally->predicted, m->tally.predicted, __ATOMIC_RELAXED);
        __atomic_add_fetch(&m->options.tally->checked, m->predictor.checked, __ATOMIC_RELAXED);
        __atomic_add_fetch(&m->options.tally->audited, m->tally.audited, __ATOMIC_RELAXED);
    }
    hd_native_audit_release(&m->audit);
    if (m->copied)
        hd_native_unseen_add(m->unseen, m->server.run.wire);
    else {
        hd_native_unseen_release(m->unseen);
        free(m->unseen);
        hd_native_numbers_free(m->locations.of_all);
    }
    hd_native_server_stop(&m->server);
    for (int i = 0; i < HD_NATIVE_LOGS; i++)
        hd_launch_log_release(&m->logs[i]);
    hd_native_prefetched_release(&m->prefetched);
    hd_predict_release(&m->predictor);
    for (int i = 0; i < HEDDLE_WIRE_EXPLORED; i++)
        hd_vec_release(&m->accesses[i]);
    hd_vec_release(&m->path);
    hd_vec_release(&m->taken);
    hd_vec_release(&m->changes);
    hd_vec_release(&m->fresh);
    hd_map_release(&m->tried);
    hd_map_release(&m->writers);
    hd_map_release(&m->looked);
    hd_vec_release(&m->looks);
    hd_native_locations_release(&m->locations);
    hd_native_program_forget(m);
    hd_vec_release(&m->thread_names);
    hd_vec_release(&m->location_names);
    hd_vec_release(&m->old_names);
    if (m->memory)
        hd_recording_memory_free(m->memory);
    if (m->symbols)
        hd_symbols_free(m->symbols);
    free(m);
}

/* Is the process exiting?  The log of a run that was lost does not have the step. */
static bool is_over(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    const heddle_wire_step *last = hd_native_program_broken(m) ? NULL : hd_native_program_step(m);
    return last && last->over;
}

/* Of a process of its own (rt_state.c). */
static bool tell_state(hd_machine *machine, hd_vec_char *to) {
    const hd_native_program *m = hd_native_program_of(machine);
    size_t length = m->path.length;
    if (hd_native_program_broken(m) || !length || !m->log || m->log->states.length < length ||
        !m->log->states.data[length - 1])
        return false;
    for (int i = 0; i < 8; i++)
        hd_vec_push(to, (char)(m->log->states.data[length - 1] >> 8 * i));
    return true;
}

static void tell_states(hd_machine *machine, bool tell) {
    hd_native_program *m = hd_native_program_of(machine);
    restart(machine);
    if ((m->server.explore->states_wanted != 0) == tell)
        return;
    m->server.explore->states_wanted = tell;
    hd_native_program_forget_logs(m);
}

static hd_machine *copy(const hd_machine *machine);
static hd_machine *spare_copy(const hd_machine *machine);

static const hd_machine_type native_type = {
    .name = "program",
    .next = next,
    .step = step,
    .undo = undo,
    .restart = restart,
    .by_reads = hd_native_reads_all,
    .lock_is_read = hd_native_reads_lock,
    .print = hd_native_reads_print,
    .foresee = foresee,
    .over = is_over,
    .changed = hd_native_machine_changed,
    .expect = expect,
    .draw = hd_native_program_draw,
    .drawn = hd_native_program_drawn,
    .alike = hd_native_program_alike,
    .thread_name = hd_native_program_thread_name,
    .location_name = hd_native_program_location_name,
    .location_order = hd_native_program_location_order,
    .describe = hd_native_program_describe,
    .failure = hd_native_program_failure,
    .record = hd_native_program_record,
    .touched = hd_native_program_touched,
    .state = tell_state,
    .tell_states = tell_states,
    .copy = copy,
    .spare = spare_copy,
    .learn = hd_native_program_learn,
    .free = free_machine,
};

bool hd_native_is_machine(const hd_machine *machine) {
    return machine->type == &native_type;
}

/* `numbers`: those of the machine that it is a copy of, or NULL. */
static hd_native_program *create(const hd_native_machine_options *options, bool asleep,
                                 hd_native_numbers *numbers, hd_error *error) {
    hd_native_program *m = hd_mem_zero(1, sizeof *m);
    m->base.type = &native_type;
    m->options = *options;
    m->asleep = asleep;
    if (!(asleep ? hd_native_server_prepare : hd_native_server_start)(&m->server, &m->options,
                                                                      error)) {
        free(m);
        return NULL;
    }
    m->server.explore->stays_wanted = m->server.explore->awaits.loops = options->awaits;
    hd_native_locations_init(&m->locations, &m->server,
                             numbers ? numbers : hd_native_numbers_new());
    m->base.threads = 1;
    m->base.locations = m->locations.count;
    m->unseen = HD_NEW(hd_native_unseen);
    hd_native_unseen_init(m->unseen);
    restart(&m->base);
    return m;
}

/* Its first runs show most of what there is to know: as many as there is time for. */
static bool warm_up(hd_native_program *m, hd_error *error) {
    enum { MOST_ROUNDS = 16 };
    m->server.by_fork = true; /* new threads need no special treatment then */
    for (int round = 0; round < MOST_ROUNDS; round++) {
        hd_native_program_find_log(m);
        if (hd_native_program_broken(m))
            return hd_error_set(error, "%s: %s", m->options.argv[0], m->log->message);
        if (!m->changed)
            break;
        hd_native_machine_renew(&m->base);
        if (hd_native_program_broken(m))
            return hd_error_set(error, "%s: %s", m->options.argv[0], m->broken.text);
        if (hd_clock_look() != HD_CLOCK_GOES)
            break;
    }
    m->server.by_fork = m->options.by_fork;
    if (m->server.late)
        hd_native_machine_renew(
            &m->base); /* it is not known what an unfinished run would have done */
    return true;
}

/* One run, to know that the program works and where its stack is. */
static bool touch(hd_native_program *m, hd_error *error) {
    hd_native_program_find_log(m);
    if (hd_native_program_broken(m))
        return hd_error_set(error, "%s: %s", m->options.argv[0], m->log->message);
    hd_vec_clear(&m->fresh);
    m->server.explore->threads = 1;
    m->server.explore->ends = m->server.explore->exits = m->server.explore->loops = 0;
    m->server.explore->copies = m->server.explore->sections = m->server.explore->constants = 0;
    m->server.explore->targets = 0;
    m->server.explore->awaits.count = m->server.explore->awaits.lost = 0;
    hd_native_machine_renew(&m->base);
    return true;
}

hd_machine *hd_native_machine_create(const hd_native_machine_options *options, hd_error *error) {
    hd_native_program *m = create(options, false, NULL, error);
    if (m && !(options->cold ? touch(m, error) : warm_up(m, error))) {
        free_machine(&m->base);
        return NULL;
    }
    return m ? &m->base : NULL;
}

/* The copy must know what the machine knows, and number threads and words in the same way. */
static void equip(hd_native_server *to, const hd_native_program *m) {
    const heddle_wire *from = m->server.run.wire;
    hd_native_program_equip(to->explore, m);
    memcpy(to->run.wire->order_object, from->order_object, sizeof from->order_object);
    for (uint32_t i = 0; i < from->callees && i < HEDDLE_WIRE_CALLEES; i++)
        if (from->callee[i].known == HEDDLE_WIRE_CAUGHT)
            to->run.wire->callee[i].known = HEDDLE_WIRE_CAUGHT;
    to->explore->caught = m->server.explore->caught;
    to->explore->unattributed = m->server.explore->unattributed;
    to->explore->unseen = m->server.explore->unseen;
}

static hd_machine *try_copy(const hd_machine *machine, bool asleep, hd_error *error) {
    const hd_native_program *m = hd_native_program_const(machine);
    hd_native_machine_options options = m->options;
    options.again = true;
    hd_native_program *other = create(&options, asleep, m->locations.of_all, error);
    if (!other)
        return NULL;
    hd_native_unseen_release(other->unseen);
    free(other->unseen);
    other->unseen = m->unseen;
    other->copied = true;
    other->base.declared = machine->declared;
    equip(&other->server, m);
    if (asleep) /* its program will enter them once more */
        other->server.run.wire->callees = m->server.run.wire->callees;
    other->server.shared = m->server.shared;
    other->copies = m->copies;
    other->section_news = m->section_news;
    other->awaits_news = other->server.explore->awaits.news;
    other->targets = other->locations.targets = m->targets;
    hd_native_locations_copy(&other->locations, &m->locations);
    other->ends = m->ends;
    other->exits = other->locations.exits = m->exits;
    other->caught = m->server.explore->caught;
    other->predictor.wrong = m->predictor.wrong;
    other->base.threads = machine->threads;
    if (!asleep)
        hd_native_reads_copy(other, m);
    return &other->base;
}

static hd_machine *copy(const hd_machine *machine) {
    hd_error error = {""};
    hd_machine *other = try_copy(machine, false, &error);
    if (!other)
        hd_mem_fatal("%s", error.text);
    return other;
}

static hd_machine *spare_copy(const hd_machine *machine) {
    hd_error error = {""};
    return try_copy(machine, false, &error);
}

hd_machine *hd_native_machine_copy_asleep(const hd_machine *machine) {
    hd_error error = {""};
    hd_machine *other = try_copy(machine, true, &error);
    if (!other)
        hd_mem_fatal("%s", error.text);
    return other;
}

/* What was seen since the machine was renewed is not used by the search that it is for, so that it
 * is not by who takes its schedules either. */
static void forget_news(hd_native_program *m, heddle_wire_explore *explore) {
    for (uint32_t i = 0; i < explore->loops; i++)
        explore->loop[i].found = explore->loop[i].now;
    hd_vec_clear(&m->fresh);
}

bool hd_native_machine_wake(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_native_server awake;
    hd_error error = {""};
    if (!m->asleep && (!m->starter || m->starter == gettid()))
        return false;
    if (!hd_native_server_start(&awake, &m->options, &error))
        hd_mem_fatal("%s", error.text);
    equip(&awake, m);
    forget_news(m, awake.explore);
    hd_native_server_move(&m->server, &awake);
    hd_native_program_forget(m);
    if (m->memory)
        hd_recording_memory_free(m->memory);
    if (m->symbols)
        hd_symbols_free(m->symbols);
    m->memory = NULL;
    m->symbols = NULL;
    m->asleep = false;
    m->starter = gettid();
    return true;
}
