/*
 * A real program as a machine.  The program waits where main is about to run, and forks a child for
 * every run or restores its memory (heddle/wire.h).  A run gets the steps taken so far as decisions
 * and goes on to its end, and its log answers everything about these steps.  So a step that a
 * recent run took in the same place costs nothing, taking a step back costs nothing, and a step
 * that no run took there costs a run.
 *
 * A thread's steps are its operations on synchronisation objects, its atomic operations, and its
 * plain accesses to words that are known to be shared.  Which ones are is learnt from the runs: a
 * run that shows more, a new thread, or accesses of other sizes than before, leaves the machine
 * *changed*.  Earlier answers stay as they were; the machine must then be renewed, and the search
 * started over.
 *
 * Locations, and what operations do there:
 *
 *   the process         read by all; written by exit and by pthread_cancel
 *   granule of memory   loads read, stores and updates write; a compare-and-swap that would
 *                       fail reads, so it varies
 *   mutex, spin lock    acquire, release; a try, or a timed call, writes and acquires it if it
 *                       succeeds and reads it if not
 *   condition, barrier  wait and notify write it, and so does a wake that may time out;
 *                       arriving writes it, or only orders (native_locations.c)
 *   flag of a thread    a thread that notifies, completes a barrier or wakes from a futex call
 *                       hands it to those that wait there; going on takes it
 *   thread              fork, the start, the end and join, which only order
 *   end of a thread     written by it, read by a thread that tries to join
 *   read-write lock     readers read, writers write; both await
 *   semaphore           a post reads, a wait awaits and writes, so that posts are independent
 */
#ifndef HD_NATIVE_MACHINE_H
#define HD_NATIVE_MACHINE_H

#include "launch/launch.h"
#include "machine/machine.h"

/* Runs that were executed; that were predicted instead; of the first, those that were compared with
 * a prediction, and those in which functions were checked against the table (rt_audit.c). */
typedef struct hd_native_tally {
    uint64_t done, predicted, checked, audited;
} hd_native_tally;

typedef struct hd_native_machine_options {
    char **argv;
    uint32_t most_steps; /* of a thread in a run */
    double patience;     /* seconds without a step after which the run is ended; 0: 10 */
    double until;        /* no run goes on after this time of CLOCK_MONOTONIC; 0: no limit */
    bool tsan;
    char *const *words; /* launch_options.h */
    size_t word_count;
    bool by_fork;  /* every run in a process of its own, not many in one */
    bool awaits;   /* what makes a loop wait is learnt, and not executed again */
    bool predicts; /* runs that need not be executed are predicted (predict_runs.h) */
    hd_native_tally
        *tally; /* the counts of copies of the machine are added to it when they are freed */
    bool again; /* the program was started before, so the start is given more time */
    bool cold;  /* it knows no shared words and no threads except main, until they are added */
    /* Is a mark with this label, or output (NULL), of no account if it is made there?  Asked by
     * several threads, again and again; place and function may be empty.  NULL: all count. */
    bool (*leaves_out)(void *context, const char *label, const char *place, const char *function);
    void *leaves_out_context;
} hd_native_machine_options;

/* How runs go on after the steps that were asked for: with the lowest thread that can, preferably
 * `first`, never `parked`, each the number of a thread + 1, or 0; with a seed, threads are drawn at
 * random.  This only affects which steps cost a run. */
enum { HD_NATIVE_ALL_PARKED = -1 /* `parked`: every thread */ };

/* `first`: any thread but this one, which waits for the others. */
static inline uint32_t hd_native_last(uint32_t thread) {
    return UINT32_MAX - thread;
}

typedef struct hd_native_manner {
    uint32_t first, parked;
    uint64_t seed;
    uint32_t drawing, depth; /* enum heddle_wire_drawing; of priorities */
    uint64_t length;         /* likewise */
    uint32_t most_steps;     /* where a run is cut, if less than the limit */
} hd_native_manner;

/* The most steps of a run; and where it is cut by default: a search meets many runs that never
 * end. */
enum { HD_NATIVE_MOST_STEPS = HEDDLE_WIRE_STEPS, HD_NATIVE_USUAL_STEPS = 1 << 16 };

/* NULL, with an error, if it cannot be run. */
hd_machine *hd_native_machine_create(const hd_native_machine_options *options, hd_error *error);
bool hd_native_is_machine(const hd_machine *machine);

/* A copy that has no program yet, for what may never be needed: it starts with `wake`, which comes
 * before anything is asked of the copy, and again where another thread uses it, as a program ends
 * with the thread that started it.  True if it was started now: then the machine must be renewed.
 */
hd_machine *hd_native_machine_copy_asleep(const hd_machine *machine);
bool hd_native_machine_wake(hd_machine *machine);

/* Does the thread only look whether an invariant holds (heddle/test.h)?  How many others are
 * there? */
bool hd_native_machine_monitors(const hd_machine *machine, uint32_t thread);
uint32_t hd_native_machine_own_threads(const hd_machine *machine);

/* From now on every run has a process of its own.  And why it has although many runs in one process
 * were wanted; NULL if it has not. */
void hd_native_machine_by_fork(hd_machine *machine);

/* From now on every round of a loop is executed; false if that was so before. */
bool hd_native_machine_every_round(hd_machine *machine);
void hd_native_machine_learn_no_rounds(hd_machine *machine);  /* what is known stays */
bool hd_native_machine_leaves_out(const hd_machine *machine); /* some are not */

/* Places where threads wait instead of giving back what they have (rt_backoff.c). */
uint32_t hd_native_machine_backs(const hd_machine *machine);

/* Have threads that count as interchangeable left addresses of their own where others find them? */
bool hd_native_machine_shows_alike(hd_machine *machine);

/* Does the program, or a library that it was linked with, have a function of that name, as far as
 * its symbols say? */
bool hd_native_machine_has_function(hd_machine *machine, const char *name, size_t length);
const char *hd_native_machine_why_fork(const hd_machine *machine);

/* A schedule that the machine found cannot be repeated in a process of its own; `why` says how it
 * differs.  From now on nothing is restored or predicted, and the search must start over.  False if
 * nothing was: then the program itself does not do the same twice. */
bool hd_native_machine_mistrust(hd_machine *machine, const char *why);

/* A search saw that steps are not what they were, and some of these were predicted: from now on
 * none is, and the machine counts as changed.  False: none was predicted. */
bool hd_native_machine_doubt(hd_machine *machine, const char *why);

/* Runs so far, including those of copies that were freed.  And why runs are no longer predicted
 * although they were; NULL if that is not so. */
hd_native_tally hd_native_machine_tally(const hd_machine *machine);
const char *hd_native_machine_why_done(const hd_machine *machine);

/* Its runs are added to this tally when it is freed, and those of copies made from now on. */
void hd_native_machine_count_in(hd_machine *machine, hd_native_tally *tally);

/* Suppressions that the program has itself, as a text; NULL: none. */
const char *hd_native_machine_suppressions(const hd_machine *machine);

/* Has the machine changed (see above)?  Then it must be renewed. */
bool hd_native_machine_changed(const hd_machine *machine);

/* The same when a search has come to its end: what became known that can wait until then changes
 * the machine, too. */
bool hd_native_machine_settle(hd_machine *machine);
void hd_native_machine_renew(hd_machine *machine);

/* From now on operations tell what they read and write, and the starts and ends of threads and all
 * joins are steps; or no longer.  Races and outcomes are looked for, or not.  The machine must be
 * renewed. And an operation that cannot be told so, as text; NULL: none was met. */
void hd_native_machine_by_reads(hd_machine *machine, bool on, bool races, bool outcomes);
const char *hd_native_machine_unread(const hd_machine *machine);

/* Constants that the program compares inputs with were found, and inputs do not have these values
 * yet: they have from now on, and the machine must be renewed. */
bool hd_native_machine_widen(hd_machine *machine);

/* Sets the manner from now on; logs of earlier runs are still used. */
void hd_native_machine_manner(hd_machine *machine, hd_native_manner manner);

/* A run from the first state to its end in the current manner, whatever ran before.  Afterwards the
 * machine is in the first state, and taking these steps costs nothing.  False if the run was cut at
 * the limit on steps, or hung. */
bool hd_native_machine_whole_run(hd_machine *machine, hd_steps *steps);

/* Did the last run stop because a thread took no step for long?  As text: which thread, where, and
 * whether it waits inside the C library; call it right after the step that never ended. */
bool hd_native_machine_hung(const hd_machine *machine);
void hd_native_machine_hang(hd_machine *machine, hd_vec_char *to);

/* What the runtime found wrong in the last run and stopped it for (heddle/fault.def); NULL: it was
 * not stopped for such a thing. */
const char *hd_native_machine_fault(const hd_machine *machine);

/* No run goes on after that time of CLOCK_MONOTONIC; 0: no limit. */
void hd_native_machine_until(hd_machine *machine, double until);

/* The program did not do the same twice, or died: what is wrong; NULL: nothing. */
const char *hd_native_machine_broken(const hd_machine *machine);

/* From now on a thread is cut off after so many steps of a run.  The machine is in its first
 * state. */
void hd_native_machine_depth(hd_machine *machine, uint32_t steps);

/* It did not follow a search that is known to ask for too much: it counts as changed then.  False
 * if it is not broken. */
bool hd_native_machine_forgive(hd_machine *machine);

/* Does a thread wait for ever because an assumption does not hold?  Then the threads that wait with
 * it are not deadlocked: this run does not count.  Nor are they if the program says so
 * (heddle_rt_stuck). */
bool hd_native_machine_assumed(const hd_machine *machine);

/* Did the run end in an atomic section in which an assumption does not hold?  It is no way to end:
 * the section does not run until the assumption holds. */
bool hd_native_machine_pruned(const hd_machine *machine);

/* Adds the number of pairs of accesses that nothing visible orders, but that could not be made
 * adjacent: something invisible orders them. */
void hd_native_machine_note_unproved(hd_machine *machine, uint32_t pairs);
uint32_t hd_native_machine_unproved(const hd_machine *machine);

/* The most calls in a run that cannot be done under control, such as fork. */
uint32_t hd_native_machine_refused(const hd_machine *machine);

/* How the last step failed: "assertion", "abort", "signal", "exit", or one of
 * heddle/fault.def; and where. */
const char *hd_native_failed_rule(const hd_machine *machine);
void hd_native_failed_place(hd_machine *machine, hd_vec_char *to);
uint32_t hd_native_failed_position(const hd_machine *machine);

/* A number for the file and line that an assertion names, as the same operation may come before
 * several; 0: it names none. */
uint32_t hd_native_failed_line(const hd_machine *machine);
uint32_t hd_native_failed_thread(const hd_machine *machine);

/* The end and the output of the run that has the steps taken so far: for a complete execution, its
 * own. */
typedef struct hd_native_outcome {
    int status;         /* as from waitpid */
    uint64_t wrote;     /* bytes on standard output, */
    uint64_t sum;       /* their hash, with that of the marks, */
    const char *output; /* and the first of them; belongs to the machine, as the others */
    size_t shown;
    const char *marks; /* lines "THREAD LABEL" and "THREAD LABEL=VALUE", thread by thread */
    size_t marked;
    const char *inputs; /* lines "THREAD VALUE", likewise */
    size_t asked;
    bool unsaid; /* there was no room for all of these */
} hd_native_outcome;

void hd_native_machine_outcome(const hd_machine *machine, hd_native_outcome *outcome);

/* The stacks of the threads that wait at the end of the current path, or of the one that fails
 * there: lines "NAME at FUNCTION (FILE:LINE)", each preceded by `indent`.  Runs the program once
 * more.  The first is for one thread; it prints nothing if the thread has no stack. */
void hd_native_machine_stack(hd_machine *machine, uint32_t thread, const char *indent,
                             hd_vec_char *to);

/* The same as frames, the innermost first. */
typedef struct hd_native_frame {
    char *function; /* NULL if not known, as the place */
    char *place;    /* "file.c:12" */
} hd_native_frame;

typedef struct hd_native_frames {
    HD_VEC(hd_native_frame) all;
    bool more; /* there are more frames below them */
} hd_native_frames;

void hd_native_machine_frames(hd_machine *machine, uint32_t thread, hd_native_frames *frames);
void hd_native_frames_release(hd_native_frames *frames);

/* Who failed: hd_native_failed_thread, unless another thread ran on after that step, without one of
 * its own, and failed there.  The program is run once more for that. */
uint32_t hd_native_fallen_thread(hd_machine *machine);

/* Is the thread's next operation a wait for the end of another? */
bool hd_native_next_joins(hd_machine *machine, uint32_t thread);

/* A wait for what another thread does: a notification, a unit of a semaphore, the others at a
 * barrier? */
bool hd_native_next_waits(hd_machine *machine, uint32_t thread);

/* An operation on a lock, a condition, a barrier or a semaphore, which is told by its address? */
bool hd_native_next_uses(hd_machine *machine, uint32_t thread);

/* The address of the thread's next operation, 0 if it has none. */
uint64_t hd_native_next_address(hd_machine *machine, uint32_t thread);

/* The thread's next operation as text, without the thread's name and the place; and what it
 * accesses, nothing if that is not memory.  If it is, the text ends with it. */
void hd_native_next_words(hd_machine *machine, uint32_t thread, hd_vec_char *words,
                          hd_vec_char *variable);

/* "file.c:12" of an operation's position. */
void hd_native_place(hd_machine *machine, uint32_t position, hd_vec_char *to);

/* The function that it is in; nothing if that is not known. */
void hd_native_function(hd_machine *machine, uint32_t position, hd_vec_char *to);

/* What the last step read or wrote, and the value there; false if that is not known. */
bool hd_native_step_value(hd_machine *machine, hd_vec_char *variable, int64_t *value);

/* The shared words as text, to be freed; and back. */
void hd_native_machine_words(const hd_machine *machine, hd_launch_words *words);
bool hd_native_machine_add_word(hd_machine *machine, const char *word);

/* All that was learnt, as bytes, and back: then the machine was not used yet.  False if it is not
 * the same machine after that, so that a search which began with the other cannot go on. */
void hd_native_machine_put(const hd_machine *machine, hd_vec_char *to);
bool hd_native_machine_get(hd_machine *machine, const hd_vec_char *bytes);

#endif
