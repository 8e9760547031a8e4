/*
 * A real program as a machine.  The program waits where main is about to run, and forks a
 * child for every run (heddle/wire.h); a run is given the steps taken so far as decisions and
 * goes on to its end, and its log answers all that is asked of these steps.  So a step that
 * the last runs took in the same place costs nothing, taking one back costs nothing, and one
 * that no run took there costs a run.
 *
 * A thread's steps are its operations on synchronisation objects, its atomic operations, and
 * its plain accesses to words that are known to be shared.  Which ones are is learnt from the
 * runs: a run that shows more, a new thread, or accesses of other sizes than before, leaves
 * the machine *changed*.  What was asked before stays as it was; the machine is then to be
 * renewed, and what was searched is to be searched again.
 *
 * Locations, and what operations do there:
 *
 *   the process         read by all; written by exit and by pthread_cancel
 *   granule of memory   loads read, stores and updates write; a compare-and-swap that would
 *                       fail reads, so it varies
 *   mutex, spin lock    acquire, release; a try, or a timed call, writes and acquires it if it
 *                       succeeds and reads it if not
 *   condition, barrier  wait and notify write it, and so does a wake that may time out;
 *                       arriving writes it
 *   flag of a thread    who notifies, or lets out of a barrier, or wakes from a futex call,
 *                       hands it to those that wait there; going on takes it
 *   thread              fork, the start, the end and join, which only order
 *   end of a thread     written by it, read by who tries to join
 *   read-write lock     readers read, writers write; both await
 *   semaphore           a post reads, a wait awaits and writes, so that posts are independent
 */
#ifndef HD_NATIVE_MACHINE_H
#define HD_NATIVE_MACHINE_H

#include "launch/launch.h"
#include "machine/machine.h"

/* Runs that were done; that were not, but predicted; of the first, those that were held against
 * a prediction, and those in which functions were held to what is said of them. */
typedef struct hd_native_tally {
    uint64_t done, predicted, checked, audited;
} hd_native_tally;

typedef struct hd_native_machine_options {
    char **argv;
    uint32_t most_steps; /* of a thread in a run */
    double patience;     /* seconds without a step, then the run is ended; 0: 10 */
    double until;        /* no run goes on behind it: a time of CLOCK_MONOTONIC; 0: there is none */
    bool tsan;
    char *const *words; /* launch_options.h */
    size_t word_count;
    bool by_fork;           /* every run in a process of its own, not many in one */
    bool predicts;          /* runs that need not be done are not (predict_runs.h) */
    hd_native_tally *tally; /* what copies of the machine did is added to it when they go */
    bool cold; /* it knows no shared words and no threads but main, until they are added */
} hd_native_machine_options;

/* How runs go on behind the steps that were asked for: with the lowest thread that can, or
 * rather with one of `first`, never with one of `parked`; with a seed threads are drawn.
 * It changes nothing but what costs a run. */
typedef struct hd_native_manner {
    uint64_t first, parked, seed;
    uint32_t most_steps; /* where a run is cut, if that is before the limit */
} hd_native_manner;

/* Steps of a run, at most; and where it is cut if nobody says: who explores meets many runs
 * that never end. */
enum { HD_NATIVE_MOST_STEPS = HEDDLE_WIRE_STEPS, HD_NATIVE_USUAL_STEPS = 1 << 16 };

/* NULL, with an error, if it cannot be run. */
hd_machine *hd_native_machine_create(const hd_native_machine_options *options, hd_error *error);
bool hd_native_is_machine(const hd_machine *machine);

/* From now on every run has a process of its own; and whether, and why, it has although many
 * in one were wanted: NULL if not. */
void hd_native_machine_by_fork(hd_machine *machine);
const char *hd_native_machine_why_fork(const hd_machine *machine);

/* A schedule that the machine found cannot be run in a process of its own, and the words say how:
 * from now on nothing is restored or predicted, and the search is to start over.  False if nothing
 * was: then it is the program that does not do the same twice. */
bool hd_native_machine_mistrust(hd_machine *machine, const char *why);

/* Runs so far, with those of copies that have gone.  And why none is foretold any more although
 * they were: NULL if that is not so. */
hd_native_tally hd_native_machine_tally(const hd_machine *machine);
const char *hd_native_machine_why_done(const hd_machine *machine);

/* Did it turn out that the machine is another?  Then it is to be renewed. */
bool hd_native_machine_changed(const hd_machine *machine);
void hd_native_machine_renew(hd_machine *machine);

/* From now on; what the logs of earlier runs know is asked of them all the same. */
void hd_native_machine_manner(hd_machine *machine, hd_native_manner manner);

/* A run from the first state to its end, in the present manner whatever ran before.  The
 * machine is in the first state then, and to take these steps costs nothing.  False if the
 * run was cut at the limit on steps, or hung. */
bool hd_native_machine_whole_run(hd_machine *machine, hd_machine_schedule *steps);

/* Did the last run stop because a thread took no step for long?  In words: which thread, where, and
 * whether the C library waits; right behind the step that never ended. */
bool hd_native_machine_hung(const hd_machine *machine);
void hd_native_machine_hang(hd_machine *machine, hd_vec_char *to);

/* No run goes on behind that time of CLOCK_MONOTONIC; 0: there is no limit. */
void hd_native_machine_until(hd_machine *machine, double until);

/* The program did not do the same twice, or died: what is wrong, NULL if nothing is. */
const char *hd_native_machine_broken(const hd_machine *machine);

/* Does a thread wait for ever because an assumption does not hold?  Then who waits with it is
 * not stuck: this run is none that counts. */
bool hd_native_machine_assumed(const hd_machine *machine);

/* Two accesses that nothing seen orders could not be made next to each other: something that is
 * not seen does order them.  How many such pairs there were. */
void hd_native_machine_note_unproved(hd_machine *machine, uint32_t pairs);
uint32_t hd_native_machine_unproved(const hd_machine *machine);

/* Calls of a run, at most, that cannot be done under control, such as fork. */
uint32_t hd_native_machine_refused(const hd_machine *machine);

/* Of the step that failed: "assertion", "abort", "use-after-free", "signal", "exit"; and where. */
const char *hd_native_failed_rule(const hd_machine *machine);
void hd_native_failed_place(hd_machine *machine, hd_vec_char *to);
uint32_t hd_native_failed_position(const hd_machine *machine);
uint32_t hd_native_failed_thread(const hd_machine *machine);

/* How the run ended that has the steps taken so far, and what it wrote: of an execution that
 * is complete, its own. */
typedef struct hd_native_outcome {
    int status;         /* as from waitpid */
    uint64_t wrote;     /* bytes on standard output, */
    uint64_t sum;       /* their hash, */
    const char *output; /* and the first of them; belongs to the machine */
    size_t shown;
} hd_native_outcome;

void hd_native_machine_outcome(const hd_machine *machine, hd_native_outcome *outcome);

/* The stacks of the threads that wait at the end of the present path, or of the one that
 * fails there: lines "NAME at FUNCTION (FILE:LINE)", each with `indent` in front.  Runs the
 * program once more.  Of one thread only; nothing if it has none. */
void hd_native_machine_stack(hd_machine *machine, uint32_t thread, const char *indent,
                             hd_vec_char *to);

/* The same as frames, the innermost first. */
typedef struct hd_native_frame {
    char *function; /* NULL if not known, as the place */
    char *place;    /* "file.c:12" */
} hd_native_frame;

typedef struct hd_native_frames {
    HD_VEC(hd_native_frame) all;
    bool more; /* there are others below them */
} hd_native_frames;

void hd_native_machine_frames(hd_machine *machine, uint32_t thread, hd_native_frames *frames);
void hd_native_frames_release(hd_native_frames *frames);

/* The thread's next operation in words, without its name and its place; and what it accesses,
 * nothing if that is no memory. */
void hd_native_next_words(hd_machine *machine, uint32_t thread, hd_vec_char *words,
                          hd_vec_char *variable);

/* "file.c:12" of an operation's position. */
void hd_native_place(hd_machine *machine, uint32_t position, hd_vec_char *to);

/* The function that it is in; nothing if that is not known. */
void hd_native_function(hd_machine *machine, uint32_t position, hd_vec_char *to);

/* What the last step read or wrote, "counter = 3"; nothing if that is not known. */
void hd_native_step_value(hd_machine *machine, hd_vec_char *to);

/* The shared words as text, a word each, to be freed; and back. */
void hd_native_machine_words(const hd_machine *machine, hd_launch_words *words);
bool hd_native_machine_add_word(hd_machine *machine, const char *word);

#endif
