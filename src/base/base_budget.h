/*
 * The memory budget of the process.  Files are hostile: a hundred kilobytes can ask for gigabytes.
 * So every allocation of base_mem.h, and with it every vector, map, arena and table of names, is
 * counted against one limit before it is made.  What does not fit is fatal, as running out of
 * memory is: one line and status 2.
 *
 * The command line sets the budget (--memory); a process that sets none has none.
 */
#ifndef HD_BASE_BUDGET_H
#define HD_BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

/* The least that a budget can be: tables of the readers alone take a part of it. */
#define HD_MEM_BUDGET_LEAST ((size_t)64 << 20)

/* Bytes that the process may have allocated at a time; 0: no limit. */
void hd_mem_budget_set(size_t bytes);
size_t hd_mem_budget(void);

/* The same, or so many where there is no limit. */
static inline size_t hd_mem_budget_or(size_t bytes) {
    size_t limit = hd_mem_budget();
    return limit ? limit : bytes;
}

/* A quarter of what is free on this machine and in this control group. */
size_t hd_mem_budget_default(void);

/* "500M", "2G", "64K"; without a unit MiB.  False if it is not a size. */
bool hd_mem_budget_parse(const char *text, size_t *bytes);

/* Is there room for so many bytes more?  For a caller that can do with less. */
bool hd_mem_budget_allows(size_t bytes);

/* Does not return if more is in use than the budget: for memory that is taken by touching it. */
void hd_mem_budget_check(void);

/* Counts bytes that are about to be allocated; does not return if they do not fit. */
void hd_mem_budget_take(size_t bytes);

#endif
