/*
 * Seeded families of traces.  The generator is part of the contract: a family,
 * its numbers and a seed give the same trace on every machine and in every
 * later version (doc/generate.md describes each family).
 */
#ifndef HD_GENERATE_FAMILIES_H
#define HD_GENERATE_FAMILIES_H

#include "trace/trace.h"

enum { HD_GENERATE_MAX_NUMBERS = 9 };

/* What a family was asked for: its positional arguments, its options, a seed. */
typedef struct hd_generate_request {
    const char *word; /* of a family that takes a name ("like"), else NULL */
    uint64_t numbers[HD_GENERATE_MAX_NUMBERS];
    uint64_t seed;
} hd_generate_request;

/* One number that a family takes. */
typedef struct hd_generate_parameter {
    const char *name; /* in the usage line: "N", or an option's name: "lag" */
    bool option;      /* given as --name VALUE, else by its place */
    uint64_t initial, low, high;
    const char *help;
} hd_generate_parameter;

typedef struct hd_generate_family {
    const char *name;
    const char *word; /* usage word of the name it takes, NULL if none */
    const char *help;
    bool seeded; /* false: the seed changes nothing */
    hd_generate_parameter parameters[HD_GENERATE_MAX_NUMBERS];
    /* Fills an initialised, empty trace; false with an error if the numbers are not compatible. */
    bool (*generate)(hd_trace *trace, const hd_generate_request *request, hd_error *error);
} hd_generate_family;

extern const hd_generate_family hd_generate_families[];
extern const size_t hd_generate_family_count;

const hd_generate_family *hd_generate_family_find(const char *name);

/* Fills the request with the family's initial values. */
void hd_generate_request_init(hd_generate_request *request, const hd_generate_family *family);

#endif
