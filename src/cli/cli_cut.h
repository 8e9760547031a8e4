/*
 * What states and detect have in common on the command line: the model, the class of
 * states, the algorithm, threads and memory; and lists of states.
 */
#ifndef HD_CLI_CUT_H
#define HD_CLI_CUT_H

#include "cli.h"
#include "cut/cut.h"

/* The options --model, --class, --algorithm and --threads, which follow each other from
 * `first` on, and --memory.  False if one is wrong, which is then said. */
bool hd_cli_cut_read(const hd_cli_arguments *arguments, int first, hd_cut_request *request);

/* For the help: all names of classes and algorithms, or without `diagram`, which visits
 * nothing. */
void hd_cli_cut_names(FILE *to);
void hd_cli_cut_visiting_names(FILE *to);

/* Every state on a line of standard output: the count of each of so many threads.
 * Several workers print the same as one.  The request gets visitors that print; when it was
 * answered they end, and say how many were printed. */
typedef struct hd_cli_cut_lists {
    struct hd_cli_cut_turns *turns;
    struct hd_cli_cut_list *all; /* one a worker */
} hd_cli_cut_lists;

void hd_cli_cut_lists_begin(hd_cli_cut_lists *lists, hd_cut_request *request, uint32_t threads);
uint64_t hd_cli_cut_lists_end(hd_cli_cut_lists *lists, hd_cut_request *request);

#endif
