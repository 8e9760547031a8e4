/*
 * A compiled model: the same for all machines that run it.
 *
 * Cells, in this order: the variables, mutexes and condition variables; one flag per thread (only
 * if there are condition variables); the program counters; the locals, one frame per thread;
 * temporaries; constants.  The first two groups are the locations of the machine.  All but the last
 * two are the state.
 *
 * A mutex is its holder + 1, or 0.  A condition variable is how many wait for
 * it; a thread that waits has the condition's cell + 1 in its flag.
 *
 * An operation is a statement or condition of one instance of a thread.  A
 * program counter is the number of one.
 */
#ifndef HD_MODEL_PROGRAM_H
#define HD_MODEL_PROGRAM_H

#include <stdatomic.h>

#include "model_syntax.h"

enum { HD_MODEL_TEMPORARIES = 4 * 1024 };

enum hd_model_operation_kind {
    HD_MODEL_OP_COMPUTE, /* run the code, go on */
    HD_MODEL_OP_BRANCH,  /* go on at `next` if the value is not 0, else at `otherwise` */
    HD_MODEL_OP_ASSERT,
    HD_MODEL_OP_AWAIT,
    HD_MODEL_OP_LOCK,
    HD_MODEL_OP_UNLOCK,
    HD_MODEL_OP_WAIT, /* releases the mutex and joins the waiters */
    HD_MODEL_OP_WAKE, /* awaits the flag */
    HD_MODEL_OP_NOTIFY,
    HD_MODEL_OP_NOTIFY_ALL,
    HD_MODEL_OP_CHOOSE, /* its code uses the number of the choice */
    HD_MODEL_OP_GOTO,   /* while compiling only */
    HD_MODEL_OP_END
};

/* Does an operation touch a location? */
enum hd_model_visibility {
    HD_MODEL_INVISIBLE,
    HD_MODEL_VISIBLE,
    HD_MODEL_PERHAPS /* the thread's locals decide */
};

/* What each way from a branch back to itself, without a location, does to one local: it adds a
 * number, with no remainder if the modulus is 0.  If it adds 0, no way leads back. */
typedef struct hd_model_mover {
    uint32_t local;
    bool known;
    int64_t by, modulus;
} hd_model_mover;

typedef struct hd_model_operation {
    uint8_t kind;
    uint8_t visibility;
    bool fixed;    /* its accesses are the same in every state */
    bool awaits;   /* has a HOLD, or is one of the awaits */
    bool varies;   /* values of locations decide its accesses */
    bool assumes;  /* it has an assume */
    bool starts;   /* it awaits that the thread is forked */
    bool rounds;   /* it may close a round of a loop that only waits (model_rounds.c) */
    bool decides;  /* of one that may, only where it goes on depends on what it reads */
    bool moves_on; /* it never comes back to where it is at once */
    uint32_t code;
    uint32_t value;  /* cell of the condition; cell that holds the cell of the object; of the least
                        value to choose */
    uint32_t second; /* of a wait: cell that holds the cell of the mutex; of the greatest value */
    uint32_t next, otherwise;
    uint32_t accesses, access_count; /* if fixed */
    uint32_t position;
} hd_model_operation;

/* What is known of an operation if its thread has rounds. */
typedef struct hd_model_turn {
    uint64_t live;            /* before it: locals that may be read again, as bits */
    bool live_known;          /* that was found out */
    hd_model_mover movers[2]; /* why it moves on, by way of `next` and of `otherwise` */
} hd_model_turn;

typedef struct hd_model_array {
    const hd_model_variable *variable;
    uint32_t first, size;
} hd_model_array;

typedef struct hd_model_instance {
    const hd_model_thread *thread;
    uint32_t id;
    uint32_t frame; /* first cell of its locals */
} hd_model_instance;

typedef struct hd_model_program {
    atomic_uint users; /* machines */
    hd_model_tree *tree;
    HD_VEC(hd_model_instruction) code;
    HD_VEC(hd_model_operation) operations;
    HD_VEC(hd_model_turn) turns;        /* of operations, in their order */
    HD_VEC(hd_machine_access) accesses; /* of fixed operations */
    HD_VEC(hd_model_array) arrays;
    HD_VEC(int64_t) constants;
    hd_model_instance *instances;
    int64_t *start; /* the first state: all state cells */

    uint32_t flags;     /* first flag; `locations` if there are none */
    uint32_t locations; /* and the first program counter */
    uint32_t states;    /* cells of the state, and the first temporary */
    uint32_t first_constant;
    bool picks_locks;      /* values of locations decide which lock some operation takes */
    bool fails_unseen;     /* some operation can fail without touching a location */
    bool *mutexes;         /* of locations, if some mutex is tried: is it one? */
    hd_vec_u32 invariants; /* their code */
} hd_model_program;

/* Compiles a parsed tree, which then belongs to the program; NULL on an error, and then the tree
 * still belongs to the caller.  The state is the one before any thread ran, with the program
 * counters at the first operations. */
hd_model_program *hd_model_compile(hd_model_tree *tree, hd_model_error *error);
void hd_model_program_free(hd_model_program *program);

/* Marks the operations from `first` on, all of a thread, that may close a round. */
void hd_model_mark_rounds(hd_model_program *program, uint32_t thread, uint32_t first);

/* Sorts accesses by location and merges those of one location; returns how many are left. */
uint32_t hd_model_merge(hd_machine_access *accesses, uint32_t count);

/* Which way an operation goes that has choices: the last of the temporaries. */
static inline uint32_t hd_model_choice_cell(const hd_model_program *program) {
    return program->first_constant - 1;
}

/* How an operation's code writes to a location: a mutex is acquired. */
static inline uint8_t hd_model_write_mode(const hd_model_program *program, uint32_t location) {
    return program->mutexes && program->mutexes[location] ? HD_MACHINE_WRITE | HD_MACHINE_ACQUIRE
                                                          : HD_MACHINE_WRITE;
}

/* The variable that a location belongs to; NULL: it is a flag. */
static inline const hd_model_variable *hd_model_variable_at(const hd_model_program *program,
                                                            uint32_t location) {
    const hd_model_variable *v = program->tree->variables;
    while (v && location - v->first >= v->size)
        v = v->next;
    return v;
}

/* The cell of an element of a variable, for a thread. */
static inline uint32_t hd_model_cell(const hd_model_program *program, uint32_t thread,
                                     const hd_model_variable *variable, uint32_t element) {
    uint32_t base = variable->kind == HD_MODEL_LOCAL ? program->instances[thread].frame : 0;
    return base + variable->first + element;
}

#endif
