/*
 * heddle states --posets: the valid posets of a loset.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_ask.h"
#include "cli_states.h"
#include "cli_verdict.h"

/* A line: for each two conflicting holds, the acquire of the one that comes first. */
static int print_poset(void *context, const hd_cut_ordered *pairs, size_t count) {
    (void)context;
    for (size_t i = 0; i < count; i++)
        printf("%s%u<%u", i ? " " : "", pairs[i].first, pairs[i].second);
    putchar('\n');
    return ferror(stdout);
}

static int write_poset(void *context, const hd_cut_ordered *pairs, size_t count) {
    hd_json *json = context;
    hd_json_open(json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        hd_json_open(json, NULL, '[');
        hd_json_uint(json, NULL, pairs[i].first);
        hd_json_uint(json, NULL, pairs[i].second);
        hd_json_close(json);
    }
    hd_json_close(json);
    return 0;
}

static int print_text(const hd_engine_states *e, const char *path) {
    char *digits = hd_cut_count_text(&e->posets->count);
    char pairs[32];
    printf("%s: %s%s valid poset%s of the loset, which has %s pair%s of conflicting holds\n",
           hd_text_name(path), e->posets->complete ? "" : "at least ", digits,
           strcmp(digits, "1") == 0 ? "" : "s", hd_text_grouped(pairs, e->posets->pairs),
           e->posets->pairs == 1 ? "" : "s");
    free(digits);
    hd_cli_verdict_print(&e->verdict, 10);
    return hd_cli_flush(hd_verdict_status(&e->verdict));
}

/* An answer says first whether it is complete, so posets that are listed are found twice. */
static int write_json(const hd_cli_arguments *arguments, hd_engine_states *e, bool list) {
    hd_cli_answer answer;
    hd_error error = {""};
    int status = hd_verdict_status(&e->verdict);
    if (!hd_cli_json_begin(&answer, arguments, arguments->operands[0], &e->verdict))
        return HD_CLI_BAD;
    char *digits = hd_cut_count_text(&e->posets->count);
    hd_json_digits(&answer.json, "posets", digits);
    hd_json_uint(&answer.json, "pairs", e->posets->pairs);
    free(digits);
    bool whole = true;
    uint64_t listed = 0;
    if (list) {
        hd_cut_posets again = {.take = write_poset,
                               .context = &answer.json,
                               .stop = e->posets->stop,
                               .memory = e->posets->memory};
        hd_json_open(&answer.json, "list", '[');
        whole = hd_cut_posets_find(&e->order, &again, &error) && again.complete;
        hd_json_close(&answer.json);
        hd_cut_count_fits(&again.count, &listed);
        hd_cut_count_release(&again.count);
    }
    hd_cli_json_findings(&answer);
    if (hd_cli_list_is_cut(&answer, arguments->operands[0], "posets", listed, whole))
        status = HD_CLI_OPEN;
    return hd_cli_json_end(&answer, status);
}

int hd_cli_states_posets(const hd_cli_arguments *arguments, hd_engine_states *e, bool list) {
    hd_error error = {""};
    bool json = hd_cli_given(arguments, HD_CLI_JSON);
    hd_cut_posets posets = {.take = list && !json ? print_poset : NULL,
                            .memory = e->request.memory};
    hd_engine_question question = {.what = HD_ENGINE_STATES,
                                   .path = arguments->operands[0],
                                   .trace = e->trace,
                                   .whole.states = e};
    e->posets = &posets;
    int status;
    if (!hd_cli_ask(arguments, &question, &error))
        status = hd_cli_fail("%s: %s", hd_text_name(arguments->operands[0]), error.text);
    else if (json)
        status = write_json(arguments, e, list);
    else if (list)
        status = hd_cli_flush(hd_verdict_status(&e->verdict));
    else
        status = print_text(e, arguments->operands[0]);
    hd_cut_count_release(&posets.count);
    e->posets = NULL;
    return status;
}
