#include "recording_end.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "recording_notes.h"

typedef struct ending {
    const hd_launch_run *run;
    hd_symbols *symbols;
    hd_recording_memory *memory;
    hd_recording_name *name;
    void *context;
    hd_vec_char thread, object, location;
} ending;

void hd_recording_how(const hd_launch_run *run, hd_trace_end *end) {
    int signal = WIFSIGNALED(run->status) ? WTERMSIG(run->status) : 0;
    bool by_us = run->stopped && (!signal || signal == run->stopped || signal == SIGKILL);
    end->number = 0;
    if (run->timed_out)
        end->how = HD_TRACE_END_LIMIT;
    else if (by_us) {
        end->how = HD_TRACE_END_STOPPED;
        end->number = run->stopped;
    } else if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        end->how = HD_TRACE_END_DEADLOCK;
    else if (run->wire->ending == HEDDLE_WIRE_EXEC)
        end->how = HD_TRACE_END_EXEC;
    else if (signal) {
        end->how = HD_TRACE_END_SIGNAL;
        end->number = signal;
    } else {
        end->how = HD_TRACE_END_EXIT;
        end->number = WEXITSTATUS(run->status);
    }
}

/* Is there another object of the class that has this name? */
static bool is_shared(const ending *e, enum heddle_class class, uint64_t address) {
    const heddle_wire *wire = e->run->wire;
    const uint64_t *objects = heddle_wire_objects(e->run->wire);
    hd_vec_char text = {0};
    bool shared = false;
    for (uint64_t i = 0; i < wire->objects && !shared; i++) {
        uint64_t other = objects[i] & HEDDLE_WIRE_ADDRESS;
        if (objects[i] >> 56 != class || other == address)
            continue;
        hd_vec_clear(&text);
        hd_recording_memory_name(e->memory, other, true, &text);
        shared =
            text.length == e->object.length && memcmp(text.data, e->object.data, text.length) == 0;
    }
    hd_vec_release(&text);
    return shared;
}

static void name_object(ending *e, unsigned kind, uint64_t address) {
    bool event = kind < HEDDLE_KIND_COUNT;
    enum heddle_class class =
        event ? (enum heddle_class)hd_trace_kinds[kind].class : HEDDLE_CLASS_LABEL;
    const char *known = event && e->name ? e->name(e->context, class, address) : NULL;
    if (known) {
        hd_text_append_text(&e->object, known);
        return;
    }
    hd_recording_memory_name(e->memory, address, true, &e->object);
    if (!hd_trace_legal_name(class, e->object.data, e->object.length) ||
        (event && !e->name && is_shared(e, class, address)))
        hd_trace_make_legal(&e->object, address);
}

/* What is next, if it is an operation that can be named. */
static bool describe(ending *e, const heddle_wire_operation *pending, unsigned *kind) {
    static const char *const others[] = {"futex call at ", "initialisation of ",
                                         "what is outside the program"};
    *kind = pending->kind - 1U;
    if (*kind == HEDDLE_RECV) /* under the runtime these are semaphores */
        *kind = HEDDLE_TAKE;
    int what = pending->kind == HEDDLE_WIRE_FUTEX      ? 0
               : pending->kind == HEDDLE_WIRE_ONCE     ? 1
               : pending->kind == HEDDLE_WIRE_EXTERNAL ? 2
                                                       : -1;
    if (what >= 0) {
        *kind = HD_TRACE_END_OTHER;
        hd_text_append_text(&e->object, others[what]);
    } else if (*kind >= HEDDLE_KIND_COUNT)
        return false;
    if (*kind == HEDDLE_JOIN || *kind == HEDDLE_FORK) {
        if (pending->address >= e->run->wire->threads)
            return false;
        hd_launch_thread_name(e->run, (uint32_t)pending->address, &e->object);
    } else if (what != 2) {
        size_t before = e->object.length;
        name_object(e, *kind, pending->address);
        if (what >= 0 && e->object.length > before && e->object.data[before] == '0')
            return false; /* an object of a library, at another address each time */
    }
    return true;
}

/* Only what waits: an access that comes next says nothing about the end. */
static bool can_wait(unsigned kind) {
    switch (kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_JOIN:
    case HEDDLE_WAKE:
    case HEDDLE_BARRIER_OUT:
    case HEDDLE_TAKE:
    case HD_TRACE_END_OTHER:
        return true;
    default:
        return false;
    }
}

static void add_thread(ending *e, uint32_t number, hd_trace_end *end) {
    const heddle_wire_thread *thread = &e->run->wire->thread[number];
    unsigned kind;
    hd_vec_clear(&e->thread);
    hd_vec_clear(&e->object);
    hd_vec_clear(&e->location);
    hd_text_append_text(&e->object, "");
    hd_text_append_text(&e->location, "");
    if (!describe(e, &thread->pending, &kind) || !can_wait(kind))
        return;
    hd_launch_thread_name(e->run, number, &e->thread);
    hd_symbols_line(e->symbols, thread->pending.code, &e->location);
    if (!hd_trace_legal_name(HEDDLE_CLASS_LOCATION, e->location.data, e->location.length))
        hd_vec_clear(&e->location);
    hd_trace_end_add(end, e->thread.data, kind, e->object.data,
                     e->location.length ? e->location.data : "");
}

static void print_object(void *context, uint64_t address, hd_vec_char *to) {
    hd_recording_memory_name(context, address, true, to);
}

static void add_notes(ending *e, hd_trace_end *end) {
    const heddle_wire *wire = e->run->wire;
    hd_vec_char *text = &e->object;
    for (uint32_t i = 0; i < wire->notes && i < HEDDLE_WIRE_NOTES; i++) {
        heddle_wire_note note = wire->note[i];
        hd_vec_clear(text);
        const char *code = hd_recording_note(&note, e->symbols, print_object, e->memory, text);
        if (code)
            hd_trace_end_note(end, code, text->data);
    }
    if (wire->volatiles)
        hd_trace_end_note(end, "volatile",
                          "volatile accesses were taken as atomic (acquire and release)");
    if (wire->unkept & HEDDLE_WIRE_UNKEPT_WRITTEN) /* what it shows are notes */
        hd_trace_end_note(end, HD_RECORDING_UNKEPT,
                          hd_recording_unkept(HEDDLE_WIRE_UNKEPT_WRITTEN));
    hd_vec_clear(text);
    hd_recording_notes_lost(text);
    if (wire->notes_lost)
        hd_trace_end_note(end, HD_RECORDING_NOTES_LOST, text->data);
}

/* What __tsan_default_suppressions of the program returned, without its comments. */
static void add_suppressions(const heddle_wire *wire, hd_trace_end *end) {
    const char *line = wire->suppressions, *last = line + strnlen(line, sizeof wire->suppressions);
    while (line < last) {
        const char *stop = memchr(line, '\n', (size_t)(last - line));
        size_t length = (size_t)((stop ? stop : last) - line);
        if (length && *line != '#')
            hd_trace_end_suppress(end, line, length);
        line += length + 1;
    }
    if (wire->annotations & HEDDLE_WIRE_TOLD_RULES)
        hd_trace_end_note(end, "suppressions",
                          "what __tsan_default_suppressions returns is longer than is kept");
}

/* Each function once; two threads may have told one, and one may be half told. */
static void add_unseen(const heddle_wire *wire, hd_vec_char *text, hd_trace_end *end) {
    for (uint32_t i = 0; i < wire->unseen && i < HEDDLE_WIRE_UNSEEN; i++) {
        const heddle_wire_unseen *it = &wire->unseen_call[i];
        if (it->module >= wire->modules || it->module >= HEDDLE_WIRE_MODULES || !*it->name)
            continue;
        const char *path = wire->module[it->module].path, *slash = strrchr(path, '/');
        hd_vec_clear(text);
        hd_text_append(text, "%.*s %s", (int)sizeof it->name, it->name, slash ? slash + 1 : path);
        size_t j = 0;
        while (j < i && (wire->unseen_call[j].module != it->module ||
                         strncmp(wire->unseen_call[j].name, it->name, sizeof it->name) != 0))
            j++;
        if (j == i)
            hd_trace_end_unseen(end, text->data, text->length);
    }
    if (wire->unseen > HEDDLE_WIRE_UNSEEN) /* engine_verdict.c knows the words */
        hd_trace_end_unseen(end, "others libraries", strlen("others libraries"));
}

/* Accesses of the program itself that are not announced; no matter if there is one thread. */
static void add_hidden(const ending *e, hd_trace_end *end) {
    if (e->run->wire->threads < 2)
        return;
    const hd_names *hidden = hd_symbols_hides(e->symbols, e->run);
    for (uint32_t i = 0; i < hidden->length; i++)
        hd_trace_end_unseen(end, hd_names_text(hidden, i), hd_names_size(hidden, i));
}

/* What the inputs that the program asked for came from, as words of launch_options.h. */
static void add_inputs(const heddle_wire *wire, hd_trace_end *end) {
    enum {
        DRAWN = HEDDLE_WIRE_ASKED_SOME | HEDDLE_WIRE_ASKED_ALL | HEDDLE_WIRE_ASKED_SAMPLED |
                HEDDLE_WIRE_ASKED_FIRST
    };
    char seed[40], process[40];
    hd_launch_words words = {0};
    if (wire->process) {
        int length = snprintf(process, sizeof process, "process=%lu", (unsigned long)wire->process);
        hd_trace_end_input(end, process, (size_t)length);
    }
    if (!(wire->asked & (DRAWN | HEDDLE_WIRE_ASKED_FIXED)))
        return;
    if (wire->asked & DRAWN) {
        int length = snprintf(seed, sizeof seed, "seed=%llu", (unsigned long long)wire->seed);
        hd_trace_end_input(end, seed, (size_t)length);
    }
    hd_launch_options_words(wire, &words);
    for (size_t i = 0; i < words.length; i++) {
        if (strncmp(words.data[i], "input", strlen("input")) == 0)
            hd_trace_end_input(end, words.data[i], strlen(words.data[i]));
        free(words.data[i]);
    }
    hd_vec_release(&words);
}

/* Threads that the exit of the program cut off.  Those that wait are not among them: what they had
 * done until then is recorded, and in this run nothing more would have come. */
static void doubt_unended(const hd_launch_run *run, hd_trace_end *end) {
    enum { NAMED = 3 };
    const heddle_wire *wire = run->wire;
    hd_vec_char names = {0}, text = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < wire->threads && i < HEDDLE_WIRE_THREADS; i++) {
        if (!wire->thread[i].unended || count++ >= NAMED)
            continue;
        hd_text_append_text(&names, count > 1 ? ", " : "");
        hd_launch_thread_name(run, i, &names);
    }
    if (count) {
        hd_text_append(
            &text,
            "threads:" HD_RECORDING_UNENDED " %s (%s%s) had not ended when the program exited, ",
            hd_text_count(count, "thread", "threads"), names.data, count > NAMED ? ", ..." : "");
        hd_text_append_text(&text, "and could go on: what would have followed is not recorded");
        hd_trace_end_doubt(end, text.data, text.length);
    }
    hd_vec_release(&names);
    hd_vec_release(&text);
}

static void doubt_unkept(uint32_t unkept, uint32_t kind, const char *what, hd_trace_end *end) {
    hd_vec_char text = {0};
    if (!(unkept & kind))
        return;
    hd_text_append(&text, HD_RECORDING_UNKEPT ":%s %s", what, hd_recording_unkept(kind));
    hd_trace_end_doubt(end, text.data, text.length);
    hd_vec_release(&text);
}

void hd_recording_doubts(const hd_launch_run *run, hd_trace_end *end) {
    static const char openmp[] = "threads:openmp " HD_RECORDING_OPENMP;
    static const char limits[] = "annotations:limits there is more to annotations than is kept: "
                                 "some order too much, or exempt nothing";
    static const char fibers[] = "annotations:fibers the program switches between fibers of its "
                                 "own: what they do counts as their thread's";
    if (run->wire->openmp) /* launch_start.c has set OMP_THREAD_LIMIT */
        hd_trace_end_doubt(end, openmp, sizeof openmp - 1);
    if (run->wire->annotations & HEDDLE_WIRE_TOLD_TOO_MUCH)
        hd_trace_end_doubt(end, limits, sizeof limits - 1);
    if (run->wire->annotations & HEDDLE_WIRE_TOLD_FIBERS)
        hd_trace_end_doubt(end, fibers, sizeof fibers - 1);
    if (run->wire->refused) {
        char refused[160];
        int length = snprintf(refused, sizeof refused,
                              "refused-calls:processes calls that start other processes failed "
                              "with ENOSYS, %u in the run",
                              run->wire->refused);
        hd_trace_end_doubt(end, refused, (size_t)length);
    }
    if (run->wire->unborn) {
        static const char unborn[] = "refused-calls:threads " HD_RECORDING_UNBORN;
        hd_trace_end_doubt(end, unborn, sizeof unborn - 1);
    }
    doubt_unkept(run->wire->unkept, HEDDLE_WIRE_UNKEPT_FREED, "freed", end);
    doubt_unkept(run->wire->unkept, HEDDLE_WIRE_UNKEPT_OBJECTS, "objects", end);
    doubt_unended(run, end);
}

void hd_recording_end(const hd_launch_run *run, hd_symbols *symbols, hd_recording_memory *memory,
                      hd_recording_name *name, void *context, hd_trace_end *end) {
    ending e = {.run = run, .symbols = symbols, .memory = memory, .name = name, .context = context};
    hd_recording_how(run, end);
    uint32_t threads = run->wire->threads;
    for (uint32_t i = 0; i < threads && i < HEDDLE_WIRE_THREADS; i++)
        if (run->wire->thread[i].state == HEDDLE_WIRE_LIVE && end->how != HD_TRACE_END_EXIT)
            add_thread(&e, i, end);
    add_notes(&e, end);
    add_suppressions(run->wire, end);
    add_unseen(run->wire, &e.object, end);
    add_hidden(&e, end);
    add_inputs(run->wire, end);
    hd_recording_doubts(run, end);
    end->told_orders = (run->wire->annotations & HEDDLE_WIRE_TOLD_ORDERS) != 0;
    hd_vec_release(&e.thread);
    hd_vec_release(&e.object);
    hd_vec_release(&e.location);
}

static void name_thread(const void *run, uint32_t thread, hd_vec_char *to) {
    hd_launch_thread_name(run, thread, to);
}

size_t hd_recording_place_length(const char *message) {
    const char *colon = strchr(message, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return digits && colon[1 + digits] == ':' ? (size_t)(colon - message) + 1 + digits : 0;
}

void hd_recording_failed_place(const hd_launch_run *run, hd_vec_char *to) {
    const heddle_wire *wire = run->wire;
    if (wire->ending != HEDDLE_WIRE_ABORTED || run->timed_out || run->stopped)
        return;
    size_t length = hd_recording_place_length(wire->message);
    if (length) {
        hd_text_append(to, "%.*s", (int)length, wire->message);
    } else if (wire->fault.code) {
        hd_symbols *symbols = hd_symbols_create(run);
        hd_symbols_line(symbols, wire->fault.code, to);
        hd_symbols_free(symbols);
    }
}

void hd_recording_describe(const hd_launch_run *run, hd_vec_char *to) {
    const heddle_wire_fault *fault = &run->wire->fault;
    hd_launch_run_describe(run, to);
    if (run->wire->ending != HEDDLE_WIRE_ABORTED || !hd_launch_fault_rule(fault) ||
        run->timed_out || run->stopped)
        return;
    hd_symbols *symbols = hd_symbols_create(run);
    hd_vec_char line = {0};
    if (hd_symbols_line(symbols, fault->code, &line))
        hd_text_append(to, ", at %s", line.data);
    hd_vec_release(&line);
    hd_symbols_fault(symbols, fault, name_thread, run, to);
    hd_symbols_free(symbols);
}
