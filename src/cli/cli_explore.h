/*
 * What heddle explore found, between the search and the printing of it.
 */
#ifndef HD_CLI_EXPLORE_H
#define HD_CLI_EXPLORE_H

#include "cli_model.h"
#include "cli_page.h"
#include "cli_places.h"
#include "explore/explore.h"
#include "finding/finding.h"

/* What is looked for. */
enum {
    HD_CLI_FIND_FAILURE = 1,
    HD_CLI_FIND_DEADLOCK = 2,
    HD_CLI_FIND_RACE = 4,
    HD_CLI_FIND_OUTCOME = 8 /* ways to end that differ, though none is a failure */
};

/* A way in which executions of a program end, and one of them. */
typedef struct hd_cli_outcome {
    hd_native_outcome end;
    char *output; /* that the end has */
    bool failed;
    uint64_t count; /* executions */
    hd_witness_steps schedule;
} hd_cli_outcome;

typedef struct hd_cli_exploration {
    const hd_cli_arguments *arguments;
    const char *path; /* of the model, program or source */
    bool program;
    bool sv_comp;
    char **argv; /* of the program */
    char *made;  /* the program, if it was a source */
    hd_launch_words words;
    unsigned find;
    hd_finding_list races;
    hd_map pairs;    /* of places that race, with how often that was tried in vain */
    uint32_t proved; /* of them */
    HD_VEC(hd_cli_outcome) outcomes;
    hd_map outcome_numbers;
    uint64_t assumed; /* executions in which somebody waits for an assumption: no deadlocks */
    bool by_fork;     /* --reset=fork */
    hd_native_tally tally;
    double hang;      /* seconds, 0: as always */
    double until;     /* no run of a program goes on behind it; 0: there is no limit on time */
    hd_vec_char hung; /* where the first thread is that took no step for so long */
    uint32_t rounds;  /* searches that were started over, for what a program turned out to share */
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
    bool explain;                    /* --explain */
    const char *dot;                 /* --dot; NULL if not given */
    hd_vec_char explanation;
    const char *output;        /* -o; NULL if not given */
    hd_witness_steps schedule; /* scratch */
    hd_progress progress;
    hd_cli_page page;
    hd_error broken;                 /* a schedule that did not show what the search said */
    const char *inputs, *input_seed; /* --inputs and --input-seed; NULL if not given */
    hd_verdict verdict;
} hd_cli_exploration;

static inline enum hd_replay_claim hd_cli_claim_of(const hd_finding *finding) {
    return strcmp(finding->rule, "deadlock") == 0  ? HD_REPLAY_STUCK
           : strcmp(finding->rule, "race") == 0    ? HD_REPLAY_RACE
           : strcmp(finding->rule, "outcome") == 0 ? HD_REPLAY_END
                                                   : HD_REPLAY_VIOLATION;
}

/* cli_explore_search.c: searches, and answers; the exit status. */
int hd_cli_explore_search(hd_cli_exploration *e);

/* What is found in memory that was put back is checked in memory that was not. */
hd_machine *hd_cli_explore_checker(const hd_cli_exploration *e);

/* cli_explore_program.c: what is for programs. */

/* Reads --find, or takes what is usual; false after saying what is wrong. */
bool hd_cli_explore_find(hd_cli_exploration *e, const char *words, bool no_race);

/* The program's arguments, and the program itself if it is a source. */
bool hd_cli_explore_make(hd_cli_exploration *e);

/* The visitor of data races; the context is the exploration. */
void hd_cli_explore_collide(void *context, const hd_explore_collision *found);

/* An execution of a program has ended. */
void hd_cli_explore_outcome(hd_cli_exploration *e, const hd_machine *machine, bool failed,
                            const hd_explore_step *schedule, size_t length);

/* A run of a program takes no step any more. */
void hd_cli_explore_hang(hd_cli_exploration *e, hd_machine *machine);

/* Races and outcomes become findings; or they are forgotten. */
void hd_cli_explore_gather(hd_cli_exploration *e);
void hd_cli_explore_forget(hd_cli_exploration *e);

/* Of a rule and positions in the program. */
uint64_t hd_cli_explore_print_of(const char *rule, const uint32_t *positions, size_t count);

/* cli_explore_verdict.c: what was looked for, in words, to be freed; and the verdict, when the
 * search is over. */
char *hd_cli_explore_asked(const hd_cli_exploration *e);
void hd_cli_explore_judge(hd_cli_exploration *e);

/* The "result" of the JSON form. */
void hd_cli_explore_write_result(const hd_cli_exploration *e, hd_json *json);

/* The page of --html, if one is wanted, all of it; the status to go on with. */
int hd_cli_explore_page(hd_cli_exploration *e, int status);

/* The whole answer; the exit status. */
int hd_cli_explore_print(hd_cli_exploration *e);
int hd_cli_explore_json(hd_cli_exploration *e);

#endif
