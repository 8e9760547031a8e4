/*
 * What the files of heddle states share.
 */
#ifndef HD_CLI_STATES_H
#define HD_CLI_STATES_H

#include "cli.h"
#include "engine/engine.h"

/* --reach: the state that e->reach names; the witness goes to `output` if that is not NULL. */
int hd_cli_states_reach(const hd_cli_arguments *arguments, hd_engine_states *e, const char *output);

/* --estimate: about how many states there are, with an interval. */
int hd_cli_states_estimate(const hd_cli_arguments *arguments, hd_engine_states *s);

/* --posets: the valid posets of the loset; `list`: each of them. */
int hd_cli_states_posets(const hd_cli_arguments *arguments, hd_engine_states *e, bool list);

#endif
