/*
 * heddle check, in three files: the flow (cli_check.c), the questions that are asked
 * (cli_check_questions.c), and how one is asked (cli_check_ask.c).
 *
 * A question is a heddle command in a process of its own, which answers in JSON: a
 * limit on time, or a crash in one of them, leaves the answers of the others.
 */
#ifndef HD_CLI_CHECK_H
#define HD_CLI_CHECK_H

#include "cli.h"
#include "report/report.h"

enum hd_cli_check_kind { HD_CLI_CHECK_PROGRAM, HD_CLI_CHECK_MODEL, HD_CLI_CHECK_TRACE };

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
    uint64_t longest; /* events of a trace, the most */
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
    char why[HD_ERROR_SIZE];
} hd_cli_check_answer;

/* Runs `heddle WORDS...` for at most so many seconds; the words are released.  Answers
 * are read as JSON if `json` is set. */
void hd_cli_check_ask(hd_cli_checkup *check, hd_cli_check_words *words, double seconds, bool json,
                      hd_cli_check_answer *answer);

double hd_cli_check_left(const hd_cli_checkup *check); /* seconds, at least 0 */

/* A path in the folder, in the report's arena. */
const char *hd_cli_check_path(hd_cli_checkup *check, const char *name);

/* The questions.  False: the input is bad, and the user has been told. */
bool hd_cli_check_compile(hd_cli_checkup *check);
bool hd_cli_check_record(hd_cli_checkup *check);
void hd_cli_check_predict(hd_cli_checkup *check);
bool hd_cli_check_explore(hd_cli_checkup *check);
/* Runs the schedules again and says how to do that. */
void hd_cli_check_replay(hd_cli_checkup *check);

#endif
