/*
 * What came of a question, for people and for their tools: one description (what
 * was asked of what, how completely, what was found, how to see it again) and the
 * forms it is written in: text for a terminal, JSON, SARIF, JUnit, DOT.  It knows no
 * analysis: it is made of the answers that commands give with --json
 * (doc/schema/heddle.schema.json), so that every form says what the JSON says.
 *
 *     hd_report report;
 *     hd_report_init(&report, "check", "./prog");
 *     hd_report_add(&report, answer.root, trace_or_NULL);      one or more answers
 *     hd_report_merge(&report);                                the same defect is one finding
 *     hd_report_write_sarif(&report, "out.sarif", &error);
 *     hd_report_release(&report);
 *
 * All texts are in the report's arena and may hold any characters: whoever writes
 * a form escapes them for it.
 */
#ifndef HD_REPORT_RESULT_H
#define HD_REPORT_RESULT_H

#include <stdio.h>

#include "base/base.h"
#include "finding/finding.h"
#include "report_identity.h"
#include "trace/trace.h"
#include "verdict/verdict.h"

enum hd_report_level { HD_REPORT_NOTE, HD_REPORT_WARNING, HD_REPORT_ERROR };

/* What is known of every rule: in report_rules.c.  Unknown ids get a general one. */
typedef struct hd_report_rule {
    const char *id;
    enum hd_finding_sort sort;
    enum hd_report_level level;
    const char *name; /* as a heading: "data race" */
    const char *text; /* what it means, one sentence */
    const char *help; /* what to do about it */
} hd_report_rule;

const hd_report_rule *hd_report_rule_of(const char *id);
const char *hd_report_level_name(enum hd_report_level level); /* as in SARIF */

/* A step of the schedule that shows it. */
typedef struct hd_report_step {
    const char *thread, *text, *file;
    uint32_t line, event;
    bool matters; /* the advice speaks of it */
} hd_report_step;

/* How sure it is. */
enum hd_report_proof {
    HD_REPORT_UNPROVED, /* perhaps */
    HD_REPORT_CHECKED,  /* the independent checker accepted the schedule */
    HD_REPORT_SEEN,     /* it happened in a run */
    HD_REPORT_REPLAYED  /* it happened again when the schedule was replayed */
};

typedef struct hd_report_finding {
    const hd_report_rule *rule;
    const char *id; /* of the rule, as it was said */
    enum hd_report_level level;
    enum hd_report_proof proof;
    const char *message, *variable, *function;
    hd_report_places places; /* the first one is where it is shown */
    const char *location;    /* "FILE:LINE", where nothing more is known: the place of one that has
                                none when all are merged; NULL: it is not known */
    HD_VEC(hd_report_step) steps;
    HD_VEC(const char *) found_by; /* commands, each once */
    const char *witness;           /* file of the schedule */
    const char *replay;            /* command line that shows it again */
    const char *advice;            /* what this one looks like, and what helps; NULL: as the rule
                                      says */
    bool unordered;                /* of a race: only memory orders decide it, and no state has
                                      both accesses next */
    uint64_t count;                /* how often it was met */
    uint64_t fingerprint;          /* filled in by hd_report_merge */
    HD_VEC(uint64_t) said;         /* fingerprints that answers gave it */
    size_t serial;                 /* in the order of discovery */
    bool known;                    /* the baseline has it */
    bool told;                     /* to who asked, before all was asked */
    const char *test;              /* of which it is; NULL: of none */
} hd_report_finding;

/* What to do about it. */
const char *hd_report_help(const hd_report_finding *finding);

/* What was asked, and what came of it: one row a command. */
typedef struct hd_report_part {
    const char *command;
    uint64_t inputs;    /* traces or programs */
    uint64_t complete;  /* of these, answered completely */
    uint64_t found;     /* before the same ones were put together */
    bool covered;       /* another command decided it: that it is not complete does not count */
    hd_verdict verdict; /* of all its answers together */
    double seconds;
    const char *detail; /* "7 executions"; NULL if none exists */
    const char *failed; /* why there is no answer; NULL: there is one */
} hd_report_part;

/* How a test ended. */
enum hd_report_test_end {
    HD_REPORT_TEST_PROVED,   /* no schedule fails */
    HD_REPORT_TEST_DECLARED, /* it fails, as it was declared to */
    HD_REPORT_TEST_KNOWN,    /* it fails, and the baseline knows how */
    HD_REPORT_TEST_FAILED,   /* or it was declared to fail, and does not, or otherwise */
    HD_REPORT_TEST_OPEN      /* none of these is known */
};

typedef struct hd_report_test {
    const char *name;
    enum hd_report_test_end end;
    const char *reason; /* why it is not proved; NULL: it is */
    const char *replay; /* command line that shows the failure again; NULL: there is none */
    /* Of heddle/linear.h: the client that fails, and its calls over time, as lines; NULL: none. */
    const char *client, *history;
    uint64_t clients; /* that were explored; 0: it has none */
    uint64_t executions;
    double seconds;
} hd_report_test;

const char *hd_report_test_word(enum hd_report_test_end end);

/* Source files of a program, and whether they are instrumented. */
typedef struct hd_report_files {
    bool known;                  /* they were looked at */
    size_t seen;                 /* files that are instrumented */
    HD_VEC(const char *) blind;  /* that are not */
    HD_VEC(const char *) bare;   /* modules with instrumented files that are not known */
    bool asked;                  /* a list of files was given: */
    HD_VEC(const char *) absent; /* those of it that the program was not built from */
} hd_report_files;

typedef struct hd_report {
    hd_arena arena;
    const char *command, *input;
    HD_VEC(const char *) arguments; /* of the program */
    hd_verdict verdict;             /* of all parts together: hd_report_judge */
    bool against_baseline;
    double seconds;
    const char *folder;          /* with the witnesses; NULL if none exists */
    const char *property, *word; /* of SV-COMP, and its word for the verdict; NULL: not asked */
    hd_report_files files;
    HD_VEC(hd_report_part) parts;
    HD_VEC(hd_report_test) tests; /* of heddle test */
    HD_VEC(hd_report_finding) findings;
} hd_report;

void hd_report_init(hd_report *report, const char *command, const char *input);
void hd_report_release(hd_report *report);

/* A copy in the arena, NULL of NULL; and a printed text there. */
const char *hd_report_keep(hd_report *report, const char *text);
const char *hd_report_format(hd_report *report, const char *format, ...) HD_PRINTF(2, 3);

/* May what takes long to write, such as a schedule, still be written of this finding (counted from
 * 0)?  Once the clock is over there is a moment for it, in each file.  `over`: since when, for one
 * file; 0 at first. */
bool hd_report_goes_on(double *over, size_t number);
/* Says of a file that the schedules of so many findings are left out, if any are. */
void hd_report_say_left_out(const char *path, size_t count);
extern const char *const hd_report_left_out; /* the same of one finding */

/* The row of a command, made if it is not there. */
hd_report_part *hd_report_part_of(hd_report *report, const char *command);

/* An empty finding at the end of the list, until the next one is made. */
hd_report_finding *hd_report_new(hd_report *report, const char *rule, const char *command);

/* What a finding owns beside the arena, before it is taken out of the list. */
void hd_report_finding_release(hd_report_finding *finding);

/* Adds a command's answer (the object that --json prints).  The trace is what the
 * command was asked about, so that event numbers become places and steps; NULL if it
 * was something else.  False if it is no answer of heddle. */
bool hd_report_add(hd_report *report, const hd_json_value *answer, const hd_trace *trace,
                   hd_error *error);

/* ---- The same from an answer in this process ---- */

/* What an answer says of a finding; its places and its variable must be there. */
typedef struct hd_report_said {
    const char *message;   /* NULL: none */
    const char *predicate; /* that can come true; NULL: none */
    bool of_trace;         /* the message speaks of event numbers */
    bool final;            /* of nondet: the value at the end, not a read */
} hd_report_said;

/* Fills in the message that the report shows. */
void hd_report_say(hd_report *report, hd_report_finding *finding, const hd_report_said *said);

/* A step more: an event of a trace. */
void hd_report_add_event(hd_report *report, hd_report_finding *finding, const hd_trace *trace,
                         uint32_t number);

/* One more answer of a command. */
void hd_report_count_answer(hd_report *report, const char *command, const hd_verdict *verdict,
                            uint64_t found, double seconds);

/* Gives a finding the events of a trace as its steps: a witness of a program is the trace
 * of the schedule. */
void hd_report_add_schedule(hd_report *report, hd_report_finding *finding, const hd_trace *trace);

/* Are both races on the same variable, or on elements or blocks of one name?  Text shows these as
 * one; does it follow one like it in the list? */
bool hd_report_alike(const hd_report_finding *a, const hd_report_finding *b);
bool hd_report_follows(const hd_report *report, size_t number);

/* Is `b` the same defect as `a`, or a part of it? */
bool hd_report_same(const hd_report_finding *a, const hd_report_finding *b);

/* Are they about the same places in the program, in any order? */
bool hd_report_at_same_places(const hd_report_finding *a, const hd_report_finding *b);

/* Findings that are the same defect become one, with what each of them knows; the
 * worst come first; fingerprints are filled in. */
void hd_report_merge(hd_report *report);

/* Makes the verdict of the parts' verdicts, and of what the baseline does not have. */
void hd_report_judge(hd_report *report);

/* How many there are of a level that the baseline does not have. */
size_t hd_report_count(const hd_report *report, enum hd_report_level level);

/* How sure it is, in a word. */
const char *hd_report_proof_name(enum hd_report_proof proof);

/* The file as people write it: from the current folder on, if it is in there. */
const char *hd_report_short(const char *file);

/* ---- Baseline: the fingerprints of findings that are known already ---- */

/* Marks the known ones.  The file is one that was saved, or a saved --json answer. */
bool hd_report_baseline_load(hd_report *report, const char *path, hd_error *error);
bool hd_report_baseline_save(const hd_report *report, const char *path, hd_error *error);

/* ---- Forms ---- */

typedef struct hd_report_look {
    bool colour;
    unsigned width; /* columns */
    bool only_new;  /* nothing that the baseline has */
    bool notes;     /* each of them, not their number */
} hd_report_look;

/* What fits the terminal that a file is: its width (or $COLUMNS, or 80), colours unless
 * NO_COLOR is set or it is no terminal. */
void hd_report_look_init(hd_report_look *look, FILE *to);
void hd_report_print(const hd_report *report, const hd_report_look *look, FILE *to);

bool hd_report_write_json(const hd_report *report, const char *path, hd_error *error);
bool hd_report_write_sarif(const hd_report *report, const char *path, hd_error *error);
bool hd_report_write_junit(const hd_report *report, const char *path, hd_error *error);
bool hd_report_write_dot(const hd_report *report, const char *path, hd_error *error);

#endif
