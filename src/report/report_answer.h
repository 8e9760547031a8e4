/*
 * What every --json answer is made of: the frame around the result and the findings, and
 * the values that are written alike everywhere.
 *
 *     hd_report_answer_begin(&json, &(hd_report_answer){...});
 *     ... the keys of "result"
 *     hd_report_answer_findings(&json);
 *     ... an object a finding
 *     hd_report_answer_end(&json);
 */
#ifndef HD_REPORT_ANSWER_H
#define HD_REPORT_ANSWER_H

#include "base/base.h"
#include "verdict/verdict.h"

typedef struct hd_report_answer {
    const char *command;
    const char *input;
    const char *const *arguments; /* of the program that the input is */
    size_t argument_count;
    const hd_verdict *verdict;
    double seconds;
    uint64_t guessed, unexplained; /* of the trace that it is about (hd_trace) */
    bool partly;                   /* some were guessed; it is not known how many */
} hd_report_answer;

void hd_report_answer_begin(hd_json *json, const hd_report_answer *answer);
void hd_report_answer_findings(hd_json *json);

/* The list of findings ends before the last of them, after so many: "list" follows it, which says
 * so and why, by the code of a reason (verdict.h). */
void hd_report_answer_list(hd_json *json, uint64_t listed, const char *code, const char *text);
void hd_report_answer_end(hd_json *json);

/* A text; nothing if it is NULL.  "file" and "line"; nothing without a file. */
void hd_report_text_write(hd_json *json, const char *key, const char *text);
void hd_report_line_write(hd_json *json, const char *file, uint32_t line);

/* Under that key. */
void hd_report_fingerprint_write(hd_json *json, const char *key, uint64_t fingerprint);

/* A list of event numbers, such as a schedule. */
void hd_report_events_write(hd_json *json, const char *key, const hd_vec_u32 *events);

#endif
