/*
 * The tests of a program, each of them explored on its own: with heddle/test.h, GoogleTest or
 * Catch2.  The program is asked for the names of its tests, and run once for each search, with the
 * words that choose one test.  Several are explored at a time.
 *
 *     hd_engine_tests tests;
 *     hd_engine_tests_init(&tests, "./tests");
 *     tests.filter = "queue_*"; tests.folder = "tests.heddle"; ...
 *     good = hd_engine_tests_list(&tests, &error) && hd_engine_tests_run(&tests, &error);
 *     ... tests.report.tests, .findings and .verdict
 *     hd_engine_tests_release(&tests);
 *
 * A test that is declared to fail is wrong if it does not.  The verdict of all of them is found if
 * one failed, and not complete if one is not.
 */
#ifndef HD_ENGINE_TEST_H
#define HD_ENGINE_TEST_H

#include <pthread.h>

#include "engine_ask.h"

enum hd_engine_framework { HD_ENGINE_KIT, HD_ENGINE_GTEST, HD_ENGINE_CATCH2 };

/* One test, by what its program says of it. */
typedef struct hd_engine_test {
    const char *name;
    HD_VEC(char *) words;         /* that make the program run it alone */
    HD_VEC(const char *) options; /* for the runtime: "spurious=1" */
    bool fails;                   /* it is declared to, */
    const char *with;             /* by this rule; NULL: by any */
    double seconds;               /* 0: as all others */
    uint64_t executions, depth;   /* 0: no limit */
    unsigned without;             /* HD_ENGINE_FIND_..., that is not looked for */
    bool linear;                  /* of heddle/linear.h: it has */
    HD_VEC(const char *) clients; /* as texts, the smallest first, */
    bool more_clients;            /* and more than these */
    const char *bounds;           /* of its clients, in words */
    hd_report_test result;

    /* Inside. */
    struct hd_engine_tests *all;
    hd_engine_answer answer;
    hd_error error;   /* why there is no answer */
    double found_at;  /* when the first failure was found; 0: none was */
    bool done, wrong; /* it ended; there is no answer, */
    bool refused;     /* as its program cannot be asked */
} hd_engine_test;

typedef struct hd_engine_tests {
    /* The question. */
    const char *input; /* the program, or a source of one */
    enum hd_engine_framework framework;
    const char *filter;       /* names with * and ?; NULL: all */
    const char *folder;       /* for witnesses, and the program that is made of a source */
    bool keeps;               /* also those of tests that fail as they were declared to */
    hd_engine_texts flags;    /* for the compiler */
    const char *suppressions; /* as of a question */
    const char *accept;       /* likewise */
    const char *baseline;     /* file of known findings; NULL: none, */
    bool learns;              /* and it is to have what is found */
    hd_engine_texts bounds;   /* of clients: "threads=3" */
    unsigned jobs;            /* tests at a time; 0: one for each processor */
    double seconds;           /* for each test: 60 */
    /* Each test as soon as it and all before it have ended; NULL: not told. */
    void (*each)(void *context, const hd_report_test *test);
    void *context;

    /* The answer. */
    hd_report report;
    const char *program; /* that is run */
    HD_VEC(hd_engine_test) list;

    /* Inside. */
    double started;
    size_t told;
    pthread_mutex_t lock;
} hd_engine_tests;

void hd_engine_tests_init(hd_engine_tests *tests, const char *input);

/* Compiles the source, and asks the program for its tests; false if that is bad input.  Those that
 * the filter leaves are in the list. */
bool hd_engine_tests_list(hd_engine_tests *tests, hd_error *error);

/* Explores them. */
bool hd_engine_tests_run(hd_engine_tests *tests, hd_error *error);

void hd_engine_tests_release(hd_engine_tests *tests);

/* ---- Inside ---- */

/* Asks about a test, with its words; or about a client of one.  What is found has files named after
 * the witness. */
void hd_engine_test_ask(hd_engine_test *test, const char *witness, unsigned workers);

/* What was found in the files that it is to have, with a command line to see it again. */
void hd_engine_test_settle(hd_engine_test *test, const char *witness);

uint64_t hd_engine_test_executions(const hd_engine_test *test);

/* engine_test_clients.c: explores the clients of a test of heddle/linear.h, several at a time.  Its
 * answer is that of the first client that fails; if none does, what all of them say together. */
void hd_engine_test_clients(hd_engine_test *test, const char *witness, unsigned workers);

/* Asks the program for these clients. */
bool hd_engine_test_list_clients(hd_engine_test *test, hd_error *error);

#endif
