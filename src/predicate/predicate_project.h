/*
 * A instance with nothing but its marks and notes: the states of the poset that these are,
 * with the order that they have in the whole one.  For predicates that ask about nothing
 * else there are fewer states to go through.
 *
 *     if (!hd_predicate_project(&small, &instance, &error)) ...    it asks for more
 *     ... hd_predicate_detect(&small, ...) ...
 *     hd_predicate_lift(&small, &instance, answer.state, state);   a state of the trace
 *     hd_predicate_instance_release(&small);
 */
#ifndef HD_PREDICATE_PROJECT_H
#define HD_PREDICATE_PROJECT_H

#include "predicate_instance.h"

/* The instance must stay. */
bool hd_predicate_project(hd_predicate_instance *small, const hd_predicate_instance *instance,
                          hd_predicate_error *error);

/* The least state of the trace with these marks. */
void hd_predicate_lift(const hd_predicate_instance *small, const hd_predicate_instance *instance,
                       const uint32_t *marks, uint32_t *state);

#endif
