/*
 * Notes: what a program did with locks, threads and signal handlers that is doubtful, but does not
 * fail (heddle_wire_note).
 */
#ifndef HD_NATIVE_NOTES_H
#define HD_NATIVE_NOTES_H

#include "native_machine.h"
#include "verdict/verdict.h"

/* Adds them to the verdict, each once, with its place. */
void hd_native_machine_notes(hd_machine *machine, hd_verdict *verdict);

#endif
