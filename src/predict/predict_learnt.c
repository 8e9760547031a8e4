#include "predict_learnt.h"

#include <xxhash.h>

enum { WORD = 8, LEAST_ROOM = 1 << 10 };

void hd_predict_learnt_clear(hd_predict_learnt *learnt) {
    hd_vec_clear(&learnt->points);
    hd_vec_push(&learnt->points, (hd_predict_point){.deed = HD_PREDICT_DEED_OPAQUE});
    if (learnt->count)
        memset(learnt->ways, 0, learnt->room * sizeof *learnt->ways);
    learnt->count = 0;
    hd_map_clear(&learnt->by_key);
}

void hd_predict_learnt_release(hd_predict_learnt *learnt) {
    hd_vec_release(&learnt->points);
    free(learnt->ways);
    hd_map_release(&learnt->by_key);
    *learnt = (hd_predict_learnt){0};
}

/* --- points --------------------------------------------------------------------------------- */

/* An access to memory can be simulated if it lies in one word. */
static enum hd_predict_deed in_word(hd_predict_point *point, uint32_t bytes,
                                    enum hd_predict_deed deed) {
    bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!whole || point->next.operation.address % WORD + bytes > WORD)
        return HD_PREDICT_DEED_OPAQUE;
    point->bytes = bytes;
    return deed;
}

static enum hd_predict_deed deed_at_memory(hd_predict_point *point) {
    const heddle_wire_operation *about = &point->next.operation;
    switch (about->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
        return in_word(point, about->size, HD_PREDICT_DEED_READS);
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        return in_word(point, about->size,
                       about->flags & HEDDLE_WIRE_TELLS ? HD_PREDICT_DEED_UPDATES
                                                        : HD_PREDICT_DEED_WRITES);
    case HEDDLE_ATOMIC_RMW + 1:
        return in_word(point, about->size,
                       point->next.with ? HD_PREDICT_DEED_COMPARES : HD_PREDICT_DEED_UPDATES);
    default:
        return about->size == HEDDLE_WIRE_BY_ONCE ? in_word(point, 4, HD_PREDICT_DEED_ONCE)
                                                  : in_word(point, 2, HD_PREDICT_DEED_GUARD);
    }
}

static enum hd_predict_deed deed_at_object(const heddle_wire_operation *about) {
    bool both = about->size == HEDDLE_WIRE_RWLOCK;
    bool lock = about->kind == HEDDLE_ACQUIRE + 1 || about->kind == HEDDLE_RELEASE + 1 ||
                about->kind == HEDDLE_READ_ACQUIRE + 1 || about->kind == HEDDLE_READ_RELEASE + 1;
    if (lock && about->size == HEDDLE_WIRE_ANNOTATED) /* another lock may be at its address */
        return HD_PREDICT_DEED_OPAQUE;
    switch (about->kind) {
    case HEDDLE_ACQUIRE + 1:
        return both ? HD_PREDICT_DEED_LOCKS_TO_WRITE : HD_PREDICT_DEED_LOCKS;
    case HEDDLE_RELEASE + 1:
        return both ? HD_PREDICT_DEED_UNLOCKS_TO_WRITE : HD_PREDICT_DEED_UNLOCKS;
    case HEDDLE_READ_ACQUIRE + 1:
        return HD_PREDICT_DEED_LOCKS_TO_READ;
    case HEDDLE_READ_RELEASE + 1:
        return HD_PREDICT_DEED_UNLOCKS_TO_READ;
    case HEDDLE_SEND + 1:
        return HD_PREDICT_DEED_POSTS;
    case HEDDLE_RECV + 1:
        return HD_PREDICT_DEED_TAKES;
    case HEDDLE_WAIT + 1:
        return HD_PREDICT_DEED_WAITS;
    case HEDDLE_WAKE + 1:
        return HD_PREDICT_DEED_WAKES;
    case HEDDLE_NOTIFY + 1:
        return HD_PREDICT_DEED_NOTIFIES;
    case HEDDLE_NOTIFYALL + 1:
        return HD_PREDICT_DEED_NOTIFIES_ALL;
    case HEDDLE_BARRIER_IN + 1:
        return HD_PREDICT_DEED_COMES;
    case HEDDLE_BARRIER_OUT + 1:
        return HD_PREDICT_DEED_LEAVES;
    default:
        return HD_PREDICT_DEED_OPAQUE;
    }
}

/* Flags that only say that it tries.  A join that tries makes ends of threads steps. */
static bool only_tries(const heddle_wire_operation *about) {
    return !(about->flags & ~(HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED | HEDDLE_WIRE_POLLED)) &&
           about->kind != HEDDLE_JOIN + 1;
}

/* A read in a loop that waits for another value of its own word, and for nothing else. */
static bool awaits_itself(const heddle_wire_next *next) {
    const heddle_wire_operation *about = &next->operation;
    bool reads = about->kind == HEDDLE_READ + 1 || about->kind == HEDDLE_ATOMIC_READ + 1;
    return about->flags == HEDDLE_WIRE_SPINS && !next->also[0] && !next->also[1] &&
           ((reads && !next->with) || about->kind == HEDDLE_ATOMIC_RMW + 1);
}

static bool is_write(const heddle_wire_operation *about) {
    return about->kind == HEDDLE_WRITE + 1 || about->kind == HEDDLE_ATOMIC_WRITE + 1;
}

static enum hd_predict_deed deed_of(hd_predict_point *point) {
    const heddle_wire_operation *about = &point->next.operation;
    if (point->next.ended)
        return HD_PREDICT_DEED_ENDS;
    if (about->kind == HEDDLE_WIRE_CALL && !(about->flags & ~HEDDLE_WIRE_LOOKS))
        return about->flags ? HD_PREDICT_DEED_ASKS : HD_PREDICT_DEED_CALLS;
    unsigned flags = about->flags & ~(unsigned)HEDDLE_WIRE_POLLED;
    point->awaits = awaits_itself(&point->next);
    if (point->awaits)
        return deed_at_memory(point);
    if (flags == HEDDLE_WIRE_NESTED)
        return about->kind == HEDDLE_ACQUIRE + 1 ? HD_PREDICT_DEED_NESTS : HD_PREDICT_DEED_UNNESTS;
    if (flags == HEDDLE_WIRE_TELLS && is_write(about))
        return deed_at_memory(point);
    if (flags && !only_tries(about))
        return HD_PREDICT_DEED_OPAQUE;
    point->tries = flags && about->kind != HEDDLE_WIRE_SLEEP;
    switch (about->kind) {
    case HEDDLE_WIRE_FINISH: /* where it matters which thread ends last, it meets the others */
        return about->address ? HD_PREDICT_DEED_OPAQUE : HD_PREDICT_DEED_GOES;
    case HEDDLE_WIRE_START:
    case HEDDLE_WIRE_YIELD:
    case HEDDLE_WIRE_SLEEP:
        return HD_PREDICT_DEED_GOES;
    case HEDDLE_WIRE_CHOICE:
        return HD_PREDICT_DEED_CHOOSES;
    case HEDDLE_WIRE_ATOMIC:
        return about->orders ? HD_PREDICT_DEED_SECTION : HD_PREDICT_DEED_OPAQUE;
    case HEDDLE_WIRE_ASSUME:
    case HEDDLE_WIRE_ROUND:
        return HD_PREDICT_DEED_NEVER;
    case HEDDLE_WIRE_FENCE:
        return about->address ? HD_PREDICT_DEED_OPAQUE : HD_PREDICT_DEED_GOES;
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
    case HEDDLE_ATOMIC_RMW + 1:
    case HEDDLE_WIRE_ONCE:
        return deed_at_memory(point);
    case HEDDLE_FORK + 1:
        return HD_PREDICT_DEED_FORKS;
    case HEDDLE_JOIN + 1:
        return HD_PREDICT_DEED_JOINS;
    default:
        return deed_at_object(about);
    }
}

/* In an atomic section: reads and writes. */
static enum hd_predict_deed inner_deed(hd_predict_point *point) {
    enum hd_predict_deed deed = deed_of(point);
    return deed == HD_PREDICT_DEED_READS || deed == HD_PREDICT_DEED_WRITES ? deed
                                                                           : HD_PREDICT_DEED_OPAQUE;
}

uint32_t hd_predict_learnt_point(hd_predict_learnt *learnt, const heddle_wire_next *next) {
    uint32_t number = (uint32_t)learnt->points.length;
    hd_predict_point point = {.next = *next};
    point.next.joined = 0;
    point.next.first = 0;
    if (next->inner) /* values belong to the run, too */
        point.next.with = point.next.also[0] = 0;
    point.deed = next->inner ? inner_deed(&point) : deed_of(&point);
    hd_vec_push(&learnt->points, point);
    return number;
}

uint64_t hd_predict_learnt_key(const heddle_wire_next *next, uint64_t state) {
    const heddle_wire_operation *about = &next->operation;
    uint64_t all[] = {(uint64_t)next->thread << 32 | (uint64_t)next->ended << 16 | about->kind,
                      (uint64_t)about->flags << 32 | about->size,
                      about->address,
                      about->code,
                      next->with,
                      next->also[0],
                      next->also[1],
                      state};
    return XXH3_64bits(all, sizeof all) | 1;
}

uint32_t hd_predict_learnt_with(const hd_predict_learnt *learnt, uint64_t key) {
    const uint32_t *number = hd_map_find(&learnt->by_key, key);
    return number ? *number : 0;
}

void hd_predict_learnt_name(hd_predict_learnt *learnt, uint32_t number, uint64_t key) {
    bool added;
    learnt->points.data[number].key = key;
    *hd_map_at(&learnt->by_key, key, &added) = number;
    assert(added);
}

/* Deadlines are not compared: in explored programs time passes only in waits, and a thread that
 * asks for the time is not predicted. */
bool hd_predict_learnt_is(const hd_predict_point *point, const heddle_wire_next *next) {
    const heddle_wire_operation *a = &point->next.operation, *b = &next->operation;
    bool alike = point->next.with == next->with && point->next.also[0] == next->also[0] &&
                 point->next.also[1] == next->also[1];
    return point->next.thread == next->thread && point->next.ended == next->ended &&
           point->next.inner == next->inner && (alike || next->inner) && a->kind == b->kind &&
           a->flags == b->flags && a->size == b->size && a->address == b->address &&
           a->code == b->code;
}

/* --- ways ----------------------------------------------------------------------------------- */

static hd_predict_way *place_of(const hd_predict_learnt *learnt, uint32_t from, uint64_t found) {
    uint64_t hash = (found ^ (uint64_t)from << 32 ^ from) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t place = (uint32_t)(hash >> 32) & (learnt->room - 1);
    assert(from && learnt->count < learnt->room); /* so the loop comes to an empty place */
    while (learnt->ways[place].from &&
           (learnt->ways[place].from != from || learnt->ways[place].found != found))
        place = (place + 1) & (learnt->room - 1);
    return &learnt->ways[place];
}

hd_predict_way *hd_predict_learnt_find(const hd_predict_learnt *learnt, uint32_t from,
                                       uint64_t found) {
    hd_predict_way *way = learnt->room ? place_of(learnt, from, found) : NULL;
    return way && way->from ? way : NULL;
}

static void grow_ways(hd_predict_learnt *learnt) {
    hd_predict_way *old = learnt->ways;
    uint32_t room = learnt->room;
    assert(!(room & (room - 1)));
    learnt->room = room ? 2 * room : LEAST_ROOM;
    learnt->ways = hd_mem_zero(learnt->room, sizeof *learnt->ways);
    for (uint32_t i = 0; i < room; i++)
        if (old[i].from)
            *place_of(learnt, old[i].from, old[i].found) = old[i];
    free(old);
}

hd_predict_way *hd_predict_learnt_way(hd_predict_learnt *learnt, uint32_t from, uint64_t found) {
    if (4 * (uint64_t)learnt->count >= 3 * (uint64_t)learnt->room)
        grow_ways(learnt);
    hd_predict_way *way = place_of(learnt, from, found);
    if (!way->from) {
        *way = (hd_predict_way){.from = from, .found = found};
        learnt->count++;
    }
    assert(way == hd_predict_learnt_find(learnt, from, found));
    return way;
}
