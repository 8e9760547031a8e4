/*
 * Events, or other numbers, by key and thread, for callers that go through all threads of a lock,
 * a variable or a semaphore.
 */
#ifndef HD_ORDER_GROUPS_H
#define HD_ORDER_GROUPS_H

#include "order_lists.h"

/* Lists by key and thread: group g of key k, first[k] <= g < first[k + 1], has
 * the items start[g] .. start[g + 1] - 1, all of thread[g], ascending. */
typedef struct hd_order_groups {
    uint32_t *first, *thread, *start, *items;
    uint32_t keys, count;
} hd_order_groups;

/* Pairs (key << 32 | item), in the order that each list is to have, which are taken. */
void hd_order_split(hd_trace_lists *lists, uint32_t count, hd_vec_u64 *pairs);
void hd_order_split_release(hd_trace_lists *lists);

/* Splits each list by thread; thread_of[item] is below `threads`. */
void hd_order_groups_build(hd_order_groups *groups, const hd_trace_lists *lists,
                           const uint32_t *thread_of, uint32_t threads);
void hd_order_groups_release(hd_order_groups *groups);

/* The group of a key that is of this thread, HD_ORDER_NONE if none exists. */
uint32_t hd_order_groups_find(const hd_order_groups *groups, uint32_t key, uint32_t thread);

/* How many items of the list are below the limit. */
uint32_t hd_order_below(const uint32_t *items, uint32_t count, uint32_t limit);

#endif
