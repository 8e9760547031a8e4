/*
 * The question explore, of a model or a program: is there any schedule at all that fails?
 *
 *     hd_engine_exploration e;
 *     hd_engine_explore_init(&e, path, arguments);
 *     ... what is looked for, limits, how to search
 *     good = hd_engine_explore_start(&e, &error) && hd_engine_explore_run(&e, &error);
 *     ... e.findings, e.shrunk, e.outcomes, e.result, e.verdict
 *     hd_engine_explore_release(&e);
 *
 * A program that turns out to be different from what was searched is searched again.  Every
 * failure was run again, on another process, before it is a finding; its schedule is short.
 */
#ifndef HD_ENGINE_EXPLORE_H
#define HD_ENGINE_EXPLORE_H

#include <pthread.h>

#include "engine_filter.h"
#include "engine_keep.h"
#include "engine_places.h"
#include "engine_property.h"
#include "engine_words.h"
#include "explore/explore.h"
#include "finding/finding.h"
#include "graph/graph.h"
#include "verdict/verdict.h"

/* What is looked for. */
enum {
    HD_ENGINE_FIND_FAILURE = 1,
    HD_ENGINE_FIND_DEADLOCK = 2,
    HD_ENGINE_FIND_RACE = 4,
    HD_ENGINE_FIND_OUTCOME = 8 /* ways to end that differ, though none is a failure */
};

/* A way in which executions of a program end, and one of them. */
typedef struct hd_engine_outcome {
    hd_native_outcome end;
    char *output, *marks, *inputs; /* that the end has */
    bool failed, stuck;
    uint64_t count; /* executions */
    hd_steps schedule;
} hd_engine_outcome;

/* Where a finding is in the report that it was told to. */
typedef struct hd_engine_number {
    uint64_t fingerprint;
    size_t number;
} hd_engine_number;

/* A race that the search met, with schedules to it: what is needed for it, and all that can come
 * before it. */
typedef struct hd_engine_collision {
    uint32_t threads[2], positions[2];
    bool unordered;
    uint64_t order; /* of the variable: hd_finding.order */
    uint64_t print; /* of the two places */
    const char *by; /* the strategy, if there were several */
    hd_steps part, whole;
} hd_engine_collision;

/* A schedule that is short already. */
typedef struct hd_engine_short {
    uint64_t fingerprint;
    hd_replay_shrunk shrunk;
} hd_engine_short;

/* Random runs of one kind. */
typedef struct hd_engine_sampled {
    uint64_t runs, executions, cut;
    uint32_t depth; /* the greatest */
} hd_engine_sampled;

/* The strategies beside the search (engine_explore_portfolio.c). */
typedef struct hd_engine_portfolio {
    bool ran;                      /* the search alone was not enough */
    hd_graph_states_result states; /* all states of a model; of none: it was not needed */
    hd_explore_result bound;
    uint32_t preemptions; /* of it, at most */
    hd_explore_result unfold;
    bool unfolds; /* it began */
    hd_engine_sampled pct, pos;
    uint64_t first_slice, least_slice; /* steps; 0: as always */

    /* Inside. */
    struct hd_explore_search *whole; /* the search through all schedules, */
    hd_explore_options how;          /* and how it goes */
    hd_native_tally tally;           /* of the runs of the others */
    hd_machine *bounding, *walking;  /* NULL: they do not run */
    const char *walk;                /* the strategy that has the second one */
    struct hd_explore_search *search;
    hd_explore_options options;
    hd_machine *unfolding; /* NULL: it is not, or no longer, */
    struct hd_explore_search *unfold_search;
    hd_explore_options unfold_options;
    bool unfold_found;    /* a failure that is enough */
    bool takes_over;      /* it came to an answer first */
    hd_machine *graphing; /* NULL: it does not run, */
    hd_native_states *graph;
    bool graphs; /* it can run, sooner or later */
    hd_native_states_figures graph_seen;
    uint32_t graph_lost; /* schedules that could not be repeated */
    bool graph_over;
    uint64_t bound_before; /* executions, before it started over */
    bool bound_over;
    bool deepens;           /* the search goes through longer and longer runs, */
    uint64_t depth;         /* and went through all with so many steps of each thread */
    uint32_t most_states;   /* that are gone through next; 0: none */
    _Atomic size_t longest; /* steps of a run that did not end well */
    uint64_t sampled;       /* runs of a program whose states were looked at */
    double on_states;       /* seconds that went into states */
    bool no_optimal;        /* wakeup trees do not do for the program */
    uint64_t slice, seed, length;
    uint32_t round;
    double started;
    bool news, ended;         /* the program is another; what was found is enough */
    bool beside;              /* they run beside the search, */
    pthread_mutex_t visiting; /* and one visits at a time */
    uint32_t workers;         /* that there were then, with theirs; 0: never */
} hd_engine_portfolio;

/* A variable that is read, and how many of its reads can see another write. */
typedef struct hd_engine_apart_variable {
    char *name;
    uint64_t reads, differ;
} hd_engine_apart_variable;

typedef struct hd_engine_exploration {
    const char *path;          /* of the model, program or source */
    hd_engine_words arguments; /* of the program */
    char **argv;               /* of the program */
    char *made;                /* the program, if it was a source */
    hd_launch_words words;     /* that the runtime has to know: "spurious=1" */
    unsigned find;
    hd_finding_list races;
    hd_finding_list unordered; /* races that memory orders decide, until the end */
    hd_map unordered_pairs;    /* likewise */
    hd_map pairs;              /* of places that race, with how often that was tried in vain */
    hd_map variables;          /* the same, of each variable, for both */
    HD_VEC(hd_engine_collision) lesser; /* of a variable before the one that is known to race */
    bool at_once;                       /* races are told as they are found, not at the end */
    HD_VEC(hd_engine_outcome) outcomes;
    hd_map outcome_numbers;
    _Atomic(struct hd_engine_often *) often; /* outcomes that workers count without waiting */
    bool nondet;       /* the question is whether all schedules end in the same way, whatever way */
    bool all_outcomes; /* it is not answered by the first two that differ */
    size_t differ[2];  /* outcomes that do, with inputs that do not; equal: there are none */
    hd_vec_char parts; /* where they part, in words */
    bool unsaid;       /* a run has more marks, or inputs, than are compared */
    char fault[256];   /* that is not looked for, at which heddle stopped a run; "": none */
    hd_vec_char varies; /* something else than the schedule decides how a run ends: in words */
    hd_finding_filter filter; /* races and deadlocks that are not to be found */
    hd_map dropped;           /* their fingerprints */
    pthread_mutex_t dropping; /* of the filter, and of that */
    struct {
        bool known; /* of the question nondet, if all executions that were found end alike */
        uint64_t reads, differ, undecided; /* of one execution */
        HD_VEC(hd_engine_apart_variable) variables;
    } apart;              /* reads that differ, and no outcome shows it */
    uint64_t assumed;     /* executions in which somebody waits for an assumption: no deadlocks */
    uint64_t pruned;      /* executions that end at one in an atomic section */
    const char *symmetry; /* threads whose instances are interchangeable, "a,b"; "": those that are
                             seen to be; NULL: none */
    const char *asymmetric; /* why they are not after all; NULL: they are */
    bool program;
    bool sv_comp;
    enum hd_engine_property property; /* that is asked for then */
    bool by_fork;                     /* a process a run */
    bool no_predict;                  /* every run is made, none predicted */
    hd_native_tally tally;
    double hang;      /* seconds, 0: as always */
    double until;     /* no run of a program goes on after it; 0: there is no limit on time */
    hd_vec_char hung; /* where the first thread is that took no step for so long */
    uint32_t rounds;  /* searches that were started over, for what a program turned out to share */
    HD_VEC(hd_model_define) defines;
    hd_machine *machine;
    hd_machine *checker; /* runs every schedule again before it counts: hd_engine_explore_checker */
    hd_explore_options options;
    hd_explore_result result;
    bool alone;       /* one search, not a portfolio of strategies, */
    bool chosen;      /* which these have chosen: unfold */
    uint32_t workers; /* of the portfolio */
    hd_engine_portfolio portfolio;
    const char *unread; /* what unfold does not support, so that sdpor ran; NULL: nothing */
    bool widened;       /* it was searched again, with more values of inputs */
    bool walk;          /* random runs instead of a search */
    bool graph;         /* through predicted states, instead of a search */
    hd_explore_walk_options walks;
    hd_explore_walk_result walked;
    hd_finding_list findings;
    HD_VEC(hd_replay_shrunk) shrunk; /* [finding] */
    /* Each finding as soon as it was run again and its schedule is short; ways to end that differ
     * when the search is over.  Other than 0: no more are wanted.  NULL: not told. */
    int (*each)(void *context, struct hd_engine_exploration *e, const hd_finding *finding,
                const hd_replay_shrunk *shrunk);
    void *context;
    HD_VEC(hd_engine_short) early; /* that were told */
    HD_VEC(hd_engine_number) numbers;
    bool enough;     /* `each` said so */
    bool explain;    /* what the static checks say of a model; sections of a program */
    const char *dot; /* file for the state graph; NULL: none */
    hd_vec_char explanation;
    uint32_t explained; /* sections in it */
    const char *output; /* file for the witnesses; NULL: none */
    hd_error unsaved;   /* why they could not all be saved */
    hd_steps schedule;  /* scratch */
    hd_progress progress;
    hd_error broken; /* a schedule that did not show what the search said */
    hd_verdict verdict;
    hd_verdict rested;   /* on which what was found in other processes rests */
    hd_engine_keep keep; /* checkpoints */
    hd_explore_keeper keeper;
    bool team; /* several processes explore (engine_team.h) */
} hd_engine_exploration;

static inline enum hd_replay_claim hd_engine_claim_of(const hd_finding *finding) {
    return finding->sort == HD_FINDING_DEADLOCK   ? HD_REPLAY_STUCK
           : finding->sort == HD_FINDING_LIVELOCK ? HD_REPLAY_LIVELOCK
           : finding->unordered                   ? HD_REPLAY_UNORDERED
           : finding->sort == HD_FINDING_RACE     ? HD_REPLAY_RACE
           : finding->sort == HD_FINDING_OUTCOME  ? HD_REPLAY_END
                                                  : HD_REPLAY_VIOLATION;
}

void hd_engine_explore_init(hd_engine_exploration *e, const char *path, hd_engine_words arguments);
void hd_engine_explore_release(hd_engine_exploration *e);

/* Workers of the search, and of the strategies that ran beside it. */
uint32_t hd_engine_explore_workers(const hd_engine_exploration *e);

/* What is looked for if nothing is said; and a list of words, "failure,deadlock". */
unsigned hd_engine_explore_usual(const hd_engine_exploration *e);
bool hd_engine_explore_find(hd_engine_exploration *e, const char *words, bool no_race,
                            hd_error *error);

/* Asks whether all schedules of a program end in the same way; every way is found, not two. */
void hd_engine_explore_nondet(hd_engine_exploration *e, bool all);

/* Loads the model, or compiles and starts the program. */
bool hd_engine_explore_start(hd_engine_exploration *e, hd_error *error);

/* Searches, shrinks and saves what was found, and makes the verdict. */
bool hd_engine_explore_run(hd_engine_exploration *e, hd_error *error);

/* What the i-th finding is about; or one that comes while the search goes on. */
hd_engine_shown hd_engine_explore_shown(const hd_engine_exploration *e, size_t i);
hd_engine_shown hd_engine_explore_about(const hd_engine_exploration *e, const hd_finding *finding,
                                        const hd_replay_shrunk *shrunk);

/* "place: message", with the rule where the message alone does not tell it; to be freed. */
char *hd_engine_explore_line(const hd_finding *finding);

/* An outcome in words: "exit status 0, output "1\n"", or that it never ends. */
void hd_engine_explore_end(const hd_engine_outcome *outcome, hd_vec_char *to);

/* With the conventions of SV-COMP: the first finding that violates the property, its length if none
 * does; and the competition's word for the verdict. */
size_t hd_engine_explore_violation(const hd_engine_exploration *e);
const char *hd_engine_explore_word(const hd_engine_exploration *e);

/* Saves that finding as a witness of the competition, of a program that was made of the source;
 * nothing if there is no such finding, or `path` is NULL. */
bool hd_engine_explore_sequence(const hd_engine_exploration *e, const char *source,
                                const char *path, hd_error *error);

/* Saves its schedule as the number-th witness. */
bool hd_engine_explore_save(const hd_engine_exploration *e, const hd_finding *finding,
                            const hd_replay_shrunk *shrunk, const char *output, size_t number,
                            hd_error *error);

/* ---- Inside ---- */

/* What is found in memory that was put back is checked in memory that was not: by a copy of the
 * machine, made here, whose program is started when the checker is asked for first.  And one more
 * such copy, for the caller. */
void hd_engine_explore_make_checker(hd_engine_exploration *e);
hd_machine *hd_engine_explore_checker(const hd_engine_exploration *e);
hd_machine *hd_engine_explore_another_checker(const hd_engine_exploration *e);

/* engine_explore.c: the visitor and the tick of all searches; the context is the exploration.  And
 * schedules that are short already are forgotten. */
hd_explore_visit hd_engine_explore_visit;
hd_explore_tick hd_engine_explore_tick;
void hd_engine_explore_forget_early(hd_engine_exploration *e);

/* engine_explore_search.c: the search as it is wanted; what was found is forgotten, also with a
 * machine that is renewed, or counted from 0 as the same search begins anew; the time that is left;
 * and an end before the search could start over. */
bool hd_engine_explore_search(hd_engine_exploration *e, hd_error *error);
void hd_engine_explore_clear(hd_engine_exploration *e);
void hd_engine_explore_recount(hd_engine_exploration *e);
double hd_engine_explore_grace(const hd_engine_exploration *e);
bool hd_engine_explore_start_over(hd_engine_exploration *e);

/* One search, started over as often as the program turns out to be another. */
bool hd_engine_explore_alone(hd_engine_exploration *e, double started, hd_error *error);

/* Has the program turned out to be another than the one that was searched? */
bool hd_engine_explore_differs(const hd_engine_exploration *e);
bool hd_engine_explore_time_left(const hd_engine_exploration *e, double started, double *left);
void hd_engine_explore_end_early(const hd_engine_exploration *e, hd_explore_result *result);

/* engine_explore_portfolio.c: all strategies; the name of the one that has the machine, NULL if
 * there is but one; and around a visit. */
extern const char hd_engine_search_name[];
bool hd_engine_portfolio_run(hd_engine_exploration *e, hd_error *error);
const char *hd_engine_portfolio_name(const hd_engine_exploration *e, const hd_machine *machine);
void hd_engine_portfolio_lock(hd_engine_exploration *e);
void hd_engine_portfolio_unlock(hd_engine_exploration *e);

/* engine_explore_livelock.c: threads take very many steps, perhaps without end: goes through the
 * states of a model instead, at most so many; of a program, through those of some random runs.
 * True if nothing is left to search. */
bool hd_engine_explore_states(hd_engine_exploration *e, uint32_t most);

/* engine_explore_graph.c: goes through predicted states alone.  Can it, of a program? */
void hd_engine_explore_graph(hd_engine_exploration *e);
bool hd_engine_explore_graph_can(const hd_engine_exploration *e);

/* engine_explore.c: a schedule of a search is a finding, if the checker can run it; other than 0:
 * no more are wanted. */
int hd_engine_explore_push(hd_engine_exploration *e, enum hd_replay_claim claim, const char *by);

/* engine_explore_program.c: the program's arguments, and the program itself if it is a source. */
bool hd_engine_explore_make(hd_engine_exploration *e, hd_error *error);

/* The search leaves out rounds of loops that only wait.  Adds them to the schedule of a run in
 * which no thread can go on: each thread goes round until it waits for a change. */
void hd_engine_explore_go_round(hd_engine_exploration *e, const hd_machine *machine);

/* The visitor of data races; the context is the exploration. */
void hd_engine_explore_collide(void *context, const hd_explore_collision *found);

/* Adds it to a list of races, in which of several variables at the same two places the least is
 * kept; true if it is new there. */
bool hd_engine_explore_keep_race(hd_finding_list *list, hd_finding *finding);

/* A race of a lesser variable than is known, put aside, and what it holds taken; tried, when the
 * search is over; or forgotten. */
void hd_engine_explore_put_aside(hd_engine_exploration *e, hd_engine_collision *found);
void hd_engine_explore_try_lesser(hd_engine_exploration *e);
void hd_engine_explore_forget_lesser(hd_engine_exploration *e);

/* Pairs of places that nothing orders, and that no schedule showed to race. */
uint32_t hd_engine_explore_unproved(const hd_engine_exploration *e);

/* A section of a program was learnt, for `explanation`. */
void hd_engine_explore_sectioned(void *context, hd_machine *machine, const uint32_t *threads,
                                 const uint32_t *positions, uint32_t count);

/* engine_explore_outcomes.c: an execution of a program has ended; `apart`: not one of the search,
 * so it is not counted.  Other than 0: the search is over. */
int hd_engine_explore_outcome(hd_engine_exploration *e, hd_machine *machine,
                              enum hd_explore_end end, bool apart, const hd_step *schedule,
                              size_t length);
void hd_engine_explore_gather_outcomes(hd_engine_exploration *e);

/* Of several workers: the same for one that ended well, if there were others like it. */
bool hd_engine_explore_glance(void *context, hd_machine *machine, size_t length);

/* Executions of the search that ended like this outcome; and from now on. */
uint64_t hd_engine_explore_outcome_count(const hd_engine_exploration *e, size_t outcome);
void hd_engine_explore_recount_outcomes(hd_engine_exploration *e);
void hd_engine_explore_forget_outcomes(hd_engine_exploration *e);

/* A run of a program takes no step any more. */
void hd_engine_explore_hang(hd_engine_exploration *e, hd_machine *machine);

/* engine_explore_keep.c: what was found, as bytes; those that are read are added, false if they are
 * none.  The machine becomes one that has learnt this: false if it cannot.  And the checkpoint
 * that is wanted, or gone on with; call it when the machine is there. */
void hd_engine_explore_put(const hd_engine_exploration *e, hd_vec_char *to);
bool hd_engine_explore_get(hd_engine_exploration *e, hd_bytes *from);
void hd_engine_explore_put_outcomes(const hd_engine_exploration *e, hd_vec_char *to);
void hd_engine_explore_get_outcomes(hd_engine_exploration *e, hd_bytes *from);
bool hd_engine_explore_learn(hd_engine_exploration *e, const hd_vec_char *learnt);
bool hd_engine_explore_keep_begin(hd_engine_exploration *e, hd_error *error);
void hd_engine_explore_keep(hd_engine_exploration *e, const hd_vec_char *frontier);

/* What a checkpoint has besides the search; the machine becomes that of then. */
bool hd_engine_explore_get_state(hd_engine_exploration *e, hd_bytes *from);

/* engine_explore_prior.c: a checkpoint was read; the search that goes on with it starts over; that
 * has found all again, perhaps; and it is over. */
void hd_engine_explore_prior_begin(hd_engine_exploration *e);
void hd_engine_explore_prior_start_over(hd_engine_exploration *e);
void hd_engine_explore_prior_drop(hd_engine_exploration *e);
bool hd_engine_explore_prior_end(hd_engine_exploration *e, hd_error *error);

/* By now: on what the answer rests, by what these machines and other processes have seen; and what
 * was found was told to another process, so that it is not told again. */
void hd_engine_explore_put_rests(const hd_engine_exploration *e,
                                 const hd_explore_machines *machines, hd_vec_char *to);
void hd_engine_explore_told(hd_engine_exploration *e);

/* Tells a finding that is new, if it can be made short; other than 0: no more are wanted. */
int hd_engine_explore_tell(hd_engine_exploration *e, const hd_finding *finding);

/* Races and outcomes become findings; or they are forgotten. */
void hd_engine_explore_gather(hd_engine_exploration *e);
void hd_engine_explore_forget(hd_engine_exploration *e);

/* Of a rule and positions in the program. */
uint64_t hd_engine_explore_print_of(const char *rule, const uint32_t *positions, size_t count);

/* engine_explore_reads.c: fills in e->apart. */
void hd_engine_explore_read_apart(hd_engine_exploration *e);
void hd_engine_explore_forget_apart(hd_engine_exploration *e);

/* engine_explore_filter.c: is it suppressed, a race of a variable at two positions, or a deadlock
 * that the scratch schedule comes to?  It is counted once. */
bool hd_engine_explore_drops_race(hd_engine_exploration *e, const uint32_t positions[2],
                                  const char *variable, uint64_t fingerprint);
bool hd_engine_explore_drops_deadlock(hd_engine_exploration *e, uint64_t fingerprint);
void hd_engine_explore_forget_dropped(hd_engine_exploration *e);

/* Is a mark with the label, or output, not to be compared?  Of hd_native_machine_options. */
bool hd_engine_explore_leaves_out(void *context, const char *label, const char *place,
                                  const char *function);

/* engine_explore_verdict.c: the verdict, when the search is over. */
void hd_engine_explore_judge(hd_engine_exploration *e);

#endif
