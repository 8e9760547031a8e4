/*
 * predicate: is a condition true in some global state of a trace?
 *
 * predicate_detect.h      the question; start there
 * predicate_instance.h       a predicate over a trace in memory
 * predicate_facts.h       what it has to know of each thread
 * predicate_code.h        a predicate, from its text
 * predicate_form.h        its form: terms, local conditions, sums
 * predicate_least.h       least states, slices
 * predicate_slicing.h     slices, as losets
 * predicate_search.h      branch and bound
 * predicate_diagram.h     sums over the diagram of states
 * predicate_definitely.h  every run
 * predicate_temporal.h    what the runs from a state on have
 * predicate_online.h      while the trace grows
 * predicate_window.h      what it still knows of such a trace
 * predicate_plugin.h      predicates written in C
 * predicate_project.h     marks and notes alone
 * predicate_path.h        a schedule to a state of a loset that is no run
 * predicate_prove.h       from a state to a checked schedule
 */
#ifndef HD_PREDICATE_H
#define HD_PREDICATE_H

#include "predicate_detect.h"
#include "predicate_online.h"
#include "predicate_plugin.h"
#include "predicate_project.h"
#include "predicate_slicing.h"
#include "predicate_temporal.h"
#include "predicate_window.h"

#endif
