/*
 * What is known of a saved recording while it is read: its tables (trace_recorded_sections.c), and
 * the names and events that are made of them (trace_recorded.c).
 */
#ifndef HD_TRACE_RECORDED_STATE_H
#define HD_TRACE_RECORDED_STATE_H

#include "packed/packed.h"
#include "trace_recorded.h"

enum { HD_TRACE_RECENT = 4096 };

/* Text that becomes a name when it is first used. */
typedef struct hd_trace_recorded_name {
    uint64_t text; /* offset in recorded->texts */
    uint32_t length;
    uint32_t number; /* + 1 in its table, 0: none yet */
    uint32_t array;  /* + 1 of the array it is an element of; the text is the array's */
} hd_trace_recorded_name;

struct hd_trace_recorded {
    hd_trace_tables *tables;
    hd_trace_stacks *stacks; /* NULL: not wanted */
    uint32_t first;          /* number of the batch's first event */
    hd_packed_unpack *unpack;
    hd_packed_lanes *lanes; /* of a free run; else NULL */
    hd_arena lane_bytes;
    hd_packed_granules *granules;
    bool numbered;
    hd_vec_char texts;
    HD_VEC(hd_trace_recorded_name) threads;
    HD_VEC(hd_trace_recorded_name) locations; /* of codes */
    HD_VEC(hd_trace_recorded_name) functions; /* likewise, where they are known */
    HD_VEC(hd_trace_recorded_name) objects;   /* of all but variables */
    HD_VEC(hd_trace_recorded_name) variables; /* by granule */
    hd_vec_u32 users; /* by granule: the thread that used it (packed_users.h) */
    hd_packed_gone gone;
    HD_VEC(hd_trace_array) arrays;
    hd_vec_char text;
    hd_packed_exempt exempt;
    hd_packed_certain certain;
    hd_map codes;  /* code -> place in locations */
    hd_map places; /* class and address -> place in objects */
    struct recent {
        uint64_t code;
        uint32_t location, function;
    } recent[HD_TRACE_RECENT];
    HD_VEC(heddle_event) batch;
};

/* Of an object that is not a variable. */
static inline uint64_t hd_trace_recorded_key(unsigned class, uint64_t address) {
    return (address & HEDDLE_WIRE_ADDRESS) | (uint64_t) class << 56;
}

#endif
