#include "order_groups.h"

void hd_order_split(hd_trace_lists *lists, uint32_t count, hd_vec_u64 *pairs) {
    lists->count = count;
    lists->start = HD_NEW_ARRAY(uint32_t, (size_t)count + 2);
    lists->items = HD_NEW_ARRAY(uint32_t, pairs->length + 1);
    for (size_t i = 0; i < pairs->length; i++) {
        assert(pairs->data[i] >> 32 < count);
        lists->start[(pairs->data[i] >> 32) + 2]++;
    }
    for (uint32_t i = 2; i <= count; i++)
        lists->start[i] += lists->start[i - 1];
    for (size_t i = 0; i < pairs->length; i++)
        lists->items[lists->start[(pairs->data[i] >> 32) + 1]++] = (uint32_t)pairs->data[i];
    assert(lists->start[count] == pairs->length);
    hd_vec_release(pairs);
}

void hd_order_split_release(hd_trace_lists *lists) {
    free(lists->start);
    free(lists->items);
    *lists = (hd_trace_lists){0};
}

/* Are the groups of a key in the order of their threads, and the items of a group ascending and
 * of its thread? */
HD_ASSERT_ONLY static bool groups_are_sorted(const hd_order_groups *groups,
                                             const uint32_t *thread_of) {
    for (uint32_t key = 0; key < groups->keys; key++)
        for (uint32_t g = groups->first[key]; g < groups->first[key + 1]; g++) {
            if (g > groups->first[key] && groups->thread[g - 1] >= groups->thread[g])
                return false;
            for (uint32_t i = groups->start[g]; i < groups->start[g + 1]; i++)
                if ((i > groups->start[g] && groups->items[i - 1] >= groups->items[i]) ||
                    thread_of[groups->items[i]] != groups->thread[g])
                    return false;
        }
    return true;
}

/* Splits each list by thread: sorted by thread first, which a counting sort does
 * for all keys at once, then by key. */
void hd_order_groups_build(hd_order_groups *groups, const hd_trace_lists *lists,
                           const uint32_t *thread_of, uint32_t threads) {
    uint32_t total = lists->start[lists->count];
    hd_vec_u64 pairs = {0};
    hd_trace_lists by_thread;
    hd_vec_u32 start = {0}, thread = {0};
    uint32_t *key_of = HD_NEW_ARRAY(uint32_t, (size_t)total + 1);
    groups->keys = lists->count;
    groups->first = HD_NEW_ARRAY(uint32_t, (size_t)lists->count + 1);
    groups->items = HD_NEW_ARRAY(uint32_t, (size_t)total + 1);
    for (uint32_t key = 0; key < lists->count; key++)
        for (uint32_t i = lists->start[key]; i < lists->start[key + 1]; i++) {
            key_of[i] = key;
            hd_vec_push(&pairs, (uint64_t)thread_of[lists->items[i]] << 32 | i);
        }
    hd_order_split(&by_thread, threads, &pairs);
    for (uint32_t i = 0; i < total; i++) {
        uint32_t place = by_thread.items[i];
        hd_vec_push(&pairs, (uint64_t)key_of[place] << 32 | lists->items[place]);
    }
    hd_trace_lists by_key;
    hd_order_split(&by_key, lists->count, &pairs);
    for (uint32_t key = 0; key < lists->count; key++) {
        groups->first[key] = (uint32_t)start.length;
        for (uint32_t i = by_key.start[key]; i < by_key.start[key + 1]; i++) {
            uint32_t of = thread_of[by_key.items[i]];
            groups->items[i] = by_key.items[i];
            if (start.length == groups->first[key] || *hd_vec_last(&thread) != of) {
                hd_vec_push(&start, i);
                hd_vec_push(&thread, of);
            }
        }
    }
    groups->count = (uint32_t)start.length;
    groups->first[lists->count] = groups->count;
    hd_vec_push(&start, total);
    groups->start = start.data;
    groups->thread = thread.data;
    hd_order_split_release(&by_thread);
    hd_order_split_release(&by_key);
    free(key_of);
    HD_COSTLY_ASSERT(groups_are_sorted(groups, thread_of));
}

void hd_order_groups_release(hd_order_groups *groups) {
    free(groups->first);
    free(groups->thread);
    free(groups->start);
    free(groups->items);
    *groups = (hd_order_groups){0};
}

uint32_t hd_order_groups_find(const hd_order_groups *groups, uint32_t key, uint32_t thread) {
    uint32_t low = groups->first[key], high = groups->first[key + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (groups->thread[middle] < thread)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == groups->first[key] || groups->thread[low - 1] < thread);
    return low < groups->first[key + 1] && groups->thread[low] == thread ? low : HD_ORDER_NONE;
}

uint32_t hd_order_below(const uint32_t *items, uint32_t count, uint32_t limit) {
    uint32_t low = 0, all = count;
    while (count) {
        uint32_t half = count / 2;
        if (items[low + half] < limit) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    assert((low == all || items[low] >= limit) && (low == 0 || items[low - 1] < limit));
    (void)all;
    return low;
}
