/*
 * cli: the command line.  One command is one file with one constant record;
 * cli_main.c has the table of them, the only place that knows them all.  A
 * command reads its options, calls the rooms that do the work, and prints; it
 * computes nothing itself.
 *
 * Exit status, of every command that answers a question: that of its verdict
 * (room verdict): 0 nothing found, complete and nothing shaky; 1 found; 2 bad usage
 * or input; 3 nothing found, but not complete or resting on something shaky.
 */
#ifndef HD_CLI_H
#define HD_CLI_H

#include <stdio.h>

#include "base/base.h"
#include "engine/engine.h"
#include "order/order.h"
#include "trace/trace.h"
#include "verdict/verdict.h"

enum hd_cli_status {
    HD_CLI_OK = HD_VERDICT_NOTHING,
    HD_CLI_FOUND = HD_VERDICT_FOUND,
    HD_CLI_BAD = HD_VERDICT_BAD,
    HD_CLI_OPEN = HD_VERDICT_OPEN
};

enum { HD_CLI_MAX_OPTIONS = 48 };

/* One option: a row of the command's table.  A NULL argument: a switch; "[=NAME]": one that may
 * have an argument. */
typedef struct hd_cli_option {
    const char *name; /* without the dashes */
    char letter;      /* 0: long only */
    const char *argument;
    const char *help;
} hd_cli_option;

/* The parsed command line of a command. */
typedef struct hd_cli_arguments {
    const struct hd_cli_command *command;
    /* By row of the table; "" for a switch that is given, NULL: not given. */
    const char *values[HD_CLI_MAX_OPTIONS];
    /* All that were given, in their order, for options that may be repeated. */
    HD_VEC(struct hd_cli_value {
        int row;
        const char *text;
    })
    all;
    char **operands;
    int operand_count;
    int after_dashes; /* how many of them stand after the first "--" */
    double started;
} hd_cli_arguments;

typedef struct hd_cli_command {
    const char *name;
    const char *operands; /* after the options in the usage line */
    const char *summary;  /* one line */
    const char *details;  /* some more, "" if none */
    const hd_cli_option *options;
    const hd_cli_option *(*make_options)(void); /* instead, for a table made at run time */
    int least, most;                            /* operands */
    int (*run)(const hd_cli_arguments *arguments);
    void (*more_help)(FILE *to); /* after the options; NULL if none */
    bool verbatim; /* every word is an operand, and the command looks for its options itself */
    bool stops;    /* options end at the first operand: what follows belongs to a program */
} hd_cli_command;

/* Rows that every command starts with, in this order. */
enum {
    HD_CLI_JSON,
    HD_CLI_QUIET,
    HD_CLI_VERBOSE,
    HD_CLI_MEMORY,
    HD_CLI_TIME,
    HD_CLI_TOTAL,
    HD_CLI_OWN
};

/* The limits, and what they mean in this command.  The clock of the whole command (base_clock.h)
 * holds them: --total always, --time unless the command has parts to which it applies (cli_run.c:
 * is_time_of_parts). */
#define HD_CLI_COMMON_LIMITS(letter, time, total)                                                  \
    {"json", 0, NULL, "print one JSON object instead of text"},                                    \
        {"quiet", 'q', NULL, "print no notes and no progress line"},                               \
        {"verbose", 'v', NULL, "print more on standard error"},                                    \
        {"memory", 0, "SIZE",                                                                      \
         "most memory to allocate: 500M, 2G (a quarter of the free memory; record: no limit)"},    \
        {"time", letter, "TIME", time}, {                                                          \
        "total", 0, "TIME", total                                                                  \
    }
#define HD_CLI_COMMON                                                                              \
    HD_CLI_COMMON_LIMITS(0, "stop after a time: 60, 0.5, 60s, 2m, 1h", "limit of the whole command")

extern const hd_cli_command hd_cli_cc, hd_cli_check, hd_cli_convert, hd_cli_cxx, hd_cli_deadlock,
    hd_cli_detect_command, hd_cli_explore, hd_cli_generate, hd_cli_info, hd_cli_record,
    hd_cli_replay, hd_cli_report, hd_cli_slice, hd_cli_states, hd_cli_nondet, hd_cli_race,
    hd_cli_test, hd_cli_validate, hd_cli_view;

/* Says what is wrong on standard error and returns HD_CLI_BAD. */
int hd_cli_fail(const char *format, ...) HD_PRINTF(1, 2);

/* What was found is counted, and listed then.  Did the clock or a signal end the list before all
 * of that?  Then it says so, and in the answer as JSON too, if there is one. */
struct hd_cli_answer;
bool hd_cli_list_is_cut(struct hd_cli_answer *answer, const char *path, const char *what,
                        uint64_t listed, bool whole);

/* May one more be listed?  Once the clock is over, there is a moment for what was found in time. */
bool hd_cli_list_goes_on(void);

/* The file of --witness, NULL: none.  False after saying that it cannot be written: it is better to
 * know that before a long search. */
bool hd_cli_witness(const hd_cli_arguments *arguments, int row, const char **path);
int hd_cli_usage(const hd_cli_arguments *arguments, const char *format, ...) HD_PRINTF(2, 3);

/* The command's table of options, and the row of one by name (it must be there). */
const hd_cli_option *hd_cli_options(const hd_cli_command *command);
int hd_cli_row(const hd_cli_command *command, const char *name);

/* A row of commands that run programs, and what it says; false after saying that it is not
 * well-formed. */
#define HD_CLI_MISUSE                                                                              \
    { "misuse", 0, "HOW", "misuse of locks and threads: fail (default), note, ignore" }
bool hd_cli_misuse(const hd_cli_arguments *arguments, int row);

/* Likewise. */
#define HD_CLI_VOLATILE                                                                            \
    { "volatile", 0, "HOW", "volatile accesses are plain (default), or atomic" }
bool hd_cli_volatile(const hd_cli_arguments *arguments, int row);

/* Likewise. */
#define HD_CLI_INPUTS                                                                              \
    { "inputs", 0, "LIST", "what __VERIFIER_nondet_... returns: 3,0,-1; or any:0..7" }
bool hd_cli_inputs(const hd_cli_arguments *arguments, int row);

/* Likewise: the property that is asked for by the conventions of SV-COMP, from here on; `usual` is
 * that of the command.  */
#define HD_CLI_SV_COMP                                                                             \
    { "sv-comp", 0, "[=PROPERTY]", "ask for a property of SV-COMP, by its conventions" }
bool hd_cli_sv_comp(const hd_cli_arguments *arguments, int row, enum hd_engine_property usual);

/* The row after it, for the competition's form of a witness. */
#define HD_CLI_YAML                                                                                \
    { "witness-yaml", 0, "FILE", "with --sv-comp, save a witness in the competition's format 2.0" }

/* The word for the verdict, in a "result". */
void hd_cli_sv_comp_write(enum hd_engine_property property, const char *word, hd_json *json);

/* --suppressions, else what TSAN_OPTIONS says; NULL: neither does. */
#define HD_CLI_SUPPRESSIONS                                                                        \
    { "suppressions", 0, "FILE", "leave out findings that match a rule in FILE, but count them" }
const char *hd_cli_suppressions(const hd_cli_arguments *arguments, int row);

/* Workers of a search, at most. */
enum { HD_CLI_MOST_WORKERS = 1024 };

/* --bound: whether it is given, and how many preemptions it allows. */
#define HD_CLI_BOUND                                                                               \
    { "bound", 0, "preemptions=K", "only schedules with at most K preemptions" }
bool hd_cli_bound(const hd_cli_arguments *arguments, int row, bool *bounded, uint32_t *most);

/* What follows the program, the first operand. */
static inline hd_engine_words hd_cli_program_words(const hd_cli_arguments *arguments) {
    return (hd_engine_words){arguments->operands + 1, (size_t)arguments->operand_count - 1};
}

static inline bool hd_cli_given(const hd_cli_arguments *arguments, int row) {
    return arguments->values[row] != NULL;
}

/* The place of an option's word among names; -1 after saying so if it is none of them. */
int hd_cli_choice(const hd_cli_arguments *arguments, int row, const char *const *names, int count,
                  int initial);

/* The value of a numeric option, or `initial`; false if it is not a number in range
 * (then the user has been told). */
bool hd_cli_number(const hd_cli_arguments *arguments, int row, uint64_t initial, uint64_t low,
                   uint64_t high, uint64_t *value);

/* Every value of an option that may be repeated: the next one from *at on (0 at first),
 * NULL when there are no more. */
const char *hd_cli_next(const hd_cli_arguments *arguments, int row, size_t *at);

/* A span of time: 60, 60s, 2m, 1h, 0.5, 250ms; `initial` if not given. */
bool hd_cli_seconds(const hd_cli_arguments *arguments, int row, double initial, double *seconds);

/* The trace format that an option (text or binary) asks for, else the one that
 * goes with the file's name; false after saying what is wrong. */
bool hd_cli_format(const hd_cli_arguments *arguments, int row, const char *path,
                   enum hd_trace_format *format);

/* How wide a column of names must be: so wide, or as the longest of these. */
int hd_cli_column(int least, const hd_names *names, const uint32_t *numbers, size_t count);

/* The frame of every --json answer: hd_cli_json_begin opens the object and the
 * "result" in it; hd_cli_json_findings closes that and opens "findings";
 * hd_cli_json_end closes all, and writes. */
typedef struct hd_cli_answer {
    hd_json json;
    hd_file *file;
} hd_cli_answer;

bool hd_cli_json_begin(hd_cli_answer *answer, const hd_cli_arguments *arguments, const char *input,
                       const hd_verdict *verdict);
void hd_cli_json_findings(hd_cli_answer *answer);
int hd_cli_json_end(hd_cli_answer *answer, int status);

/* The schedule of a finding that was checked.  All schedules of an answer together have at most 10
 * million events; a finding beyond that says how many its own has, hd_cli_json_end how many
 * findings those are. */
void hd_cli_json_schedule(hd_json *json, const hd_vec_u32 *schedule);

/* How the run of a trace ended, as "ended"; and what its threads had next, as a list: with
 * `events`, the event that each is held up by too. */
void hd_cli_json_end_of_run(hd_json *json, const hd_trace_end *end);
void hd_cli_json_next(hd_json *json, const char *key, const hd_trace_end *end,
                      const uint32_t *events);

/* What the reordering solver had to do, as "effort". */
void hd_cli_json_effort(hd_json *json, const hd_order_effort *effort);

/* From now on a signal that asks the process to end (base_stop.h) sets what this points to, for
 * work that looks at it now and then. */
const volatile int *hd_cli_stop(void);

/* The status of an answer that was told, if a file of it could not be written: what was found
 * stays found. */
static inline int hd_cli_written(bool written, int status) {
    return written || status == HD_CLI_FOUND ? status : HD_CLI_BAD;
}

/* Flushes standard output; a full disk turns the status into HD_CLI_BAD. */
int hd_cli_flush(int status);

/* "name: incomplete trace, N events lost" of a trace, or of a cursor at its end, and "name: order
 * partly guessed, ..."; the answer in JSON then has it too. */
void hd_cli_note_trace(const char *name, const hd_trace *trace);
void hd_cli_note_free(const char *name); /* a free run that is not over: how much is not known */
void hd_cli_note_cursor(const char *name, const hd_trace_cursor *cursor);

#endif
