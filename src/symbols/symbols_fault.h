/*
 * What the runtime found wrong with memory, for people.
 */
#ifndef HD_SYMBOLS_FAULT_H
#define HD_SYMBOLS_FAULT_H

#include "symbols_modules.h"

/* Adds ", freed by main.2 (list.c:30), allocated by main (list.c:12)", as far as it is known. */
typedef void hd_symbols_thread(const void *context, uint32_t thread, hd_vec_char *to);
void hd_symbols_fault(hd_symbols *symbols, const heddle_wire_fault *fault, hd_symbols_thread *name,
                      const void *context, hd_vec_char *to);

#endif
