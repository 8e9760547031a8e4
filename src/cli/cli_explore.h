/*
 * What heddle explore found, between the search and the printing of it.
 */
#ifndef HD_CLI_EXPLORE_H
#define HD_CLI_EXPLORE_H

#include "cli_model.h"
#include "cli_page.h"
#include "explore/explore.h"
#include "finding/finding.h"

typedef struct hd_cli_exploration {
    const hd_cli_arguments *arguments;
    const char *path; /* of the model or program */
    bool program;
    bool by_fork;    /* --reset=fork */
    double hang;     /* seconds, 0: as always */
    uint32_t rounds; /* searches that were started over, for what a program turned out to share */
    HD_VEC(hd_model_define) defines;
    hd_machine *machine;
    hd_machine *checker; /* runs every schedule again before it counts */
    hd_explore_options options;
    hd_explore_result result;
    bool walk; /* random runs instead of a search */
    hd_explore_walk_options walks;
    hd_explore_walk_result walked;
    hd_finding_list findings;
    HD_VEC(hd_replay_shrunk) shrunk; /* [finding] */
    hd_vec_char explanation;         /* --explain */
    const char *output;              /* -o; NULL if not given */
    hd_witness_steps schedule;       /* scratch */
    hd_progress progress;
    hd_cli_page page;
    hd_error broken; /* a schedule that did not show what the search said */
} hd_cli_exploration;

static inline enum hd_replay_claim hd_cli_claim_of(const hd_finding *finding) {
    return strcmp(finding->rule, "deadlock") == 0 ? HD_REPLAY_STUCK : HD_REPLAY_VIOLATION;
}

/* The file of the i-th finding's witness: FILE, FILE.2, ...; to be freed. */
char *hd_cli_explore_file(const hd_cli_exploration *e, size_t i);

/* Everything was seen: within a bound is not everything, unless nothing is beyond. */
bool hd_cli_explore_complete(const hd_cli_exploration *e);

/* The "result" of the JSON form. */
void hd_cli_explore_write_result(const hd_cli_exploration *e, hd_json *json);

/* The page of --html, if one is wanted, all of it; the status to go on with. */
int hd_cli_explore_page(hd_cli_exploration *e, int status);

/* The whole answer; the exit status. */
int hd_cli_explore_print(hd_cli_exploration *e);
int hd_cli_explore_json(hd_cli_exploration *e);

#endif
