/*
 * What heddle explore asked and found, between the engine and the printing of it.
 */
#ifndef HD_CLI_EXPLORE_H
#define HD_CLI_EXPLORE_H

#include "cli_model.h"
#include "cli_page.h"

typedef struct hd_cli_explored {
    const hd_cli_arguments *arguments;
    hd_engine_exploration e;
    hd_cli_page page;
} hd_cli_explored;

/* The "result" of the JSON form. */
void hd_cli_explore_write_result(const hd_engine_exploration *e, hd_json *json);

/* cli_strategies.c: how far each strategy came, of the same; and what a strategy is, for people. */
void hd_cli_strategies_print(const hd_engine_exploration *e);
void hd_cli_strategies_graph(const hd_engine_exploration *e); /* states put together from runs */
void hd_cli_strategies_write(const hd_engine_exploration *e, hd_json *json);
const char *hd_cli_strategy(const char *by);

/* The page of --html, if one is wanted, all of it; the status to go on with. */
int hd_cli_explore_page(hd_cli_explored *x, int status);

/* Was there no search through schedules, for some have no end? */
bool hd_cli_explored_by_states(const hd_engine_exploration *e);

/* Was it explored in sections, by epor or epor-sh? */
bool hd_cli_explored_eagerly(const hd_engine_exploration *e);

/* The whole answer; the exit status. */
int hd_cli_explore_print(const hd_cli_explored *x);
int hd_cli_explore_json(const hd_cli_explored *x);

/* The answer in JSON to a file, as --json prints it; the question was asked since then. */
bool hd_cli_explore_keep(const hd_engine_exploration *e, const char *path, double since);

#endif
