/*
 * What an answer about a real program rests on, as the machine saw it while it ran: each part of
 * the machine that assumes something says so here, with figures.
 */
#ifndef HD_NATIVE_RESTS_H
#define HD_NATIVE_RESTS_H

#include "native_machine.h"
#include "verdict/verdict.h"

void hd_native_machine_rests(const hd_machine *machine, hd_verdict *verdict);

/* A part of it: what the machine where the program runs may do, and explored runs do not. */
void hd_native_promises_rest(const hd_machine *machine, hd_verdict *verdict);

#endif
