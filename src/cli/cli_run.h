/*
 * From a command's record and its words to a call of the command.
 */
#ifndef HD_CLI_RUN_H
#define HD_CLI_RUN_H

#include "cli.h"

int hd_cli_run(const hd_cli_command *command, int argc, char **argv);
void hd_cli_command_help(FILE *to, const hd_cli_command *command);

#endif
