#include "predict_states.h"

#include <stdlib.h>

#define BIT(thread) (UINT64_C(1) << (thread))

enum { LEAST_ROOM = 1 << 16 };

/* --- hashes of states ----------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* The hash of a state is the exclusive or of those of its parts: so parts are mixed one by one, as
 * numbers of points and cells lie close to each other. */
#define POINT UINT64_C(0x9ae16a3b2f90404f)
#define CELL UINT64_C(0xc949d7c7509e6557)

static uint64_t hash_point(uint32_t thread, uint32_t point) {
    return point ? mix(mix(mix(POINT, thread), point), POINT) : 0;
}

static uint64_t hash_cell(uint32_t number, const hd_predict_content *content) {
    uint64_t rest =
        (uint64_t)(uint32_t)content->count << 16 | (uint64_t)content->written << 8 | content->owner;
    bool empty = !rest && !content->value;
    return empty ? 0 : mix(mix(mix(mix(CELL, number), content->value), rest), CELL);
}

static bool is_first(const hd_predict_simulator *r, size_t from, size_t i) {
    const hd_predict_old *old = r->old.data;
    while (from < i && (old[from].what != old[i].what || old[from].number != old[i].number))
        from++;
    return from == i;
}

/* The hash after the last step, from the one before it. */
static uint64_t hash_after(const hd_predict_simulator *r, uint64_t hash) {
    size_t from = hd_vec_last(&r->moments)->old;
    for (size_t i = from; i < r->old.length; i++) {
        const hd_predict_old *old = &r->old.data[i];
        if (!is_first(r, from, i))
            continue;
        if (old->what == HD_PREDICT_OLD_POINT)
            hash ^= hash_point(old->number, (uint32_t)old->word) ^
                    hash_point(old->number, r->at[old->number]);
        else if (old->what == HD_PREDICT_OLD_CELL)
            hash ^= hash_cell(old->number, &old->content) ^
                    hash_cell(old->number, &r->cells.all.data[old->number].now);
    }
    return hash;
}

/* --- states that are known ------------------------------------------------------------------ */

static size_t place_of(const hd_predict_states *s, uint64_t hash) {
    size_t at = (size_t)(hash >> 20) & (s->room - 1);
    assert(hash && s->count < s->room);
    while (s->known[at] && s->known[at] != hash)
        at = (at + 1) & (s->room - 1);
    return at;
}

static void grow(hd_predict_states *s) {
    uint64_t *old = s->known;
    size_t room = s->room;
    s->room = room ? 2 * room : LEAST_ROOM;
    s->known = hd_mem_zero(s->room, sizeof *s->known);
    for (size_t i = 0; i < room; i++)
        if (old[i])
            s->known[place_of(s, old[i])] = old[i];
    free(old);
}

static bool has_room(const hd_predict_states *s) {
    return s->count < s->most &&
           (2 * s->count < s->room || hd_mem_budget_allows(2 * s->room * sizeof *s->known));
}

/* True if it is new. */
static bool enter(hd_predict_states *s, uint64_t hash) {
    if (2 * s->count >= s->room)
        grow(s);
    size_t at = place_of(s, hash);
    if (s->known[at])
        return false;
    s->known[at] = hash;
    s->count++;
    return true;
}

/* --- steps ---------------------------------------------------------------------------------- */

static uint64_t enabled_now(const hd_predict_simulator *r) {
    return r->steps.length ? hd_vec_last(&r->steps)->enabled : BIT(0);
}

/* A step that makes no difference to others, whenever it is taken. */
static bool is_alone(const hd_predict_simulator *r, uint32_t thread) {
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    if (point->deed == HD_PREDICT_DEED_GOES)
        return point->next.operation.kind == HEDDLE_WIRE_START;
    return point->bytes && r->cells.all.data[point->cell].idle;
}

static uint64_t steps_of(const hd_predict_simulator *r) {
    uint64_t enabled = enabled_now(r);
    for (uint64_t rest = enabled; rest; rest &= rest - 1)
        if (is_alone(r, (uint32_t)__builtin_ctzll(rest)))
            return rest & (0 - rest);
    return enabled;
}

static uint32_t choices_of(const hd_predict_simulator *r, uint32_t thread) {
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    if (point->deed == HD_PREDICT_DEED_CHOOSES)
        return point->next.operation.size;
    if (point->deed != HD_PREDICT_DEED_NOTIFIES)
        return 1;
    uint32_t count = (uint32_t)__builtin_popcountll(hd_predict_simulate_waiters(r, point));
    return count ? count : 1;
}

/* Threads come in an order that differs from state to state. */
static uint32_t draw(const hd_predict_states *s, const hd_predict_visit *visit) {
    unsigned turn = mix(visit->hash, s->seed) % HD_PREDICT_THREADS;
    uint64_t high = visit->left >> turn;
    return high ? turn + (uint32_t)__builtin_ctzll(high) : (uint32_t)__builtin_ctzll(visit->left);
}

/* The next step from the current state; false: there is none. */
static bool next_step(hd_predict_states *s, heddle_wire_decision *step) {
    hd_predict_visit *visit = hd_vec_last(&s->visits);
    if (visit->choice >= visit->choices) {
        if (!visit->left)
            return false;
        visit->thread = draw(s, visit);
        visit->left &= ~BIT(visit->thread);
        visit->choice = 0;
        visit->choices = choices_of(s->simulator, visit->thread);
    }
    *step = (heddle_wire_decision){(uint16_t)visit->thread, (uint16_t)visit->choice++};
    return true;
}

static void push_visit(hd_predict_states *s, uint64_t hash) {
    hd_vec_push(&s->visits, (hd_predict_visit){.hash = hash, .left = steps_of(s->simulator)});
}

/* Of the wanted step: all that it may find.  Of a thread that is alone that is the whole state. */
static uint64_t hash_wanted(const hd_predict_states *s) {
    const hd_predict_simulator *r = s->simulator;
    uint32_t thread = s->wanted.thread;
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    uint64_t hash = mix(r->at[thread], s->wanted.choice);
    bool alone =
        r->now.births == r->now.joins || point->deed == HD_PREDICT_DEED_JOINS || !point->bytes;
    return alone ? mix(hash, hd_vec_last(&s->visits)->hash)
                 : mix(hash, hash_cell(point->cell, &r->cells.all.data[point->cell].now));
}

/* --- the search ----------------------------------------------------------------------------- */

void hd_predict_states_begin(hd_predict_states *s) {
    s->cut = s->drops = false;
    s->count = 0;
    if (s->room)
        memset(s->known, 0, s->room * sizeof *s->known);
    hd_vec_clear(&s->visits);
    hd_predict_simulate_back(s->simulator, 0);
    hd_predict_states_judge(s->simulator, s->idles);
    push_visit(s, 1);
}

void hd_predict_states_release(hd_predict_states *s) {
    free(s->known);
    hd_vec_release(&s->visits);
    hd_map_release(&s->bad);
    *s = (hd_predict_states){0};
}

/* Enters the state after the last step; true if the search is to go on from there. */
static bool is_new(hd_predict_states *s, uint64_t *hash) {
    hd_predict_simulator *r = s->simulator;
    *hash = hash_after(r, hd_vec_last(&s->visits)->hash);
    if (hd_vec_last(&r->steps)->over)
        return false;
    if (r->steps.length >= s->depth) {
        s->cut = true;
        return false;
    }
    return enter(s, mix(*hash, r->now.signalled) | 1);
}

enum hd_predict_states_end hd_predict_states_go_on(hd_predict_states *s, uint64_t *work) {
    hd_predict_simulator *r = s->simulator;
    for (size_t steps = 1; *work && !hd_clock_over_at(steps); --*work, steps++) {
        uint64_t hash;
        assert(s->visits.length == r->steps.length + 1);
        if (!has_room(s))
            return HD_PREDICT_STATES_FULL;
        if (!next_step(s, &s->wanted)) {
            if (s->visits.length == 1)
                return HD_PREDICT_STATES_ALL;
            s->visits.length--;
            hd_predict_simulate_back(r, s->visits.length - 1);
        } else if (!hd_predict_simulate_step(r, s->wanted, NULL)) {
            if (!hd_map_find(&s->bad, hash_wanted(s)))
                return HD_PREDICT_STATES_UNKNOWN;
        } else if (is_new(s, &hash)) {
            bool stuck = !enabled_now(r) && r->now.live;
            push_visit(s, hash);
            if (stuck)
                return HD_PREDICT_STATES_STUCK;
        } else
            hd_predict_simulate_back(r, s->visits.length - 1);
    }
    return HD_PREDICT_STATES_PAUSED;
}

/* False if the simulator knows another way by now. */
static bool come_back(hd_predict_states *s) {
    hd_predict_simulator *r = s->simulator;
    hd_predict_simulate_back(r, 0);
    for (size_t i = 0; i + 1 < s->visits.length; i++) {
        const hd_predict_visit *visit = &s->visits.data[i];
        heddle_wire_decision step = {(uint16_t)visit->thread, (uint16_t)(visit->choice - 1)};
        if (r->wrong || !hd_predict_simulate_step(r, step, NULL))
            return false;
    }
    return true;
}

enum hd_predict_states_back hd_predict_states_return(hd_predict_states *s, bool wanted,
                                                     bool failed) {
    bool added;
    if (!come_back(s))
        return HD_PREDICT_STATES_LOST;
    if (!wanted)
        return HD_PREDICT_STATES_KNOWS;
    if (failed)
        hd_map_at(&s->bad, hash_wanted(s), &added);
    else if (!hd_predict_simulate_step(s->simulator, s->wanted, NULL)) {
        s->drops = true;
        return HD_PREDICT_STATES_DROPS;
    } else {
        hd_predict_simulate_back(s->simulator, s->visits.length - 1);
        hd_vec_last(&s->visits)->choice--;
    }
    return HD_PREDICT_STATES_KNOWS;
}

void hd_predict_states_forget(hd_predict_states *s) {
    hd_map_clear(&s->bad);
}
