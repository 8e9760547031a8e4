/*
 * What rt_foreign.def says of the functions that the program calls, by their numbers.
 */
#ifndef HD_RT_FOREIGN_TABLE_H
#define HD_RT_FOREIGN_TABLE_H

#include "rt.h"
#include "rt_foreign.h"
#include "rt_string.h"

/* What a line says. */
typedef struct hd_rt_foreign_line {
    enum {
        HD_RT_LINE_NONE,
        HD_RT_LINE_ARGUMENT,
        HD_RT_LINE_STREAM,
        HD_RT_LINE_FIXED,
        HD_RT_LINE_WHOLE,
        HD_RT_LINE_DESCRIPTOR,
        HD_RT_LINE_ORDINARY,
        HD_RT_LINE_MAPPING
    } sort;
    uint8_t argument; /* from 0 on */
    bool looks, prints;
    bool tells;   /* it prints to standard error, */
    bool shows;   /* to standard output, */
    bool asks;    /* or reads standard input, without being given that */
    bool stays;   /* of a mapping: which addresses are in use stays as it is */
    bool pointer; /* the object is what a pointer in the argument points to */
    bool plain;   /* the memory of the object is accessed as by the program */
    enum { HD_RT_LINE_OTHER, HD_RT_LINE_ALLOCATES, HD_RT_LINE_PERTURBS } allocator;
    bool varies; /* what it returns is not the same twice */
    bool method; /* of C++, and not one that only looks at its object */
    bool counts; /* it may change a counter that others change too, which is not seen */
    uint16_t offset, size;
    bool file, locks;     /* a FILE, and it takes its lock */
    bool every;           /* all FILEs */
    bool closes;          /* it is closed */
    uint16_t descriptors; /* the arguments that are used as one, as bits */
    uint8_t replaces;   /* of the argument in whose place another file is put, from 1 on; 0: none */
    uint8_t ends;       /* likewise: it is closed */
    uint8_t opens;      /* descriptors that it makes */
    uint8_t leaves;     /* the process ends, with this argument as its status, from 1 on; 0: no, */
    bool perhaps;       /* or only if that is not 0 */
    uint64_t address;   /* of what is fixed, or whole */
    uint32_t races;     /* what of buffer.def it accesses, as bits */
    uint64_t seen;      /* of what is looked at besides; 0: nothing */
    const char *memory; /* the rest of the line */
} hd_rt_foreign_line;

const hd_rt_foreign_line *hd_rt_foreign_known(uint32_t number);

/* It was caught: its state is that of its module from now on. */
void hd_rt_foreign_whole(uint32_t number);

/* The address that stands for a state of state.def. */
uint64_t hd_rt_foreign_kept(enum heddle_wire_kept which);

static inline bool hd_rt_begins(const char *text, const char *with) {
    return hd_rt_starts(text, with, hd_rt_length(with, SIZE_MAX));
}

#endif
