/*
 * Which cells are idle: memory that threads read, write or update, where every operation was seen
 * to go on in the same way after whatever it found, and at least half of those that find something
 * were seen to find several values.
 */
#include <stdlib.h>

#include "predict_states.h"

/* The ways from a point. */
typedef struct fork {
    uint32_t to; /* of one of them */
    bool several, differ;
} fork;

static bool may_be_idle(enum hd_predict_deed deed) {
    return deed == HD_PREDICT_DEED_READS || deed == HD_PREDICT_DEED_WRITES ||
           deed == HD_PREDICT_DEED_UPDATES;
}

/* As place_point in predict_simulate.c. */
static bool has_cell(const hd_predict_point *point) {
    return point->bytes ||
           (point->deed >= HD_PREDICT_DEED_LOCKS && point->deed < HD_PREDICT_DEED_ENDS);
}

static fork *look_at_ways(const hd_predict_learnt *learnt) {
    fork *forks = hd_mem_zero(learnt->points.length, sizeof *forks);
    for (uint32_t i = 0; i < learnt->room; i++) {
        const hd_predict_way *way = &learnt->ways[i];
        if (!way->from || !way->to || way->found == HD_PREDICT_IDLE)
            continue;
        fork *it = &forks[way->from];
        it->several |= it->to != 0;
        it->differ |= it->to && it->to != way->to;
        it->to = way->to;
    }
    return forks;
}

static void mark_used(hd_predict_simulator *r) {
    for (size_t i = 0; i < r->looked.length; i++)
        for (uint32_t k = 0; k < r->looked.data[i].count; k++)
            r->cells.all.data[r->looked.data[i].cell[k]].idle = false;
    for (size_t i = 1; i < r->learnt.points.length; i++)
        if (r->learnt.points.data[i].with)
            r->cells.all.data[r->learnt.points.data[i].with].idle = false;
}

static void mark_cells(hd_predict_simulator *r, const fork *forks) {
    int64_t *more = hd_mem_zero(r->cells.all.length, sizeof *more); /* that found several, less
                                                                       those that did not */
    for (size_t i = 1; i < r->learnt.points.length; i++) {
        const hd_predict_point *point = &r->learnt.points.data[i];
        bool finds = point->deed != HD_PREDICT_DEED_WRITES;
        if (!has_cell(point))
            continue;
        if (!may_be_idle(point->deed) || point->awaits || point->next.inner || forks[i].differ)
            r->cells.all.data[point->cell].idle = false;
        more[point->cell] += !finds ? 0 : forks[i].several ? 1 : -1;
    }
    for (size_t i = 0; i < r->cells.all.length; i++)
        r->cells.all.data[i].idle &= more[i] >= 0;
    free(more);
    mark_used(r);
}

/* From each operation on an idle cell that finds something, one way for all that it may find. */
static void lead_on(hd_predict_simulator *r, const fork *forks) {
    for (uint32_t i = 1; i < r->learnt.points.length; i++) {
        const hd_predict_point *point = &r->learnt.points.data[i];
        if (point->bytes && point->deed != HD_PREDICT_DEED_WRITES &&
            r->cells.all.data[point->cell].idle && forks[i].to)
            hd_predict_learnt_way(&r->learnt, i, HD_PREDICT_IDLE)->to = forks[i].to;
    }
}

void hd_predict_states_judge(hd_predict_simulator *r, bool idles) {
    for (size_t i = 0; i < r->cells.all.length; i++)
        r->cells.all.data[i].idle = idles;
    if (!r->cells.all.length || !idles)
        return;
    fork *forks = look_at_ways(&r->learnt);
    mark_cells(r, forks);
    lead_on(r, forks);
    free(forks);
}
