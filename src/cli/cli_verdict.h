/*
 * What commands share in making verdicts (room verdict).  A command makes its verdict in one
 * function, before anything is printed; every form then shows it, and the exit status is its.
 *
 *     hd_verdict_init(&verdict, "data races");
 *     hd_engine_verdict_recording(&verdict, &trace);
 *     ...
 *     hd_cli_verdict_end(&verdict, arguments, found);
 *     status = hd_verdict_status(&verdict);
 */
#ifndef HD_CLI_VERDICT_H
#define HD_CLI_VERDICT_H

#include "cli.h"
#include "trace/trace.h"
#include "verdict/verdict.h"

/* A row of the table of every command that answers a question; it is found by its name. */
#define HD_CLI_ACCEPT                                                                              \
    { "accept", 0, "LIST", "assumptions to accept, CODE or CODE:WHAT,... ('heddle help verdict')" }

/* False after saying what is wrong with --accept, if the command has it. */
bool hd_cli_verdict_read(const hd_cli_arguments *arguments);

/* Was it found?  And what the user accepts.  The verdict then is what will be shown. */
void hd_cli_verdict_end(hd_verdict *verdict, const hd_cli_arguments *arguments, bool found);

/* On standard output, with a first column of this width. */
void hd_cli_verdict_print(const hd_verdict *verdict, int width);

/* "; if what this rests on holds", "" if nothing is shaky: for a first line that says no. */
const char *hd_cli_verdict_proviso(const hd_verdict *verdict);

/* The text of 'heddle help verdict'. */
void hd_cli_verdict_help(FILE *to);

#endif
