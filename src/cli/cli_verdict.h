/*
 * What commands share in showing verdicts (room verdict).  The engine makes the verdict of a
 * question (cli_ask.h).  A command that only reads something makes its own:
 *
 *     hd_engine_verdict_reading(&verdict, "whether it is well-formed", ...);
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

/* All lists of --accept as one; NULL if it was not given; to be freed. */
char *hd_cli_verdict_accepted(const hd_cli_arguments *arguments);

/* Of a command that is no question to the engine: was it found?  And what the user accepts.  The
 * verdict then is what will be shown. */
void hd_cli_verdict_end(hd_verdict *verdict, const hd_cli_arguments *arguments, bool found);

/* On standard output, with a first column of this width. */
void hd_cli_verdict_print(const hd_verdict *verdict, int width);

/* "; if what this rests on holds", "" if nothing is shaky: for a first line that says no. */
const char *hd_cli_verdict_proviso(const hd_verdict *verdict);

/* The text of 'heddle help verdict'. */
void hd_cli_verdict_help(FILE *to);

#endif
