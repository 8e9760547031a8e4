/*
 * Combinatorial objects as global states (Chang, 4.6.2; Garg 2006): the states of the trace and the
 * objects are in one-to-one correspondence, and lists of states are lists of objects.
 */
#include "generate_emit.h"

/* Threads of `each` events; event j of a thread comes after event j of the thread before it, as
 * both change the atomic variable x_j.  The counts of a state do not increase from thread to
 * thread. */
static bool emit_columns(hd_trace *trace, uint64_t threads, uint64_t each, hd_error *error) {
    if (!hd_generate_emit_fits(threads, each, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, threads);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, each);
    for (uint32_t column = 0; column < each && !hd_clock_over(); column++)
        for (uint32_t thread = 0; thread < threads; thread++)
            hd_generate_emit_value(trace, thread, HEDDLE_ATOMIC_RMW, column, (int64_t)thread + 1);
    return true;
}

/* All subsets: each thread has its one event or not.  Those of size K: the i-th largest element is
 * the count of thread i, and K - i + 1. */
bool hd_generate_subsets(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t elements = request->numbers[0], size = request->numbers[1];
    if (size >= elements)
        return hd_error_set(error, "--size %llu is not less than the %llu elements",
                            (unsigned long long)size, (unsigned long long)elements);
    if (size)
        return emit_columns(trace, size, elements - size, error);
    if (!hd_generate_emit_fits(elements, 1, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, elements);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, elements);
    for (uint32_t thread = 0; thread < elements && !hd_clock_over(); thread++)
        hd_generate_emit_value(trace, thread, HEDDLE_WRITE, thread, 1);
    return true;
}

/* Integer partitions: the parts are the counts of the threads. */
bool hd_generate_partitions(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    return emit_columns(trace, request->numbers[0], request->numbers[1], error);
}

/* By inversion tables: thread i counts the elements before i + 1 that are larger. */
bool hd_generate_permutations(hd_trace *trace, const hd_generate_request *request,
                              hd_error *error) {
    uint64_t threads = request->numbers[0] - 1;
    if (!hd_generate_emit_fits(threads, threads, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, threads);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, threads);
    for (uint32_t step = 1; step <= threads && !hd_clock_over(); step++)
        for (uint32_t thread = step - 1; thread < threads; thread++)
            hd_generate_emit_value(trace, thread, HEDDLE_WRITE, thread, step);
    return true;
}

/* Rows of a tableau do not decrease, columns increase.  Less the number of its row, and turned
 * round, it is a plane partition: A rows of B numbers up to C that do not increase in either
 * direction.  Those are the states of A times B processes with C events each, where event k of a
 * process comes after event k of the processes above and to the left.  No run has an event
 * with two before it and two after it, but a loset may. */
bool hd_generate_tableaux(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint32_t rows = (uint32_t)request->numbers[0], columns = (uint32_t)request->numbers[1];
    uint32_t most = (uint32_t)request->numbers[2], cells = rows * columns;
    if (!hd_generate_emit_fits(cells, most, error))
        return false;
    for (uint32_t row = 0; row < rows && !hd_clock_over(); row++)
        for (uint32_t column = 0; column < columns; column++)
            hd_trace_name(trace, HEDDLE_CLASS_THREAD, "c%u.%u", row + 1, column + 1);
    uint32_t label = hd_trace_name(trace, HEDDLE_CLASS_LABEL, "more");
    trace->loset = HD_NEW(hd_trace_loset);
    for (uint32_t k = 0; k < most && !hd_clock_over(); k++)
        for (uint32_t cell = 0; cell < cells; cell++) {
            hd_generate_emit(trace, cell, HEDDLE_MARK, label);
            uint32_t event = hd_trace_length(trace);
            if (cell >= columns)
                hd_vec_push(&trace->loset->edges, (hd_trace_edge){event - columns, event});
            if (cell % columns)
                hd_vec_push(&trace->loset->edges, (hd_trace_edge){event - 1, event});
        }
    return true;
}
