/*
 * The table of the families that `heddle generate` knows, and the functions that they share.  A new
 * family is a function, a row here and a section of doc/generate.md; the numbers of an old one
 * never change meaning.
 */
#include "generate_families.h"

#include <string.h>

#include "generate_emit.h"

/* Rows of parameters: usage name, by --name or by place, initial, low, high, help. */
#define PLACE(name, initial, low, high, help)                                                      \
    { name, false, initial, low, high, help }
#define OPTION(name, initial, low, high, help)                                                     \
    { name, true, initial, low, high, help }

enum { MANY_THREADS = 100000, MANY_EVENTS = 1000000000 };

const hd_generate_family hd_generate_families[] = {
    {
        .name = "grid",
        .help = "independent threads: (M+1)^N states",
        .parameters = {PLACE("N", 8, 1, MANY_THREADS, "threads"),
                       PLACE("M", 12, 1, MANY_EVENTS, "events of each thread")},
        .generate = hd_generate_grid,
    },
    {
        .name = "forkjoin",
        .help = "a main thread forks workers, then joins them",
        .parameters = {PLACE("K", 11, 1, MANY_THREADS, "workers"),
                       PLACE("M", 2, 0, MANY_EVENTS, "events of each worker")},
        .generate = hd_generate_forkjoin,
    },
    {
        .name = "chains",
        .help = "a pipeline of chains, or with --ring one total order",
        .parameters = {PLACE("N", 4, 2, MANY_THREADS, "chains"),
                       PLACE("M", 40, 2, MANY_EVENTS, "events of each chain"),
                       OPTION("every", 4, 2, MANY_EVENTS, "events of an item; divides M"),
                       OPTION("ring", 0, 0, 1, "1: one token goes round, events totally ordered")},
        .generate = hd_generate_chains,
    },
    {
        .name = "product",
        .help = "independent pairs of threads: ((M+1)(M+2)/2)^K states",
        .parameters = {PLACE("M", 8, 1, MANY_EVENTS, "events of each thread"),
                       PLACE("K", 4, 1, MANY_THREADS / 2, "pairs")},
        .generate = hd_generate_product,
    },
    {
        .name = "subsets",
        .help = "a state for each subset of N elements, with --size for each of that size",
        .parameters = {PLACE("N", 10, 1, MANY_THREADS, "elements"),
                       OPTION("size", 0, 0, MANY_THREADS, "elements of a subset; 0: any number")},
        .generate = hd_generate_subsets,
    },
    {
        .name = "partitions",
        .help = "a state for each integer partition into at most N parts of at most M",
        .parameters = {PLACE("N", 5, 1, MANY_THREADS, "parts"),
                       PLACE("M", 5, 1, MANY_EVENTS, "the largest part")},
        .generate = hd_generate_partitions,
    },
    {
        .name = "permutations",
        .help = "a state for each permutation of N elements: N! states",
        .parameters = {PLACE("N", 6, 2, MANY_THREADS, "elements")},
        .generate = hd_generate_permutations,
    },
    {
        .name = "tableaux",
        .help = "a state for each semistandard Young tableau of A rows and B columns with entries "
                "up to A+C; a loset",
        .parameters = {PLACE("A", 3, 1, 256, "rows"), PLACE("B", 3, 1, 256, "columns"),
                       PLACE("C", 3, 1, 65536, "how much the largest entry exceeds the rows")},
        .generate = hd_generate_tableaux,
    },
    {
        .name = "handover",
        .help = "hand-over-hand locking along a list",
        .parameters = {PLACE("N", 4, 1, MANY_THREADS, "threads"),
                       PLACE("K", 8, 1, MANY_EVENTS, "nodes of the list, each with its lock")},
        .generate = hd_generate_handover,
    },
    {
        .name = "bank",
        .help = "transfers between accounts, each under two locks",
        .seeded = true,
        .parameters = {PLACE("N", 4, 1, MANY_THREADS, "threads beside the main one"),
                       PLACE("M", 10, 0, MANY_EVENTS, "transfers of each thread"),
                       OPTION("accounts", 8, 2, MANY_EVENTS, "accounts")},
        .generate = hd_generate_bank,
    },
    {
        .name = "poset",
        .help = "random message passing",
        .seeded = true,
        .parameters = {PLACE("N", 10, 2, 10000, "threads"),
                       PLACE("M", 300, 1, MANY_EVENTS, "events of all threads together"),
                       OPTION("lag", 0, 0, MANY_EVENTS,
                              "number of events after which a message must be received"),
                       OPTION("probability", 1000, 0, 1000,
                              "permille of events that are communication")},
        .generate = hd_generate_poset,
    },
    {
        .name = "locks",
        .help = "random programs with nested locks",
        .seeded = true,
        .parameters = {PLACE("N", 4, 1, 10000, "threads, the main one included"),
                       PLACE("M", 200, 1, MANY_EVENTS, "events of all threads together"),
                       OPTION("locks", 3, 0, MANY_THREADS, "locks"),
                       OPTION("variables", 5, 1, MANY_THREADS, "variables"),
                       OPTION("rwlocks", 0, 0, 1000, "permille of locks that are rwlocks"),
                       OPTION("waits", 0, 0, 1000, "permille of releases that wait"),
                       OPTION("barriers", 0, 0, 1000, "permille of steps at a barrier"),
                       OPTION("semaphores", 0, 0, 1000, "permille of steps on a semaphore"),
                       OPTION("joins", 10, 0, 1000,
                              "permille of steps of the main thread that join")},
        .generate = hd_generate_locks,
    },
    {
        .name = "like",
        .word = "NAME",
        .help = "a trace with the measures of a published one",
        .seeded = true,
        .generate = hd_generate_like,
    },
};

const size_t hd_generate_family_count = sizeof hd_generate_families / sizeof *hd_generate_families;

const hd_generate_family *hd_generate_family_find(const char *name) {
    for (size_t i = 0; i < hd_generate_family_count; i++)
        if (strcmp(hd_generate_families[i].name, name) == 0)
            return &hd_generate_families[i];
    return NULL;
}

void hd_generate_request_init(hd_generate_request *request, const hd_generate_family *family) {
    *request = (hd_generate_request){.seed = 1};
    for (size_t i = 0; i < HD_GENERATE_MAX_NUMBERS; i++)
        if (family->parameters[i].name != NULL)
            request->numbers[i] = family->parameters[i].initial;
}

bool hd_generate_emit_fits(uint64_t threads, uint64_t each, hd_error *error) {
    if (each == 0 || threads <= HD_TRACE_MAX_EVENTS / each)
        return true;
    return hd_error_set(error, "the trace would have more than %u events", HD_TRACE_MAX_EVENTS);
}

void hd_generate_emit_names(hd_trace *trace, enum heddle_class class, const char *prefix,
                            uint64_t first, uint64_t count) {
    for (uint64_t i = first; i < first + count && !hd_clock_over(); i++)
        (void)hd_trace_name(trace, class, "%s%llu", prefix, (unsigned long long)i);
}

/* Once the clock is over no event is added, and loops over events end: the trace will not be used
 * (cli_generate.c). */
static void append(hd_trace *trace, heddle_event event) {
    if (!trace->events.length || !hd_clock_over())
        hd_trace_append(trace, event);
}

void hd_generate_emit(hd_trace *trace, uint32_t thread, enum heddle_kind kind, uint32_t object) {
    append(trace, (heddle_event){.thread = thread, .object = object, .kind = (uint8_t)kind});
}

void hd_generate_emit_value(hd_trace *trace, uint32_t thread, enum heddle_kind kind,
                            uint32_t object, int64_t value) {
    append(trace, (heddle_event){.thread = thread,
                                 .object = object,
                                 .kind = (uint8_t)kind,
                                 .flags = HEDDLE_HAS_VALUE,
                                 .value = value});
}

void hd_generate_emit_line(hd_trace *trace, unsigned line) {
    hd_vec_last(&trace->events)->location = hd_trace_name(trace, HEDDLE_CLASS_LOCATION, "%u", line);
}
