/*
 * What predicate_online.c and predicate_online_search.c share.
 */
#ifndef HD_PREDICATE_ONLINE_STATE_H
#define HD_PREDICATE_ONLINE_STATE_H

#include "predicate_online.h"
#include "predicate_online_terms.h"
#include "predicate_strong.h"

/* A thread.  Index count - base. */
struct hd_predicate_online_place {
    uint32_t thread;
    uint32_t base;                 /* counts below it are forgotten */
    uint32_t width;                /* of a row: places when the last one was made */
    uint32_t rows_gone;            /* rows that were forgotten */
    bool ended;                    /* it was joined */
    uint64_t told;                 /* its events that others can hear of it by */
    hd_vec_u32 clocks;             /* rows */
    hd_vec_u32 row_of;             /* HD_PREDICATE_NONE: zeros */
    hd_vec_u32 events;             /* numbers */
    hd_vec_u32 held;               /* of a loset: sets of locks */
    hd_vec_u32 starts;             /* counts at which a collection begins, above base */
    HD_VEC(heddle_event) accesses; /* the events; of the first state a mark */
    HD_VEC(bool)
    between;       /* it is the release of a condition wait: there is no state before the
                      wait, with which it is one step */
    bool released; /* its last event is a release */
};

/* An event whose interval is to be looked at; `most` becomes the solution. */
struct hd_predicate_interval {
    uint32_t place, count, event, places;
    size_t at;      /* of `most` in the list of all */
    uint32_t *most; /* while it is looked at */
    uint64_t states;
    bool found;
    bool stopped; /* before all of it was looked at */
};

/* The last event that noted or wrote a name. */
struct hd_predicate_given {
    uint32_t place, count, event;
};

/* One access of a collection, and those of a variable by a thread, in its order. */
struct hd_predicate_access {
    uint32_t count;
    uint64_t row;
    bool writes, atomic;
};

struct hd_predicate_accesses {
    uint32_t place;
    HD_VEC(struct hd_predicate_access) list;
};

/* A variable that was part of another one before this event. */
struct hd_predicate_part {
    uint32_t whole, since;
};

/* What came after a notification that waits for its wakes: an event, or a variable that became
 * two. */
struct hd_predicate_held {
    heddle_event event;
    uint32_t whole, part; /* part is HD_PREDICATE_NONE: an event */
};

struct hd_predicate_online {
    const hd_predicate *predicate;
    hd_predicate_online_options options;
    hd_predicate_facts facts;
    hd_predicate_online_terms terms;
    hd_order_machine *machine;
    hd_order_takers *takers;
    HD_VEC(struct hd_predicate_held) held_back; /* from .first_held on; the first is an event */
    size_t first_held;
    hd_vec_u32 told;             /* threads that take the notification at hand */
    uint64_t entered;            /* events, of those that have come: the others are held back */
    hd_order_sets sets;          /* of a loset: locks that a thread holds */
    hd_predicate_strong *strong; /* NULL: not asked */
    HD_VEC(struct hd_predicate_online_place) places;
    hd_vec_u32 place_of; /* [thread] */
    HD_VEC(struct hd_predicate_interval) intervals;
    hd_vec_u32 most; /* of all intervals */
    bool races, race_alone;
    HD_VEC(HD_VEC(struct hd_predicate_accesses)) seen; /* [variable] */
    HD_VEC(struct hd_predicate_part) parts;            /* [variable]; since 0: of none */
    struct {
        hd_vec_u32 retired, spare;         /* that are used no more; that can be given out */
    } unused[2];                           /* variables, locks */
    struct hd_predicate_given *last_given; /* [leaf] */
    uint64_t looked_again; /* how many events are kept when it pays to forget some */
    hd_pool *pool;         /* NULL: one worker */
    hd_predicate_online_effort effort;
};

/* The locks that a thread holds after a count. */
static inline uint32_t hd_predicate_online_held(const hd_predicate_online *online, uint32_t p,
                                                uint32_t c) {
    const struct hd_predicate_online_place *place = &online->places.data[p];
    assert(c >= place->base && c - place->base < place->held.length);
    return place->held.data[c - place->base];
}

/* How many events of q are before count c of p. */
static inline uint32_t hd_predicate_online_clock(const hd_predicate_online *online, uint32_t p,
                                                 uint32_t c, uint32_t q) {
    const struct hd_predicate_online_place *place = &online->places.data[p];
    assert(c >= place->base && c - place->base < place->row_of.length);
    uint32_t row = place->row_of.data[c - place->base];
    return row == HD_PREDICATE_NONE || q >= place->width
               ? 0
               : place->clocks.data[(size_t)row * place->width + q];
}

/* Is a thread with this count between the two halves of a step? */
static inline bool hd_predicate_online_between(const hd_predicate_online *online, uint32_t p,
                                               uint32_t c) {
    const struct hd_predicate_online_place *place = &online->places.data[p];
    assert(c < place->base || c - place->base < place->between.length);
    return c >= place->base && place->between.data[c - place->base];
}

/* The row of a thread's last event, whatever was forgotten. */
static inline uint64_t hd_predicate_online_row(const hd_predicate_online *online, uint32_t place) {
    const struct hd_predicate_online_place *p = &online->places.data[place];
    uint32_t row = *hd_vec_last(&p->row_of);
    return row == HD_PREDICATE_NONE ? 0 : (uint64_t)row + p->rows_gone + 1;
}

/* An event whose clock is known, and a part of a variable: after what was held back. */
bool hd_predicate_online_enter(hd_predicate_online *online, const heddle_event *event,
                               hd_predicate_error *error);
void hd_predicate_online_enter_part(hd_predicate_online *online, uint32_t whole, uint32_t part);

/* Looks for a solution in the interval. */
void hd_predicate_online_search(const hd_predicate_online *online, unsigned worker,
                                struct hd_predicate_interval *interval);

/* Enters an access; false if its collection has one like it already. */
bool hd_predicate_online_collect(hd_predicate_online *online, uint32_t place, uint32_t count,
                                 const heddle_event *event);

/* Judges a state for `race`. */
bool hd_predicate_online_race(void *context, const uint32_t *state, bool initialisation);

/* Finds retired variables that can be given out: after something was forgotten. */
void hd_predicate_online_spare(hd_predicate_online *online);

/* Forgets what no new state can have, and what the window asks for. */
void hd_predicate_online_forget(hd_predicate_online *online);

#endif
