/*
 * What verdicts (room verdict) about traces and programs have in common.  A question makes its
 * verdict in one function, when all was asked and before anything is printed.
 */
#ifndef HD_ENGINE_VERDICT_H
#define HD_ENGINE_VERDICT_H

#include "engine_words.h"
#include "finding/finding.h"
#include "trace/trace.h"
#include "verdict/verdict.h"

/* Reorderings of a trace: rests on the recording, and on guesses if its order is partly guessed;
 * not complete if the trace is not.  Of a stream: what is known at its end. */
void hd_engine_verdict_recording(hd_verdict *verdict, const hd_trace *trace);
void hd_engine_verdict_cursor(hd_verdict *verdict, const hd_trace_cursor *cursor);

/* The same of a question about deadlocks, which the end of the run may be an answer to. */
void hd_engine_verdict_deadlocks(hd_verdict *verdict, const hd_trace *trace);

/* What the recorder says of a run that its events do not show: shaky for questions about other
 * orders of it, and firm if only the run itself is asked about. */
void hd_engine_verdict_doubts(hd_verdict *verdict, const hd_trace_end *end,
                              enum hd_verdict_trust trust);

/* The clock ended the reading of the trace. */
void hd_engine_verdict_late(hd_verdict *verdict, bool late);

/* What the words of a program's command line are, and what it reads. */
void hd_engine_verdict_inputs(hd_verdict *verdict, hd_engine_words words, bool reads_input);

/* A run was stopped at this failure, which is not an answer; "": none was. */
void hd_engine_verdict_stopped(hd_verdict *verdict, const char *fault);

/* Of a command that only reads a trace: it asked for this, and all of the file was there. */
void hd_engine_verdict_reading(hd_verdict *verdict, const char *asked, bool incomplete,
                               uint64_t lost);

/* Notes the suppressions that named no finding. */
void hd_engine_verdict_filter(hd_verdict *verdict, const hd_finding_filter *filter);

/* The same of what is not a finding: in words with a verb, of one and of several. */
void hd_engine_verdict_left_out(hd_verdict *verdict, const hd_finding_filter *filter,
                                const char *one, const char *many);

/* "name: incomplete trace, N events lost" as a warning. */
void hd_engine_note_incomplete(const char *name, bool incomplete, uint64_t lost);

#endif
