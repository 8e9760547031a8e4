/*
 * heddle nondet of a program: is what it prints, returns and marks the same in every schedule?
 */
#include <string.h>

#include "cli_ask.h"
#include "cli_explore.h"
#include "cli_keep.h"
#include "cli_nondet.h"

static bool read_options(hd_cli_explored *x, const hd_cli_nondet_rows *rows) {
    const hd_cli_arguments *arguments = x->arguments;
    hd_explore_options *o = &x->e.options;
    uint64_t workers;
    if (!hd_cli_witness(arguments, rows->output, &x->e.output))
        return false;
    if (!hd_cli_inputs(arguments, rows->inputs) ||
        !hd_cli_number(arguments, rows->executions, 0, 1, UINT64_MAX, &o->most_executions) ||
        !hd_cli_number(arguments, rows->depth, 0, 1, UINT64_MAX, &o->most_steps) ||
        !hd_cli_number(arguments, rows->threads, hd_pool_cores(), 1, HD_CLI_MOST_WORKERS,
                       &workers) ||
        !hd_cli_seconds(arguments, HD_CLI_TIME, 0, &o->most_seconds))
        return false;
    x->e.workers = (uint32_t)workers;
    return hd_cli_keep(arguments, rows->checkpoint, &x->e.keep);
}

static int answer(hd_cli_explored *x) {
    hd_error error = {""};
    hd_engine_question question = {
        .what = HD_ENGINE_NONDET, .path = x->e.path, .whole.explore = &x->e};
    if (!hd_cli_ask(x->arguments, &question, &error))
        return hd_cli_fail("%s", error.text);
    int status =
        hd_cli_given(x->arguments, HD_CLI_JSON) ? hd_cli_explore_json(x) : hd_cli_explore_print(x);
    status = hd_cli_explore_page(x, status);
    return x->e.unsaved.text[0] ? hd_cli_fail("%s", x->e.unsaved.text) : status;
}

int hd_cli_nondet_program(const hd_cli_arguments *arguments, const hd_cli_nondet_rows *rows) {
    hd_cli_explored x = {.arguments = arguments};
    int status = HD_CLI_BAD;
    hd_engine_explore_init(&x.e, arguments->operands[0], hd_cli_program_words(arguments));
    hd_engine_explore_nondet(&x.e, hd_cli_given(arguments, rows->all));
    bool joined = hd_cli_mpi(arguments, rows->checkpoint + 3, &x.e.team) &&
                  read_options(&x, rows) &&
                  hd_cli_nondet_suppressions(arguments, rows->suppressions, &x.e.filter);
    if (joined && hd_cli_serves())
        status = hd_cli_explore_serve(&x.e);
    else if (joined && hd_cli_page_begin(&x.page, arguments, rows->html, x.e.path, NULL)) {
        status = answer(&x);
        if (status == HD_CLI_BAD)
            hd_cli_page_end(&x.page, status);
    }
    hd_cli_explore_release(&x.e, status);
    return status;
}
