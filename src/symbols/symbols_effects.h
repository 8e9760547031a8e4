/*
 * What else symbols_certain.c asks of an instruction: flags, vector registers, memory that it may
 * write in part, and whether it does anything that is not described.
 */
#ifndef HD_SYMBOLS_EFFECTS_H
#define HD_SYMBOLS_EFFECTS_H

#include <capstone/capstone.h>

#include "symbols_code.h"

void hd_symbols_effects_x86(const cs_insn *from, hd_symbols_instruction *to);
void hd_symbols_effects_arm(const cs_insn *from, hd_symbols_instruction *to);

/* Moves and computes scalars and vectors, with nothing but its operands. */
bool hd_symbols_is_vector_x86(unsigned name, const cs_x86 *x86);

#endif
