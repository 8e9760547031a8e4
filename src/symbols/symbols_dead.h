/*
 * What a thread no longer needs where it is in a function: registers that functions keep for their
 * callers, and words of the function's frame, which on every way from there are written before they
 * are read.  Two states of a thread that differ in these alone go on in the same way.
 *
 * It is read from the machine code of the function.  What is not understood counts as read.
 */
#ifndef HD_SYMBOLS_DEAD_H
#define HD_SYMBOLS_DEAD_H

#include "symbols_modules.h"

enum { HD_SYMBOLS_DEAD_WORDS = 128 }; /* of four bytes, from the stack pointer on */

typedef struct hd_symbols_dead {
    uint32_t registers; /* bits: rbx, rbp, r12 to r15; or x19 to x29 */
    uint64_t words[HD_SYMBOLS_DEAD_WORDS / 64];
} hd_symbols_dead;

/* After the call that returns to this address, of a program or of a file that may be of another
 * architecture (NULL: of none); false if that is not known. */
bool hd_symbols_dead_at(hd_symbols *symbols, uint64_t code, hd_symbols_dead *dead);
bool hd_symbols_dead_in(Dwfl_Module *module, uint64_t code, hd_symbols_dead *dead);

#endif
