/*
 * Options of the runtime besides the schedule, as words "name=value" that a witness keeps: with
 * other options the same steps would be a different run.
 */
#ifndef HD_LAUNCH_OPTIONS_H
#define HD_LAUNCH_OPTIONS_H

#include "base/base.h"
#include "heddle/wire.h"

/* Enters a word; false if it is unknown, or its value is not valid. */
bool hd_launch_options_word(heddle_wire *wire, const char *word);

/* To heddle_wire_explore.exits.  "cancels=1": joins are steps, "registers=1": so are looks for
 * handlers of exit, "objects=8": operations on objects access their bytes. */
bool hd_launch_options_exits(const char *word, uint32_t *exits);

/* To heddle_wire_explore.awaits.  "waits=loops": waits of C++'s atomics are loops that read,
 * "waits=asleep": they are as the C++ library makes them. */
bool hd_launch_options_waits(const char *word, heddle_wire_awaits *awaits);

/* The same for "ends=", why the end of a thread is a step. */
bool hd_launch_options_ends(const char *word, uint32_t *ends);

/* What misuse of locks and threads does in all programs that are launched from now on: "fail" (as
 * it is without this call), "note", "ignore"; false for another word. */
bool hd_launch_options_misuse(const char *how);

/* What volatile accesses of such programs are: "plain" (as it is without this call), "atomic";
 * false for another word. */
bool hd_launch_options_volatile(const char *how);

/* The inputs that such programs ask for: "3,0,-1", "any:0..7"; the text is kept.  False if it is
 * not well-formed. */
bool hd_launch_options_inputs(const char *text);

/* Which conventions of SV-COMP hold in them (HEDDLE_WIRE_SV_...), and in sources that are compiled
 * for them. */
void hd_launch_options_sv_comp(uint32_t bits);
uint32_t hd_launch_options_is_sv_comp(void);

/* Enters what these said. */
void hd_launch_options_begin(heddle_wire *wire);

/* All options that differ from their defaults, to be freed. */
typedef HD_VEC(char *) hd_launch_words;
void hd_launch_options_words(const heddle_wire *wire, hd_launch_words *words);

#endif
