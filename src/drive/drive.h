/*
 * drive: a real program, driven to a race or a deadlock that its runs make likely.
 *
 *   O. Shacham, M. Sagiv, A. Schuster: Scaling Model Checking of Dataraces Using
 *   Dynamic Information, PPoPP 2005
 *
 *   stage   paper                                here
 *   I       Lockset on a run                     a run of the machine as a trace, put to
 *                                                lockset and happens-before (drive_record.c)
 *   -       -                                    the reordering solver on that trace: what it
 *                                                shows is tried on the program at once
 *   II      a1 by a backward scan                drive_warnings.c, five conditions
 *   III     Fig. 5, the prefix extended          drive_extend.c, errata mended
 *   IV, V   a model from the state before a1,    the program itself in the state after the
 *           a1's thread left out, checked        prefix, a1's thread parked, searched by
 *           with a hint towards a2's thread      source sets, a2's thread first (drive_park.c)
 *   VI      the witness                          a schedule whose last two steps are a1 and a2
 *   -       -                                    all schedules, within the limits of one search
 *                                                (drive_whole.c)
 *
 * A *place* is "file:line"; races are told apart by the two places.  What is proved for two
 * places in one run is not asked again in another.
 *
 *   P1  every race given was run again on another process of the program, and its last two
 *       steps are the two accesses, both next before the first.
 *   P2  a pair of places is *refuted* only if a search ended by itself.  That is about the
 *       states it began in: the other schedules to a1 are not in it.
 *   P3  every deadlock given was run again, and nothing in the program can go on after it.
 */
#ifndef HD_DRIVE_H
#define HD_DRIVE_H

#include "finding/finding.h"
#include "machine/machine.h"
#include "replay/replay.h"

struct hd_drive_found;

typedef struct hd_drive_options {
    uint64_t seeds;            /* runs to start from; 0: until they show nothing new */
    uint64_t effort;           /* of the solver for one pair of places; 0: no limit */
    uint64_t most_executions;  /* of one search; 0: no limit */
    uint64_t whole_executions; /* of that of all schedules, if nothing was found before; likewise */
    double most_seconds;       /* of one search; 0: no limit */
    double total_seconds;      /* of all searches; 0: no limit */
    bool no_predict;           /* without the solver: the stages of the paper alone */
    bool no_extend;            /* without stage III: the search begins before a1 */
    bool no_hint;              /* a2's thread is not preferred (table 3) */
    bool keep_t1;              /* a1's thread is not left out (table 5) */
    bool whole;                /* the same if something was found */
    /* Each race or deadlock as soon as it was run again; the machine may be moved.  A run that
     * shows more shared memory begins everything again: `round` says how often that was, and
     * what was found before is found, and told, again.  Other than 0: no more are wanted.  NULL:
     * not told. */
    int (*each)(void *context, const struct hd_drive_found *found, uint32_t round);
    /* Is a race or deadlock suppressed?  Then others at its places still count: of other locks, or
     * of other variables than that with the number *variable (hd_drive_variable).  The machine may
     * be moved.  NULL: none is. */
    bool (*dropped)(void *context, const struct hd_drive_found *found, uint64_t *variable);
    void *context;
} hd_drive_options;

/* The number of a name. */
uint64_t hd_drive_variable(const char *name);

/* How a race or deadlock was found. */
enum hd_drive_way {
    HD_DRIVE_OBSERVED,  /* a run hangs by itself */
    HD_DRIVE_PREDICTED, /* by the solver, from the trace of a run */
    HD_DRIVE_EXTENDED,  /* by stage III */
    HD_DRIVE_SEARCHED,  /* by stage V */
    HD_DRIVE_WAYS
};

extern const char *const hd_drive_way_names[HD_DRIVE_WAYS];

typedef struct hd_drive_found {
    char *places[2];      /* of a race; of a deadlock NULL */
    uint64_t fingerprint; /* of a deadlock: the places that wait */
    bool ring;            /* of a deadlock: for each other's locks */
    enum hd_drive_way way;
    uint64_t seed;   /* of the run that it was found from */
    double seconds;  /* until then */
    uint64_t states; /* of all searches until then */
    enum hd_replay_claim claim;
    hd_steps schedule; /* of a race the last two steps are the accesses; of one that memory orders
                          decide, the last one and an earlier one */
    bool fewest;       /* context switches, for the order of its steps */
    bool told;         /* to options.each */
} hd_drive_found;

/* What was a warning and stayed one. */
typedef struct hd_drive_warning {
    char *places[2];
    char *variable;
    char *reason;
} hd_drive_warning;

/* Where the time went. */
enum hd_drive_stage {
    HD_DRIVE_RUN,     /* I */
    HD_DRIVE_PREDICT, /* the solver, and its schedules tried */
    HD_DRIVE_SCAN,    /* II */
    HD_DRIVE_EXTEND,  /* III */
    HD_DRIVE_PARK,    /* IV */
    HD_DRIVE_SEARCH,  /* V */
    HD_DRIVE_REPLAY,  /* VI */
    HD_DRIVE_STAGES
};

extern const char *const hd_drive_stage_names[HD_DRIVE_STAGES];

typedef struct hd_drive_result {
    HD_VEC(hd_drive_found) found;
    HD_VEC(hd_drive_warning) unproved; /* a limit ended the search */
    HD_VEC(hd_drive_warning) refuted;
    uint64_t lockset, lockset_plain, happens; /* reports of stage I, the most of a run */
    uint64_t runs;                            /* from seeds, of the last round */
    uint64_t events, steps;                   /* of the longest run */
    uint64_t cycles;                          /* of the lock order, the most of a run */
    uint64_t warnings;                        /* pairs of places that stages II to V were asked */
    uint64_t executions, states;              /* of the searches: runs to an end, steps */
    bool cut;                                 /* the trace of a run is not whole */
    bool hung;                                /* because it has no end: no more were run */
    char fault[256];                          /* a run was stopped for it; "": none was */
    bool late;                                /* there was no time left for some search */
    bool quiet;                               /* the last runs showed nothing new: no more made */
    bool whole;                               /* all schedules were seen: what is not found is
                                                 not there */
    double seconds[HD_DRIVE_STAGES];
} hd_drive_result;

void hd_drive_options_init(hd_drive_options *options);

/* So many seconds for all searches, if it is not 0.  One gets at most a sixth of that, for there
 * may be many, but ten seconds in any case. */
void hd_drive_options_limit(hd_drive_options *options, double seconds);

/* Races of the program that `machine` is (room native).  False, with an error, if it cannot
 * be run.  The machine is in its first state before and after it. */
bool hd_drive_races(hd_machine *machine, const hd_drive_options *options, hd_drive_result *result,
                    hd_error *error);

/* Deadlocks: threads that wait for each other's locks; and runs that end with threads that
 * wait for anything else. */
bool hd_drive_deadlocks(hd_machine *machine, const hd_drive_options *options,
                        hd_drive_result *result, hd_error *error);

void hd_drive_result_release(hd_drive_result *result);

/* A schedule as a trace; each step's events are at step_of (NULL: not wanted), the number
 * of the step from 0 on.  False at a step that cannot be taken. */
bool hd_drive_record(hd_machine *machine, const hd_steps *steps, hd_trace *trace,
                     hd_vec_u32 *step_of, hd_error *error);

#endif
