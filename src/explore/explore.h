/*
 * explore: is there any schedule at all that fails?  Runs a machine under every
 * schedule that matters, one for each Mazurkiewicz trace, by stateless search
 * with partial order reduction.
 *
 *   naive   all interleavings; the slow twin of the others
 *   dpor    persistent sets found dynamically (Flanagan, Godefroid, POPL 2005)
 *   sdpor   source sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014)
 *   odpor   wakeup trees: optimal, no execution is blocked (the same)
 *   epor    odpor in sections: what each thread will do for certain is put in all
 *           orders at once (Metzler, Saissi, Bokor, Suri: Eager POR)
 *   epor-sh the same with short sections
 *   auto    epor if the program is a single section, else sdpor
 *   unfold  runs until every event is known that an execution can have, where an event is an
 *           operation with what it and all before it read; fewer runs than classes by reads-from
 *           (explore_unfold.h).  Or, by_reads, each of these classes once
 *
 * All but naive and unfold use sleep sets and complete each trace exactly once; dpor and
 * sdpor, and odpor with several workers, may run into ends where every thread sleeps, and count
 * them; dpor and sdpor complete traces again with choices beside one that fails.
 *
 * Where all schedules are too many there are two ways to see some:
 *
 *   bounded  every trace that a schedule with at most so many preemptions leads
 *            to, once (Musuvathi, Qadeer, PLDI 2007); a complete answer to a
 *            smaller question
 *   walks    random runs, drawn uniformly step by step or with priorities (PCT:
 *            Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010), of threads
 *            or of operations (POS: Yuan, Yang, Gu, CAV 2018); never
 *            complete, but with a known chance to meet a bug
 */
#ifndef HD_EXPLORE_H
#define HD_EXPLORE_H

#include "machine/machine.h"

/* The names that functions have in the build with the next larger sets, if there is one. */
#if !defined HD_EXPLORE_WORDS || HD_EXPLORE_WORDS == 1
#define HD_EXPLORE_WIDER(name) hd_explore_wide_##name
#else
#ifdef HD_EXPLORE_WIDE
#define HD_EXPLORE_WIDER(name) hd_explore_vast_##name
#endif
#endif

#if defined HD_EXPLORE_WIDE || defined HD_EXPLORE_VAST
#include "explore_wide.h"
#endif

enum hd_explore_algorithm {
    HD_EXPLORE_NAIVE,
    HD_EXPLORE_DPOR,
    HD_EXPLORE_SDPOR,
    HD_EXPLORE_ODPOR,
    HD_EXPLORE_EPOR,
    HD_EXPLORE_EPOR_SH,
    HD_EXPLORE_AUTO,
    HD_EXPLORE_UNFOLD, /* those before it explore traces */
    HD_EXPLORE_ALGORITHMS
};

/* The most threads that a machine may have here. */
enum { HD_EXPLORE_MAX_THREADS = HD_MACHINE_THREADS };

enum hd_explore_end {
    HD_EXPLORE_COMPLETE,  /* every thread ended */
    HD_EXPLORE_DEADLOCK,  /* some threads can never go on */
    HD_EXPLORE_VIOLATION, /* the last step failed */

    /* What comes then is not known: these are no executions. */
    HD_EXPLORE_HANG, /* the last step never ends */
    HD_EXPLORE_CUT   /* every thread that could go on has taken all the steps that it may */
};

/* Called at the end of every execution, and of one that is cut off, with the
 * machine in its last state (or that before the failing step's effects were judged).  Non-zero
 * stops. */
typedef int hd_explore_visit(void *context, hd_machine *machine, enum hd_explore_end end,
                             const hd_step *schedule, size_t length);

/* With several workers, an execution that ended well is shown to this first, and to the visitor
 * only if it says false: true is that the visitor would have learnt nothing new.  Called by any
 * number of workers at a time, so it must not make them wait for each other. */
typedef bool hd_explore_glance(void *context, hd_machine *machine, size_t length);

/* A data race: a state in which two threads have conflicting accesses next, at least one of
 * them plain.  In each execution those are the pairs of accesses that nothing else orders, so
 * a search that is complete has seen all there are. */
typedef struct hd_explore_collision {
    uint32_t threads[2], positions[2]; /* of the access that came first in this execution, and
                                          of the other */
    const hd_machine *machine;         /* whose run it is: of several workers, the worker's own */
    const struct hd_explore_path *path;
    uint32_t first, second; /* events */
    uint32_t words;         /* of the sets of the path (explore_wide.h) */
    bool unordered; /* no state has both next, as an atomic operation between them is needed; but
                       by the memory orders the first does not happen before the second */
} hd_explore_collision;

/* A schedule to that state, without what has nothing to do with it; or, `whole`, with all that
 * can come before it.  If they are unordered, a schedule that has both, and the second last.  Only
 * while the collision is being visited. */
void hd_explore_collision_schedule(const hd_explore_collision *collision, bool whole,
                                   hd_steps *steps);

/* The first location that both access, and one of them writes.  While it is being visited. */
uint32_t hd_explore_collision_location(const hd_explore_collision *collision);

/* Called for every one as it is met, again and again for the same two places, by one worker at a
 * time; not to touch the machine. */
typedef void hd_explore_collide(void *context, const hd_explore_collision *collision);

/* A section that was learnt (explore_learnt.h): the thread of each operation, thread by thread, and
 * where it is in the program. */
typedef void hd_explore_sectioned(void *context, hd_machine *machine, const uint32_t *threads,
                                  const uint32_t *positions, uint32_t count);

/* How far a search is, for people who wait for it. */
typedef struct hd_explore_status {
    uint64_t executions, steps;
    double seconds;
    double covered;  /* share of the search tree, as far as it is known by now; 0: unknown */
    double estimate; /* of the executions in all: executions / covered; 0: unknown */
    double error;    /* the standard error of that, as a part of it, where it is from samples; 0 */
} hd_explore_status;

typedef void hd_explore_tick(void *context, const hd_explore_status *status);

typedef struct hd_explore_options {
    enum hd_explore_algorithm algorithm;
    uint64_t most_executions; /* 0: no limit */

    /* Steps of one thread in an execution; 0: no limit.  A thread that has taken so many takes no
     * more, as if it waited; the others go on, so that a thread without end hides nothing of
     * them.  What is explored then is every execution in which no thread takes more, and so every
     * one that is no longer than that. */
    uint64_t most_steps;
    uint64_t most_length;        /* steps of one execution, at which it is given up; 0: no limit */
    double most_seconds;         /* 0: no limit */
    hd_explore_visit *visit;     /* may be NULL */
    hd_explore_glance *glance;   /* may be NULL */
    void (*anew)(void *context); /* all executions that the visitor was shown will be shown again;
                                    may be NULL */
    bool skip_complete;          /* the visitor is not shown executions that end well */
    hd_explore_tick *tick;       /* called a few times a second; may be NULL */
    bool estimates;              /* how much is covered is to be known, if it takes long */
    hd_explore_collide *collide; /* may be NULL */
    bool each_variable; /* unfold: two places that race are told for each variable, not for the
                           least alone: some of them may not count */
    hd_explore_sectioned *sectioned; /* may be NULL */
    void *context;                   /* of all of them */

    /* epor and epor-sh with source sets instead of wakeup trees, as published; they
     * may then run into blocked ends. */
    bool source_sets;

    /* epor and epor-sh of a machine that knows nothing ahead: executions that are learnt from
     * before the search begins, 0: as many as are useful; and whether a program that seems to be
     * one section is searched like others all the same.  For tests: less is known then, and more is
     * wrong. */
    uint32_t lessons;
    bool in_parts;

    /* unfold: executions are the classes by reads-from, each once.  An execution that fails counts
     * as the failing step with its past. */
    bool by_reads;

    /* Threads that the machine says are interchangeable are explored up to permutation
     * (explore_symmetry.h): dpor and sdpor. */
    bool symmetric;

    /* Workers: 0 and 1 are one.  More share the search tree if the search can part with
     * subtrees: naive, dpor, sdpor, odpor, unfold, and a program that is one section; the result
     * says how many there were.  The visitor and the tick are called by one at a time, in no
     * particular order; what is counted does not depend on it, but for `blocked`,
     * the checks, and the runs of unfold, which may be more of several workers than of one. */
    uint32_t threads;

    /* A bounded search, whatever the algorithm.  A preemption is a step of another
     * thread than the last one's while that one is enabled; to go on with another
     * where a thread blocks, waits or ends costs none.  Memory grows with the
     * prefixes of the executions, some hundred bytes each. */
    bool bounded;
    uint32_t preemptions;
    uint64_t most_prefixes; /* 0: no limit but that of 32-bit numbers */

    const struct hd_explore_keeper *keeper; /* may be NULL */
    const struct hd_explore_member *member; /* it is a part of a search by several processes */
} hd_explore_options;

typedef HD_VEC(hd_machine *) hd_explore_machines;

/* Keeps a search, so that another process can go on with it.  Not all can be kept. */
typedef struct hd_explore_keeper {
    double every; /* seconds between two times */

    /* What is open of the search, with the counts of what was done, as bytes.  Called by one worker
     * while the others wait, between two steps: whatever the visitor and the others were told by
     * then is counted there, and nothing else.  Also when a limit or a signal ends the search,
     * before it does.  The machines are those of the workers. */
    void (*keep)(void *context, const hd_explore_machines *machines, const hd_vec_char *frontier);
    void *context;
    const hd_vec_char *from; /* go on with this one; NULL: from the first state */
} hd_explore_keeper;

bool hd_explore_can_keep(const hd_explore_options *options);

/* Are these the bytes of a search that was kept?  For a machine of how many threads, and how many
 * executions it has counted. */
bool hd_explore_is_kept(const hd_vec_char *frontier, uint32_t *threads, uint64_t *executions);

/* What cut a search off. */
enum hd_explore_limit {
    HD_EXPLORE_NO_LIMIT,
    HD_EXPLORE_LIMIT_TIME,
    HD_EXPLORE_LIMIT_EXECUTIONS,
    HD_EXPLORE_LIMIT_STEPS,
    HD_EXPLORE_LIMIT_PREFIXES, /* of a bounded search */
    HD_EXPLORE_LIMIT_HANG,     /* none of these did, but a thread took no step */
    HD_EXPLORE_LIMIT_INTERRUPT,
    HD_EXPLORE_LIMITS
};

const char *hd_explore_limit_name(enum hd_explore_limit limit); /* "time"; NULL of none */

typedef struct hd_explore_result {
    uint64_t executions; /* maximal ones, those that end in deadlock or failure included */
    uint64_t blocked;    /* ends where every enabled thread sleeps, or waits in vain */
    uint64_t in_vain;    /* of these: no thread is enabled, so wakeup trees have them too */
    uint64_t deadlocks, violations;
    uint64_t cut;    /* ends where threads had taken all the steps that they may: no executions */
    uint64_t hung;   /* ends in a step that never ends: likewise */
    uint64_t traces; /* different ones, where the algorithm counts them (naive) */
    uint64_t dependency_checks;     /* comparisons of two operations' accesses */
    uint64_t race_checks;           /* searches for the races of one event */
    uint64_t unsatisfiable;         /* systems of constraints without a solution: always 0, since
                                       sections are walked without making any */
    uint64_t sections;              /* of eager partial order reduction, */
    uint64_t taken_back;            /* and those that were learnt and then not kept to */
    uint64_t steps;                 /* taken in all */
    uint64_t events;                /* unfold: different ones */
    enum hd_explore_algorithm used; /* what auto chose; or sdpor instead of unfold, for a machine
                                       that cannot be explored by reads-from */
    uint32_t threads;               /* workers */
    bool complete;                  /* the whole space was searched */
    bool stopped;                   /* by the visitor, or because the machine changed */
    bool strayed;                   /* the machine does not follow what was kept of a search */
    const char *differs; /* unfold, symmetry: how the machine is not what it said; NULL: it is */
    uint32_t classes;    /* of threads that are interchangeable, */
    uint32_t alike;      /* with so many threads */
    enum hd_explore_limit limit; /* what cut it off */
    double covered;              /* share of the search tree, by estimate; 1 if complete */
    double covered_error;        /* standard error of the executions in all that this assumes, as
                                    a part of them; 0: not known (explore_estimate.h) */

    /* Of a bounded search; it is complete if all within the bound was searched. */
    uint64_t prefixes; /* different ones */
    uint32_t levels;   /* everything with fewer preemptions than this was searched */
    bool beyond;       /* if complete: there are schedules beyond the bound.  If not, the
                          search has seen every trace */
} hd_explore_result;

const char *hd_explore_algorithm_name(enum hd_explore_algorithm algorithm);
bool hd_explore_algorithm_find(const char *name, enum hd_explore_algorithm *algorithm);

/* Explores from the machine's first state and leaves it there.  False, with an
 * error, if the machine cannot be explored. */
bool hd_explore_run(hd_machine *machine, const hd_explore_options *options,
                    hd_explore_result *result, hd_error *error);

/* The same in slices, between which others may search, with machines of their own.  A slice is over
 * after so many steps and as much other work of the machine, which is the same whenever it is
 * repeated, or after a few seconds; of an algorithm that cannot pause it is the whole search.  0:
 * to the end.  True if there is more to do. */
struct hd_explore_search *hd_explore_begin(hd_machine *machine, const hd_explore_options *options,
                                           hd_explore_result *result, hd_error *error);
bool hd_explore_go_on(struct hd_explore_search *search, uint64_t slice);

/* If there was more to do, the limit is what ended it; none: it was stopped. */
void hd_explore_finish(struct hd_explore_search *search, enum hd_explore_limit limit);

/* ---- Several processes (explore_team.h) ---- */

enum hd_explore_wanted {
    HD_EXPLORE_WANTED_NOTHING,
    HD_EXPLORE_WANTED_REPORT,
    HD_EXPLORE_WANTED_NODES, /* a report that gives nodes back, if there are some to give */
    HD_EXPLORE_WANTED_HALT,  /* a last report */
    HD_EXPLORE_WANTED_END    /* no report */
};

/* A process that explores a unit for another one. */
typedef struct hd_explore_member {
    double every; /* seconds between two reports */

    /* Is something wanted?  Asked now and then; and, `now`, what: then it will be done. */
    enum hd_explore_wanted (*wanted)(void *context, bool now);

    /* For the lead; whatever the visitor was told by then is counted in it. */
    void (*report)(void *context, const hd_explore_machines *machines, const hd_vec_char *report);
    void *context;
    const hd_vec_char *unit; /* what it explores, from the lead */
} hd_explore_member;

/* The process that leads.  Members have numbers from 1 on. */
typedef struct hd_explore_lead hd_explore_lead;

/* From what was kept of a search, or from the first state (NULL).  NULL: it is not one of a machine
 * with so many threads, by that algorithm. */
hd_explore_lead *hd_explore_lead_new(uint32_t threads, enum hd_explore_algorithm algorithm,
                                     const hd_vec_char *bytes);
void hd_explore_lead_free(hd_explore_lead *lead);

/* A unit for a member that has none; false if nothing is there to be explored now. */
bool hd_explore_lead_give(hd_explore_lead *lead, uint32_t member, hd_vec_char *unit);

/* Takes a member's report; it may be done with its unit.  False if it is no report. */
bool hd_explore_lead_take(hd_explore_lead *lead, uint32_t member, hd_bytes *report, bool *done);

/* The member is gone: its unit waits for another, as it was last reported. */
void hd_explore_lead_lose(hd_explore_lead *lead, uint32_t member);

/* What was counted, by the reports; more of it; and is all explored? */
const hd_explore_result *hd_explore_lead_counts(const hd_explore_lead *lead);
void hd_explore_lead_count(hd_explore_lead *lead, const hd_explore_result *more);
bool hd_explore_lead_over(const hd_explore_lead *lead);

/* As hd_explore_keeper.keep has it.  False if nothing was reported yet. */
bool hd_explore_lead_keep(hd_explore_lead *lead, hd_vec_char *frontier);

/* Counts as bytes, and back. */
void hd_explore_counts_put(const hd_explore_result *counts, hd_vec_char *to);
void hd_explore_counts_get(hd_explore_result *counts, hd_bytes *from);

/* What a search that was kept has counted.  False if these are not its bytes. */
bool hd_explore_kept_counts(const hd_vec_char *frontier, hd_explore_result *counts);

/* ---- Random runs ---- */

enum hd_explore_walk_kind {
    HD_EXPLORE_UNIFORM, /* each step is of one of the enabled threads, all alike */
    HD_EXPLORE_PCT,     /* probabilistic concurrency testing */
    HD_EXPLORE_POS,     /* partial order sampling */
    HD_EXPLORE_WALKS
};

enum { HD_EXPLORE_MAX_DEPTH = 64 };

typedef struct hd_explore_walk_options {
    enum hd_explore_walk_kind kind;
    uint64_t runs;
    uint64_t seed;               /* the same gives the same runs, on every machine */
    uint32_t depth;              /* d of PCT: ordering constraints that the bug needs, from 1 to
                                    HD_EXPLORE_MAX_DEPTH */
    uint64_t length;             /* k of PCT, if it is known; 0: it is learnt */
    uint64_t most_work;          /* steps, and as much other work of the machine, after which no run
                                    is begun; 0: no limit */
    uint64_t most_steps;         /* of one run; 0: no limit, and a run may never end */
    double most_seconds;         /* 0: no limit */
    hd_explore_visit *visit;     /* may be NULL */
    hd_explore_tick *tick;       /* called a few times a second; may be NULL */
    hd_explore_collide *collide; /* may be NULL */
    void *context;               /* of all of them */
} hd_explore_walk_options;

typedef struct hd_explore_walk_result {
    hd_explore_result seen; /* executions: runs that came to an end; traces: different ones
                               among them; limit: that on time, or on steps if a run was cut off;
                               never complete */
    uint64_t runs;          /* all that were begun */
    uint64_t cut;           /* runs cut off by the limit on steps */
    uint64_t longest;       /* k: steps of the longest run */
    uint32_t threads;       /* n */
    double guarantee;       /* PCT: chance of one run to meet a bug of depth d, at the least, in
                               a program of n threads and k steps: 1 / (n k^(d-1)).  0 for the
                               uniform kind, which has none */
} hd_explore_walk_result;

/* Runs from the machine's first state, again and again, and leaves it there.
 * Memory grows with the different traces, up to some 40 bytes each. */
bool hd_explore_walk(hd_machine *machine, const hd_explore_walk_options *options,
                     hd_explore_walk_result *result, hd_error *error);

/* ---- More threads ---- */

#ifdef HD_EXPLORE_WIDER
/* What the functions above do where the sets of this build do not suffice (explore_wide.h). */
struct hd_explore_search *HD_EXPLORE_WIDER(begin)(hd_machine *machine,
                                                  const hd_explore_options *options,
                                                  hd_explore_result *result, hd_error *error);
bool HD_EXPLORE_WIDER(go_on)(struct hd_explore_search *search, uint64_t slice);
void HD_EXPLORE_WIDER(finish)(struct hd_explore_search *search, enum hd_explore_limit limit);
bool HD_EXPLORE_WIDER(is_kept)(const hd_vec_char *frontier, uint32_t *threads,
                               uint64_t *executions);
bool HD_EXPLORE_WIDER(walk)(hd_machine *machine, const hd_explore_walk_options *options,
                            hd_explore_walk_result *result, hd_error *error);
void HD_EXPLORE_WIDER(collision_schedule)(const hd_explore_collision *collision, bool whole,
                                          hd_steps *steps);
uint32_t HD_EXPLORE_WIDER(collision_location)(const hd_explore_collision *collision);
#endif

#endif
