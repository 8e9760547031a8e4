/*
 * Predicates by brute force: each is evaluated from the events of the trace, by what
 * doc/detect.md says, with nothing remembered; and random predicates over the names
 * of a trace.
 */
#ifndef SUPPORT_PREDICATE_H
#define SUPPORT_PREDICATE_H

#include "predicate/predicate.h"
#include "support_states.h"

/* Is it true at this vector of counts, by place? */
bool support_predicate_holds(const support_states *states, const hd_predicate_tree *tree,
                             enum hd_order_model model, const uint32_t *state);

/* Is a step cut in two there? */
bool support_predicate_whole(const support_states *states, const uint32_t *state);

/* A random predicate about the trace into `text`. */
void support_predicate_draw(const hd_trace *trace, hd_random *random, char *text, size_t size);

#endif
