/*
 * What heddle race and heddle deadlock have in common: their options, and the places of their
 * findings.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_race_common.h"

/* ---- Options ---- */

bool hd_cli_race_check_input(const hd_cli_arguments *arguments, bool program, int after) {
    const hd_cli_option *options = arguments->command->options;
    for (int row = HD_CLI_RACE_ALL; options[row].name; row++) {
        bool of_programs = row >= HD_CLI_RACE_SEEDS && row < after;
        bool of_traces = row == HD_CLI_RACE_ALL || row >= after;
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
    if (!hd_cli_witness(arguments, HD_CLI_RACE_OUTPUT, output) ||
        !hd_cli_number(arguments, HD_CLI_RACE_EFFORT, 2000, 0, UINT32_MAX, limit))
        return false;
    *limit *= 1000000;
    return true;
}

bool hd_cli_race_read_filter(const hd_cli_arguments *arguments, hd_finding_filter *filter) {
    hd_error error = {""};
    const char *rules = hd_cli_suppressions(arguments, HD_CLI_RACE_SUPPRESSIONS);
    const char *before = arguments->values[HD_CLI_RACE_BASELINE];
    if ((!rules || hd_finding_suppressions_load(filter, rules, &error)) &&
        (!before || hd_finding_baseline_load(filter, before, &error)))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

void hd_cli_race_write_places(hd_report_scene *scene, const hd_finding *finding, hd_json *json) {
    hd_engine_roles roles = {0};
    hd_report_defect defect = hd_engine_predict_defect(finding, &roles);
    hd_report_scene_write(scene, &defect, roles.data, roles.length, json);
    hd_vec_release(&roles);
}

void hd_cli_race_print_order_fix(void) {
    printf("  fix        take these locks in one order everywhere, or all under another lock\n");
}
