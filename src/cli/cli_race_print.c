/*
 * The answer of heddle race, as text and as JSON, and what heddle deadlock prints
 * in the same way.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_model.h"
#include "cli_race.h"
#include "cli_schedule.h"
#include "cli_stack.h"

/* ---- Events ---- */

static void print_locks(hd_order_holds *holds, uint32_t event) {
    const hd_trace *trace = hd_order_holds_trace(holds);
    hd_vec_u32 locks = {0};
    hd_order_holds_at(holds, event, &locks);
    printf(", holding %s", locks.length ? "" : "no lock");
    for (size_t i = 0; i < locks.length; i++)
        printf("%s%s%s", i ? ", " : "",
               hd_text_name(hd_names_text(&trace->tables.names[HEDDLE_CLASS_LOCK],
                                          hd_order_lock_number(locks.data[i]))),
               hd_order_lock_reading(locks.data[i]) ? " for reading" : "");
    hd_vec_release(&locks);
}

void hd_cli_race_print_event(hd_order_holds *holds, const char *what, uint32_t event) {
    const hd_trace *trace = hd_order_holds_trace(holds);
    printf("  %-10s event %u, %s", what, event, hd_cli_event_text(trace, event));
    print_locks(holds, event);
    putchar('\n');
    hd_cli_stack_print(trace, event, HD_CLI_STACK_INDENT);
}

/* ---- Races ---- */

static const char *const meaning[HD_RACE_METHODS] = {
    [HD_RACE_PREDICTIVE] = "all orders of the trace, each race proved by a schedule",
    [HD_RACE_HB] = "unordered by happens-before; reports, not proofs",
    [HD_RACE_SHB] = "unordered by happens-before and reads; reports, not proofs",
    [HD_RACE_LOCKSET] = "no common lock, after Eraser; reports, not proofs",
    [HD_RACE_LOCKSET_PLAIN] = "no common lock; reports, not proofs",
};

static void print_verdict(const hd_cli_race_answer *answer) {
    const hd_race_result *result = &answer->p.races;
    const char *name = hd_text_name(answer->path);
    bool proves = answer->p.options.method == HD_RACE_PREDICTIVE;
    if (answer->p.options.blocks && result->races)
        printf("%s: %s\n", name,
               hd_text_count((size_t)result->races, "atomicity violation", "atomicity violations"));
    else if (result->races)
        printf("%s: %s\n", name,
               proves ? hd_text_count((size_t)result->races, "race", "races")
                      : hd_text_count((size_t)result->races, "race reported", "races reported"));
    else if (!proves)
        printf("%s: no race reported\n", name);
    else if (!hd_verdict_complete(&answer->p.verdict))
        printf("%s: no verdict: nothing found, but not all was decided\n", name);
    else
        printf("%s: no %s%s\n", name, answer->p.options.blocks ? "atomicity violation" : "race",
               hd_cli_verdict_proviso(&answer->p.verdict));
}

void hd_cli_race_print_filter(const hd_finding_filter *filter) {
    char number[32];
    if (filter->suppressed)
        printf("  %-16s %s\n", "suppressed", hd_text_grouped(number, filter->suppressed));
    if (filter->not_new)
        printf("  %-16s %s\n", "not new", hd_text_grouped(number, filter->not_new));
}

/* The same for blocks. */
static void print_blocks(const hd_cli_race_answer *answer) {
    const hd_race_result *result = &answer->p.races;
    bool all = answer->p.options.all;
    char number[32];
    print_verdict(answer);
    hd_cli_verdict_print(&answer->p.verdict, 16);
    printf("  %-16s %s\n", "blocks", hd_text_grouped(number, result->blocks));
    printf("  %-16s %s\n", "violations",
           hd_text_count((size_t)result->races, all ? "set of events" : "set of places",
                         all ? "sets of events" : "sets of places"));
    printf("  %-16s %s\n", "unproved", hd_text_grouped(number, result->unproved));
    hd_cli_race_print_filter(&answer->p.filter);
    printf("  %-16s %s\n", "sets asked", hd_text_grouped(number, result->candidates));
}

void hd_cli_race_print(const hd_cli_race_answer *answer) {
    if (answer->p.options.blocks) {
        print_blocks(answer);
        return;
    }
    const hd_race_result *result = &answer->p.races;
    char number[32];
    print_verdict(answer);
    bool all = answer->p.options.all;
    printf("  %-16s %s: %s\n", "method", hd_engine_race_methods[answer->p.options.method],
           meaning[answer->p.options.method]);
    hd_cli_verdict_print(&answer->p.verdict, 16);
    printf("  %-16s %s\n", "races",
           hd_text_count((size_t)result->races, all ? "pair of events" : "pair of places",
                         all ? "pairs of events" : "pairs of places"));
    if (answer->p.options.method != HD_RACE_PREDICTIVE) {
        hd_cli_race_print_filter(&answer->p.filter);
        return;
    }
    printf("  %-16s %s\n", "unproved", hd_text_grouped(number, result->unproved));
    hd_cli_race_print_filter(&answer->p.filter);
    printf("  %-16s %s\n", "pairs asked", hd_text_grouped(number, result->candidates));
}

/* What would keep the two apart, where that is evident. */
void hd_cli_race_print_fix(const hd_trace *trace, uint32_t first, uint32_t second) {
    unsigned one = hd_trace_traits(hd_trace_event(trace, first)) & HEDDLE_T_ATOMIC;
    unsigned other = hd_trace_traits(hd_trace_event(trace, second)) & HEDDLE_T_ATOMIC;
    if (hd_trace_event(trace, first)->kind == HEDDLE_FREE ||
        hd_trace_event(trace, second)->kind == HEDDLE_FREE)
        printf("  fix        free it when no thread can use it any more: after a join, or with the "
               "last reference\n");
    else if (one || other)
        printf("  fix        event %u is not atomic, event %u is\n", one ? second : first,
               one ? first : second);
    else
        printf("  fix        hold one lock at both, or make both atomic\n");
}

static void print_witness_file(const hd_cli_race_answer *answer) {
    if (!answer->output)
        return;
    char *file = hd_engine_witness_file(answer->output, answer->shown);
    printf("  witness    %s\n", hd_text_name(file));
    free(file);
}

static void print_block_events(const hd_cli_race_answer *answer, const hd_finding *finding) {
    static const char *const roles[] = {"first", "between", "second", "back"};
    printf("  block      event %u, %s\n", finding->block,
           hd_cli_event_text(&answer->trace, finding->block));
    for (size_t i = 0; i < finding->events.length; i++)
        hd_cli_race_print_event(answer->holds, roles[i], finding->events.data[i]);
}

/* "on x", or "on x and y". */
static void print_variables(const hd_trace *trace, const hd_finding *finding) {
    printf("on %s", hd_text_name(finding->variable));
    if (finding->events.length > 3)
        printf(" and %s", hd_text_name(hd_trace_object_name(
                              &trace->tables, hd_trace_event(trace, finding->events.data[2]))));
}

static void print_block(const hd_cli_race_answer *answer, const hd_finding *finding) {
    const hd_trace *trace = &answer->trace;
    const hd_witness *witness = finding->witness;
    bool two = witness->claim.back != 0;
    printf("\natomicity violation ");
    print_variables(trace, finding);
    printf("\n");
    print_block_events(answer, finding);
    printf("  because    %s\n", finding->because);
    printf("  fix        hold one lock from the first to the second, and at the access%s\n",
           two ? "es of the other thread" : " between");
    uint32_t next = hd_witness_claim_next(witness);
    hd_cli_schedule_print(&(hd_cli_schedule){trace, witness->schedule.data,
                                             witness->schedule.length, &next, 1, false, NULL});
    print_witness_file(answer);
}

void hd_cli_race_print_finding(const hd_cli_race_answer *answer, const hd_finding *finding) {
    if (finding->sort == HD_FINDING_BLOCK) {
        print_block(answer, finding);
        return;
    }
    const hd_trace *trace = &answer->trace;
    const uint32_t *events = finding->events.data;
    printf("\n%s on %s\n", finding->witness ? "race" : "race reported",
           hd_text_name(finding->variable));
    if (events[0])
        hd_cli_race_print_event(answer->holds, "first", events[0]);
    hd_cli_race_print_event(answer->holds, "second", events[1]);
    if (!finding->witness)
        return;
    if (finding->unordered)
        printf("  because    the memory orders of the atomic operations between them do not order "
               "them\n");
    if (finding->because)
        printf("  because    %s\n", finding->because);
    hd_cli_race_print_fix(trace, events[0], events[1]);
    const hd_vec_u32 *schedule = &finding->witness->schedule;
    hd_cli_schedule_print(
        &(hd_cli_schedule){trace, schedule->data, schedule->length, events, 2, false, NULL});
    print_witness_file(answer);
}

void hd_cli_race_print_unproved(const hd_cli_race_answer *answer) {
    for (size_t i = 0; i < answer->p.unproved.length; i++) {
        const hd_finding *finding = &answer->p.unproved.data[i];
        printf("\nunproved, ");
        print_variables(&answer->trace, finding);
        printf(": the effort allowed was not enough\n");
        if (finding->sort == HD_FINDING_BLOCK) {
            print_block_events(answer, finding);
            continue;
        }
        hd_cli_race_print_event(answer->holds, "first", finding->events.data[0]);
        hd_cli_race_print_event(answer->holds, "second", finding->events.data[1]);
    }
}

/* ---- JSON ---- */

static void write_events(const hd_finding *finding, hd_json *json) {
    bool block = finding->sort == HD_FINDING_BLOCK;
    hd_json_uint(json, "first", finding->events.data[0]);
    if (block)
        hd_json_uint(json, "between", finding->events.data[1]);
    hd_json_uint(json, "second", finding->events.data[block ? 2 : 1]);
    if (finding->events.length > 3)
        hd_json_uint(json, "back", finding->events.data[3]);
}

void hd_cli_race_write_result(const hd_cli_race_answer *answer, hd_json *json) {
    const hd_race_result *result = &answer->p.races;
    hd_json_text(json, "method", hd_engine_race_methods[answer->p.options.method]);
    hd_json_bool(json, "proved", answer->p.options.method == HD_RACE_PREDICTIVE);
    hd_json_uint(json, answer->p.options.blocks ? "violations" : "races", result->races);
    if (answer->p.options.blocks)
        hd_json_uint(json, "blocks", result->blocks);
    hd_json_uint(json, "unproved", result->unproved);
    hd_json_uint(json, "candidates", result->candidates);
    hd_json_uint(json, "suppressed", answer->p.filter.suppressed);
    hd_json_uint(json, "not_new", answer->p.filter.not_new);
    hd_json_open(json, "unproved_pairs", '[');
    for (size_t i = 0; i < answer->p.unproved.length; i++) {
        const hd_finding *finding = &answer->p.unproved.data[i];
        hd_json_open(json, NULL, '{');
        write_events(finding, json);
        hd_json_text(json, "variable", finding->variable);
        hd_json_close(json);
    }
    hd_json_close(json);
    hd_cli_json_effort(json, &result->effort);
}

static void write_place(const hd_cli_race_answer *answer, hd_json *json, const char *key,
                        uint32_t event) {
    if (event)
        hd_json_text(
            json, key,
            hd_trace_location(&answer->trace.tables, hd_trace_event(&answer->trace, event)));
}

void hd_cli_race_write_finding(hd_cli_race_answer *answer, const hd_finding *finding,
                               hd_json *json) {
    hd_json_open(json, NULL, '{');
    if (finding->block)
        hd_json_text(json, "rule", finding->rule);
    write_events(finding, json);
    hd_json_text(json, "variable", finding->variable);
    write_place(answer, json, "first_location", finding->events.data[0]);
    if (finding->block)
        write_place(answer, json, "between_location", finding->events.data[1]);
    write_place(answer, json, "second_location", finding->events.data[finding->block ? 2 : 1]);
    if (finding->events.length > 3)
        write_place(answer, json, "back_location", finding->events.data[3]);
    if (finding->block) {
        hd_json_uint(json, "block", finding->block);
        hd_json_text(json, "block_name",
                     hd_trace_object_name(&answer->trace.tables,
                                          hd_trace_event(&answer->trace, finding->block)));
    }
    if (finding->because)
        hd_json_text(json, "because", finding->because);
    hd_json_text(json, "message", finding->message);
    hd_cli_race_write_places(&answer->p.scene, finding, json);
    if (finding->witness)
        hd_cli_json_schedule(json, &finding->witness->schedule);
    else
        hd_json_null(json, "schedule");
    if (answer->output) {
        char *file = hd_engine_witness_file(answer->output, answer->shown);
        hd_json_text(json, "witness", file);
        free(file);
    }
    hd_json_close(json);
}
