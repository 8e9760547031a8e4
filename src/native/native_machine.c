#include "native_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "native_locations.h"
#include "native_memory.h"
#include "native_replay.h"
#include "native_server.h"
#include "native_symbols.h"

/* Logs that are kept: an explorer looks at a run, at another way to go on, and at the run
 * again. */
enum { LOGS = 4 };

/* What a step changed. */
typedef struct taken {
    uint32_t before; /* number of its thread's step before it */
    uint64_t born;   /* threads, before it */
    uint64_t asleep; /* likewise */
} taken;

typedef struct native_machine {
    hd_machine base;
    hd_native_machine_options options;
    hd_native_server server;
    hd_native_log logs[LOGS];
    hd_native_log *log; /* that has the present path; NULL if it is empty and none has been run */
    uint64_t uses;

    HD_VEC(heddle_wire_decision) path;
    HD_VEC(taken) taken;
    uint32_t last[HEDDLE_WIRE_EXPLORED]; /* number of the thread's last step, 0: none */
    uint64_t born;
    uint64_t asleep; /* threads that an explorer would let sleep here, as far as one can guess */
    bool failed;     /* the last step */

    hd_native_locations locations;
    hd_native_accesses accesses[HEDDLE_WIRE_EXPLORED];
    HD_VEC(uint64_t) fresh; /* words to be shared */
    bool changed;
    uint32_t refused;
    hd_error broken;

    hd_native_symbols *symbols;
    hd_native_memory *memory;
    HD_VEC(char *) thread_names, location_names;
} native_machine;

static native_machine *self_of(hd_machine *machine) {
    return (native_machine *)machine;
}

static const native_machine *const_self(const hd_machine *machine) {
    return (const native_machine *)machine;
}

/* --- runs ----------------------------------------------------------------------------------- */

static bool has_path(const native_machine *m, const hd_native_log *log) {
    if (!log || log->steps.length < m->path.length)
        return false;
    for (size_t i = m->path.length; i-- > 0;)
        if (log->steps.data[i].thread != m->path.data[i].thread ||
            log->steps.data[i].choice != m->path.data[i].choice)
            return false;
    return true;
}

/* What the run showed that was not known. */
static void learn(native_machine *m) {
    const heddle_wire_explore *explore = m->server.explore;
    uint32_t fresh = explore->fresh < HEDDLE_WIRE_FRESH ? explore->fresh : HEDDLE_WIRE_FRESH;
    for (uint32_t i = 0; i < fresh; i++)
        hd_vec_push(&m->fresh, explore->fresh_word[i]);
    if (m->server.run.wire->refused > m->refused)
        m->refused = m->server.run.wire->refused;
    if (fresh || explore->threads > m->base.threads)
        m->changed = true;
}

static hd_native_log *oldest_log(native_machine *m) {
    hd_native_log *oldest = &m->logs[0];
    for (int i = 1; i < LOGS; i++)
        if (m->logs[i].used < oldest->used)
            oldest = &m->logs[i];
    return oldest;
}

static void run(native_machine *m) {
    m->log = oldest_log(m);
    hd_native_server_run(&m->server, m->path.data, m->path.length, m->asleep, m->log);
    if (m->log->end == HD_NATIVE_LOST) {
        hd_error_set(&m->broken, "the program does not do the same twice: %s", m->log->message);
        return;
    }
    learn(m);
}

/* A log with the present path, the last one that had it if there is one. */
static void find_log(native_machine *m) {
    hd_native_log *found = NULL;
    for (int i = 0; i < LOGS; i++)
        if (m->logs[i].used && has_path(m, &m->logs[i]) &&
            (!found || m->logs[i].used > found->used))
            found = &m->logs[i];
    m->log = found;
    if (!found)
        run(m);
    m->log->used = ++m->uses;
}

/* --- the machine ---------------------------------------------------------------------------- */

static const heddle_wire_step *last_step(const native_machine *m) {
    return m->path.length ? &m->log->steps.data[m->path.length - 1] : NULL;
}

static bool is_broken(const native_machine *m) {
    return m->broken.text[0] != '\0';
}

/* The thread's pending operation; false if it has ended. */
static bool pending(const native_machine *m, uint32_t thread, heddle_wire_operation *operation,
                    uint64_t *with) {
    static const heddle_wire_operation start = {.kind = HEDDLE_WIRE_START};
    static const heddle_wire_operation unborn = {.kind = HEDDLE_WIRE_NOTHING};
    const heddle_wire_step *last = last_step(m);
    *with = 0;
    if (is_broken(m) || m->failed || (last && last->over && last->thread == thread))
        return false;
    if (!m->last[thread]) {
        *operation = m->born >> thread & 1 ? start : unborn;
        return true;
    }
    assert(m->log && m->log->steps.length >= m->last[thread]);
    const heddle_wire_step *step = &m->log->steps.data[m->last[thread] - 1];
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a step that was taken is in the log
    *operation = step->next;
    *with = step->with;
    return !step->ended;
}

/* Those that wait in such an operation at an object; their flags. */
static uint32_t waiters(native_machine *m, unsigned kind, uint64_t object,
                        hd_native_accesses *flags) {
    uint32_t count = 0;
    const heddle_wire_step *last = last_step(m);
    for (uint32_t thread = 0; thread < m->base.threads; thread++) {
        heddle_wire_operation operation;
        uint64_t with;
        if (!pending(m, thread, &operation, &with) || operation.kind != kind ||
            operation.address != object || (last && last->succeeds >> thread & 1))
            continue;
        count++;
        hd_native_locations_flag(&m->locations, thread, flags);
    }
    return count;
}

/* What those wait in whom the operation may let go on; 0: it lets nobody. */
static unsigned lets_go(const heddle_wire_operation *operation) {
    switch (operation->kind) {
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
        return HEDDLE_WAKE + 1;
    case HEDDLE_BARRIER_IN + 1:
        return HEDDLE_BARRIER_OUT + 1;
    case HEDDLE_WIRE_FENCE:
        return operation->address ? HEDDLE_WIRE_FUTEX : 0;
    default:
        return 0;
    }
}

/* Could the thread go on before the last step? */
static bool could_go_on(const native_machine *m, uint32_t thread) {
    size_t length = m->path.length;
    return length < 2 ? thread == 0 : m->log->steps.data[length - 2].enabled >> thread & 1;
}

/* Does a thread wait for ever because an assumption does not hold?  Then who waits with it
 * is not stuck: this run is none that counts. */
static bool is_assumed(const native_machine *m) {
    heddle_wire_operation operation;
    uint64_t with;
    for (uint32_t thread = 0; thread < m->base.threads; thread++)
        if (pending(m, thread, &operation, &with) && operation.kind == HEDDLE_WIRE_ASSUME)
            return true;
    return false;
}

static bool next(hd_machine *machine, uint32_t thread, hd_machine_operation *operation) {
    native_machine *m = self_of(machine);
    hd_native_accesses *accesses = &m->accesses[thread];
    heddle_wire_operation about;
    uint64_t with;
    if (!pending(m, thread, &about, &with))
        return false;
    const heddle_wire_step *last = last_step(m);
    bool succeeds = last ? last->succeeds >> thread & 1 : true;
    *operation = (hd_machine_operation){.choices = 1};
    bool over = last && last->over;
    operation->enabled = !over && (last ? last->enabled >> thread & 1 : thread == 0);
    operation->idle = over ? !could_go_on(m, thread) : about.kind == HEDDLE_WIRE_NOTHING;
    if (m->server.run.wire->sv_comp && !operation->enabled && !over)
        operation->idle |= is_assumed(m);
    operation->position = (uint32_t)(about.code - m->server.run.wire->code);
    operation->access = about.kind >= HEDDLE_READ + 1 && about.kind <= HEDDLE_ATOMIC_RMW + 1;
    operation->plain = about.kind == HEDDLE_READ + 1 || about.kind == HEDDLE_WRITE + 1;
    hd_vec_clear(accesses);
    if (hd_native_locations_enter(&m->locations, thread, &about, with, succeeds, operation,
                                  accesses))
        m->changed = true;
    operation->idle |= over;
    if (lets_go(&about)) {
        uint32_t count = waiters(m, lets_go(&about), about.address, accesses);
        operation->choices = about.kind == HEDDLE_NOTIFY + 1 && count ? count : 1;
    }
    hd_native_accesses_sort(accesses);
    machine->locations = m->locations.count;
    operation->accesses = accesses->data;
    operation->count = (uint32_t)accesses->length;
    return true;
}

/* Threads that sleep behind a step: those that slept or were taken here before, unless the
 * step meets what they would do. */
static uint64_t still_asleep(native_machine *m, uint32_t thread) {
    hd_machine_operation own, other;
    uint64_t asleep = 0, rest = m->asleep & ~(UINT64_C(1) << thread);
    if (!rest || !next(&m->base, thread, &own))
        return 0;
    for (; rest; rest &= rest - 1) {
        uint32_t sleeper = (uint32_t)__builtin_ctzll(rest);
        if (next(&m->base, sleeper, &other) &&
            !hd_machine_dependent(own.accesses, own.count, other.accesses, other.count))
            asleep |= UINT64_C(1) << sleeper;
    }
    return asleep;
}

static enum hd_machine_result step(hd_machine *machine, uint32_t thread, uint32_t choice) {
    native_machine *m = self_of(machine);
    heddle_wire_decision decision = {(uint8_t)thread, (uint8_t)choice};
    size_t number = m->path.length;
    uint64_t asleep = still_asleep(m, thread);
    hd_vec_push(&m->path, decision);
    hd_vec_push(&m->taken, (taken){m->last[thread], m->born, m->asleep});
    m->asleep = asleep;
    m->last[thread] = (uint32_t)number + 1;
    if (is_broken(m))
        return HD_MACHINE_FAILED;
    const hd_native_log *log = m->log;
    if (!log || number >= log->steps.length || log->steps.data[number].thread != thread ||
        log->steps.data[number].choice != choice)
        find_log(m);
    if (is_broken(m))
        return HD_MACHINE_FAILED;
    log = m->log;
    if (log->steps.data[number].born)
        m->born |= UINT64_C(1) << (log->steps.data[number].born - 1);
    bool last = number + 1 == log->steps.length;
    m->failed = last && (log->end == HD_NATIVE_FAILED || log->end == HD_NATIVE_HUNG);
    return m->failed ? HD_MACHINE_FAILED : HD_MACHINE_WENT_ON;
}

static void undo(hd_machine *machine) {
    native_machine *m = self_of(machine);
    taken back = hd_vec_pop(&m->taken);
    heddle_wire_decision decision = hd_vec_pop(&m->path);
    m->last[decision.thread] = back.before;
    m->born = back.born;
    m->asleep = back.asleep | UINT64_C(1) << decision.thread;
    m->failed = false;
}

static void restart(hd_machine *machine) {
    native_machine *m = self_of(machine);
    hd_vec_clear(&m->path);
    hd_vec_clear(&m->taken);
    memset(m->last, 0, sizeof m->last);
    m->born = 1;
    m->asleep = 0;
    m->failed = false;
}

/* --- words ---------------------------------------------------------------------------------- */

static void forget_names(native_machine *m) {
    for (size_t i = 0; i < m->thread_names.length; i++)
        free(m->thread_names.data[i]);
    for (size_t i = 0; i < m->location_names.length; i++)
        free(m->location_names.data[i]);
    hd_vec_clear(&m->thread_names);
    hd_vec_clear(&m->location_names);
}

static void print_thread(const native_machine *m, uint32_t thread, hd_vec_char *to) {
    if (!thread || thread >= m->server.explore->threads) {
        hd_native_print(to, "main");
        return;
    }
    if (m->server.explore->name[thread].creator < thread)
        print_thread(m, m->server.explore->name[thread].creator, to);
    hd_native_print(to, ".%u", m->server.explore->name[thread].birth);
}

static const char *thread_name(hd_machine *machine, uint32_t thread) {
    native_machine *m = self_of(machine);
    while (m->thread_names.length <= thread) {
        hd_vec_char text = {0};
        print_thread(m, (uint32_t)m->thread_names.length, &text);
        hd_vec_push(&m->thread_names, text.data);
    }
    return m->thread_names.data[thread];
}

static void need_symbols(native_machine *m) {
    if (m->symbols)
        return;
    m->symbols = hd_native_symbols_create(&m->server.run);
    m->memory = hd_native_memory_create(&m->server.run, m->symbols);
    hd_native_memory_noted(m->memory);
}

static void print_object(native_machine *m, uint64_t address, bool whole, hd_vec_char *to) {
    need_symbols(m);
    hd_native_memory_name(m->memory, address, whole, to);
}

static char *make_location_name(native_machine *m, uint32_t location) {
    hd_vec_char text = {0};
    const hd_native_location *it = &m->locations.all.data[location];
    if (it->sort == HD_NATIVE_PROCESS)
        hd_native_print(&text, "process");
    else if (it->sort == HD_NATIVE_THREAD || it->sort == HD_NATIVE_FLAG) {
        hd_native_print(&text, "%s", it->sort == HD_NATIVE_FLAG ? "flag of " : "thread ");
        print_thread(m, (uint32_t)it->address, &text);
    } else
        print_object(m, it->address, it->sort == HD_NATIVE_OBJECT, &text);
    return text.data;
}

static const char *location_name(hd_machine *machine, uint32_t location) {
    native_machine *m = self_of(machine);
    if (m->location_names.length <= location)
        hd_vec_resize(&m->location_names, (size_t)m->locations.count);
    char **name = &m->location_names.data[location];
    if (!*name)
        *name = make_location_name(m, location);
    return *name;
}

void hd_native_place(hd_machine *machine, uint32_t position, hd_vec_char *to) {
    native_machine *m = self_of(machine);
    need_symbols(m);
    uint64_t code = m->server.run.wire->code + position;
    if (!position || !hd_native_symbols_line(m->symbols, code, to))
        hd_native_print(to, "%s", m->options.argv[0]);
}

static const char *verb_of(const heddle_wire_operation *operation) {
    bool try = operation->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED);
    switch (operation->kind) {
    case HEDDLE_READ + 1:
        return "read";
    case HEDDLE_WRITE + 1:
        return "write";
    case HEDDLE_ATOMIC_READ + 1:
        return "load";
    case HEDDLE_ATOMIC_WRITE + 1:
        return "store";
    case HEDDLE_ATOMIC_RMW + 1:
        return "update";
    case HEDDLE_ACQUIRE + 1:
        return try ? "try to lock" : "lock";
    case HEDDLE_READ_ACQUIRE + 1:
        return try ? "try to lock for reading" : "lock for reading";
    case HEDDLE_RELEASE + 1:
    case HEDDLE_READ_RELEASE + 1:
        return "unlock";
    case HEDDLE_FORK + 1:
        return "create";
    case HEDDLE_JOIN + 1:
        return "join";
    case HEDDLE_WAIT + 1:
        return "wait on";
    case HEDDLE_WAKE + 1:
        return "wake up on";
    case HEDDLE_NOTIFY + 1:
        return "signal";
    case HEDDLE_NOTIFYALL + 1:
        return "broadcast";
    case HEDDLE_BARRIER_IN + 1:
        return "arrive at";
    case HEDDLE_BARRIER_OUT + 1:
        return "leave";
    case HEDDLE_SEND + 1:
        return "post";
    case HEDDLE_RECV + 1:
        return "wait for";
    case HEDDLE_WIRE_ONCE:
        return "initialise once";
    case HEDDLE_WIRE_FUTEX:
        return "wake up at futex";
    case HEDDLE_WIRE_FENCE:
        return operation->address ? "wake those at futex" : "fence";
    case HEDDLE_WIRE_START:
        return "start";
    case HEDDLE_WIRE_SLEEP:
        return "sleep";
    case HEDDLE_WIRE_YIELD:
        return "yield";
    case HEDDLE_WIRE_EXTERNAL:
        return "wait for what is outside the program";
    case HEDDLE_WIRE_FINISH:
        return "end";
    case HEDDLE_WIRE_EXIT:
        return "exit";
    case HEDDLE_WIRE_CANCEL:
        return "cancel a thread";
    case HEDDLE_WIRE_ATOMIC:
        return "atomic section";
    case HEDDLE_WIRE_ASSUME:
        return "assumption does not hold";
    case HEDDLE_WIRE_NOTHING:
        return "not created yet";
    default:
        return "pass a point";
    }
}

static void print_operation(native_machine *m, const heddle_wire_operation *operation,
                            hd_vec_char *to) {
    hd_native_print(to, "%s", verb_of(operation));
    if (operation->kind == HEDDLE_FORK + 1 || operation->kind == HEDDLE_JOIN + 1) {
        hd_native_print(to, " ");
        print_thread(m, (uint32_t)operation->address, to);
    } else if (operation->address) {
        bool access =
            operation->kind >= HEDDLE_READ + 1 && operation->kind <= HEDDLE_ATOMIC_RMW + 1;
        hd_native_print(to, " ");
        print_object(m, operation->address, !access, to);
    }
}

static void describe(hd_machine *machine, uint32_t thread, hd_vec_char *to) {
    native_machine *m = self_of(machine);
    heddle_wire_operation operation;
    uint64_t with;
    hd_native_print(to, "%s: ", thread_name(machine, thread));
    if (!pending(m, thread, &operation, &with)) {
        hd_native_print(to, "ended");
        return;
    }
    print_operation(m, &operation, to);
    uint32_t position = (uint32_t)(operation.code - m->server.run.wire->code);
    if (operation.code) {
        hd_native_print(to, " (");
        hd_native_place(machine, position, to);
        hd_native_print(to, ")");
    }
}

static void failure(hd_machine *machine, hd_vec_char *to) {
    native_machine *m = self_of(machine);
    const hd_native_log *log = m->log;
    if (is_broken(m))
        hd_native_print(to, "%s", m->broken.text);
    else if (log->end == HD_NATIVE_HUNG)
        hd_native_print(to,
                        "no scheduling point for %g seconds: the thread runs on and on; a loop "
                        "that waits for a plain variable shows with -O0 only",
                        m->server.patience);
    else if (log->message[0])
        hd_native_print(to, "%s", log->message);
    else if (WIFSIGNALED(log->status))
        hd_native_print(to, "killed by signal %d, %s", WTERMSIG(log->status),
                        strsignal(WTERMSIG(log->status)));
    else
        hd_native_print(to, "exit status %d", WEXITSTATUS(log->status));
}

const char *hd_native_failed_rule(const hd_machine *machine) {
    const hd_native_log *log = const_self(machine)->log;
    if (log->end == HD_NATIVE_HUNG)
        return "hang";
    if (log->ending == HEDDLE_WIRE_ABORTED)
        return log->message[0] ? "assertion" : "abort";
    return WIFSIGNALED(log->status) ? "signal" : "exit";
}

/* The operation that the last step took. */
static heddle_wire_operation last_operation(const native_machine *m, uint32_t *thread) {
    heddle_wire_operation operation = {.kind = HEDDLE_WIRE_START};
    *thread = 0;
    if (!m->path.length)
        return operation;
    uint32_t before = hd_vec_last(&m->taken)->before;
    *thread = hd_vec_last(&m->path)->thread;
    return before ? m->log->steps.data[before - 1].next : operation;
}

uint32_t hd_native_failed_position(const hd_machine *machine) {
    const native_machine *m = const_self(machine);
    uint32_t thread;
    heddle_wire_operation operation = last_operation(m, &thread);
    return operation.code ? (uint32_t)(operation.code - m->server.run.wire->code) : 0;
}

void hd_native_failed_place(hd_machine *machine, hd_vec_char *to) {
    const native_machine *m = self_of(machine);
    const char *message = m->log->message, *colon = strchr(message, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (digits && colon[1 + digits] == ':')
        hd_native_print(to, "%.*s", (int)(colon - message + 1 + (long)digits), message);
    else
        hd_native_place(machine, hd_native_failed_position(machine), to);
}

static bool has_value(const heddle_wire_operation *operation) {
    uint32_t size = operation->size;
    return operation->kind >= HEDDLE_READ + 1 && operation->kind <= HEDDLE_ATOMIC_RMW + 1 && size &&
           size <= 8 && !(size & (size - 1));
}

static int64_t signed_value(uint64_t value, uint32_t size) {
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

void hd_native_step_value(hd_machine *machine, hd_vec_char *to) {
    native_machine *m = self_of(machine);
    uint32_t thread;
    heddle_wire_operation operation = last_operation(m, &thread);
    if (is_broken(m) || !m->path.length || !has_value(&operation))
        return;
    print_object(m, operation.address, false, to);
    hd_native_print(to, " = %lld", (long long)signed_value(last_step(m)->value, operation.size));
}

/* --- a run as a trace ----------------------------------------------------------------------- */

/* The kind of event that it was; -1: none. */
static int kind_of(const heddle_wire_operation *operation, bool succeeded) {
    if (operation->kind < 1 || operation->kind > HEDDLE_MARK + 1 ||
        operation->flags & HEDDLE_WIRE_NESTED)
        return -1;
    int kind = operation->kind - 1;
    if (succeeded)
        return kind;
    if (kind == HEDDLE_ACQUIRE || kind == HEDDLE_READ_ACQUIRE)
        return HEDDLE_TRYFAIL;
    if (kind == HEDDLE_JOIN || kind == HEDDLE_RECV)
        return -1;
    return kind == HEDDLE_ATOMIC_RMW ? HEDDLE_ATOMIC_READ : kind;
}

static void append(native_machine *m, hd_trace *trace, heddle_event event, uint64_t address) {
    hd_vec_char text = {0};
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[event.kind].class;
    if (class == HEDDLE_CLASS_THREAD)
        print_thread(m, (uint32_t)address, &text);
    else
        print_object(m, address, class != HEDDLE_CLASS_VARIABLE, &text);
    event.object = hd_trace_name(trace, class, "%.*s", (int)text.length, text.data);
    hd_trace_append(trace, event);
    hd_vec_release(&text);
}

static void record(hd_machine *machine, hd_trace *trace) {
    native_machine *m = self_of(machine);
    uint32_t thread;
    if (is_broken(m) || !m->path.length)
        return;
    heddle_wire_operation operation = last_operation(m, &thread);
    size_t before = m->path.length - 1;
    bool succeeded = !before || m->log->steps.data[before - 1].succeeds >> thread & 1;
    int kind = kind_of(&operation, succeeded);
    if (kind < 0)
        return;
    heddle_event event = {
        .kind = (uint8_t)kind,
        .thread = hd_trace_name(trace, HEDDLE_CLASS_THREAD, "%s", thread_name(machine, thread))};
    if (operation.code) {
        hd_vec_char place = {0};
        hd_native_place(machine, (uint32_t)(operation.code - m->server.run.wire->code), &place);
        event.location = hd_trace_name(trace, HEDDLE_CLASS_LOCATION, "%s", place.data);
        hd_vec_release(&place);
    }
    if (kind == HEDDLE_WAIT) { /* it gives the mutex back first */
        event.kind = HEDDLE_RELEASE;
        append(m, trace, event, m->log->steps.data[hd_vec_last(&m->taken)->before - 1].with);
        event.kind = HEDDLE_WAIT;
    }
    if (has_value(&operation)) {
        event.size = (uint16_t)operation.size;
        event.flags = HEDDLE_HAS_VALUE;
        event.value = signed_value(last_step(m)->value, operation.size);
    }
    append(m, trace, event, operation.address);
}

/* --- beginning and end ---------------------------------------------------------------------- */

bool hd_native_machine_changed(const hd_machine *machine) {
    return const_self(machine)->changed;
}

uint32_t hd_native_machine_refused(const hd_machine *machine) {
    return const_self(machine)->refused;
}

const char *hd_native_machine_broken(const hd_machine *machine) {
    const native_machine *m = const_self(machine);
    return is_broken(m) ? m->broken.text : NULL;
}

void hd_native_machine_renew(hd_machine *machine) {
    native_machine *m = self_of(machine);
    restart(machine);
    for (size_t i = 0; i < m->fresh.length; i++)
        if (!hd_native_server_share(&m->server, m->fresh.data[i]))
            hd_error_set(&m->broken, "threads share more than %d words of memory",
                         HEDDLE_WIRE_SHARED / 2);
    hd_vec_clear(&m->fresh);
    hd_native_locations_renew(&m->locations);
    for (int i = 0; i < LOGS; i++) {
        hd_vec_clear(&m->logs[i].steps);
        m->logs[i].used = 0;
    }
    m->log = NULL;
    machine->threads = m->server.explore->threads;
    forget_names(m);
    m->changed = false;
}

static void free_machine(hd_machine *machine) {
    native_machine *m = self_of(machine);
    hd_native_server_stop(&m->server);
    for (int i = 0; i < LOGS; i++)
        hd_vec_release(&m->logs[i].steps);
    for (int i = 0; i < HEDDLE_WIRE_EXPLORED; i++)
        hd_vec_release(&m->accesses[i]);
    hd_vec_release(&m->path);
    hd_vec_release(&m->taken);
    hd_vec_release(&m->fresh);
    hd_native_locations_release(&m->locations);
    forget_names(m);
    hd_vec_release(&m->thread_names);
    hd_vec_release(&m->location_names);
    if (m->memory)
        hd_native_memory_free(m->memory);
    if (m->symbols)
        hd_native_symbols_free(m->symbols);
    free(m);
}

/* Is the process on its way out? */
static bool is_over(const hd_machine *machine) {
    const heddle_wire_step *last = last_step(const_self(machine));
    return last && last->over;
}

static hd_machine *copy(const hd_machine *machine);

static const hd_machine_type native_type = {
    .name = "program",
    .next = next,
    .step = step,
    .undo = undo,
    .restart = restart,
    .over = is_over,
    .thread_name = thread_name,
    .location_name = location_name,
    .describe = describe,
    .failure = failure,
    .record = record,
    .copy = copy,
    .free = free_machine,
};

bool hd_native_is_machine(const hd_machine *machine) {
    return machine->type == &native_type;
}

static native_machine *create(const hd_native_machine_options *options, hd_error *error) {
    native_machine *m = hd_mem_zero(1, sizeof *m);
    m->base.type = &native_type;
    m->options = *options;
    if (!hd_native_server_start(&m->server, options, error)) {
        free(m);
        return NULL;
    }
    hd_native_locations_init(&m->locations, &m->server);
    m->base.threads = 1;
    m->base.locations = m->locations.count;
    restart(&m->base);
    return m;
}

/* Its first runs show most of what there is to know. */
static bool warm_up(native_machine *m, hd_error *error) {
    enum { MOST_ROUNDS = 16 };
    for (int round = 0; round < MOST_ROUNDS; round++) {
        find_log(m);
        if (is_broken(m))
            return hd_error_set(error, "%s: %s", m->options.argv[0], m->log->message);
        if (!m->changed)
            break;
        hd_native_machine_renew(&m->base);
        if (is_broken(m))
            return hd_error_set(error, "%s: %s", m->options.argv[0], m->broken.text);
    }
    return true;
}

/* One run, so that the program is known to be there and where its stack is. */
static bool touch(native_machine *m, hd_error *error) {
    find_log(m);
    if (is_broken(m))
        return hd_error_set(error, "%s: %s", m->options.argv[0], m->log->message);
    hd_vec_clear(&m->fresh);
    m->server.explore->threads = 1;
    hd_native_machine_renew(&m->base);
    return true;
}

hd_machine *hd_native_machine_create(const hd_native_machine_options *options, hd_error *error) {
    native_machine *m = create(options, error);
    if (m && !(options->cold ? touch(m, error) : warm_up(m, error))) {
        free_machine(&m->base);
        return NULL;
    }
    return m ? &m->base : NULL;
}

/* The copy must know what the machine knows, and number threads and words alike. */
static hd_machine *copy(const hd_machine *machine) {
    const native_machine *m = const_self(machine);
    hd_error error = {""};
    native_machine *other = create(&m->options, &error);
    if (!other) {
        hd_log_write(HD_LOG_ERROR, "%s", error.text);
        exit(2);
    }
    heddle_wire_explore *to = other->server.explore;
    const heddle_wire_explore *from = m->server.explore;
    memcpy(to->shared, from->shared, sizeof to->shared);
    other->server.shared = m->server.shared;
    memcpy(to->name, from->name, sizeof to->name);
    to->threads = machine->threads;
    other->base.threads = machine->threads;
    return &other->base;
}

/* --- shared words as text ------------------------------------------------------------------- */

/* Where the stack of main begins depends on the environment; what is there is told from it. */
static uint64_t stack_top(const native_machine *m) {
    const heddle_wire_thread *main = &m->server.run.wire->thread[0];
    return main->stack + main->stack_size;
}

static void add_build(const native_machine *m, hd_native_words *words) {
    char build[HD_NATIVE_BUILD];
    hd_vec_char text = {0};
    if (!hd_native_build(m->options.argv[0], build))
        return;
    hd_native_print(&text, "build=%s", build);
    hd_vec_push(words, text.data);
}

void hd_native_machine_words(const hd_machine *machine, hd_native_words *words) {
    const native_machine *m = const_self(machine);
    const heddle_wire_explore *explore = m->server.explore;
    uint64_t top = stack_top(m), low = m->server.run.wire->thread[0].stack;
    add_build(m, words);
    hd_native_options_words(m->server.run.wire, words);
    for (uint32_t i = 1; i < machine->threads; i++) {
        hd_vec_char text = {0};
        hd_native_print(&text, "thread=%u.%u", explore->name[i].creator, explore->name[i].birth);
        hd_vec_push(words, text.data);
    }
    for (uint32_t i = 0; i < HEDDLE_WIRE_SHARED; i++) {
        if (!explore->shared[i])
            continue;
        hd_vec_char text = {0};
        uint64_t address = (explore->shared[i] - 1) * 8;
        if (address >= low && address < top)
            hd_native_print(&text, "shared=main-%llu", (unsigned long long)(top - address));
        else
            hd_native_print(&text, "shared=%llu", (unsigned long long)address);
        hd_vec_push(words, text.data);
    }
}

static bool add_thread(native_machine *m, const char *text) {
    heddle_wire_explore *explore = m->server.explore;
    const char *dot = strchr(text, '.');
    uint64_t creator, birth;
    if (!dot || !hd_text_u64(text, (size_t)(dot - text), &creator) ||
        !hd_text_u64(dot + 1, strlen(dot + 1), &birth) || creator >= explore->threads ||
        birth > UINT32_MAX || explore->threads >= HEDDLE_WIRE_EXPLORED)
        return false;
    explore->name[explore->threads].creator = (uint32_t)creator;
    explore->name[explore->threads].birth = (uint32_t)birth;
    m->base.threads = ++explore->threads;
    forget_names(m);
    return true;
}

bool hd_native_machine_add_word(hd_machine *machine, const char *word) {
    static const char thread[] = "thread=", shared[] = "shared=", stack[] = "main-";
    native_machine *m = self_of(machine);
    uint64_t address;
    if (strncmp(word, "build=", strlen("build=")) == 0 ||
        hd_native_options_word(m->server.run.wire, word)) /* as it was started with */
        return true;
    if (strncmp(word, thread, strlen(thread)) == 0)
        return add_thread(m, word + strlen(thread));
    if (strncmp(word, shared, strlen(shared)) != 0)
        return false;
    word += strlen(shared);
    bool of_main = strncmp(word, stack, strlen(stack)) == 0;
    if (of_main)
        word += strlen(stack);
    if (!hd_text_u64(word, strlen(word), &address))
        return false;
    return hd_native_server_share(&m->server, (of_main ? stack_top(m) - address : address) / 8);
}
