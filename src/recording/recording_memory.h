/*
 * Memory as variables: granules (packed_granules.h), whose borders are gathered in a first
 * pass, and their names.
 *
 * Names mean the same in every run: globals by the debugging information, blocks of the heap by
 * where they were allocated, by which thread, and a count of those; variables on stacks as
 * symbols_locals.h says, else stacks by the thread and the distance from its start.
 */
#ifndef HD_RECORDING_MEMORY_H
#define HD_RECORDING_MEMORY_H

#include "launch/launch.h"
#include "symbols/symbols.h"

typedef struct hd_recording_memory hd_recording_memory;

hd_recording_memory *hd_recording_memory_create(const hd_launch_run *run, hd_symbols *symbols);
void hd_recording_memory_free(hd_recording_memory *memory);

/* The first pass: every access, and every block of the heap. */
void hd_recording_memory_note_access(hd_recording_memory *memory, uint64_t address, uint64_t size);
void hd_recording_memory_note_block(hd_recording_memory *memory, const hd_packed_record *record);
void hd_recording_memory_note(hd_recording_memory *memory, const heddle_wire_block *it);
void hd_recording_memory_noted(hd_recording_memory *memory);
void hd_recording_memory_forget(hd_recording_memory *memory); /* all blocks */
void hd_recording_memory_forget_stacks(hd_recording_memory *memory);

/* For a run that has not ended yet, blocks can also be added after that; and a block is freed.  Its
 * size; 0: no block begins there. */
uint64_t hd_recording_memory_freed(hd_recording_memory *memory, uint64_t address);

hd_packed_granules *hd_recording_memory_granules(hd_recording_memory *memory);

/* The name of what is at an address; `whole`: as hd_symbols_variable. */
void hd_recording_memory_name(hd_recording_memory *memory, uint64_t address, bool whole,
                              hd_vec_char *to);

#endif
