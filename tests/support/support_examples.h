/*
 * Models for unit tests, and exploring them: what goes wrong fails the test
 * (cmocka).
 */
#ifndef SUPPORT_EXAMPLES_H
#define SUPPORT_EXAMPLES_H

#include "explore/explore.h"

/* The model of that text. */
hd_machine *support_load(const char *text);

/* One of examples/models, with its parameter N of that size; 0: as it is written. */
hd_machine *support_load_example(const char *name, int64_t size);

hd_explore_result support_explore(hd_machine *machine, const hd_explore_options *options);

/* A visitor that stops at the tenth execution; its context is an int that counts. */
int support_stop_at_tenth(void *context, hd_machine *machine, enum hd_explore_end end,
                          const hd_step *schedule, size_t length);

#endif
