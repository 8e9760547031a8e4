/*
 * Detection by enumeration: every state of the class is visited and looked at.  For
 * predicates of any form, and for a certain algorithm, if asked for.
 */
#ifndef HD_PREDICATE_VISIT_H
#define HD_PREDICATE_VISIT_H

#include "predicate_detect.h"

bool hd_predicate_visit(hd_predicate_instance *instance, hd_predicate_request *request,
                        hd_predicate_answer *answer, hd_error *error);

#endif
