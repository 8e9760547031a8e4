/*
 * What heddle detect found, between the detection and the printing of it.
 */
#ifndef HD_CLI_DETECT_H
#define HD_CLI_DETECT_H

#include "cli_page.h"
#include "cli_verdict.h"
#include "predicate/predicate.h"

typedef struct hd_cli_detect {
    const hd_cli_arguments *arguments;
    const char *path, *text; /* the trace, the predicate */
    bool explain, definitely, all, count, keep_reads, online;
    uint64_t window; /* of --online; 0: none */
    char **argv;     /* of --online: a program and its arguments; NULL: a trace */
    uint64_t seed;   /* of its schedule */
    bool free_running, every_access;
    double seconds;     /* after which it is ended; 0: never */
    uint64_t most;      /* findings at most; 0: all */
    const char *output; /* -o; NULL if not given */
    hd_trace trace;
    hd_order order;
    const char *file; /* a predicate in C; NULL: an expression */
    hd_predicate_plugin *plugin;
    hd_predicate predicate;
    hd_predicate_instance scene;
    hd_predicate_instance marks; /* --only=marks */
    bool only_marks;
    uint32_t *lifted; /* a state of it, as one of the scene */
    hd_predicate_prover *prover;
    hd_predicate_request request;
    hd_predicate_answer answer;
    hd_json *json; /* NULL: text */
    /* The state at hand. */
    hd_witness witness;
    hd_predicate_reads reads;
    bool proved;
    uint64_t shown;
    hd_cli_page page;
    hd_verdict verdict;
} hd_cli_detect;

/* The first lines of the answer, one state of it, and the same as JSON. */
void hd_cli_detect_print(const hd_cli_detect *d);
void hd_cli_detect_print_state(const hd_cli_detect *d, const uint32_t *state);
void hd_cli_detect_print_avoiding(const hd_cli_detect *d);
void hd_cli_detect_write_result(const hd_cli_detect *d);
void hd_cli_detect_write_state(const hd_cli_detect *d, const uint32_t *state);

/* "T1=3 T2=0", for a line of its own. */
void hd_cli_detect_print_counts(const hd_cli_detect *d, const uint32_t *state);

/* --online: reads the trace as it comes, or runs the program `d->argv`. */
int hd_cli_detect_online(hd_cli_detect *d);
int hd_cli_detect_live(hd_cli_detect *d);

/* What is wrong with a predicate: a line, and below it the place in the text. */
int hd_cli_detect_fail(const char *text, const hd_predicate_error *error);

#endif
