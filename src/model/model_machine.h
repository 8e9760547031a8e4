/*
 * The inside of a model's machine.
 *
 * The state is an array of cells; a step keeps the old value of every cell that it changes in a
 * log, and undoing puts them back.  Looking at the next operation of a thread, when its accesses
 * are not known beforehand, runs it with a recorder and takes it back, so that they are exact.
 *
 * What was found by looking is kept for each thread until the thread moves or a
 * location that the operation accesses changes: steps and undos are counted by
 * a clock, cells and threads are stamped with it.
 */
#ifndef HD_MODEL_MACHINE_H
#define HD_MODEL_MACHINE_H

#include "model_program.h"

/* How running an operation's code ended. */
enum hd_model_outcome { HD_MODEL_RAN, HD_MODEL_BLOCKED, HD_MODEL_FAILED };

enum hd_model_failure_kind {
    HD_MODEL_NO_FAILURE,
    HD_MODEL_FAIL_ASSERTION,
    HD_MODEL_FAIL_DIVISION,
    HD_MODEL_FAIL_INDEX,
    HD_MODEL_FAIL_UNLOCK,
    HD_MODEL_FAIL_WAIT,
    HD_MODEL_FAIL_LOCAL_LOOP,
    HD_MODEL_FAIL_ATOMIC_LOOP
};

typedef struct hd_model_failure {
    uint8_t kind;
    uint32_t position;
    uint32_t thread;
    uint32_t array; /* of an index */
    uint32_t cell;  /* of a mutex */
    int64_t index;
} hd_model_failure;

typedef struct hd_model_change {
    uint32_t cell;
    int64_t old;
} hd_model_change;

typedef struct hd_model_step {
    size_t log;
    uint32_t thread, choice;
} hd_model_step;

/* Does an operation close a round (model_rounds.c)? */
enum hd_model_round { HD_MODEL_NO_ROUND, HD_MODEL_WAIT_ROUND, HD_MODEL_RETRY_ROUND };

/* What looking at a thread's operation found. */
typedef struct hd_model_look {
    uint64_t stamp;
    HD_VEC(hd_machine_access) accesses;
    uint32_t choices;
    bool enabled;
    bool failed;     /* taking it will fail */
    bool assumption; /* it is an assumption that does not hold */
    uint8_t round;   /* enum hd_model_round */
    bool round_known, may_close;
    uint64_t may_close_stamp; /* when that was found out */
} hd_model_look;

/* An access as it happened. */
typedef struct hd_model_seen {
    uint32_t location;
    uint8_t mode;
    int64_t value;
} hd_model_seen;

/* The list of hd_machine_type.ahead for a thread, in three growing parts. */
typedef struct hd_model_list {
    HD_VEC(hd_machine_ahead) entries;
    HD_VEC(hd_machine_access) accesses;
    hd_vec_u32 addresses;
} hd_model_list;

typedef struct hd_model_machine {
    hd_machine machine; /* first */
    hd_model_program *program;
    const hd_model_instruction *code;
    const hd_model_operation *operations;
    uint32_t locations, states; /* as in the program, for speed */
    int64_t *cells;
    uint64_t *stamps; /* of locations */
    uint64_t *moved;  /* of threads */
    uint64_t clock;
    hd_model_look *looks; /* of threads */
    hd_model_look spare;  /* of what is only tried */
    HD_VEC(hd_model_change) log;
    HD_VEC(hd_model_step) steps;
    hd_vec_u32 before; /* of the first steps: the one of its thread before it, from 1 on; 0: none */
    uint32_t *last;    /* of threads: the last of these */
    HD_VEC(int64_t) locals;     /* of a thread, in two states that are compared */
    HD_VEC(hd_model_seen) seen; /* by the recorder */
    HD_VEC(hd_machine_access) scratch;
    hd_model_failure failure;
    bool assumption;  /* what was run last and is blocked is so by an assume */
    bool every_round; /* rounds of loops that wait are steps like others */
    bool placed;      /* no steps led from the first state to that before the first step */

    hd_model_list *lists; /* of threads; made when first asked for */
    uint64_t *origins;    /* of cells: see model_ahead.c */
    hd_vec_u32 tainted;   /* cells with origins */

    hd_names location_names, thread_names; /* made when asked for */
    hd_map location_name_of, thread_name_of;
} hd_model_machine;

static inline hd_model_machine *hd_model_of(hd_machine *machine) {
    return (hd_model_machine *)machine;
}

static inline const hd_model_machine *hd_model_of_const(const hd_machine *machine) {
    return (const hd_model_machine *)machine;
}

static inline const hd_model_operation *hd_model_at(const hd_model_machine *m, uint32_t thread) {
    return &m->operations[m->cells[m->locations + thread]];
}

/* Changes a cell of the state and logs it. */
static inline void hd_model_set(hd_model_machine *m, uint32_t cell, int64_t value) {
    hd_vec_push(&m->log, (hd_model_change){cell, m->cells[cell]});
    m->cells[cell] = value;
}

/* Moves a program counter; the caller logs it before it starts to move a thread. */
static inline void hd_model_go(hd_model_machine *m, uint32_t thread, uint32_t operation) {
    m->cells[m->locations + thread] = operation;
}

static inline void hd_model_log_counter(hd_model_machine *m, uint32_t thread) {
    uint32_t cell = m->locations + thread;
    hd_vec_push(&m->log, (hd_model_change){cell, m->cells[cell]});
}

/* Changes a location, which others may have looked at. */
static inline void hd_model_change_location(hd_model_machine *m, uint32_t location, int64_t value) {
    hd_model_set(m, location, value);
    m->stamps[location] = m->clock;
}

static inline void hd_model_see(hd_model_machine *m, uint32_t location, uint8_t mode,
                                int64_t value) {
    hd_vec_push(&m->seen, (hd_model_seen){location, mode, value});
}

/* Takes back what is in the log from `mark` on, without stamps. */
static inline void hd_model_roll_back(hd_model_machine *m, size_t mark) {
    while (m->log.length > mark) {
        hd_model_change change = hd_vec_pop(&m->log);
        m->cells[change.cell] = change.old;
    }
}

/* ---- model_run.c: the interpreter ---- */

/* Runs code.  On failure m->failure says why (but not the thread); what was
 * written stays.  `recorded`: accesses are put in m->seen, and nothing is
 * stamped: the caller takes it back. */
enum hd_model_outcome hd_model_run(hd_model_machine *m, uint32_t code);
enum hd_model_outcome hd_model_run_recorded(hd_model_machine *m, uint32_t code);

/* What an operation does besides its code and control flow: locks and condition variables. BLOCKED
 * if it is not enabled. */
enum hd_model_outcome hd_model_act(hd_model_machine *m, uint32_t thread,
                                   const hd_model_operation *operation, uint32_t choice);

/* Adds its accesses for that to m->seen; call it before hd_model_act. */
void hd_model_see_act(hd_model_machine *m, uint32_t thread, const hd_model_operation *operation);
bool hd_model_act_enabled(const hd_model_machine *m, const hd_model_operation *operation);
/* May an invariant be checked after this choice?  Then its accesses are those of all its ways: runs
 * each with the recorder, takes it back, and returns how many there are.  The outcome is that of
 * finding the range. */
bool hd_model_choice_is_checked(const hd_model_machine *m, const hd_model_operation *operation);
uint32_t hd_model_see_choices(hd_model_machine *m, const hd_model_operation *operation,
                              enum hd_model_outcome *outcome);

uint32_t hd_model_choices(const hd_model_machine *m, const hd_model_operation *operation);

/* ---- model_step.c: one step at a time ---- */

bool hd_model_next(hd_machine *machine, uint32_t thread, hd_machine_operation *operation);
enum hd_machine_result hd_model_take(hd_machine *machine, uint32_t thread, uint32_t choice);
void hd_model_undo(hd_machine *machine);
void hd_model_restart(hd_machine *machine);

/* Where an operation that has run and acted leads: the thread goes there.  BLOCKED
 * if it is an await that must wait. */
enum hd_model_outcome hd_model_conclude(hd_model_machine *m, uint32_t thread,
                                        const hd_model_operation *operation);

/* Runs a thread's invisible operations; at most `limit`. */
enum hd_model_outcome hd_model_settle(hd_model_machine *m, uint32_t thread, uint32_t limit);

/* ---- model_state.c: whole states ---- */

bool hd_model_state(hd_machine *machine, hd_vec_char *to);
void hd_model_go_to(hd_machine *machine, const char *state, size_t length);
void hd_model_tell_states(hd_machine *machine, bool tell);
void hd_model_place(hd_model_machine *m, const int64_t *cells); /* there, without any step */

/* ---- model_rounds.c ---- */

/* May the thread's next operation close a round with some values?  Only the thread's own steps
 * decide that. */
bool hd_model_may_close_round(hd_model_machine *m, uint32_t thread);

/* Does the thread's next operation, with the present values, close a round? */
enum hd_model_round hd_model_closes_round(hd_model_machine *m, uint32_t thread);

/* Does the thread come back to where it is if only it goes on, without writing anything? */
bool hd_model_goes_round(hd_model_machine *m, uint32_t thread);

/* ---- The others ---- */

uint32_t hd_model_ahead(hd_machine *machine, uint32_t thread, const hd_machine_ahead **list);
const char *hd_model_thread_name(hd_machine *machine, uint32_t thread);
const char *hd_model_location_name(hd_machine *machine, uint32_t location);
void hd_model_describe(hd_machine *machine, uint32_t thread, hd_vec_char *to);
void hd_model_failure_text(hd_machine *machine, hd_vec_char *to);
void hd_model_record(hd_machine *machine, hd_trace *trace);

#endif
