/*
 * The options of searches that are kept in a file (engine_keep.h).
 */
#ifndef HD_CLI_KEEP_H
#define HD_CLI_KEEP_H

#include "cli.h"
#include "engine/engine.h"

/* Three rows of a command. */
#define HD_CLI_KEEP                                                                                \
    {"checkpoint", 0, "FILE", "keep the search in FILE, every minute and at signals"},             \
        {"resume", 0, "FILE", "go on with the search in FILE, and keep it there"}, {               \
        "checkpoint-every", 0, "TIME", "keep it that often (1m)"                                   \
    }

/* What they say, from the row of --checkpoint on; false after saying what is wrong. */
bool hd_cli_keep(const hd_cli_arguments *arguments, int row, hd_engine_keep *keep);

#endif
