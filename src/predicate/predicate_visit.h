/*
 * Detection by enumeration: every state of the class is visited and looked at.  For
 * predicates of any form, and for who asks for a certain algorithm.
 */
#ifndef HD_PREDICATE_VISIT_H
#define HD_PREDICATE_VISIT_H

#include "predicate_detect.h"

bool hd_predicate_visit(hd_predicate_scene *scene, hd_predicate_request *request,
                        hd_predicate_answer *answer, hd_error *error);

#endif
