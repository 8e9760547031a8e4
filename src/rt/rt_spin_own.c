/*
 * What a thread stores without a step to memory that is not on its stack, as a checksum of the
 * words that differ from what they were when the program began: so the state of a thread is the
 * same whichever way it came to it.  A word is looked at before the first store to it since the
 * thread's last point, and at its next one.
 */
#include "rt_spin.h"

enum { ROOM = 64, WORD = 8 };

/* Only one thread is between two points at a time. */
static struct {
    uint32_t count;
    struct {
        uint64_t word, before;
    } store[ROOM];
} since;

static uint64_t content_of(uint64_t word) {
    return *(const uint64_t *)(word * WORD);
}

static uint64_t hash_of(uint64_t word, uint64_t content) {
    return hd_rt_spin_mix(hd_rt_spin_mix(1, word), content);
}

static bool add(uint64_t word) {
    if (since.count == ROOM)
        return false;
    for (uint32_t i = since.count; i-- > 0;)
        if (since.store[i].word == word)
            return true;
    since.store[since.count].word = word;
    since.store[since.count++].before = content_of(word);
    return true;
}

bool hd_rt_spin_own_stores(uintptr_t address, size_t size) {
    uint64_t word = address / WORD, last = (address + size - 1) / WORD;
    while (word <= last && add(word))
        word++;
    return word > last;
}

void hd_rt_spin_own_forget(void) {
    since.count = 0;
}

uint64_t hd_rt_spin_own_settle(void) {
    uint64_t change = 0;
    for (uint32_t i = 0; i < since.count; i++)
        change ^= hash_of(since.store[i].word, since.store[i].before) ^
                  hash_of(since.store[i].word, content_of(since.store[i].word));
    since.count = 0;
    return change;
}
