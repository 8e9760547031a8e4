/*
 * witness: a schedule with a claim.  A schedule is a list of event numbers of
 * a trace, in another order than they ran; the claim says what it shows: a read
 * that sees another write, two accesses that collide, a state, a deadlock, a block that is
 * not serializable.
 *
 * The checker decides whether the schedule is a reordering of the trace and
 * shows what it claims.  Nothing is reported that it rejects, so it shares
 * nothing with the provers: it derives the pairs of events (reads-from, forks,
 * joins, wakes, messages, barrier rounds) from the events itself, in one pass,
 * and keeps to the definition of a reordering word by word (doc/witness.md).
 *
 *     hd_witness witness;
 *     hd_witness_init(&witness);
 *     witness.claim = (hd_witness_claim){.kind = HD_WITNESS_RACE, .first = 5, .second = 9};
 *     hd_vec_push(&witness.schedule, 1); ...
 *     if (!hd_witness_check(&witness, trace, &error)) ...    a prover's bug
 *     hd_witness_save(&witness, trace, path, &error);
 *     hd_witness_release(&witness);
 */
#ifndef HD_WITNESS_H
#define HD_WITNESS_H

#include "trace/trace.h"

enum hd_witness_kind {
    HD_WITNESS_REORDERING, /* only that it is a reordering */
    HD_WITNESS_READ,       /* a read, next after the schedule, sees another write */
    HD_WITNESS_FINAL_READ, /* a variable ends with another write */
    HD_WITNESS_RACE,       /* two accesses that conflict are both next */
    HD_WITNESS_STATE,      /* the schedule reaches this state */
    HD_WITNESS_DEADLOCK,   /* threads that all wait for a lock of another of them */
    HD_WITNESS_END,        /* the deadlock that the trace says its run ended in */
    HD_WITNESS_UNORDERED,  /* two accesses that conflict, one in the schedule and one next after it,
                              and the first does not happen before the second */
    HD_WITNESS_ATOMICITY   /* one or two accesses of another thread come between two of a block,
                              which is not serializable */
};

/* Where the challenger c and the trace's writer w stand beside the read r. */
enum hd_witness_order {
    HD_WITNESS_CRW, /* c before r; w next, as r is */
    HD_WITNESS_WCR, /* w before c before r */
    HD_WITNESS_CR   /* c before r, w nowhere */
};

/* All but `kind` belong to some kinds only and are 0 for the others. */
typedef struct hd_witness_claim {
    enum hd_witness_kind kind;
    bool let_go; /* reordering, state: reads may see other writes than in the trace */
    bool
        decisions; /* reordering, race, deadlock: reads that do not matter may (witness_matter.h) */

    /* read, final read: event numbers, 0 for the initial value */
    enum hd_witness_order order;
    uint32_t read;       /* 0 for a final read */
    uint32_t variable;   /* of a final read */
    uint32_t sees;       /* last write of the variable in the schedule */
    uint32_t writer;     /* the write that it saw in the trace */
    uint32_t challenger; /* the write that took its place; not always the one seen */

    uint32_t first, second; /* race, unordered: the two accesses; atomicity: those of the block */
    uint32_t between;       /* atomicity: the access of another thread */
    uint32_t back;          /* atomicity of two variables: a later access of that thread, of the
                               variable of the second; 0: of one variable */
    hd_vec_u32 acquires;    /* deadlock: what its threads have next */
    hd_vec_u32 counts;      /* state: [thread] is its number of events, 0 past the end */
} hd_witness_claim;

typedef struct hd_witness {
    hd_vec_u32 schedule; /* event numbers of the trace */
    hd_witness_claim claim;
    /* One line each, for information only; NULL if not given.  Owned: hd_mem_string. */
    char *question;
    char *verdict;
    char *trace; /* name of the trace's file */
} hd_witness;

void hd_witness_init(hd_witness *witness); /* an empty reordering */
void hd_witness_clear(hd_witness *witness);
void hd_witness_release(hd_witness *witness);

/* What is wrong with a witness: an event of the schedule, or of the claim. */
typedef struct hd_witness_fault {
    size_t position; /* in the schedule, from 1 on; 0: the schedule is a reordering, or was not
                        checked, and the claim is wrong */
    uint32_t event;  /* the event that is wrong; 0 if it is no particular one */
} hd_witness_fault;

/* Is the schedule a reordering of the trace that shows what it claims?  If not,
 * the error is one sentence about the first event that is wrong. */
bool hd_witness_check(const hd_witness *witness, const hd_trace *trace, hd_error *error);

/* The same for many witnesses of one trace: the pairs are derived once, 8 bytes per event, and a
 * check takes time in proportion to its schedule.  (Composing an error message may take a pass over
 * the trace; with a NULL error that is skipped.)  `fault` and `error` may be NULL.  The trace must
 * stay as it is.  One thread at a time. */
typedef struct hd_witness_checker hd_witness_checker;

hd_witness_checker *hd_witness_checker_create(const hd_trace *trace);
bool hd_witness_checker_run(hd_witness_checker *checker, const hd_witness *witness,
                            hd_witness_fault *fault, hd_error *error);
void hd_witness_checker_free(hd_witness_checker *checker);

/* The check of what is about to be shown, by a checker that is made when the first one comes.  That
 * it fails is an error of heddle; the sentence says which question asked. */
bool hd_witness_checked(hd_witness_checker **checker, const hd_trace *trace,
                        const hd_witness *witness, hd_error *error);

/* The text form (doc/witness.md): comment lines with the claim, then the events
 * as lines of the trace format.  `path` may be "-". */
bool hd_witness_save(const hd_witness *witness, const hd_trace *trace, const char *path,
                     hd_error *error);

/* Fills an initialised, empty witness, which is empty again on failure.  A file
 * without the lines of a witness is a plain reordering.  Errors begin with the
 * file's name and the line.  What was read still has to be checked. */
bool hd_witness_load(hd_witness *witness, const hd_trace *trace, const char *path, hd_error *error);
bool hd_witness_read(hd_witness *witness, const hd_trace *trace, const void *data, size_t size,
                     const char *name, hd_error *error);

/* The text of a claim, as after "# claim: ", and back.  Printing appends; the text is followed by a
 * NUL that is not counted.  Parsing fills a zeroed claim, refuses numbers and kinds of events that
 * do not fit, and leaves a zeroed claim on failure. */
void hd_witness_claim_print(const hd_witness_claim *claim, const hd_trace *trace, hd_vec_char *to);
bool hd_witness_claim_parse(hd_witness_claim *claim, const hd_trace *trace, const char *text,
                            hd_error *error);
/* Of the accesses of an atomicity violation, the one that is next after the schedule. */
uint32_t hd_witness_claim_next(const hd_witness *witness);
void hd_witness_claim_release(hd_witness_claim *claim); /* leaves a zeroed claim */

#endif
