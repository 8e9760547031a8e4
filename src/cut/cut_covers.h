/*
 * The edges between threads that no others imply, in both directions: an event
 * is enabled iff the one before it in its thread and its remote events are in
 * the state (Chang, Theorem 4), and it is maximal iff the one after it and none
 * of those it is a remote event of are.
 */
#ifndef HD_CUT_COVERS_H
#define HD_CUT_COVERS_H

#include "cut_visit.h"

typedef struct hd_cut_cover {
    uint32_t place, count; /* an event: a thread, and its position from 1 on */
} hd_cut_cover;

struct hd_cut_covers {
    const hd_cut_space *space;
    uint32_t *into_start, *out_start; /* [start[p] + c]: those of event c of p */
    hd_cut_cover *into, *out;
};

typedef struct hd_cut_cover_list {
    const hd_cut_cover *covers;
    uint32_t count;
} hd_cut_cover_list;

/* Time: the square of the threads for each event with an edge into it. */
void hd_cut_covers_init(hd_cut_covers *covers, const hd_cut_space *space);
void hd_cut_covers_release(hd_cut_covers *covers);

static inline hd_cut_cover_list hd_cut_covers_into(const hd_cut_covers *covers, size_t event) {
    uint32_t start = covers->into_start[event];
    return (hd_cut_cover_list){covers->into + start, covers->into_start[event + 1] - start};
}

static inline hd_cut_cover_list hd_cut_covers_out(const hd_cut_covers *covers, size_t event) {
    uint32_t start = covers->out_start[event];
    return (hd_cut_cover_list){covers->out + start, covers->out_start[event + 1] - start};
}

#endif
