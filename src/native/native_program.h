/*
 * The inside of a program as a machine, for the files that make it up: native_machine.c is the
 * machine, native_machine_runs.c has the logs of its runs, native_machine_words.c has text for
 * people, native_machine_threads.c the threads that operations are ordered with,
 * native_machine_trace.c makes events of steps, native_machine_shared.c the text of what
 * was learnt, native_machine_wishes.c predicts runs and requests several at once.
 */
#ifndef HD_NATIVE_PROGRAM_H
#define HD_NATIVE_PROGRAM_H

#include "native_audit.h"
#include "native_locations.h"
#include "native_machine.h"
#include "native_prefetched.h"
#include "native_server.h"
#include "native_unseen.h"
#include "predict/predict.h"
#include "recording/recording.h"
#include "symbols/symbols.h"

/* Logs that are kept: an explorer looks at a run, at another way to go on, and at the run
 * again. */
enum { HD_NATIVE_LOGS = 4 };

/* What a step changed. */
typedef struct hd_native_taken {
    uint32_t before;  /* number of its thread's next operation before it: the one taken */
    uint32_t changes; /* how many there were before it */
} hd_native_taken;

/* The next operation of a thread is another. */
typedef struct hd_native_change {
    uint32_t thread, before;
} hd_native_change;

struct hd_native_program {
    hd_machine base;
    hd_native_machine_options options;
    hd_native_server server;
    hd_launch_log logs[HD_NATIVE_LOGS];
    hd_launch_log
        *log; /* that has the current path; NULL if the path is empty and nothing has been run */
    uint64_t uses;
    hd_native_prefetched prefetched; /* more logs */
    hd_predict_runs predictor;
    int child; /* whose runs the predictor has seen */
    hd_native_tally tally;
    hd_native_audit audit;
    const hd_launch_log *drawn; /* the random run that is being looked at (native_drawn.c) */
    bool told;                  /* runs were predicted since the machine was renewed */

    HD_VEC(heddle_wire_decision) path;
    HD_VEC(hd_native_taken) taken;
    HD_VEC(hd_native_change) changes;
    uint32_t next[HEDDLE_WIRE_EXPLORED]; /* number in the log's list from 1 on, 0: not born */
    bool failed;                         /* the last step */

    hd_native_locations locations;
    hd_native_accesses accesses[HEDDLE_WIRE_EXPLORED];
    uint64_t ended_more[HD_MACHINE_MORE]; /* of the operation that was asked for last */
    HD_VEC(uint64_t) fresh;               /* words to be shared */
    uint32_t ends;                        /* why those of threads are steps: HEDDLE_WIRE_ENDS_... */
    uint32_t loop_news;                   /* that are known */
    uint32_t awaits_news;
    uint32_t copies;                      /* places where copies are known to be */
    uint32_t section_news; /* of atomic sections that ask for inputs, that are known */
    uint64_t targets;      /* threads that are known to be sent signals */
    uint32_t exits;        /* as heddle_wire_explore.exits */
    uint32_t caught;       /* functions that have state after all */
    bool resumed;          /* it goes on after a checkpoint */
    uint64_t stays_since;  /* what was done before values were found that make a loop wait, */
    bool stays_more;       /* and that are not used yet; */
    bool vain_more;        /* that are missed, and are perhaps found out before the next search */
    uint64_t runs, vain;   /* of this search, and those in which threads waited in vain; */
    uint64_t runs_before;  /* of the last one that was started over because of these; 0: none */
    uint64_t vain_before;
    uint32_t to_learn;     /* runs that were made to learn from; their seeds */
    bool learnt_all;       /* the last ones showed nothing new; */
    size_t steps_to_learn; /* before the last search */
    uint32_t reach_news;   /* heddle_wire_reaches.news when the search began */
    uint64_t audited_at;   /* when a run was audited last: runs before it */
    hd_map tried;          /* locks that threads try, by address; only for native_reads.c, */
    hd_map writers;        /* threads that write words, by word; */
    hd_map looked;         /* words that a thread alone looked at, */
    hd_vec_u64 looks;      /* the same in a list (native_reads_alone.c); */
    const char *unread;    /* as what it does not support; NULL: nothing so far */
    bool locks;            /* threads take some; likewise */
    bool clock;            /* they ask for the time; likewise */
    bool races, outcomes;  /* are looked for: likewise */
    bool changed;
    bool lost; /* it changed, and then a step was asked for that no longer exists */
    uint32_t refused;
    uint32_t unproved; /* pairs of accesses: see native_machine.h */
    hd_error broken;

    hd_native_unseen *unseen; /* one for the machine and its copies */
    bool copied;
    bool asleep;   /* it has no program yet, */
    pid_t starter; /* or one that ends with this thread; 0: that does not matter */

    hd_symbols *symbols;
    hd_recording_memory *memory;
    uint32_t blocks_of;    /* the run whose blocks of the heap are known by name, */
    uint32_t functions_of; /* and whose functions, with what is on stacks */
    HD_VEC(char *) thread_names, location_names;
    HD_VEC(char *)
    old_names; /* of locations, in other runs; callers may still have pointers to them */
};

static inline hd_native_program *hd_native_program_of(hd_machine *machine) {
    return (hd_native_program *)machine;
}

static inline const hd_native_program *hd_native_program_const(const hd_machine *machine) {
    return (const hd_native_program *)machine;
}

/* Can it not be explored, or not before it is renewed? */
static inline bool hd_native_program_broken(const hd_native_program *m) {
    return m->lost || m->broken.text[0];
}

static inline const heddle_wire_step *hd_native_program_step(const hd_native_program *m) {
    return m->path.length ? &m->log->steps.data[m->path.length - 1] : NULL;
}

/* The last entry of the log for a thread: its pending operation, or its end; NULL: nothing yet. */
static inline const heddle_wire_next *hd_native_program_logged(const hd_native_program *m,
                                                               uint32_t thread) {
    assert(!m->next[thread] || (m->log && m->log->nexts.length >= m->next[thread]));
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what was logged is in the log
    return m->next[thread] ? &m->log->nexts.data[m->next[thread] - 1] : NULL;
}

/* The thread's pending operation; NULL if it has ended. */
const heddle_wire_next *hd_native_program_pending(const hd_native_program *m, uint32_t thread);

/* The operation that the last step took. */
heddle_wire_operation hd_native_program_last(const hd_native_program *m, uint32_t *thread);

/* native_machine_runs.c: a log with the current path, by a run if necessary; a run whatever logs
 * there are, with what the search will ask for later, or, `make`, without; and what a run showed
 * that was not known. */
bool hd_native_program_has_path(const hd_native_program *m, const hd_launch_log *log);
void hd_native_program_find_log(hd_native_program *m);
void hd_native_program_forget_logs(hd_native_program *m);
void hd_native_program_run(hd_native_program *m);
void hd_native_program_make_log(hd_native_program *m, uint64_t asleep);
void hd_native_program_saw_new(hd_native_program *m);

/* Are its runs for the search through states (native_states.h)?  Then steps may be asked for that
 * are not possible. */
static inline bool hd_native_program_guesses(const hd_native_program *m) {
    return m->server.explore->locals_wanted != 0;
}

/* native_learning.c: is something known that would be of use in another search?  Now that one
 * begins: are runs to be made before it?  These runs. */
bool hd_native_program_reaches_more(const hd_native_program *m);
bool hd_native_program_begins_learning(hd_native_program *m);
void hd_native_program_learn_first(hd_native_program *m);

/* native_drawn.c: random runs, hd_machine_type.draw. */
void hd_native_program_draw(hd_machine *machine, const hd_machine_drawing *how);
bool hd_native_program_drawn(hd_machine *machine, hd_step *step);
/* It has come to the end of the run that was drawn, where threads wait for ever and others only for
 * a time. */
bool hd_native_program_drawn_out(const hd_native_program *m);

/* native_machine_wishes.c: tells the server what the search will ask for besides the current path
 * and is not there yet, with keys; keeps the logs of what was executed. */
void hd_native_program_wish(hd_native_program *m, uint64_t *keys);
void hd_native_program_keep(hd_native_program *m, const uint64_t *keys);

/* Also there: a log of the current path without a run; false if it cannot be predicted.  And to be
 * called after a run, whose log is the machine's: false if it shows that predictions were wrong. */
bool hd_native_program_predict(hd_native_program *m, hd_launch_log *log);
bool hd_native_program_saw(hd_native_program *m);

/* native_machine_threads.c: adds the threads that an operation is ordered with. */
void hd_native_program_threads(hd_native_program *m, uint32_t thread, const heddle_wire_next *about,
                               bool succeeds, hd_machine_operation *operation);

/* And: can the runs of this program be predicted, as far as is known? */
bool hd_native_program_predictable(const hd_native_program *m);

/* native_machine_stack.c: runs the current path once more in a process of its own, with a request
 * for more information (a word of heddle_wire_explore). */
void hd_native_program_look(hd_native_program *m, uint32_t *wanted);

/* native_machine_words.c */
void hd_native_program_need_symbols(hd_native_program *m);
bool hd_native_program_has_value(const heddle_wire_operation *operation);
int64_t hd_native_program_value(uint64_t value, uint32_t size);
void hd_native_program_thread(const hd_native_program *m, uint32_t thread, hd_vec_char *to);
void hd_native_program_object(hd_native_program *m, uint64_t address, bool whole, hd_vec_char *to);
void hd_native_program_forget(hd_native_program *m);
const char *hd_native_program_thread_name(hd_machine *machine, uint32_t thread);

/* native_alike.c: as hd_machine_type.alike. */
uint32_t hd_native_program_alike(hd_machine *machine, uint32_t thread, uint32_t *creator);
const char *hd_native_program_location_name(hd_machine *machine, uint32_t location);
uint64_t hd_native_program_location_order(const hd_machine *machine, uint32_t location);
void hd_native_program_describe(hd_machine *machine, uint32_t thread, hd_vec_char *to);
void hd_native_program_failure(hd_machine *machine, hd_vec_char *to);

/* native_machine_shared.c: what another process of the program must know to number threads and
 * words as this one does; what a copy of the machine learnt. */
void hd_native_program_equip(heddle_wire_explore *to, const hd_native_program *m);
void hd_native_program_learn(hd_machine *machine, const hd_machine *other);

/* The words of stacks that runs have shown others to write are no part of the state of a thread
 * from now on.  True if there were new ones. */
bool hd_native_program_lends(hd_native_program *m);

/* What is known of loops holds from now on. */
void hd_native_program_use_loops(hd_native_program *m);

/* Is more known of waits of C++'s atomics than the search began with? */
bool hd_native_program_awaits_more(const hd_native_program *m);

/* native_machine_facts.c: the last step may have been an atomic section. */
void hd_native_program_note_body(hd_native_program *m);

/* native_machine_trace.c */
void hd_native_program_record(hd_machine *machine, hd_trace *trace);
bool hd_native_program_touched(hd_machine *machine, uint64_t *low, uint64_t *high);

/* The memory order of an atomic access or a fence, enum heddle_order. */
uint8_t hd_native_program_order(const heddle_wire_operation *operation, bool succeeded);

#endif
