/*
 * The answers of other commands, for heddle view.
 */
#ifndef HD_CLI_VIEW_H
#define HD_CLI_VIEW_H

#include "cli_page.h"

/* Writes what a command printed with --json as a page; the status.  Every schedule in it
 * is checked again. */
int hd_cli_view_answer(const hd_cli_arguments *arguments, const char *input, const char *path);

#endif
