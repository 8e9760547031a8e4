/*
 * Blocks of the heap by the place that allocates them: what the source calls the block (the
 * pointer that gets it, else its type), and of which type it is, so that its parts have names.
 *
 *     pool->jobs.length in make_pool()      the block that `pool` in make_pool() got
 *     (new Account)->balance in main()      one that no pointer got at once
 *     buffer[12]                            `buffer` is a global variable
 */
#ifndef HD_SYMBOLS_ALLOCATIONS_H
#define HD_SYMBOLS_ALLOCATIONS_H

#include "symbols_modules.h"

typedef struct hd_symbols_allocations hd_symbols_allocations;

/* The name of the part at `offset` of a block of `size` bytes that the call which returns to `code`
 * has allocated; `which` tells it from others of the same place.  With `whole` an object of the
 * thread library is not taken apart.  False if the source or the debugging information does not
 * tell. */
bool hd_symbols_block(hd_symbols *symbols, uint64_t code, uint64_t size, const char *which,
                      uint64_t offset, bool whole, hd_vec_char *to);

void hd_symbols_allocations_free(hd_symbols_allocations *allocations);

#endif
