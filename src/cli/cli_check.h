/*
 * heddle check, in four files: the flow (cli_check.c), the questions that are asked
 * (cli_check_questions.c), how one is asked (cli_check_ask.c), and whether the answers
 * agree (cli_check_compare.c).
 *
 * A question is a heddle command in a process of its own, which answers in JSON: a
 * limit on time, or a crash in one of them, leaves the answers of the others.
 */
#ifndef HD_CLI_CHECK_H
#define HD_CLI_CHECK_H

#include "cli.h"
#include "report/report.h"

enum hd_cli_check_kind { HD_CLI_CHECK_PROGRAM, HD_CLI_CHECK_MODEL, HD_CLI_CHECK_TRACE };

/* How a recorded run ended. */
typedef struct hd_cli_check_run {
    const char *trace, *ending;
    const char *printed; /* the beginning of it; */
    uint64_t bytes;      /* and how much there was */
    uint64_t exit_status, signal;
    uint64_t seed, events;
    bool deadlock, stopped;
} hd_cli_check_run;

typedef struct hd_cli_checkup {
    const hd_cli_arguments *arguments;
    enum hd_cli_check_kind kind;
    const char *input;   /* as it was given */
    const char *program; /* that is run: the input, or what was compiled of it */
    char **words;        /* the program's arguments */
    int word_count;
    const char *asked; /* --ask; NULL: everything */
    uint64_t seeds;
    double deadline, budget; /* hd_progress_clock, seconds */
    const char *folder;
    bool made_folder;
    bool interrupted;
    hd_report report;
    HD_VEC(const char *) traces;
    HD_VEC(hd_cli_check_run) runs;
    const char *explored; /* file with the explorer's answer */
    bool contradicted;    /* two answers disagree: all files stay */
    uint64_t longest;     /* events of a trace, the most */
} hd_cli_checkup;

/* Words of a command line; NULL at the end when it is run. */
typedef HD_VEC(const char *) hd_cli_check_words;

/* What became of a question. */
enum hd_cli_check_outcome {
    HD_CLI_CHECK_ANSWERED, /* the document is filled */
    HD_CLI_CHECK_REFUSED,  /* bad input: `why` has the command's own word */
    HD_CLI_CHECK_CRASHED,
    HD_CLI_CHECK_LATE /* stopped by the limit on time */
};

typedef struct hd_cli_check_answer {
    enum hd_cli_check_outcome outcome;
    int status; /* exit status of the command */
    hd_json_document document;
    hd_vec_char said; /* standard output, if it was read as JSON */
    char why[HD_ERROR_SIZE];
} hd_cli_check_answer;

/* Runs `heddle WORDS...` for at most so many seconds; the words are released.  Answers
 * are read as JSON if `json` is set. */
void hd_cli_check_ask(hd_cli_checkup *check, hd_cli_check_words *words, double seconds, bool json,
                      hd_cli_check_answer *answer);

void hd_cli_check_release(hd_cli_check_answer *answer);

/* Writes what the command said to a file, byte by byte; false if that cannot be. */
bool hd_cli_check_keep(const hd_cli_check_answer *answer, const char *path);

double hd_cli_check_left(const hd_cli_checkup *check); /* seconds, at least 0 */

/* A path in the folder, in the report's arena. */
const char *hd_cli_check_path(hd_cli_checkup *check, const char *name);

/* The questions.  False: the input is bad, and the user has been told. */
bool hd_cli_check_compile(hd_cli_checkup *check);
bool hd_cli_check_record(hd_cli_checkup *check);
/* Does the schedule of that run print something else if it is run once more? */
bool hd_cli_check_varies(hd_cli_checkup *check, const hd_cli_check_run *run);
void hd_cli_check_predict(hd_cli_checkup *check);
bool hd_cli_check_explore(hd_cli_checkup *check);
/* Runs the schedules again and says how to do that.  What a program did not show again is a note
 * from then on. */
void hd_cli_check_replay(hd_cli_checkup *check);

/* cli_check_compare.c: whether what was recorded and driven is in what was explored; and which
 * questions a complete exploration decides. */
void hd_cli_check_compare_runs(hd_cli_checkup *check, const hd_json_value *explored);
void hd_cli_check_compare_findings(hd_cli_checkup *check);
void hd_cli_check_cover(hd_cli_checkup *check);

#endif
