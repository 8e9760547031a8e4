/*
 * A question on its way through hd_engine_ask: inside the engine only.
 */
#ifndef HD_ENGINE_ASKING_H
#define HD_ENGINE_ASKING_H

#include "engine_ask.h"
#include "engine_report.h"

typedef struct hd_engine_asking {
    const hd_engine_question *q;
    hd_engine_answer *a;
    const hd_trace *trace;
    hd_report_scene *scene; /* of the trace */
    hd_report_lines lines;  /* of sources */
    size_t first;           /* findings of the report before this question */
    size_t former;          /* those that a search found before it started over last */
    uint32_t round;         /* how often it did */
    hd_error failed;        /* while a finding was described or saved; "": not */
} hd_engine_asking;

void hd_engine_asking_put(hd_engine_asking *ask, const char *name, double value);

/* How many this question has found, for the file of the next one's witness. */
size_t hd_engine_asking_number(const hd_engine_asking *ask);

/* Tells what is new; other than 0: no more are wanted. */
int hd_engine_asking_tell(hd_engine_asking *ask);

/* Of the last finding, which a search found after it had started over so often: if it was found
 * before that, it takes the earlier one's place, and was told.  Its number. */
size_t hd_engine_asking_settle(hd_engine_asking *ask, uint32_t round);

/* The verdict of the question, when all is in it: what the user accepts, that a signal or `found`
 * ended it; a copy is the answer's; and the answer is counted in the report. */
void hd_engine_asking_judge(hd_engine_asking *ask, hd_verdict *verdict);

/* engine_ask_trace.c, engine_ask_machine.c: each question. */
bool hd_engine_ask_trace(hd_engine_asking *ask, hd_error *error);
bool hd_engine_ask_online(hd_engine_asking *ask, hd_error *error);
bool hd_engine_ask_drive(hd_engine_asking *ask, hd_error *error);
bool hd_engine_ask_explore(hd_engine_asking *ask, hd_error *error);
bool hd_engine_ask_replay(hd_engine_asking *ask, hd_error *error);
bool hd_engine_ask_record(hd_engine_asking *ask, hd_error *error);

#endif
