#include "cli_keep.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Options that the answer does not depend on, or that may be others when a search goes on. */
static const char *const free_options[] = {
    "json",    "quiet",      "verbose", "memory", "time",       "total",  "threads",
    "witness", "html",       "accept",  "hang",   "checkpoint", "resume", "checkpoint-every",
    "mpi",     "executions", "explain", "dot"};

static bool is_free(const char *name) {
    for (size_t i = 0; i < sizeof free_options / sizeof *free_options; i++)
        if (strcmp(free_options[i], name) == 0)
            return true;
    return false;
}

/* The question, as one would ask it again. */
static char *asked(const hd_cli_arguments *arguments) {
    hd_vec_char text = {0};
    const hd_cli_option *options = hd_cli_options(arguments->command);
    hd_text_append(&text, "%s", arguments->command->name);
    for (int row = 0; options[row].name; row++) {
        size_t at = 0;
        const char *value;
        if (is_free(options[row].name))
            continue;
        while ((value = hd_cli_next(arguments, row, &at)))
            hd_text_append(&text, options[row].argument ? " --%s=%s" : " --%s", options[row].name,
                           value);
    }
    for (int i = 1; i < arguments->operand_count; i++)
        hd_text_append(&text, " %s", arguments->operands[i]);
    return text.data;
}

bool hd_cli_keep(const hd_cli_arguments *arguments, int row, hd_engine_keep *keep) {
    static const double usual = 60;
    keep->from = arguments->values[row + 1];
    keep->to = arguments->values[row] ? arguments->values[row] : keep->from;
    if (!hd_cli_seconds(arguments, row + 2, usual, &keep->every))
        return false;
    if (!keep->to && hd_cli_given(arguments, row + 2)) {
        hd_cli_usage(arguments, "--checkpoint-every goes with --checkpoint or --resume");
        return false;
    }
    if (keep->to && (strcmp(keep->to, "-") == 0 || (keep->from && strcmp(keep->from, "-") == 0))) {
        hd_cli_usage(arguments, "a checkpoint is a file, not '-'");
        return false;
    }
    if (keep->to)
        keep->asked = asked(arguments);
    if (hd_cli_serves())
        keep->to = keep->from = NULL; /* the lead keeps it */
    return true;
}

/* What is wrong with the command line, the lead says. */
static void be_quiet(void) {
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        close(nothing);
    }
}

bool hd_cli_mpi(const hd_cli_arguments *arguments, int row, bool *team) {
    hd_error error = {""};
    if (!hd_cli_given(arguments, row))
        return true;
    const hd_team *joined = hd_team_join(&error);
    if (!joined) {
        hd_cli_fail("--mpi: %s", error.text);
        return false;
    }
    *team = joined->size > 1;
    if (joined->rank)
        be_quiet();
    else
        hd_log_write(HD_LOG_NOTE, "%d processes by %s%s", joined->size, joined->about,
                     joined->tolerant ? "; the others go on if one dies" : "");
    return true;
}

bool hd_cli_crew(const hd_cli_arguments *arguments, int row) {
    bool team = false;
    if (!hd_cli_mpi(arguments, row, &team))
        return false;
    if (team)
        hd_engine_crew_begin();
    return true;
}

bool hd_cli_serves(void) {
    return hd_team_current() && hd_team_current()->rank;
}

static bool served;
static hd_error why_not;

int hd_cli_explore_serve(hd_engine_exploration *e) {
    hd_error *error = &why_not;
    served = hd_engine_explore_start(e, error) && hd_engine_team_serve(e, error);
    return served ? 0 : HD_CLI_BAD;
}

void hd_cli_team_over(int status, bool done, const hd_error *error) {
    hd_error wrong = *error;
    hd_engine_crew_end(done);
    if (hd_cli_serves() && status == HD_CLI_BAD && !wrong.text[0])
        hd_error_set(&wrong, "it cannot be done there");
    hd_engine_team_over(done, &wrong);
}

void hd_cli_explore_release(hd_engine_exploration *e, int status) {
    hd_engine_explore_release(e);
    hd_cli_team_over(status, served, &why_not);
}
