/*
 * The places of a finding of a model or program: the accesses of a race, the threads of a
 * deadlock, the statement that failed.  They come from the machine, in the state that a
 * schedule leads to.
 */
#ifndef HD_ENGINE_PLACES_H
#define HD_ENGINE_PLACES_H

#include "engine_machine.h"
#include "report/report.h"

/* What a finding of a machine is about: the schedule shows the claim on it. */
typedef struct hd_engine_shown {
    hd_machine *machine;
    const char *path; /* of the model */
    enum hd_replay_claim claim;
    const hd_steps *schedule;
    const char *rule, *variable, *message; /* as in hd_report_defect */
    const char *location;                  /* of a failure */
} hd_engine_shown;

/* As "fingerprint" and "places" in JSON; or the fingerprint alone. */
void hd_engine_shown_write(const hd_engine_shown *shown, hd_json *json);
uint64_t hd_engine_shown_identity(const hd_engine_shown *shown);

/* The places themselves, with their texts in the arena. */
void hd_engine_shown_take(const hd_engine_shown *shown, hd_arena *arena, hd_report_places *places);

/* The "places" alone, in JSON. */
void hd_engine_shown_places(const hd_engine_shown *shown, hd_json *json);

/* Of a program, the stacks of the threads of the last two steps of a schedule where both are
 * next, as lines; owned, and "" if there are none. */
void hd_engine_stacks_before(hd_machine *machine, const hd_steps *schedule, const char *indent,
                             char *stacks[2]);

/* Before the lines of a stack below an event. */
#define HD_ENGINE_STACK_INDENT "             "

#endif
