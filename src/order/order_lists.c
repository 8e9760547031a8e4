/*
 * Sparse lists by sorting: all pairs at once, by radix, so that edges may be
 * found in any order and cost the same.
 */
#include "order_lists.h"

#include <string.h>

/* ---- Sorting: by bytes, lowest first, leaving out bytes that are all equal. ---- */

enum { BYTE_VALUES = 256 };

enum pass { MOVED, EQUAL, LATE };

/* One pass.  If all keys agree in this byte, nothing was moved. */
static enum pass distribute(uint64_t *to, const uint64_t *from, size_t count, unsigned shift,
                            bool timed) {
    size_t place[BYTE_VALUES] = {0};
    for (size_t i = 0; i < count; i++)
        place[from[i] >> shift & (BYTE_VALUES - 1)]++;
    if (place[from[0] >> shift & (BYTE_VALUES - 1)] == count)
        return EQUAL;
    size_t sum = 0;
    for (size_t value = 0; value < BYTE_VALUES; value++) {
        size_t here = place[value];
        place[value] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        to[place[from[i] >> shift & (BYTE_VALUES - 1)]++] = from[i];
        if (timed && hd_clock_over_at(i + 1))
            return LATE;
    }
    return MOVED;
}

static bool is_sorted(const hd_vec_u64 *pairs) {
    for (size_t i = 1; i < pairs->length; i++)
        if (pairs->data[i - 1] > pairs->data[i])
            return false;
    return true;
}

/* False if the clock was over before; then they are in any order, and some may be lost. */
static bool sort_pairs(hd_vec_u64 *pairs, bool timed) {
    if (pairs->length < 2)
        return true;
    uint64_t *from = pairs->data;
    uint64_t *other = hd_mem_alloc(pairs->length * sizeof *other);
    uint64_t *to = other;
    enum pass pass = MOVED;
    for (unsigned shift = 0; shift < 64 && pass != LATE; shift += 8) {
        pass = distribute(to, from, pairs->length, shift, timed);
        if (pass != MOVED)
            continue;
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != pairs->data)
        memcpy(pairs->data, from, pairs->length * sizeof *from);
    free(other);
    HD_COSTLY_ASSERT(pass == LATE || is_sorted(pairs));
    return pass != LATE;
}

/* ---- Building ---- */

/* Lists under construction. */
struct builder {
    hd_vec_u32 keys, items;
    HD_VEC(struct hd_order_run) runs;
};

static uint32_t high(uint64_t pair) {
    return (uint32_t)(pair >> 32);
}

static uint32_t low(uint64_t pair) {
    return (uint32_t)pair;
}

static void add_items(struct builder *builder, const uint32_t *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        hd_vec_push(&builder->items, items[i]);
}

static void add_run(struct builder *builder, uint32_t key, size_t start, size_t count) {
    assert(start + count <= UINT32_MAX);
    assert(!builder->keys.length || *hd_vec_last(&builder->keys) < key);
    hd_vec_push(&builder->keys, key);
    hd_vec_push(&builder->runs, (struct hd_order_run){(uint32_t)start, (uint32_t)count});
}

/* The list of the key at pairs[from]; returns where the next key begins.  An edge
 * can be there for two reasons (a fork that is its thread's last event, a join of
 * it that is its thread's first), and is kept once. */
static size_t add_pairs(struct builder *builder, const hd_vec_u64 *pairs, size_t from) {
    uint32_t key = high(pairs->data[from]);
    size_t start = builder->items.length, i = from;
    for (; i < pairs->length && high(pairs->data[i]) == key; i++)
        if (i == from || pairs->data[i] != pairs->data[i - 1])
            hd_vec_push(&builder->items, low(pairs->data[i]));
    add_run(builder, key, start, builder->items.length - start);
    return i;
}

/* Both are sorted by key, and no key is in both.  What the groups have is at the
 * start of the items already.  False if the clock was over before. */
static bool merge_lists(struct builder *builder, const hd_vec_u64 *pairs, const hd_vec_u64 *members,
                        const hd_trace_lists *groups, bool timed) {
    size_t pair = 0, member = 0;
    while (pair < pairs->length || member < members->length) {
        if (timed && hd_clock_over_at(builder->keys.length + 1))
            return false;
        uint32_t pair_key = pair < pairs->length ? high(pairs->data[pair]) : UINT32_MAX;
        uint32_t member_key = member < members->length ? high(members->data[member]) : UINT32_MAX;
        assert(pair_key != member_key);
        if (pair_key < member_key) {
            pair = add_pairs(builder, pairs, pair);
        } else {
            uint32_t group = low(members->data[member++]);
            add_run(builder, member_key, groups->start[group], hd_trace_list_length(groups, group));
        }
    }
    return true;
}

/* About as many buckets as keys, so that a bucket has one key in the mean. */
static void build_buckets(hd_order_lists *lists) {
    if (!lists->count)
        return;
    uint32_t last = lists->keys[lists->count - 1];
    while (last >> lists->shift > lists->count)
        lists->shift++;
    lists->bucket_count = (last >> lists->shift) + 1;
    lists->buckets = HD_NEW_ARRAY(uint32_t, (size_t)lists->bucket_count + 1);
    uint32_t key = 0;
    for (uint32_t bucket = 0; bucket < lists->bucket_count; bucket++) {
        while (key < lists->count && lists->keys[key] >> lists->shift < bucket)
            key++;
        lists->buckets[bucket] = key;
    }
    lists->buckets[lists->bucket_count] = lists->count;
    assert(key < lists->count && lists->keys[key] >> lists->shift == lists->bucket_count - 1);
}

HD_ASSERT_ONLY static bool lists_ascend(const hd_order_lists *lists) {
    for (uint32_t i = 0; i < lists->count; i++) {
        hd_order_list list = hd_order_lists_at(lists, i);
        for (uint32_t j = 1; j < list.count; j++)
            if (list.events[j - 1] >= list.events[j])
                return false;
    }
    return true;
}

static bool build(hd_order_lists *lists, hd_vec_u64 *pairs, const hd_vec_u64 *members,
                  const hd_trace_lists *groups, bool timed) {
    static const hd_vec_u64 no_members;
    static const hd_trace_lists no_groups;
    struct builder builder = {0};
    bool good = sort_pairs(pairs, timed);
    if (good && groups && groups->count)
        add_items(&builder, groups->items, groups->start[groups->count]);
    good = good && merge_lists(&builder, pairs, members ? members : &no_members,
                               groups ? groups : &no_groups, timed);
    hd_vec_release(pairs);
    *lists = (hd_order_lists){.keys = builder.keys.data,
                              .runs = builder.runs.data,
                              .items = builder.items.data,
                              .count = (uint32_t)builder.keys.length};
    if (!good) {
        hd_order_lists_release(lists);
        return false;
    }
    build_buckets(lists);
    HD_COSTLY_ASSERT(lists_ascend(lists));
    return true;
}

void hd_order_lists_build(hd_order_lists *lists, hd_vec_u64 *pairs, const hd_vec_u64 *members,
                          const hd_trace_lists *groups) {
    build(lists, pairs, members, groups, false);
}

bool hd_order_lists_build_in_time(hd_order_lists *lists, hd_vec_u64 *pairs,
                                  const hd_vec_u64 *members, const hd_trace_lists *groups) {
    return build(lists, pairs, members, groups, true);
}

void hd_order_lists_release(hd_order_lists *lists) {
    free(lists->keys);
    free(lists->runs);
    free(lists->items);
    free(lists->buckets);
    *lists = (hd_order_lists){0};
}

uint32_t hd_order_lists_find(const hd_order_lists *lists, uint32_t event) {
    uint32_t bucket = event >> lists->shift;
    if (bucket >= lists->bucket_count)
        return HD_ORDER_NONE;
    uint32_t from = lists->buckets[bucket], end = lists->buckets[bucket + 1], to = end;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (lists->keys[middle] < event)
            from = middle + 1;
        else
            to = middle;
    }
    assert(from == 0 || lists->keys[from - 1] < event); /* not only within the bucket */
    assert(from == lists->count || lists->keys[from] >= event);
    return from < end && lists->keys[from] == event ? from : HD_ORDER_NONE;
}

/* Is the edge of each key to each event of its list in the other lists, the other way round? */
static bool turned_round(const hd_order_lists *lists, const hd_order_lists *other) {
    for (uint32_t i = 0; i < lists->count; i++) {
        hd_order_list list = hd_order_lists_at(lists, i);
        for (uint32_t j = 0; j < list.count; j++) {
            hd_order_list back = hd_order_lists_of(other, list.events[j]);
            uint32_t k = 0;
            while (k < back.count && back.events[k] != lists->keys[i])
                k++;
            if (k == back.count)
                return false;
        }
    }
    return true;
}

bool hd_order_lists_mirror(const hd_order_lists *into, const hd_order_lists *out) {
    return turned_round(into, out) && turned_round(out, into);
}
