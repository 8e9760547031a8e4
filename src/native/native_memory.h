/*
 * Memory as variables: granules (trace_granules.h), whose borders are gathered in a first
 * pass, and their names.
 *
 * Names mean the same in every run: globals by the debugging information, blocks of
 * the heap by where they were allocated, by which thread, and the how manyth of that
 * they are, variables on stacks as native_locals.h says, else stacks by the thread and the
 * distance from its start.
 */
#ifndef HD_NATIVE_MEMORY_H
#define HD_NATIVE_MEMORY_H

#include "native_symbols.h"
#include "native_wire.h"

typedef struct hd_native_memory hd_native_memory;

hd_native_memory *hd_native_memory_create(const hd_native_run *run, hd_native_symbols *symbols);
void hd_native_memory_free(hd_native_memory *memory);

/* The first pass: every access, and every block of the heap. */
void hd_native_memory_note_access(hd_native_memory *memory, uint64_t address, uint64_t size);
void hd_native_memory_note_block(hd_native_memory *memory, const hd_trace_record *record);
void hd_native_memory_note(hd_native_memory *memory, const heddle_wire_block *it);
void hd_native_memory_noted(hd_native_memory *memory);
void hd_native_memory_forget(hd_native_memory *memory); /* all blocks */
void hd_native_memory_forget_stacks(hd_native_memory *memory);

/* Of a run that goes on blocks come behind that too; and a block is freed. */
void hd_native_memory_freed(hd_native_memory *memory, uint64_t address);

hd_trace_granules *hd_native_memory_granules(hd_native_memory *memory);

/* The name of what is at an address; `whole`: as hd_native_symbols_variable. */
void hd_native_memory_name(hd_native_memory *memory, uint64_t address, bool whole, hd_vec_char *to);

/* "main", "main.2", "main.2.1" */
void hd_native_thread_name(const hd_native_run *run, uint32_t thread, hd_vec_char *to);

#endif
