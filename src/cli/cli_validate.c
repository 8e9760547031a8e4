/*
 * heddle validate: is this witness a reordering of the trace that shows what it
 * claims?  Without a witness: is this trace a run?
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_verdict.h"
#include "witness/witness.h"

static const hd_cli_option options[] = {HD_CLI_COMMON, {0}};

/* What the checker said of a witness. */
struct verdict {
    bool valid;
    hd_witness_fault fault;
    hd_error reason;
    hd_verdict answer;
};

static size_t switches(const hd_trace *trace, const hd_witness *witness) {
    size_t count = 0;
    for (size_t i = 1; i < witness->schedule.length; i++)
        count += hd_trace_event(trace, witness->schedule.data[i])->thread !=
                 hd_trace_event(trace, witness->schedule.data[i - 1])->thread;
    return count;
}

static void print_event(const hd_trace *trace, uint32_t number) {
    char line[256], shown[512];
    if (number == 0)
        return;
    size_t length =
        hd_trace_print(line, sizeof line, &trace->tables, hd_trace_event(trace, number));
    hd_text_printable(shown, sizeof shown, line, length);
    printf("  event %u: %s\n", number, shown);
}

/* The events that a claim speaks of. */
static void print_claimed(const hd_trace *trace, const hd_witness_claim *claim) {
    print_event(trace, claim->read);
    print_event(trace, claim->writer);
    print_event(trace, claim->challenger);
    if (claim->sees != claim->writer && claim->sees != claim->challenger)
        print_event(trace, claim->sees);
    print_event(trace, claim->first);
    print_event(trace, claim->between);
    print_event(trace, claim->back);
    print_event(trace, claim->second);
    for (size_t i = 0; i < claim->acquires.length; i++)
        print_event(trace, claim->acquires.data[i]);
}

static void print_valid(const hd_trace *trace, const hd_witness *witness, const char *name,
                        const char *claim) {
    size_t count = switches(trace, witness);
    printf("%s: valid: %s\n  %zu of %u events, %zu context switch%s\n", name, claim,
           witness->schedule.length, hd_trace_length(trace), count, count == 1 ? "" : "es");
}

static void print_text(const hd_cli_arguments *arguments, const hd_trace *trace,
                       const hd_witness *witness, const struct verdict *verdict) {
    hd_vec_char claim = {0};
    hd_witness_claim_print(&witness->claim, trace, &claim);
    hd_vec_push(&claim, '\0');
    const char *name = hd_text_name(arguments->operands[1]);
    if (verdict->valid)
        print_valid(trace, witness, name, hd_text_name(claim.data));
    else
        printf("%s: rejected: %s\n  it claims: %s\n", name, verdict->reason.text,
               hd_text_name(claim.data));
    print_claimed(trace, &witness->claim);
    hd_vec_release(&claim);
}

static int print_json(const hd_cli_arguments *arguments, const hd_trace *trace,
                      const hd_witness *witness, const struct verdict *verdict) {
    hd_cli_answer answer;
    if (!hd_cli_json_begin(&answer, arguments, arguments->operands[0], &verdict->answer))
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    hd_vec_char claim = {0};
    hd_witness_claim_print(&witness->claim, trace, &claim);
    hd_json_text(json, "witness", arguments->operands[1]);
    hd_json_bool(json, "valid", verdict->valid);
    hd_json_string(json, "claim", claim.data, claim.length);
    hd_json_uint(json, "events", witness->schedule.length);
    if (verdict->valid)
        hd_json_uint(json, "context_switches", switches(trace, witness));
    else {
        hd_json_text(json, "reason", verdict->reason.text);
        hd_json_uint(json, "position", verdict->fault.position);
        hd_json_uint(json, "event", verdict->fault.event);
    }
    hd_vec_release(&claim);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, hd_verdict_status(&verdict->answer));
}

static int validate_witness(const hd_cli_arguments *arguments, const hd_trace *trace) {
    hd_error error = {""};
    hd_witness witness;
    hd_witness_init(&witness);
    if (!hd_witness_load(&witness, trace, arguments->operands[1], &error))
        return hd_cli_fail("%s", error.text);
    struct verdict verdict = {0};
    hd_witness_checker *checker = hd_witness_checker_create(trace);
    verdict.valid = hd_witness_checker_run(checker, &witness, &verdict.fault, &verdict.reason);
    hd_witness_checker_free(checker);
    hd_verdict_init(&verdict.answer, "what is wrong with the witness");
    hd_verdict_rests(&verdict.answer, "recording", NULL, HD_VERDICT_FIRM,
                     "the events that are in the file");
    hd_cli_verdict_end(&verdict.answer, arguments, !verdict.valid);
    int status = hd_verdict_status(&verdict.answer);
    if (hd_cli_given(arguments, HD_CLI_JSON))
        status = print_json(arguments, trace, &witness, &verdict);
    else
        print_text(arguments, trace, &witness, &verdict);
    hd_verdict_release(&verdict.answer);
    hd_witness_release(&witness);
    return status;
}

/* Well-formed, or it had not been read at all. */
static int report_trace(const hd_cli_arguments *arguments, uint64_t events, bool late,
                        const hd_verdict *verdict) {
    if (!hd_cli_given(arguments, HD_CLI_JSON)) {
        char count[32];
        const char *name = arguments->operands[0];
        printf("%s: well-formed, %s event%s%s\n",
               strcmp(name, "-") == 0 ? "standard input" : hd_text_name(name),
               hd_text_grouped(count, events), events == 1 ? "" : "s",
               late ? ", and more: stopped by the limit on time" : "");
        return hd_verdict_status(verdict);
    }
    hd_cli_answer answer;
    if (!hd_cli_json_begin(&answer, arguments, arguments->operands[0], verdict))
        return HD_CLI_BAD;
    hd_json_bool(&answer.json, "valid", true);
    hd_json_uint(&answer.json, "events", events);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, hd_verdict_status(verdict));
}

/* A stream: nothing is kept, so any length will do. */
static int validate_trace(const hd_cli_arguments *arguments) {
    hd_error error = {""};
    hd_trace_cursor *cursor = hd_trace_cursor_open(arguments->operands[0], HD_TRACE_TIMED, &error);
    if (!cursor)
        return hd_cli_fail("%s", error.text);
    hd_progress progress;
    hd_progress_start(&progress, "checking", "bytes", hd_trace_cursor_size(cursor));
    hd_trace_batch batch;
    uint64_t events = 0;
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0) {
        events += batch.count;
        hd_progress_step(&progress, hd_trace_cursor_done(cursor));
    }
    hd_progress_end(&progress);
    hd_cli_note_cursor(arguments->operands[0], cursor);
    hd_verdict verdict;
    hd_engine_verdict_reading(&verdict, "what is wrong with the trace",
                              hd_trace_cursor_incomplete(cursor), hd_trace_cursor_lost(cursor));
    hd_engine_verdict_late(&verdict, hd_trace_cursor_late(cursor));
    int status = more < 0 ? hd_cli_fail("%s", error.text)
                          : report_trace(arguments, events, hd_trace_cursor_late(cursor), &verdict);
    hd_verdict_release(&verdict);
    hd_trace_cursor_close(cursor);
    return status;
}

static int run(const hd_cli_arguments *arguments) {
    if (arguments->operand_count == 1)
        return validate_trace(arguments);
    hd_error error = {""};
    hd_trace trace;
    if (!hd_trace_load(&trace, arguments->operands[0], HD_TRACE_TIMED, &error))
        return hd_cli_fail("%s", error.text);
    hd_cli_note_trace(arguments->operands[0], &trace);
    int status = trace.late ? hd_cli_fail("%s: stopped by the limit on time",
                                          hd_text_name(arguments->operands[0]))
                            : validate_witness(arguments, &trace);
    hd_trace_release(&trace);
    return status;
}

const hd_cli_command hd_cli_validate = {
    .name = "validate",
    .operands = "TRACE [WITNESS]",
    .summary = "Check a witness or a trace",
    .details =
        "Status 0: WITNESS is a reordering of TRACE and shows its claim; 1: it is rejected, and\n"
        "the first wrong event is named; 2: a file cannot be read.  Without WITNESS, checks\n"
        "that TRACE is well-formed; status 3: it is as far as it goes, but is incomplete.",
    .options = options,
    .least = 1,
    .most = 2,
    .run = run,
};
