/*
 * Values that make a thread stay in a loop.  Where a thread went round a loop that only waits, and
 * read one word that others can change, it is known what this value does in this state: it leads
 * back to the state.  So from the next search on a thread that comes there does not read such a
 * value at all: the read waits until the word has another one.  The rounds that fail are no part of
 * the executions then.
 *
 * Why nothing is lost: a round that leaves everything as it was can be taken out of an execution
 * (rt_spin.c), the first one too.
 *
 * The state is the read, the registers, the thread's own stack, and the words of its own elsewhere
 * that the round read: these are kept with the value and compared.  What code without
 * instrumentation reads is not among them.  A run in which no thread can go on is executed once
 * more without this knowledge, with the rounds, before it is reported.
 */
#include "rt_explore.h"
#include "rt_spin.h"
#include "rt_spin_kinds.h"

void hd_rt_stay_look(hd_rt_looks *looks, const volatile void *address, size_t size) {
    uint64_t at = (uintptr_t)address;
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->look[i].address == at && looks->look[i].size == size)
            return;
    if (size > 8 || !is_word((uint32_t)size, at) || looks->count == HEDDLE_WIRE_STAY_LOOKS)
        looks->vague = true;
    else
        looks->look[looks->count++] = (heddle_wire_own){at, value_at(at, (uint32_t)size), size};
}

static bool holds(const heddle_wire_stay *stay) {
    for (uint32_t i = 0; i < stay->looks; i++)
        if (value_at(stay->look[i].address, (uint32_t)stay->look[i].size) != stay->look[i].value)
            return false;
    return true;
}

static bool is_same(const heddle_wire_stay *stay, uint64_t key, uint64_t value,
                    const hd_rt_looks *looks) {
    if (stay->key != key || stay->value != value || stay->looks != looks->count)
        return false;
    for (uint32_t i = 0; i < looks->count; i++)
        if (stay->look[i].address != looks->look[i].address ||
            stay->look[i].value != looks->look[i].value)
            return false;
    return true;
}

void hd_rt_stay_add(uint64_t key, uint64_t value, const hd_rt_looks *looks) {
    heddle_wire_explore *explore = hd_rt_explore;
    if (looks->vague || explore->stays == HEDDLE_WIRE_STAYS)
        return;
    for (uint32_t i = 0; i < explore->stays; i++)
        if (is_same(&explore->stay[i], key, value, looks))
            return;
    heddle_wire_stay *stay = &explore->stay[explore->stays];
    stay->key = key;
    stay->value = value;
    stay->looks = looks->count;
    for (uint32_t i = 0; i < looks->count; i++)
        stay->look[i] = looks->look[i];
    explore->stays++;
}

bool hd_rt_stay_known(uint64_t key) {
    for (uint32_t i = 0; i < hd_rt_explore->stays_used; i++)
        if (hd_rt_explore->stay[i].key == key && holds(&hd_rt_explore->stay[i]))
            return true;
    return false;
}

bool hd_rt_stay_stays(uint64_t key, uint64_t value) {
    for (uint32_t i = 0; i < hd_rt_explore->stays_used; i++) {
        const heddle_wire_stay *stay = &hd_rt_explore->stay[i];
        if (stay->key == key && stay->value == value && holds(stay))
            return true;
    }
    return false;
}
