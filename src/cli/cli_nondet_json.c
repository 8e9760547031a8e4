/*
 * The answer of heddle nondet, as JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_nondet.h"

static const char *order_name(enum hd_witness_order order) {
    return order == HD_WITNESS_CRW ? "crw" : order == HD_WITNESS_WCR ? "wcr" : "cr";
}

static void write_counts(hd_json *json, const hd_nondet_counts *counts) {
    hd_json_open(json, "witnesses", '{');
    hd_json_uint(json, "possible", counts->possible);
    hd_json_uint(json, "cyclic", counts->cyclic);
    hd_json_uint(json, "no_choice", counts->no_choice);
    hd_json_uint(json, "with_choice", counts->with_choice);
    hd_json_uint(json, "feasible", counts->feasible);
    hd_json_uint(json, "infeasible", counts->infeasible);
    hd_json_uint(json, "unknown", counts->unknown);
    hd_json_uint(json, "unasked", counts->unasked);
    hd_json_close(json);
}

static void write_variables(const hd_cli_nondet_answer *answer, hd_json *json) {
    const hd_nondet_result *result = &answer->r.result;
    hd_json_open(json, "variables", '[');
    for (uint32_t v = 0; v < result->variable_count; v++) {
        const hd_nondet_variable *of = &result->variables[v];
        if (!of->nondeterministic && !of->final)
            continue;
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "variable",
                     hd_names_text(&answer->trace.tables.names[HEDDLE_CLASS_VARIABLE], v));
        hd_json_uint(json, "reads", of->reads);
        hd_json_uint(json, "nondeterministic_reads", of->nondeterministic);
        hd_json_bool(json, "final", of->final);
        hd_json_uint(json, "triplets", of->triplets);
        hd_json_uint(json, "feasible", of->feasible);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_cli_nondet_write_result(const hd_cli_nondet_answer *answer, hd_json *json) {
    const hd_nondet_result *result = &answer->r.result;
    hd_json_text(json, "mode", answer->r.options.paper ? "paper" : "exact");
    hd_json_uint(json, "reads", hd_engine_reads_asked(result));
    hd_json_uint(json, "nondeterministic_reads", hd_engine_reads_found(result));
    hd_json_uint(json, "final_reads", result->final_reads);
    hd_json_uint(json, "nondeterministic_final_reads", result->nondeterministic_final_reads);
    hd_json_uint(json, "triplets", result->triplets);
    hd_json_uint(json, "unknown", result->witnesses.unknown);
    hd_json_uint(json, "unknown_reads", result->unknown_reads);
    hd_json_uint(json, "unasked_reads", result->unasked_reads);
    if (answer->r.filter.on)
        hd_json_uint(json, "suppressed", result->left_out_reads);
    write_counts(json, &result->witnesses);
    hd_json_open(json, "choice_graphs", '{');
    char *possible = hd_nondet_possible_graphs(result);
    hd_json_digits(json, "possible", possible);
    free(possible);
    hd_json_uint(json, "explored", result->explored_graphs);
    hd_json_close(json);
    write_variables(answer, json);
    hd_cli_json_effort(json, &result->effort);
}

static void write_places(hd_cli_nondet_answer *answer, const hd_finding *finding, hd_json *json) {
    const hd_report_defect defect = {.rule = "nondet", .variable = finding->variable};
    hd_report_role roles[3];
    size_t count = hd_engine_reads_roles(finding, roles);
    hd_report_scene_write(&answer->scene, &defect, roles, count, json);
}

void hd_cli_nondet_write_finding(hd_cli_nondet_answer *answer, const hd_finding *finding, size_t i,
                                 hd_json *json) {
    const hd_witness_claim *claim = &finding->witness->claim;
    hd_json_open(json, NULL, '{');
    if (claim->read)
        hd_json_uint(json, "read", claim->read);
    else
        hd_json_text(json, "read", "final");
    hd_json_text(json, "variable", finding->variable);
    if (finding->location)
        hd_json_text(json, "location", finding->location);
    hd_json_uint(json, "writer", claim->writer);
    hd_json_uint(json, "challenger", claim->challenger);
    hd_json_uint(json, "sees", claim->sees);
    hd_json_text(json, "order", order_name(claim->order));
    hd_json_text(json, "message", finding->message);
    write_places(answer, finding, json);
    hd_cli_json_schedule(json, &finding->witness->schedule);
    if (answer->output) {
        char *file = hd_engine_witness_file(answer->output, i);
        hd_json_text(json, "witness", file);
        free(file);
    }
    hd_json_close(json);
}
