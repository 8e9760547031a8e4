/*
 * Text for people about an explored program.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "native_operations.h"
#include "native_program.h"

void hd_native_program_forget(hd_native_program *m) {
    for (size_t i = 0; i < m->thread_names.length; i++)
        free(m->thread_names.data[i]);
    for (size_t i = 0; i < m->location_names.length; i++)
        free(m->location_names.data[i]);
    for (size_t i = 0; i < m->old_names.length; i++)
        free(m->old_names.data[i]);
    hd_vec_clear(&m->thread_names);
    hd_vec_clear(&m->location_names);
    hd_vec_clear(&m->old_names);
}

void hd_native_program_thread(const hd_native_program *m, uint32_t thread, hd_vec_char *to) {
    if (!thread || thread >= m->server.explore->threads) {
        hd_text_append(to, "main");
        return;
    }
    if (m->server.explore->name[thread].creator < thread)
        hd_native_program_thread(m, m->server.explore->name[thread].creator, to);
    hd_text_append(to, ".%u", m->server.explore->name[thread].birth);
}

const char *hd_native_program_thread_name(hd_machine *machine, uint32_t thread) {
    hd_native_program *m = hd_native_program_of(machine);
    while (m->thread_names.length <= thread) {
        hd_vec_char text = {0};
        hd_native_program_thread(m, (uint32_t)m->thread_names.length, &text);
        hd_vec_push(&m->thread_names, text.data);
    }
    return m->thread_names.data[thread];
}

void hd_native_program_need_symbols(hd_native_program *m) {
    if (m->symbols)
        return;
    m->symbols = hd_symbols_create(&m->server.run);
    m->memory = hd_recording_memory_create(&m->server.run, m->symbols);
    hd_recording_memory_noted(m->memory);
}

static bool in_heap(uint64_t address) {
    return address >= HEDDLE_WIRE_HEAP && address < HEDDLE_WIRE_HEAP_END;
}

/* The heap blocks of the current path: addresses may differ from run to run.  They are in the
 * shared file if the path's run was the last one; else it is run again. */
static void need_blocks(hd_native_program *m) {
    if (m->log && m->log->run != m->server.runs) {
        hd_launch_log again = {0};
        uint32_t wishes = m->server.wishes;
        m->server.wishes = 0;
        hd_native_server_run(&m->server, m->path.data, m->path.length, 0, &again);
        m->server.wishes = wishes;
        hd_launch_log_release(&again);
        m->log->run = m->server.runs;
    }
    if (m->blocks_of == m->server.runs)
        return;
    m->blocks_of = m->server.runs;
    heddle_wire *wire = m->server.run.wire;
    hd_recording_memory_forget(m->memory);
    for (uint64_t i = 0; i < wire->blocks && i < HEDDLE_WIRE_BLOCKS; i++)
        hd_recording_memory_note(m->memory, &heddle_wire_blocks(wire)[i]);
    hd_recording_memory_noted(m->memory);
}

/* Where functions have their frames differs from run to run, too. */
static void need_functions(hd_native_program *m) {
    if (!m->log || (m->functions_of && m->functions_of == m->log->run))
        return;
    hd_native_program_look(m, &m->server.explore->functions);
    m->log->run = m->functions_of = m->server.runs;
    hd_recording_memory_forget_stacks(m->memory);
}

/* Neither on the heap nor in the program or a library: on a stack. */
static bool on_stack(hd_native_program *m, uint64_t address) {
    return !in_heap(address) && !hd_symbols_module(m->symbols, address + 1);
}

void hd_native_program_object(hd_native_program *m, uint64_t address, bool whole, hd_vec_char *to) {
    hd_native_program_need_symbols(m);
    if (in_heap(address))
        need_blocks(m);
    else if (on_stack(m, address))
        need_functions(m);
    hd_recording_memory_name(m->memory, address, whole, to);
}

static bool print_state(const hd_native_program *m, uint64_t address, hd_vec_char *to);

static char *make_location_name(hd_native_program *m, uint32_t location) {
    hd_vec_char text = {0};
    hd_native_location it = hd_native_locations_at(&m->locations, location);
    if (it.sort == HD_NATIVE_PROCESS)
        hd_text_append(&text, it.address ? "last end of a thread" : "process");
    else if (it.sort == HD_NATIVE_THREAD || it.sort == HD_NATIVE_FLAG || it.sort == HD_NATIVE_END) {
        hd_text_append(&text, "%s",
                       it.sort == HD_NATIVE_FLAG  ? "flag of "
                       : it.sort == HD_NATIVE_END ? "end of "
                                                  : "thread ");
        hd_native_program_thread(m, (uint32_t)it.address, &text);
    } else if (it.sort == HD_NATIVE_CLOCK)
        hd_text_append(&text, "clock");
    else if (it.sort == HD_NATIVE_FREED)
        hd_native_program_object(m, it.address * 8, false, &text);
    else if (it.sort == HD_NATIVE_READER || it.sort == HD_NATIVE_ARRIVAL)
        hd_native_program_object(m, it.address & ((UINT64_C(1) << HD_NATIVE_THREAD_SHIFT) - 2),
                                 true, &text);
    else if (it.sort != HD_NATIVE_STATE || !print_state(m, it.address, &text))
        hd_native_program_object(m, it.address, it.sort != HD_NATIVE_MEMORY, &text);
    return text.data;
}

const char *hd_native_program_location_name(hd_machine *machine, uint32_t location) {
    hd_native_program *m = hd_native_program_of(machine);
    if (m->location_names.length <= location)
        hd_vec_resize(&m->location_names, (size_t)location + 1);
    char **name = &m->location_names.data[location];
    hd_native_location it = hd_native_locations_at(&m->locations, location);
    bool memory = it.sort == HD_NATIVE_MEMORY || it.sort == HD_NATIVE_OBJECT ||
                  (it.sort == HD_NATIVE_STATE && it.address > HEDDLE_WIRE_STATES_END);
    if (!*name)
        *name = make_location_name(m, location);
    else if (memory && (in_heap(it.address) || on_stack(m, it.address))) {
        char *now = make_location_name(m, location);
        if (strcmp(now, *name) == 0)
            free(now);
        else {
            hd_vec_push(&m->old_names, *name);
            *name = now;
        }
    }
    return *name;
}

/* By address, which the layout of the program and its heap decide. */
uint64_t hd_native_program_location_order(const hd_machine *machine, uint32_t location) {
    const hd_native_program *m = hd_native_program_const(machine);
    return hd_native_locations_at(&m->locations, location).address;
}

void hd_native_place(hd_machine *machine, uint32_t position, hd_vec_char *to) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_native_program_need_symbols(m);
    uint64_t code = m->server.run.wire->code + position;
    if (!position || !hd_symbols_line(m->symbols, code, to))
        hd_text_append(to, "%s", m->options.argv[0]);
}

void hd_native_function(hd_machine *machine, uint32_t position, hd_vec_char *to) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_native_program_need_symbols(m);
    if (position)
        hd_symbols_function(m->symbols, m->server.run.wire->code + position, to);
}

/* A signal that is sent or looked for. */
static bool is_signal(const heddle_wire_operation *operation) {
    return operation->kind == HEDDLE_WIRE_FENCE && operation->address >= heddle_wire_signals(0) &&
           operation->address < heddle_wire_signals(HEDDLE_WIRE_EXPLORED);
}

/* The verb, where it depends on more than the kind; else NULL. */
static const char *special_verb(const heddle_wire_operation *operation) {
    bool try = operation->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED);
    bool looks = operation->flags & HEDDLE_WIRE_LOOKS;
    switch (operation->kind) {
    case HEDDLE_WIRE_NOTHING:
        return "not created yet";
    case HEDDLE_WIRE_CHOICE:
        return operation->orders ? "choose an input of the next section" : NULL;
    case HEDDLE_WRITE + 1:
        return operation->flags & HEDDLE_WIRE_FREES ? "free" : NULL;
    case HEDDLE_WIRE_REUSE:
        return operation->flags & HEDDLE_WIRE_EITHER ? "ask for one of"
               : operation->flags & HEDDLE_WIRE_ALSO ? "free"
                                                     : "get";
    case HEDDLE_ACQUIRE + 1:
        return try ? "try to lock" : NULL;
    case HEDDLE_READ_ACQUIRE + 1:
        return try ? "try to lock for reading" : NULL;
    case HEDDLE_RECV + 1:
        return looks ? "look at" : NULL;
    case HEDDLE_WIRE_FENCE:
        if (is_signal(operation))
            return looks ? "look for a signal" : "send or block signals";
        if (operation->address == HEDDLE_WIRE_ACTIONS)
            return "set a handler";
        if (!operation->address && operation->size == HEDDLE_WIRE_A_CLOCK)
            return "look at the clock";
        if (!operation->address && operation->size == HEDDLE_WIRE_A_FAULT)
            return "fail";
        return operation->address ? "wake those at futex" : NULL;
    default:
        return NULL;
    }
}

static const char *verb_of(const heddle_wire_operation *operation) {
    const char *special = special_verb(operation);
    const hd_native_operation *known = hd_native_operation_of(operation->kind);
    return special ? special : known ? known->verb : "pass a point";
}

/* State that is not in memory. */
static bool print_state(const hd_native_program *m, uint64_t address, hd_vec_char *to) {
    static const char *const words[] = {
#define STATE(name, words) words,
#include "heddle/state.def"
#undef STATE
    };
    if (address < HEDDLE_WIRE_STATES || address >= HEDDLE_WIRE_FILE_STATES_END)
        return false;
    if (address > HEDDLE_WIRE_STATES_END) {
        hd_text_append(to, "an open file");
        return true;
    }
    const heddle_wire *wire = m->server.run.wire;
    uint64_t number = (address - HEDDLE_WIRE_STATES) / 16;
    uint64_t module = (address - HEDDLE_WIRE_MODULE_STATES) / 16;
    uint64_t room = (address - HEDDLE_WIRE_REUSED) / 16;
    if (address >= HEDDLE_WIRE_MODULE_STATES && module < wire->modules) {
        const char *path = wire->module[module].path, *slash = strrchr(path, '/');
        hd_text_append(to, "the state of %s", slash ? slash + 1 : path);
    } else if (address >= HEDDLE_WIRE_REUSED && address < HEDDLE_WIRE_MODULE_STATES) {
        if (room < HEDDLE_WIRE_REUSED_SMALL)
            hd_text_append(to, "the freed blocks of %u bytes", (unsigned)room * 16);
        else
            hd_text_append(to, "the large freed blocks");
    } else
        hd_text_append(to, "%s",
                       number < sizeof words / sizeof *words ? words[number] : "all streams");
    return true;
}

/* "fputc of libc.so.6 on ..." */
static void print_call(hd_native_program *m, const heddle_wire_operation *operation, uint64_t with,
                       hd_vec_char *to) {
    const heddle_wire *wire = m->server.run.wire;
    const heddle_wire_callee *callee = with && with <= wire->callees && with <= HEDDLE_WIRE_CALLEES
                                           ? &wire->callee[with - 1]
                                           : NULL;
    hd_text_append(to, " %s on ", callee ? callee->name : "a function");
    if (!print_state(m, operation->address, to))
        hd_native_program_object(m, operation->address, true, to);
    if (callee && callee->module < wire->modules) {
        const char *path = wire->module[callee->module].path, *slash = strrchr(path, '/');
        hd_text_append(to, " (%s)", slash ? slash + 1 : path);
    }
}

static bool is_access(const heddle_wire_operation *operation) {
    return operation->kind >= HEDDLE_READ + 1 && operation->kind <= HEDDLE_ATOMIC_RMW + 1;
}

static void print_operation(hd_native_program *m, const heddle_wire_next *next, hd_vec_char *to) {
    const heddle_wire_operation *operation = &next->operation;
    hd_text_append(to, "%s%s", operation->flags & HEDDLE_WIRE_SPINS ? "wait in a loop: " : "",
                   verb_of(operation));
    if (operation->kind == HEDDLE_WIRE_CALL)
        print_call(m, operation, next->with, to);
    else if (operation->kind == HEDDLE_WIRE_REUSE && !(operation->flags & HEDDLE_WIRE_FREES)) {
        hd_text_append(to, " ");
        print_state(m, operation->address, to);
    } else if (operation->kind == HEDDLE_FORK + 1 || operation->kind == HEDDLE_JOIN + 1) {
        hd_text_append(to, " ");
        hd_native_program_thread(m, (uint32_t)operation->address, to);
    } else if (is_signal(operation)) {
        if (!(operation->flags & HEDDLE_WIRE_LOOKS)) {
            hd_text_append(to, " to ");
            hd_native_program_thread(m, (uint32_t)(operation->address - heddle_wire_signals(0)) / 8,
                                     to);
        }
    } else if (operation->address && operation->kind != HEDDLE_WIRE_FINISH) {
        hd_text_append(to, " ");
        hd_native_program_object(m, operation->address, !is_access(operation), to);
    }
}

bool hd_native_next_joins(hd_machine *machine, uint32_t thread) {
    const heddle_wire_next *next = hd_native_program_pending(hd_native_program_of(machine), thread);
    return next && next->operation.kind == HEDDLE_JOIN + 1;
}

bool hd_native_next_waits(hd_machine *machine, uint32_t thread) {
    const heddle_wire_next *next = hd_native_program_pending(hd_native_program_of(machine), thread);
    unsigned kind = next ? next->operation.kind : HEDDLE_WIRE_NOTHING;
    return kind == HEDDLE_WAKE + 1 || kind == HEDDLE_BARRIER_OUT + 1 || kind == HEDDLE_RECV + 1 ||
           kind == HEDDLE_WIRE_FUTEX;
}

bool hd_native_next_uses(hd_machine *machine, uint32_t thread) {
    const heddle_wire_next *next = hd_native_program_pending(hd_native_program_of(machine), thread);
    return next && heddle_wire_body_of(&next->operation) != HEDDLE_WIRE_NO_BODY;
}

uint64_t hd_native_next_address(hd_machine *machine, uint32_t thread) {
    const heddle_wire_next *next = hd_native_program_pending(hd_native_program_of(machine), thread);
    return next ? next->operation.address : 0;
}

void hd_native_next_words(hd_machine *machine, uint32_t thread, hd_vec_char *words,
                          hd_vec_char *variable) {
    hd_native_program *m = hd_native_program_of(machine);
    const heddle_wire_next *next = hd_native_program_pending(m, thread);
    if (!next)
        return;
    print_operation(m, next, words);
    if (is_access(&next->operation) && next->operation.address)
        hd_native_program_object(m, next->operation.address, false, variable);
}

void hd_native_program_describe(hd_machine *machine, uint32_t thread, hd_vec_char *to) {
    hd_native_program *m = hd_native_program_of(machine);
    const heddle_wire_next *next = hd_native_program_pending(m, thread);
    hd_text_append(to, "%s: ", hd_native_program_thread_name(machine, thread));
    if (!next) {
        hd_text_append(to, "ended");
        return;
    }
    const heddle_wire_operation *operation = &next->operation;
    print_operation(m, next, to);
    hd_vec_char line = {0};
    hd_native_program_need_symbols(m);
    if (operation->code && hd_symbols_line(m->symbols, operation->code, &line))
        hd_text_append(to, " (%s)", line.data);
    hd_vec_release(&line);
}

static void name_thread(const void *program, uint32_t thread, hd_vec_char *to) {
    if (thread < HEDDLE_WIRE_EXPLORED)
        hd_native_program_thread(program, thread, to);
}

static bool is_fault(const hd_launch_log *log) {
    return log->ending == HEDDLE_WIRE_ABORTED && hd_launch_fault_rule(&log->fault);
}

void hd_native_program_failure(hd_machine *machine, hd_vec_char *to) {
    hd_native_program *m = hd_native_program_of(machine);
    const hd_launch_log *log = m->log;
    if (hd_native_program_broken(m))
        hd_text_append(to, "%s", m->broken.text);
    else if (log->end == HD_LAUNCH_HUNG)
        hd_native_machine_hang(machine, to);
    else if (log->message[0]) {
        hd_text_append(to, "%s", log->message);
        if (is_fault(log)) {
            hd_native_program_need_symbols(m);
            if (log->fault.object) {
                hd_text_append(to, ": ");
                hd_native_program_object(m, log->fault.object, true, to);
            }
            hd_symbols_fault(m->symbols, &log->fault, name_thread, m, to);
        }
    } else if (WIFSIGNALED(log->status))
        hd_text_append(to, "killed by signal %d, %s", WTERMSIG(log->status),
                       strsignal(WTERMSIG(log->status)));
    else
        hd_text_append(to, "exit status %d", WEXITSTATUS(log->status));
}

const char *hd_native_machine_fault(const hd_machine *machine) {
    const hd_launch_log *log = hd_native_program_const(machine)->log;
    return log && is_fault(log) ? log->message : NULL;
}

const char *hd_native_failed_rule(const hd_machine *machine) {
    const hd_launch_log *log = hd_native_program_const(machine)->log;
    if (log->ending == HEDDLE_WIRE_ABORTED)
        return hd_launch_abort_rule(log->message, &log->fault);
    return WIFSIGNALED(log->status) ? "signal" : "exit";
}

uint32_t hd_native_failed_thread(const hd_machine *machine) {
    uint32_t thread;
    hd_native_program_last(hd_native_program_const(machine), &thread);
    return thread;
}

uint32_t hd_native_failed_position(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    uint32_t thread;
    heddle_wire_operation operation = hd_native_program_last(m, &thread);
    if (m->log && is_fault(m->log) && m->log->fault.code)
        operation.code = m->log->fault.code;
    return operation.code ? (uint32_t)(operation.code - m->server.run.wire->code) : 0;
}

uint32_t hd_native_failed_line(const hd_machine *machine) {
    const hd_launch_log *log = hd_native_program_const(machine)->log;
    const char *message = log ? log->message : "";
    uint32_t sum = 0;
    for (size_t i = 0, length = hd_recording_place_length(message); i < length; i++)
        sum = sum * 31 + (unsigned char)message[i];
    return sum;
}

void hd_native_failed_place(hd_machine *machine, hd_vec_char *to) {
    const hd_native_program *m = hd_native_program_of(machine);
    size_t length = m->log ? hd_recording_place_length(m->log->message) : 0;
    if (length)
        hd_text_append(to, "%.*s", (int)length, m->log->message);
    else
        hd_native_place(machine, hd_native_failed_position(machine), to);
}

bool hd_native_program_has_value(const heddle_wire_operation *operation) {
    uint32_t size = operation->size;
    return is_access(operation) && !(operation->flags & HEDDLE_WIRE_FREES) && size && size <= 8 &&
           !(size & (size - 1));
}

int64_t hd_native_program_value(uint64_t value, uint32_t size) {
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

bool hd_native_step_value(hd_machine *machine, hd_vec_char *variable, int64_t *value) {
    hd_native_program *m = hd_native_program_of(machine);
    uint32_t thread;
    heddle_wire_operation operation = hd_native_program_last(m, &thread);
    if (hd_native_program_broken(m) || !m->path.length)
        return false;
    if (operation.kind == HEDDLE_WIRE_CHOICE && !operation.orders) {
        hd_text_append(variable, "input");
        *value = (int64_t)hd_native_program_step(m)->value;
        return true;
    }
    if (!hd_native_program_has_value(&operation))
        return false;
    hd_native_program_object(m, operation.address, false, variable);
    *value = hd_native_program_value(hd_native_program_step(m)->value, operation.size);
    return true;
}
