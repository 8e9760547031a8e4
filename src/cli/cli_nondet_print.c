/*
 * The answer of heddle nondet, as text.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_model.h"
#include "cli_nondet.h"
#include "cli_schedule.h"
#include "cli_stack.h"

/* So many variables and locks are shown. */
enum { NAMES = 24, ROWS = 10 };

static void print_event(const hd_trace *trace, const char *what, uint32_t event) {
    if (event)
        printf("  %-10s event %u, %s\n", what, event, hd_cli_event_text(trace, event));
    else
        printf("  %-10s the initial value\n", what);
    hd_cli_stack_print(trace, event, HD_CLI_STACK_INDENT);
}

static uint32_t thread_of(const hd_trace *trace, uint32_t event) {
    return hd_trace_event(trace, event)->thread;
}

/* Why the order is open: the read and the challenger that got in between, or the
 * writer that is not there, take the same lock, or nothing keeps them apart. */
struct cause {
    uint32_t one, other; /* events; other is 0 if none exists in another thread */
    uint32_t lock;       /* HD_NONDET_ANY: none */
};

static struct cause cause_of(const hd_trace *trace, const hd_witness_claim *claim) {
    struct cause cause = {.one = claim->read ? claim->read : claim->writer, .lock = HD_NONDET_ANY};
    cause.other = claim->order == HD_WITNESS_WCR ? claim->challenger : claim->writer;
    if (cause.other && thread_of(trace, cause.other) == thread_of(trace, cause.one))
        cause.other = claim->writer;
    if (cause.other == cause.one)
        cause.other = 0;
    if (cause.other)
        cause.lock = hd_nondet_common_lock(trace, cause.one, cause.other);
    return cause;
}

static const char *lock_name(const hd_trace *trace, uint32_t lock) {
    return hd_text_name(hd_names_text(&trace->tables.names[HEDDLE_CLASS_LOCK], lock));
}

static void print_cause(const hd_trace *trace, const hd_witness_claim *claim) {
    struct cause cause = cause_of(trace, claim);
    if (cause.lock != HD_NONDET_ANY)
        printf("  because    lock %s decides who is first, and either can be\n",
               lock_name(trace, cause.lock));
    else if (cause.other)
        printf("  because    nothing orders event %u and event %u, which share no lock\n",
               cause.one, cause.other);
}

static const char *order_text(enum hd_witness_order order) {
    switch (order) {
    case HD_WITNESS_WCR:
        return "wcr: the challenger comes between the writer and the read";
    case HD_WITNESS_CR:
        return "cr: the challenger comes before the read, the writer not at all";
    case HD_WITNESS_CRW:
        return "crw: the challenger comes before the read, the writer could be next too";
    }
    return "";
}

void hd_cli_nondet_print_finding(const hd_cli_nondet_answer *answer, const hd_finding *finding,
                                 size_t i) {
    const hd_witness_claim *claim = &finding->witness->claim;
    const hd_trace *trace = &answer->trace;
    char number[32];
    if (claim->read)
        printf("\n%s: read of %s\n", hd_text_name(finding->location),
               hd_text_name(finding->variable));
    else
        printf("\n%s at the end\n", hd_text_name(finding->variable));
    if (claim->read)
        print_event(trace, "read", claim->read);
    if (finding->count > 1)
        printf("             and %s more here\n", hd_text_grouped(number, finding->count - 1));
    print_event(trace, claim->read ? "saw" : "was", claim->writer);
    print_event(trace, claim->read ? "could see" : "could be", claim->sees);
    if (claim->challenger != claim->sees)
        print_event(trace, "challenger", claim->challenger);
    printf("  order      %s\n", order_text(claim->order));
    print_cause(trace, claim);
    const hd_vec_u32 *schedule = &finding->witness->schedule;
    hd_cli_schedule_print(
        &(hd_cli_schedule){.trace = trace, .events = schedule->data, .length = schedule->length});
    if (answer->output) {
        char *file = hd_engine_witness_file(answer->output, i);
        printf("  witness    %s\n", hd_text_name(file));
        free(file);
    }
}

static void print_number(const char *name, uint64_t value) {
    char number[32];
    printf("  %-16s %s\n", name, hd_text_grouped(number, value));
}

static double share(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_share(const char *name, uint64_t part, uint64_t whole) {
    char number[32];
    printf("  %-16s %s (%.1f %%)\n", name, hd_text_grouped(number, part), share(part, whole));
}

static void print_verdict(const hd_cli_nondet_answer *answer) {
    const hd_nondet_result *result = &answer->r.result;
    const char *name = hd_text_name(answer->path);
    char found[32], reads[32];
    if (hd_engine_reads_found(result))
        printf("%s: %s of %s reads can see another %s\n", name,
               hd_text_grouped(found, hd_engine_reads_found(result)),
               hd_text_grouped(reads, hd_engine_reads_asked(result)),
               answer->r.options.values ? "value" : "write");
    else if (!hd_verdict_complete(&answer->r.verdict))
        printf("%s: no verdict: nothing found, but not all was decided\n", name);
    else
        printf("%s: all reads are deterministic%s\n", name,
               hd_cli_verdict_proviso(&answer->r.verdict));
}

/* Columns of the published tables. */
static void print_graphs(const hd_nondet_result *result) {
    const hd_nondet_counts *w = &result->witnesses;
    double choices = w->with_choice ? (double)w->with_choice : 1;
    double graphs = (double)(w->possible - w->with_choice) + (double)result->explored_graphs;
    print_share("cyclic", w->cyclic, w->possible);
    print_share("no choice", w->no_choice, w->possible);
    print_share("with choice", w->with_choice, w->possible);
    printf("  %-16s %.4g possible, %.4g explored, for each witness with choice\n", "choice graphs",
           hd_nondet_possible_graphs_about(result) / choices,
           (double)result->explored_graphs / choices);
    printf("  %-16s %.4g for each witness\n", "graphs",
           w->possible ? graphs / (double)w->possible : 0);
}

static void print_block(const hd_cli_nondet_answer *answer) {
    const hd_nondet_result *result = &answer->r.result;
    char finals[32];
    print_verdict(answer);
    printf("  %-16s %s\n", "decided", answer->r.options.paper ? "as published" : "exactly");
    hd_cli_verdict_print(&answer->r.verdict, 16);
    printf("  %-16s %s, %s of them at the end\n", "reads",
           hd_text_grouped((char[32]){0}, hd_engine_reads_asked(result)),
           hd_text_grouped(finals, result->final_reads));
    print_share("deterministic",
                hd_engine_reads_asked(result) - hd_engine_reads_found(result) -
                    result->unknown_reads,
                hd_engine_reads_asked(result));
    if (result->unknown_reads)
        print_share("not decided", result->unknown_reads, hd_engine_reads_asked(result));
    if (result->unasked_reads)
        printf("  %-16s %s reads more: %s\n", "not asked",
               hd_text_grouped((char[32]){0}, result->unasked_reads),
               hd_stop_asked() ? "interrupted" : "stopped by the limit on time");
    if (result->left_out_reads)
        print_number("suppressed", result->left_out_reads);
    print_number("triplets", result->triplets);
    print_number("witnesses", result->witnesses.possible);
    print_share("feasible", result->witnesses.feasible, result->witnesses.possible);
    if (result->witnesses.unknown)
        print_share("unknown", result->witnesses.unknown, result->witnesses.possible);
    if (answer->r.options.reads)
        print_share("not asked", result->witnesses.unasked, result->witnesses.possible);
    if (answer->r.options.paper)
        print_graphs(result);
}

struct row {
    uint32_t number; /* of a variable or lock */
    uint64_t found;
};

static int compare_rows(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->found != y->found)
        return x->found < y->found ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Room for the names of the rows that are printed. */
static int column(int width, const hd_names *names, const struct row *rows, size_t count) {
    for (size_t i = 0; i < count && i < ROWS; i++)
        width = hd_cli_column(width, names, &rows[i].number, 1);
    return width;
}

static void print_variables(const hd_cli_nondet_answer *answer) {
    const hd_nondet_result *result = &answer->r.result;
    HD_VEC(struct row) rows = {0};
    for (uint32_t v = 0; v < result->variable_count; v++) {
        uint64_t found = result->variables[v].nondeterministic + result->variables[v].final;
        if (found)
            hd_vec_push(&rows, (struct row){v, found});
    }
    if (!rows.length)
        return;
    qsort(rows.data, rows.length, sizeof *rows.data, compare_rows);
    const hd_names *names = &answer->trace.tables.names[HEDDLE_CLASS_VARIABLE];
    const int width = column(NAMES, names, rows.data, rows.length);
    printf("\n  %-*s %10s %10s %6s\n", width, "variable", "reads", "can differ", "at end");
    for (size_t i = 0; i < rows.length && i < ROWS; i++) {
        const hd_nondet_variable *of = &result->variables[rows.data[i].number];
        printf("  %-*s %10llu %10llu %6s\n", width,
               hd_text_name(hd_names_text(names, rows.data[i].number)),
               (unsigned long long)of->reads, (unsigned long long)of->nondeterministic,
               of->final ? "differs" : "-");
    }
    if (rows.length > ROWS)
        printf("  and %zu more variables\n", rows.length - ROWS);
    hd_vec_release(&rows);
}

/* Which locks leave the order open, and in how many of the places. */
static void print_causes(const hd_cli_nondet_answer *answer) {
    const hd_trace *trace = &answer->trace;
    uint32_t locks = trace->tables.names[HEDDLE_CLASS_LOCK].length, without = 0;
    uint32_t *places = HD_NEW_ARRAY(uint32_t, (size_t)locks + 1);
    for (size_t i = 0; i < answer->findings.found.length; i++) {
        uint32_t lock = cause_of(trace, &answer->findings.found.data[i].witness->claim).lock;
        if (lock != HD_NONDET_ANY)
            places[lock]++;
        else
            without++;
    }
    struct row *rows = HD_NEW_ARRAY(struct row, (size_t)locks + 1);
    size_t count = 0;
    for (uint32_t lock = 0; lock < locks; lock++)
        if (places[lock])
            rows[count++] = (struct row){lock, places[lock]};
    qsort(rows, count, sizeof *rows, compare_rows);
    static const char order[] = "order of lock";
    const int before = (int)sizeof order; /* with a blank */
    const int whole =
        before + column(NAMES - before, &trace->tables.names[HEDDLE_CLASS_LOCK], rows, count);
    if (answer->findings.found.length)
        printf("\n  %-*s %10s\n", whole, "what leaves it open", "places");
    for (size_t i = 0; i < count && i < ROWS; i++)
        printf("  %s %-*s %10llu\n", order, whole - before, lock_name(trace, rows[i].number),
               (unsigned long long)rows[i].found);
    if (count > ROWS)
        printf("  and %zu more locks\n", count - ROWS);
    if (without)
        printf("  %-*s %10u\n", whole, "no common lock", without);
    free(rows);
    free(places);
}

void hd_cli_nondet_print(const hd_cli_nondet_answer *answer) {
    print_block(answer);
    print_variables(answer);
    print_causes(answer);
}
