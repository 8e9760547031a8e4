/*
 * Memory.  These never return NULL: out of memory is fatal here, in one place, with a clear message
 * and status 2, so that no caller needs a path for it.  So is what goes beyond the budget of the
 * process (base_budget.h).
 */
#ifndef HD_BASE_MEM_H
#define HD_BASE_MEM_H

#include <stddef.h>

#define HD_PRINTF(format_at, rest_at) __attribute__((format(printf, format_at, rest_at)))

void *hd_mem_alloc(size_t size);
void *hd_mem_zero(size_t count, size_t size); /* overflow of the product is fatal too */
void *hd_mem_resize(void *old, size_t count, size_t size);
char *hd_mem_string(const char *text, size_t length); /* a copy, NUL-terminated */

/* A large table of which little may be used: pages of its own, zero, that cost nothing until they
 * are touched.  (calloc clears all of it if it reuses what was freed.)  They are not counted
 * against the budget until then: who fills such tables calls hd_mem_budget_check now and then. */
void *hd_mem_pages(size_t count, size_t size);
void hd_mem_pages_free(void *pages, size_t count, size_t size);

#define HD_NEW(type) ((type *)hd_mem_zero(1, sizeof(type)))
#define HD_NEW_ARRAY(type, count) ((type *)hd_mem_zero((count), sizeof(type)))

#endif
