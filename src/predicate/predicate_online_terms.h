/*
 * The form of a predicate while a trace grows: terms of conditions on one thread each, totals, and
 * a rest, as predicate_form.h has them of a whole trace.  It is made anew when a thread comes, a
 * name without a thread gets another writer, or `count(... by ...)` another group.
 *
 *     hd_predicate_online_terms_make(&terms, facts);
 *     hd_predicate_online_term_start(&terms, &terms.list.data[i], ...)
 *     ... hd_predicate_online_allows, hd_predicate_online_total_at
 *     hd_predicate_online_terms_release(&terms);
 */
#ifndef HD_PREDICATE_ONLINE_TERMS_H
#define HD_PREDICATE_ONLINE_TERMS_H

#include "predicate_dnf.h"
#include "predicate_facts.h"

enum { HD_PREDICATE_MOST_GROUPS = 32, HD_PREDICATE_MOST_KEYS = 4 };

/* Threads for which a condition is true, by the values of keys. */
struct hd_predicate_grouping {
    uint32_t node, local, keys, count;
    uint32_t key[HD_PREDICATE_MOST_KEYS]; /* locals */
    int64_t values[HD_PREDICATE_MOST_GROUPS][HD_PREDICATE_MOST_KEYS];
    bool full; /* there are more */
};

/* What one thread adds to a total: its value of a local, times a factor; in a group only where the
 * thread is in it. */
struct hd_predicate_share {
    uint32_t place, local;
    int64_t factor;
    uint32_t grouping, group; /* HD_PREDICATE_NONE: in none */
};

/* A sum over threads that must be at least so much. */
struct hd_predicate_total {
    HD_VEC(struct hd_predicate_share) shares; /* by place */
    int64_t least;
    double constant; /* how large its constant part is */
};

struct hd_predicate_online_term {
    hd_predicate_literals conditions; /* by place */
    hd_vec_u32 totals;
    bool opaque; /* only evaluating tells */
};

typedef struct hd_predicate_online_terms {
    const hd_predicate_facts *facts;
    HD_VEC(struct hd_predicate_online_term) list;
    HD_VEC(struct hd_predicate_total) totals;
    HD_VEC(struct hd_predicate_grouping) groupings; /* these are kept when it is made anew */
    int64_t *largest; /* [local]: the largest value so far, without its sign */
    bool made;
} hd_predicate_online_terms;

void hd_predicate_online_terms_init(hd_predicate_online_terms *terms,
                                    const hd_predicate_facts *facts);
void hd_predicate_online_terms_release(hd_predicate_online_terms *terms);

/* The threads and writers are those of now. */
void hd_predicate_online_terms_make(hd_predicate_online_terms *terms);

/* One term that only evaluating decides. */
void hd_predicate_online_terms_make_opaque(hd_predicate_online_terms *terms);

/* A thread went on to this count. */
void hd_predicate_online_terms_note(hd_predicate_online_terms *terms, uint32_t place,
                                    uint32_t count);

/* Is the total exact, as no sum in it can wrap? */
bool hd_predicate_online_total_exact(const hd_predicate_online_terms *terms, uint32_t total);

/* What a thread adds to it at a count. */
int64_t hd_predicate_online_total_at(const hd_predicate_online_terms *terms,
                                     const struct hd_predicate_total *total, uint32_t place,
                                     uint32_t count);

#endif
