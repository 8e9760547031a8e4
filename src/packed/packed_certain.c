#include "packed_certain.h"

typedef struct hd_packed_state state;

void hd_packed_certain_release(hd_packed_certain *certain) {
    hd_vec_release(&certain->states);
    hd_vec_release(&certain->next);
    hd_vec_release(&certain->threads);
    hd_map_release(&certain->first);
}

void hd_packed_certain_add(hd_packed_certain *certain, uint64_t code) {
    bool added;
    uint32_t *first = hd_map_at(&certain->first, code, &added);
    hd_vec_push(&certain->states, (state){code, (uint32_t)certain->next.length, 0});
    if (added)
        *first = (uint32_t)certain->states.length;
}

void hd_packed_certain_follow(hd_packed_certain *certain, uint32_t number) {
    hd_vec_push(&certain->next, number);
    hd_vec_last(&certain->states)->count++;
}

/* + 1; 0: none. */
static uint32_t follower(const hd_packed_certain *certain, uint32_t number, uint64_t code) {
    if (!number)
        return 0;
    const state *it = &certain->states.data[number - 1];
    for (uint32_t i = it->first; i < it->first + it->count; i++)
        if (certain->states.data[certain->next.data[i]].code == code)
            return certain->next.data[i] + 1;
    return 0;
}

void hd_packed_certain_stop(hd_packed_certain *certain) {
    hd_vec_clear(&certain->states);
}

bool hd_packed_certain_take(hd_packed_certain *certain, const hd_packed_record *record,
                            bool may_be) {
    if (!certain->states.length || record->thread >= HEDDLE_WIRE_THREADS || record->silent)
        return false;
    if (certain->threads.length <= record->thread)
        hd_vec_resize(&certain->threads, record->thread + 1);
    uint32_t *at = &certain->threads.data[record->thread];
    if (record->op == HEDDLE_WIRE_ENTER || record->op == HEDDLE_WIRE_LEAVE) {
        *at = 0;
        return false;
    }
    uint32_t next = may_be ? follower(certain, *at, record->code) : 0;
    if (next) {
        *at = next;
        return true;
    }
    const uint32_t *first = hd_map_find(&certain->first, record->code);
    *at = first ? *first : 0;
    return false;
}
