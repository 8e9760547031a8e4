/*
 * Seeded families of traces.  The generator is part of the contract: a family,
 * its numbers and a seed give the same trace on every machine and in every
 * later version (doc/generate.md describes each family).
 */
#ifndef HD_TRACE_GENERATE_H
#define HD_TRACE_GENERATE_H

#include "trace_memory.h"

enum { HD_TRACE_MAX_NUMBERS = 9 };

/* What a family was asked for: its positional arguments, its options, a seed. */
typedef struct hd_trace_request {
    const char *word; /* of a family that takes a name ("like"), else NULL */
    uint64_t numbers[HD_TRACE_MAX_NUMBERS];
    uint64_t seed;
} hd_trace_request;

/* One number that a family takes. */
typedef struct hd_trace_parameter {
    const char *name; /* in the usage line: "N", or an option's name: "lag" */
    bool option;      /* given as --name VALUE, else by its place */
    uint64_t initial, low, high;
    const char *help;
} hd_trace_parameter;

typedef struct hd_trace_family {
    const char *name;
    const char *word; /* usage word of the name it takes, NULL if none */
    const char *help;
    bool seeded; /* false: the seed changes nothing */
    hd_trace_parameter parameters[HD_TRACE_MAX_NUMBERS];
    /* Fills an initialised, empty trace; false with an error if the numbers do
     * not go together. */
    bool (*generate)(hd_trace *trace, const hd_trace_request *request, hd_error *error);
} hd_trace_family;

extern const hd_trace_family hd_trace_families[];
extern const size_t hd_trace_family_count;

const hd_trace_family *hd_trace_family_find(const char *name);

/* Fills the request with the family's initial values. */
void hd_trace_request_init(hd_trace_request *request, const hd_trace_family *family);

#endif
