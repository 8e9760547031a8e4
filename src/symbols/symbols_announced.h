/*
 * Does a function call the instrumentation?  By its machine code alone, for functions without
 * debugging information: calls through the table of addresses that the loader fills in, or through
 * a stub that jumps there.
 */
#ifndef HD_SYMBOLS_ANNOUNCED_H
#define HD_SYMBOLS_ANNOUNCED_H

#include <gelf.h>

#include "base/base.h"

typedef struct hd_symbols_announced {
    Elf *elf;
    bool x86, arm;  /* which code it is; neither: nothing is known */
    hd_map slots;   /* addresses where the loader puts those of the instrumentation */
    Elf_Data *code; /* of the section that was used last, */
    uint64_t low, high;
} hd_symbols_announced;

void hd_symbols_announced_init(hd_symbols_announced *it, Elf *elf);
void hd_symbols_announced_release(hd_symbols_announced *it);

/* True if the code from `start` on calls or jumps to the instrumentation. */
bool hd_symbols_announced_calls(hd_symbols_announced *it, uint64_t start, uint64_t size);

#endif
