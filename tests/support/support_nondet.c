#include "support_nondet.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads are 1..length, then the final reads of the variables. */
struct support_nondet {
    uint32_t length, reads;
    bool *shown; /* [(order * reads + read) * (length + 1) + challenger] */
};

static uint32_t variables(const hd_trace *trace) {
    return trace->tables.names[HEDDLE_CLASS_VARIABLE].length;
}

support_nondet *support_nondet_create(const hd_trace *trace) {
    support_nondet *table = HD_NEW(support_nondet);
    table->length = hd_trace_length(trace);
    table->reads = table->length + 1 + variables(trace);
    table->shown = HD_NEW_ARRAY(bool, (size_t)3 * table->reads * (table->length + 1));
    return table;
}

void support_nondet_free(support_nondet *table) {
    free(table->shown);
    free(table);
}

uint32_t support_nondet_last(const hd_trace *trace, uint32_t variable) {
    uint32_t last = 0;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++)
        if (hd_trace_writes(hd_trace_event(trace, n)) &&
            hd_trace_event(trace, n)->object == variable)
            last = n;
    return last;
}

uint32_t support_nondet_writer(const hd_trace *trace, uint32_t read, uint32_t variable) {
    uint32_t last = 0;
    if (!read)
        return support_nondet_last(trace, variable);
    for (uint32_t n = 1; n < read; n++)
        if (hd_trace_writes(hd_trace_event(trace, n)) &&
            hd_trace_event(trace, n)->object == hd_trace_event(trace, read)->object)
            last = n;
    return last;
}

bool support_nondet_challenges(const hd_trace *trace, uint32_t read, uint32_t variable,
                               uint32_t c) {
    if (read)
        variable = hd_trace_event(trace, read)->object;
    if ((read == 0 && !support_nondet_last(trace, variable)) ||
        (read && (!hd_trace_reads(hd_trace_event(trace, read)) ||
                  hd_trace_is_kept(hd_trace_event(trace, read)))) ||
        c == support_nondet_writer(trace, read, variable))
        return false;
    return c == 0 || (c != read && hd_trace_writes(hd_trace_event(trace, c)) &&
                      hd_trace_event(trace, c)->object == variable);
}

static bool *at(const support_nondet *table, enum hd_witness_order order, uint32_t read,
                uint32_t variable, uint32_t challenger) {
    size_t row = (size_t)order * table->reads + (read ? read : table->length + 1 + variable);
    return &table->shown[row * (table->length + 1) + challenger];
}

void support_nondet_set(support_nondet *table, enum hd_witness_order order, uint32_t read,
                        uint32_t variable, uint32_t challenger) {
    *at(table, order, read, variable, challenger) = true;
}

bool support_nondet_get(const support_nondet *table, enum hd_witness_order order, uint32_t read,
                        uint32_t variable, uint32_t challenger) {
    return *at(table, order, read, variable, challenger);
}

static bool row_equal(const hd_trace *trace, const support_nondet *expected,
                      const support_nondet *found, uint32_t read, uint32_t variable, char *why,
                      size_t why_size) {
    static const char *const orders[] = {"crw", "wcr", "cr"};
    for (int order = 0; order < 3; order++)
        for (uint32_t c = 0; c <= hd_trace_length(trace); c++) {
            bool wanted =
                support_nondet_get(expected, (enum hd_witness_order)order, read, variable, c);
            if (wanted ==
                support_nondet_get(found, (enum hd_witness_order)order, read, variable, c))
                continue;
            snprintf(why, why_size, "read %u (variable %u), challenger %u, order %s: is %sfeasible",
                     read, variable, c, orders[order], wanted ? "" : "not ");
            return false;
        }
    return true;
}

bool support_nondet_equal(const hd_trace *trace, const support_nondet *expected,
                          const support_nondet *found, char *why, size_t why_size) {
    for (uint32_t read = 1; read <= hd_trace_length(trace); read++)
        if (!row_equal(trace, expected, found, read, 0, why, why_size))
            return false;
    for (uint32_t variable = 0; variable < variables(trace); variable++)
        if (!row_equal(trace, expected, found, 0, variable, why, why_size))
            return false;
    return true;
}

static void sum_row(const hd_trace *trace, const support_nondet *table, uint32_t read,
                    uint32_t variable, support_nondet_sums *sums) {
    uint64_t feasible = 0;
    for (uint32_t c = 0; c <= hd_trace_length(trace); c++) {
        if (!support_nondet_challenges(trace, read, variable, c))
            continue;
        sums->triplets++;
        for (int order = 0; order < 3; order++)
            feasible += support_nondet_get(table, (enum hd_witness_order)order, read, variable, c);
    }
    sums->feasible += feasible;
    sums->nondeterministic += feasible > 0;
}

support_nondet_sums support_nondet_sum(const hd_trace *trace, const support_nondet *table) {
    support_nondet_sums sums = {0};
    for (uint32_t read = 1; read <= hd_trace_length(trace); read++)
        sum_row(trace, table, read, 0, &sums);
    for (uint32_t variable = 0; variable < variables(trace); variable++)
        sum_row(trace, table, 0, variable, &sums);
    return sums;
}
