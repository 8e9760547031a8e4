/*
 * Notes: what a program did with locks, threads, signal handlers and memory that is doubtful, but
 * does not fail (heddle_wire_note), in words.
 */
#ifndef HD_RECORDING_NOTES_H
#define HD_RECORDING_NOTES_H

#include "launch/launch.h"
#include "symbols/symbols.h"

/* Prints the name of an object. */
typedef void hd_recording_object(void *context, uint64_t address, hd_vec_char *to);

/* Appends one sentence, with its place; returns the word for its kind, NULL if that is not known.
 */
const char *hd_recording_note(const heddle_wire_note *note, hd_symbols *symbols,
                              hd_recording_object *object, void *context, hd_vec_char *to);

/* The sentence for one of HEDDLE_WIRE_UNKEPT_..., and the word for all of them. */
#define HD_RECORDING_UNKEPT "address-space"
const char *hd_recording_unkept(uint32_t kind);

/* The same where the system refused to make a thread. */
#define HD_RECORDING_UNBORN                                                                        \
    "a thread could not be made, for want of processes or memory (heddle's own processes count, "  \
    "too: ulimit -u): what the program does with it is not known"

/* The word and the sentence if there were more than were kept. */
#define HD_RECORDING_NOTES_LOST "notes"
void hd_recording_notes_lost(hd_vec_char *to);

#endif
