/*
 * Inputs of atomic sections.  A section is one step, in which nothing can be chosen; so what it
 * asks for is chosen in steps before it.  What it asks for is known from earlier runs
 * (heddle_wire_section).
 */
#ifndef HD_RT_CHOOSE_H
#define HD_RT_CHOOSE_H

#include "rt.h"

typedef struct hd_rt_chosen {
    uintptr_t place;                /* of the section */
    uint32_t taken;                 /* inputs that it asked for so far */
    uint8_t count;                  /* inputs that were chosen, */
    uint8_t way[HEDDLE_WIRE_DRAWS]; /* and how */
} hd_rt_chosen;

/* The section at that place is about to begin: chooses.  Then it has begun. */
void hd_rt_choose_ahead(hd_rt_chosen *chosen, uintptr_t code);
void hd_rt_choose_begin(const hd_rt_chosen *chosen);

#endif
