/*
 * Names of operations, from the one table of them (native_operations.def).
 */
#ifndef HD_NATIVE_OPERATIONS_H
#define HD_NATIVE_OPERATIONS_H

#include <stddef.h>

typedef struct hd_native_operation {
    int kind;         /* as in heddle_wire_operation */
    const char *verb; /* "lock" */
    const char *wait; /* "waits for lock"; "": it never waits */
} hd_native_operation;

/* NULL if there is no such kind. */
const hd_native_operation *hd_native_operation_of(int kind);

/* All of them; returns how many. */
size_t hd_native_operations(const hd_native_operation **all);

#endif
