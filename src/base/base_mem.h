/*
 * Memory.  These never return NULL: out of memory is fatal here, in one place, with a clear message
 * and status 2, so that no caller needs a path for it.
 */
#ifndef HD_BASE_MEM_H
#define HD_BASE_MEM_H

#include <stddef.h>

#define HD_PRINTF(format_at, rest_at) __attribute__((format(printf, format_at, rest_at)))

void *hd_mem_alloc(size_t size);
void *hd_mem_zero(size_t count, size_t size); /* overflow of the product is fatal too */
void *hd_mem_resize(void *old, size_t count, size_t size);
char *hd_mem_string(const char *text, size_t length); /* a copy, NUL-terminated */

#define HD_NEW(type) ((type *)hd_mem_zero(1, sizeof(type)))
#define HD_NEW_ARRAY(type, count) ((type *)hd_mem_zero((count), sizeof(type)))

#endif
