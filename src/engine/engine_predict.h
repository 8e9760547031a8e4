/*
 * The questions race, deadlock and nondet of a trace: what other orders of its events show.
 *
 *     hd_engine_prediction p;
 *     hd_engine_predict_init(&p, &trace, deadlocks);
 *     good = hd_engine_predict_run(&p, &error);
 *     ... p.found, p.unproved, p.races or p.locks, p.verdict
 *     hd_engine_predict_release(&p);
 */
#ifndef HD_ENGINE_PREDICT_H
#define HD_ENGINE_PREDICT_H

#include "nondet/nondet.h"
#include "race/race.h"
#include "report/report.h"
#include "verdict/verdict.h"

typedef HD_VEC(hd_finding) hd_engine_findings;
void hd_engine_findings_release(hd_engine_findings *findings);

extern const char *const hd_engine_race_methods[HD_RACE_METHODS];

typedef struct hd_engine_prediction {
    const hd_trace *trace;
    hd_report_scene scene; /* of the trace */
    bool deadlocks;        /* not races */
    bool counts;           /* findings are counted, not kept, unless there is a filter */
    bool many; /* there may be many: the first are kept, as far as there is room, and all are told
                  by hd_engine_predict_tell */
    hd_race_options options;
    hd_finding_filter filter;
    hd_finding_sink *each; /* told each as soon as it is proved, or reported; NULL: not */
    void *context;
    hd_race_result races;          /* one of these, */
    hd_race_deadlock_result locks; /* without what was dropped */
    hd_engine_findings found, unproved;
    size_t bytes;      /* of what is found */
    uint64_t dropped;  /* by the filter */
    uint64_t recorded; /* deadlocks that the run ended in: 0 or 1 */
    hd_verdict verdict;
} hd_engine_prediction;

void hd_engine_predict_init(hd_engine_prediction *p, const hd_trace *trace, bool deadlocks);
bool hd_engine_predict_run(hd_engine_prediction *p, hd_error *error);
void hd_engine_predict_release(hd_engine_prediction *p);

/* All that is proved or reported, one by one.  If not all are kept they are looked for once more;
 * if no time is left for that, those that are kept are told.  False: something failed, or the sink
 * ended it. */
bool hd_engine_predict_tell(hd_engine_prediction *p, hd_finding_sink *sink, void *context,
                            hd_error *error);

/* What a finding about events is: its rule and variable; and which event plays which role. */
typedef HD_VEC(hd_report_role) hd_engine_roles;
hd_report_defect hd_engine_predict_defect(const hd_finding *finding, hd_engine_roles *roles);

/* Reads that can see another write. */
typedef struct hd_engine_reads {
    const hd_trace *trace;
    hd_nondet_options options;
    hd_finding_sink *each; /* told each as soon as it is proved; NULL: not */
    void *context;
    bool many; /* findings may be many: the first are kept, as far as there is room, and all are
                  told by hd_engine_reads_tell */
    bool full; /* there was not enough */
    size_t bytes;
    hd_engine_findings found;
    hd_finding_filter filter; /* reads that are not asked about */
    hd_nondet_result result;
    hd_verdict verdict;
} hd_engine_reads;

bool hd_engine_reads_run(hd_engine_reads *r, hd_error *error);
void hd_engine_reads_release(hd_engine_reads *r);

/* All findings of `many`.  If not all are kept, the same question is asked once more, of as many
 * reads; its result and verdict stay.  *reads: those whose findings were told, less only if the
 * clock or the sink ended it. */
bool hd_engine_reads_tell(hd_engine_reads *r, hd_finding_sink *sink, void *context, uint64_t *reads,
                          hd_error *error);

/* All reads and those found, the final ones counted. */
static inline uint64_t hd_engine_reads_asked(const hd_nondet_result *result) {
    return result->reads + result->final_reads;
}

static inline uint64_t hd_engine_reads_found(const hd_nondet_result *result) {
    return result->nondeterministic_reads + result->nondeterministic_final_reads;
}

/* Of a finding of nondet: the read, the write that it saw, and the one that it could see; how
 * many of the three there are. */
size_t hd_engine_reads_roles(const hd_finding *finding, hd_report_role roles[3]);

/* Saves a finding's witness as the i-th; true without one, or without an output. */
bool hd_engine_finding_save(const char *output, const char *path, const hd_trace *trace,
                            hd_finding *finding, size_t i, hd_error *error);

#endif
