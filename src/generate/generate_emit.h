/*
 * Private to the generators: one function per family, and what they all need to add an event.  Only
 * hd_random and integer arithmetic may decide anything here: a trace must be the same everywhere
 * and for ever.
 */
#ifndef HD_GENERATE_EMIT_H
#define HD_GENERATE_EMIT_H

#include "generate_families.h"

bool hd_generate_grid(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_forkjoin(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_chains(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_product(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_subsets(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_partitions(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_permutations(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_tableaux(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_handover(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_bank(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_poset(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_locks(hd_trace *trace, const hd_generate_request *request, hd_error *error);
bool hd_generate_like(hd_trace *trace, const hd_generate_request *request, hd_error *error);

/* False with an error when `threads` times `each` events are too many. */
bool hd_generate_emit_fits(uint64_t threads, uint64_t each, hd_error *error);

/* Names `count` objects of a class: prefix1, prefix2, ..., or from prefix0 on
 * for threads that have a main thread among them.  In a fresh trace, object i
 * of the class is number i, from 0 on. */
void hd_generate_emit_names(hd_trace *trace, enum heddle_class class, const char *prefix,
                            uint64_t first, uint64_t count);

/* An event without a value, with the one of a write or mark, or of a read. */
void hd_generate_emit(hd_trace *trace, uint32_t thread, enum heddle_kind kind, uint32_t object);
void hd_generate_emit_value(hd_trace *trace, uint32_t thread, enum heddle_kind kind,
                            uint32_t object, int64_t value);

/* Gives the last event a source line of that number. */
void hd_generate_emit_line(hd_trace *trace, unsigned line);

#endif
