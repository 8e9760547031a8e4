/*
 * The question check: everything that heddle can ask about a program, a model or a trace, in one
 * go.  A source is compiled; some runs are recorded; what their traces and the program itself
 * show is asked; the schedules are explored in the time that is left; what was found is replayed;
 * and the answers are held against each other.  All of it happens in this process.
 *
 *     hd_engine_check check;
 *     hd_engine_check_init(&check, path, words);
 *     check.folder = ...; check.seconds = 60;
 *     good = hd_engine_check_run(&check, &error);
 *     ... check.report, which is merged; hd_report_judge makes its verdict
 *     hd_engine_check_release(&check);
 */
#ifndef HD_ENGINE_CHECK_H
#define HD_ENGINE_CHECK_H

#include "engine_explore.h"
#include "engine_record.h"
#include "engine_words.h"
#include "report/report.h"

enum hd_engine_input { HD_ENGINE_PROGRAM, HD_ENGINE_MODEL, HD_ENGINE_TRACE };

/* What is asked; 0 is everything, and then outcomes that differ are notes. */
enum {
    HD_ENGINE_ASK_RACE = 1,
    HD_ENGINE_ASK_DEADLOCK = 2,
    HD_ENGINE_ASK_NONDET = 4,
    HD_ENGINE_ASK_EXPLORE = 8,
    HD_ENGINE_ASK_OUTCOME = 16
};

typedef struct hd_engine_texts {
    const char *const *data;
    size_t count;
} hd_engine_texts;

typedef struct hd_engine_check {
    /* The question. */
    const char *input;                /* as it was given */
    hd_engine_words words;            /* the program's arguments */
    unsigned asked;                   /* HD_ENGINE_ASK_..., 0: everything */
    bool sv_comp;                     /* the conventions of SV-COMP hold, */
    enum hd_engine_property property; /* and this is asked for; */
    const char *yaml;                 /* file for a witness of the competition; NULL: none */
    hd_engine_texts predicates;       /* that may come true */
    hd_engine_texts flags;            /* for the compiler */
    hd_engine_texts sources;          /* to compile beside the input */
    const char *commands;             /* a compilation database; NULL: none */
    uint64_t seeds;                   /* runs to record: 8 */
    const char *suppressions; /* file of races and deadlocks that are not to be found; NULL: none */
    double seconds;           /* for everything: 60 */
    unsigned threads;         /* that explore; 0: as many as there are processors */
    uint64_t depth;           /* steps of a thread, at most; 0: as usual */
    bool bounded;             /* schedules with few preemptions only: */
    uint32_t preemptions;     /* so many at most */
    bool no_stacks;           /* runs are recorded without call stacks */
    const char *folder;       /* where traces and witnesses go; it must be there */
    /* The explorer's answer as it comes, for who keeps it; returns the file, for the case that
     * another answer contradicts it.  NULL: it is not kept. */
    const char *(*explored)(void *context, const hd_engine_exploration *e, double since);
    /* Each finding as soon as it is proved, of a program replayed; notes when all was asked.
     * Other than 0: no more are wanted.  NULL: not told. */
    int (*found)(void *context, hd_report_finding *finding);
    void *context;

    /* The answer. */
    enum hd_engine_input kind;
    hd_report report;
    const char *program; /* that is run: the input, or what was compiled of it */
    HD_VEC(const char *) traces;
    bool interrupted;  /* the clock was stopped */
    bool late;         /* it was over before there was an answer */
    bool contradicted; /* two answers disagree: all files should stay */
    const char *word;  /* of the explorer, with the conventions of SV-COMP; NULL: no answer */

    /* Inside. */
    hd_clock clock;
    HD_VEC(hd_engine_run) runs;
    uint64_t longest; /* events of a trace, the most */
    const char *explored_file;
    double started, explore_began;
    size_t before; /* findings, when the explorer began */
    bool enough;   /* `found` said so */
    bool varies;   /* one schedule does not always print the same */
    size_t ends;   /* ways in which explored executions end; 0: that is not known */
} hd_engine_check;

void hd_engine_check_init(hd_engine_check *check, const char *input, hd_engine_words words);

/* What the input is; false if it cannot be read. */
bool hd_engine_check_kind(hd_engine_check *check, hd_error *error);

/* False: the input is bad.  Else the report is merged. */
bool hd_engine_check_run(hd_engine_check *check, hd_error *error);

void hd_engine_check_release(hd_engine_check *check);

/* With the conventions of SV-COMP: the first finding that violates the property, NULL: none does;
 * and the competition's word for the verdict. */
const hd_report_finding *hd_engine_check_violation(const hd_engine_check *check);
const char *hd_engine_check_word(const hd_engine_check *check);

/* A path in the folder, in the report's arena. */
const char *hd_engine_check_path(hd_engine_check *check, const char *name);

/* ---- Inside ---- */

/* engine_check_compile.c */
bool hd_engine_check_is_source(const char *path);
bool hd_engine_check_compile(hd_engine_check *check, hd_error *error);

/* engine_check_files.c: which files of the program are instrumented.  False if the compilation
 * database cannot be read. */
bool hd_engine_check_files(hd_engine_check *check, hd_error *error);

/* engine_check_outcomes.c: of the findings from one on, ways to end that differ are one, and a note
 * unless they were asked for: most programs may print what they like in the order they like. */
void hd_engine_check_fold_outcomes(hd_engine_check *check, size_t from,
                                   const hd_engine_exploration *e);

/* engine_check_replay.c: what a question finds, while it is asked (the context is the check); all
 * that was not replayed yet; and what was not told yet. */
int hd_engine_check_found(void *context, hd_report_finding *finding);
void hd_engine_check_replay(hd_engine_check *check);
void hd_engine_check_tell_rest(hd_engine_check *check);

/* Does the schedule of that run print something else if it is run once more? */
bool hd_engine_check_varies(hd_engine_check *check, const hd_engine_run *run);

/* engine_check_compare.c: whether what was recorded and driven is in what was explored; and which
 * questions a complete exploration decides. */
void hd_engine_check_compare_runs(hd_engine_check *check, const hd_engine_exploration *e);
void hd_engine_check_compare_findings(hd_engine_check *check);
void hd_engine_check_cover(hd_engine_check *check);

#endif
