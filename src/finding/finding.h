/*
 * finding: what was found.  Analyses push findings into a sink and print nothing; what prints them
 * knows no analysis.  A finding has a rule, one line of text, a place in the program, and a
 * schedule that shows it: of a machine (room replay) or of a trace (room witness).
 *
 *     hd_finding finding;
 *     hd_finding_init(&finding, HD_FINDING_DEADLOCK, "deadlock");
 *     finding.message = hd_mem_string(...);
 *     finding.fingerprint = hd_finding_fingerprint("deadlock", places, count);
 *     stop = sink(context, &finding);            takes over what the finding holds
 *     hd_finding_release(&finding);
 *
 * The fingerprint says which findings are the same one: the rule and the places
 * in the program, not the schedule, which differs from search to search.
 */
#ifndef HD_FINDING_H
#define HD_FINDING_H

#include "base/base.h"
#include "finding_filter.h"
#include "trace/trace.h"
#include "witness/witness.h"

/* What it is; the rule says it more precisely, for people. */
enum hd_finding_sort {
    HD_FINDING_FAILURE, /* something failed: an assertion, a crash */
    HD_FINDING_RACE,
    HD_FINDING_DEADLOCK,
    HD_FINDING_READ,     /* that can see another write */
    HD_FINDING_STATE,    /* where a predicate is true */
    HD_FINDING_OUTCOME,  /* a way to end that differs */
    HD_FINDING_ORDER,    /* a reordering, which claims nothing more */
    HD_FINDING_LIVELOCK, /* threads that go on for ever, in vain */
    HD_FINDING_BLOCK,    /* that is not serializable */
    HD_FINDING_SORTS
};

/* All but the rule may be missing: NULL, empty or 0.  Texts are owned
 * (hd_mem_string). */
typedef struct hd_finding {
    enum hd_finding_sort sort;
    bool unproved;       /* nothing shows it, and nothing refutes it */
    const char *rule;    /* a constant: "assertion", "deadlock", "race" */
    const char *by;      /* a constant: the strategy that found it; NULL: there was but one */
    bool unordered;      /* of a race: memory orders decide it, no state has both accesses next */
    bool dropped;        /* set by a sink: it is suppressed, and others at its places still count */
    const char *because; /* a constant: what is wrong with it; NULL if the rule says it all */
    uint64_t order;      /* of a race: its variable's place among others, the same in every run */
    uint32_t block;      /* the `begin` of the block that it is about; 0: none */
    char *message;       /* one line without a full stop */
    char *location;      /* "file:line" of what failed */
    char *variable;
    hd_vec_u32 events;   /* numbers of the events that it speaks of */
    hd_steps schedule;   /* of a machine */
    hd_witness *witness; /* of a trace; made with HD_NEW and hd_witness_init */
    uint64_t fingerprint;
    uint64_t count; /* how often it was found; a new one counts as 1 */
} hd_finding;

void hd_finding_init(hd_finding *finding, enum hd_finding_sort sort, const char *rule);
void hd_finding_release(hd_finding *finding);

/* The fingerprint of a rule and places in the program, in any order; a repeated place counts once.
 * The same on every machine and in every run. */
uint64_t hd_finding_fingerprint(const char *rule, const char *const *places, size_t count);

/* Receives the findings of an analysis.  The sink may take over what the finding holds, and leaves
 * it empty then.  Non-zero stops the analysis. */
typedef int hd_finding_sink(void *context, hd_finding *finding);

/* Keeps each finding once, in the order of discovery, and counts the others. */
typedef struct hd_finding_list {
    HD_VEC(hd_finding) found;
    hd_map by_fingerprint;
    size_t enough; /* this many different ones stop the analysis; 0: never */
} hd_finding_list;

void hd_finding_list_init(hd_finding_list *list, size_t enough);
void hd_finding_list_release(hd_finding_list *list);

/* The finding with this fingerprint, NULL if none exists. */
hd_finding *hd_finding_list_find(hd_finding_list *list, uint64_t fingerprint);

/* A sink; the context is the list. */
int hd_finding_list_add(void *context, hd_finding *finding);

#endif
