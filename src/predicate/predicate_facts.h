/*
 * What a predicate has to know of a trace: for each of its locals and each
 * thread a column with the value after every count of events.  Fed one event at a
 * time, so a trace that still grows will do; names are looked up when they turn up.
 *
 *     hd_predicate_facts facts;
 *     hd_predicate_facts_init(&facts, &predicate, &tables);
 *     uint32_t place = hd_predicate_facts_place(&facts, thread, length or 0);
 *     hd_predicate_facts_take(&facts, place, number, &event);
 *     if (hd_predicate_holds(&facts, state)) ...        counts by place
 *
 * Marks are events without a value, notes those with one.  A thread is `at` its
 * last mark; it has noted, or written, 0 before it does so first.
 *
 * Whether two events race, and whether all threads are stuck, is not a matter of
 * columns: the judge answers that.
 */
#ifndef HD_PREDICATE_FACTS_H
#define HD_PREDICATE_FACTS_H

#include "predicate_code.h"
#include "trace/trace.h"

typedef HD_VEC(int64_t) hd_predicate_column;

typedef struct hd_predicate_place {
    uint32_t thread; /* of the trace */
    uint32_t length; /* of a whole trace; 0: not known */
    uint32_t count;  /* events so far */
    uint32_t base;   /* counts below it were forgotten */
    int64_t *leaves;
    hd_predicate_column *columns; /* [local] */
} hd_predicate_place;

typedef struct hd_predicate_judge {
    void *context;
    bool (*race)(void *context, const uint32_t *state, bool initialisation);
    bool (*deadlock)(void *context, const uint32_t *state);
    void *plugin_context;
    bool (*plugin)(void *context, const uint32_t *state);
} hd_predicate_judge;

typedef struct hd_predicate_facts {
    const hd_predicate *predicate;
    const hd_trace_tables *tables;
    HD_VEC(hd_predicate_place) places;
    uint32_t *label, *variable, *lock; /* [leaf]: numbers of its name; HD_NAMES_NONE */
    bool *noted, *written;             /* [leaf]: has it been */
    uint32_t known[3];                 /* names when the numbers were looked up */
    uint32_t *place_of;                /* [named thread] */
    int64_t *initial;                  /* [local]: before the first event */
    uint32_t valueless;                /* an event that should have had a value; 0: none */
    uint32_t valueless_leaf;
    hd_predicate_judge judge;
} hd_predicate_facts;

/* The predicate and the tables must stay. */
void hd_predicate_facts_init(hd_predicate_facts *facts, const hd_predicate *predicate,
                             const hd_trace_tables *tables);
void hd_predicate_facts_release(hd_predicate_facts *facts);

uint32_t hd_predicate_facts_place(hd_predicate_facts *facts, uint32_t thread, uint32_t length);
void hd_predicate_facts_take(hd_predicate_facts *facts, uint32_t place, uint32_t number,
                             const heddle_event *event);

/* Does the last event of the place differ from the one before it in any column? */
bool hd_predicate_facts_changed(const hd_predicate_facts *facts, uint32_t place, uint32_t count);

/* Forgets the counts of a place below this one. */
void hd_predicate_facts_forget(hd_predicate_facts *facts, uint32_t place, uint32_t base);

/* Of a whole trace: is there everything that the predicate names, and is it clear?
 * Of one that grows (`whole` is false): is what came so far clear? */
bool hd_predicate_facts_check(const hd_predicate_facts *facts, bool whole,
                              hd_predicate_error *error);

static inline int64_t hd_predicate_at(const hd_predicate_facts *facts, uint32_t local,
                                      uint32_t place, uint32_t count) {
    const hd_predicate_place *p = &facts->places.data[place];
    assert(count >= p->base && count - p->base < p->columns[local].length);
    return p->columns[local].data[count - p->base];
}

/* Is it true at the state? */
bool hd_predicate_holds(const hd_predicate_facts *facts, const uint32_t *state);

#endif
