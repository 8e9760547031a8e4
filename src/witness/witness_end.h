/*
 * The claim that the run of a trace ended in a deadlock: every event is in the schedule, and then
 * what the trace says that its threads had next (trace_end.h) can indeed not be done.
 */
#ifndef HD_WITNESS_END_H
#define HD_WITNESS_END_H

#include "witness_state.h"

/* Does the trace say so, in a form that can be checked? */
bool hd_witness_end_fits(const hd_trace *trace, hd_error *error);

/* After the schedule: does each of these threads wait? */
bool hd_witness_end_holds(const hd_witness_checker *checker, const hd_vec_u32 *schedule,
                          hd_error *error);

#endif
