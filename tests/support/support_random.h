/*
 * The random-input runner: draws cases from a seed, asks a property of each,
 * and when it fails shrinks the case to a small one that still fails, saves it
 * and says how to replay it.
 *
 *     SUPPORT_SUITE(random_clocks) {
 *         static const support_property properties[] = {{"clocks equal paths", shape, check}, ...};
 *         return support_random_main(argc, argv, properties, 1);
 *     }
 *
 * Options of such a suite: --cases N, --seconds N (of processor time, shared
 * equally by the properties, each of which checks one case at least), --seed N
 * (case i of a run has seed N + i, which is printed on failure; `random` draws
 * one from the clock), --property TEXT (part of the name), --replay FILE (a
 * trace instead of random ones), --out DIR for the failing trace.  Output is
 * TAP, a line a property.
 */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include "support_suite.h"
#include "support_traces.h"

/* True if the property holds of the trace; else a reason in `why`.  The random
 * generator is seeded the same whenever the same case runs again, also while
 * it is being shrunk. */
typedef bool support_check(const hd_trace *trace, hd_random *random, char *why, size_t why_size);

typedef struct support_property {
    const char *name;
    support_shape shape;
    support_check *check;
} support_property;

int support_random_main(int argc, char **argv, const support_property *properties, size_t count);

/* For inputs that are not traces (models, programs) the same by callbacks. */
typedef struct support_input_type {
    void *(*draw)(hd_random *random, const void *shape);
    /* The i-th smaller variant of the input, NULL when there are no more.  One
     * that makes no sense may be returned, if the check lets it pass. */
    void *(*shrink)(const void *input, size_t i);
    bool (*save)(const void *input, const char *path); /* for --replay */
    void *(*load)(const char *path);
    void (*free)(void *input);
    const char *suffix; /* of the saved file: ".std" */
} support_input_type;

typedef bool support_input_check(const void *input, hd_random *random, char *why, size_t why_size);

typedef struct support_input_property {
    const char *name;
    const void *shape;
    support_input_check *check;
} support_input_property;

int support_random_inputs(int argc, char **argv, const support_input_type *type,
                          const support_input_property *properties, size_t count);

#endif
