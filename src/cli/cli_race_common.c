/*
 * What heddle race and heddle deadlock have in common: their options, and the files of their
 * witnesses.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_race.h"

/* ---- Options ---- */

bool hd_cli_race_check_input(const hd_cli_arguments *arguments, bool program, int behind) {
    const hd_cli_option *options = arguments->command->options;
    for (int row = HD_CLI_RACE_ALL; options[row].name; row++) {
        bool of_programs = row >= HD_CLI_RACE_SEEDS && row < behind;
        bool of_traces = row == HD_CLI_RACE_ALL || row >= behind;
        if (!hd_cli_given(arguments, row) || strcmp(options[row].name, "accept") == 0 ||
            (program ? !of_traces : !of_programs))
            continue;
        hd_cli_usage(arguments, "--%s is for %s", options[row].name,
                     program ? "traces" : "programs");
        return false;
    }
    if (!program && arguments->operand_count > 1) {
        hd_cli_usage(arguments, "one word too many: '%s'", hd_text_name(arguments->operands[1]));
        return false;
    }
    return true;
}

bool hd_cli_race_read(const hd_cli_arguments *arguments, const char **output, uint64_t *limit) {
    *output = arguments->values[HD_CLI_RACE_OUTPUT];
    if (*output && strcmp(*output, "-") == 0) {
        hd_cli_usage(arguments, "--witness wants a file, standard output has the answer");
        return false;
    }
    if (!hd_cli_number(arguments, HD_CLI_RACE_EFFORT, 2000, 0, UINT32_MAX, limit))
        return false;
    *limit *= 1000000;
    return true;
}

bool hd_cli_race_read_filter(const hd_cli_arguments *arguments, hd_finding_filter *filter) {
    hd_error error = {""};
    const char *rules = arguments->values[HD_CLI_RACE_SUPPRESSIONS];
    const char *before = arguments->values[HD_CLI_RACE_BASELINE];
    if ((!rules || hd_finding_suppressions_load(filter, rules, &error)) &&
        (!before || hd_finding_baseline_load(filter, before, &error)))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

typedef HD_VEC(hd_report_role) role_list;

/* The accesses of a race, of which a method may know one only; the acquires of a deadlock. */
static void list_roles(const hd_finding *finding, role_list *roles) {
    bool deadlock = strncmp(finding->rule, "deadlock", 8) == 0;
    for (size_t i = 0; i < finding->events.length; i++)
        if (finding->events.data[i])
            hd_vec_push(roles, (hd_report_role){deadlock ? "waits"
                                                : i      ? "second"
                                                         : "first",
                                                finding->events.data[i]});
}

static hd_report_defect defect_of(const hd_finding *finding) {
    bool deadlock = strncmp(finding->rule, "deadlock", 8) == 0;
    return (hd_report_defect){.rule = deadlock ? "deadlock" : "race",
                              .variable = finding->variable};
}

void hd_cli_race_write_places(hd_report_scene *scene, const hd_finding *finding, hd_json *json) {
    role_list roles = {0};
    hd_report_defect defect = defect_of(finding);
    list_roles(finding, &roles);
    hd_report_scene_write(scene, &defect, roles.data, roles.length, json);
    hd_vec_release(&roles);
}

static uint64_t identity_of(hd_report_scene *scene, const hd_finding *finding) {
    role_list roles = {0};
    hd_report_defect defect = defect_of(finding);
    list_roles(finding, &roles);
    uint64_t print = hd_report_scene_identity(scene, &defect, roles.data, roles.length);
    hd_vec_release(&roles);
    return print;
}

bool hd_cli_race_drops(hd_finding_filter *filter, hd_report_scene *scene,
                       const hd_finding *finding) {
    const hd_trace *trace = scene->trace;
    HD_VEC(hd_finding_part) parts = {0};
    for (size_t i = 0; i < finding->events.length; i++) {
        if (!finding->events.data[i])
            continue;
        const heddle_event *event = hd_trace_event(trace, finding->events.data[i]);
        hd_vec_push(&parts,
                    (hd_finding_part){.variable = hd_trace_object_name(&trace->tables, event),
                                      .place = hd_trace_location(&trace->tables, event)});
    }
    bool drops = hd_finding_filter_drops(filter, &(hd_finding_about){parts.data, parts.length,
                                                                     identity_of(scene, finding),
                                                                     finding->fingerprint});
    hd_vec_release(&parts);
    return drops;
}

void hd_cli_race_print_order_fix(void) {
    printf("  fix        take these locks in one order everywhere, or all under another lock\n");
}

/* ---- Witnesses ---- */

bool hd_cli_race_save(const char *output, const char *path, const hd_trace *trace,
                      hd_finding *finding, size_t i, hd_error *error) {
    if (!output || !finding->witness)
        return true;
    hd_witness *witness = finding->witness;
    free(witness->verdict);
    free(witness->trace);
    witness->verdict = hd_mem_string(finding->message, strlen(finding->message));
    witness->trace = hd_mem_string(path, strlen(path));
    char *file = hd_engine_witness_file(output, i);
    bool good = hd_witness_save(witness, trace, file, error);
    free(file);
    return good;
}
