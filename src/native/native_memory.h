/*
 * Memory as variables.  Accesses of different sizes may overlap; a variable of a
 * trace is one granule: a stretch of bytes that every access covers whole or not at
 * all.  The borders of granules are those of all accesses, gathered in a first pass.
 *
 * Names mean the same in every run: globals by the debugging information, blocks of
 * the heap by where they were allocated, by which thread, and the how manyth of that
 * they are, stacks by the thread and the distance from its start.
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
void hd_native_memory_noted(hd_native_memory *memory);

/* The number of the granule that begins at an address at which one does, and where the
 * next one begins. */
uint32_t hd_native_memory_granule(hd_native_memory *memory, uint64_t address);
uint64_t hd_native_memory_next(hd_native_memory *memory, uint64_t address);
uint32_t hd_native_memory_granules(const hd_native_memory *memory);

/* The name of what is at an address; `whole`: as hd_native_symbols_variable. */
void hd_native_memory_name(hd_native_memory *memory, uint64_t address, bool whole, hd_vec_char *to);

/* "main", "main.2", "main.2.1" */
void hd_native_thread_name(const hd_native_run *run, uint32_t thread, hd_vec_char *to);

#endif
