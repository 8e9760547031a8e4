/*
 * Every command that answers a question asks it here, of the same entry that libheddle uses.
 *
 *     hd_engine_question question = {.what = HD_ENGINE_NONDET, .path = path, .trace = &trace,
 *                                    .whole.reads = &reads};
 *     if (!hd_cli_ask(arguments, &question, &error)) ...
 *     ... reads.result, reads.verdict
 *
 * The command fills in the question's own struct and prints from it.
 */
#ifndef HD_CLI_ASK_H
#define HD_CLI_ASK_H

#include "cli.h"

/* With what --accept says; messages go to standard error as they come. */
bool hd_cli_ask(const hd_cli_arguments *arguments, const hd_engine_question *question,
                hd_error *error);

#endif
