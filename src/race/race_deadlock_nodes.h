/*
 * The nodes of the graph in which deadlocks are cycles: acquires of threads that hold something and
 * wait.  Acquires that no ring of locks goes through are left out.
 */
#ifndef HD_RACE_DEADLOCK_NODES_H
#define HD_RACE_DEADLOCK_NODES_H

#include "race_predict.h"

/* Acquires of a thread that wait alike. */
struct hd_race_node {
    uint32_t thread, lock, held, location;
    bool reading;
    uint32_t start, count; /* in `events` */
};

typedef HD_VEC(struct hd_race_node) hd_race_nodes;

/* The acquires of a node are at its `start` in `events`, `count` of them, in their order. */
void hd_race_nodes_make(const hd_order_space *space, hd_race_nodes *nodes, hd_vec_u32 *events);

#endif
