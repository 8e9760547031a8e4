/*
 * A step of a schedule: the thread that goes on, and which way it goes if its operation has
 * several.  Machines, searches, witnesses and findings all use this one type; only the file that is
 * shared with a program has a smaller one (heddle_wire_decision).
 */
#ifndef HD_BASE_STEP_H
#define HD_BASE_STEP_H

#include "base_vec.h"

typedef struct hd_step {
    uint32_t thread, choice;
} hd_step;

typedef HD_VEC(hd_step) hd_steps;

#endif
