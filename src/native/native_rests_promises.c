/*
 * What could go otherwise on the machine where the program runs, whatever the schedule, and did not
 * in explored runs.
 */
#include "native_program.h"
#include "native_rests.h"
#include "recording/recording.h"

static void rest_on_wakes(const heddle_wire *wire, hd_verdict *verdict) {
    if (wire->spurious)
        hd_verdict_rests(verdict, "wake-ups", NULL, HD_VERDICT_FIRM,
                         "waits for conditions ended by themselves up to %u time%s in each thread",
                         wire->spurious, wire->spurious == 1 ? "" : "s");
    else
        hd_verdict_rests(
            verdict, "wake-ups", NULL, HD_VERDICT_FIRM,
            "no wait for a condition ended by itself; explore --spurious asks for that");
}

void hd_native_promises_rest(const hd_machine *machine, hd_verdict *verdict) {
    const hd_native_program *m = hd_native_program_const(machine);
    uint32_t relies = m->server.explore->relies;
    if (m->server.run.wire->openmp) /* launch_start.c has set OMP_THREAD_LIMIT */
        hd_verdict_rests(verdict, "threads", "openmp", HD_VERDICT_SHAKY, HD_RECORDING_OPENMP);
    if (relies & HEDDLE_WIRE_RELIES_WAITS)
        rest_on_wakes(m->server.run.wire, verdict);
    if (relies & HEDDLE_WIRE_RELIES_FUTEXES)
        hd_verdict_rests(verdict, "wake-ups", "futexes", HD_VERDICT_FIRM,
                         "no wait at a futex ended by itself");
    if (relies & HEDDLE_WIRE_RELIES_WEAK)
        hd_verdict_rests(verdict, "memory-model", "weak", HD_VERDICT_FIRM,
                         "a weak compare-exchange failed only where the value was another one");
    if (relies & HEDDLE_WIRE_RELIES_CALLS)
        hd_verdict_rests(verdict, "threads", "cancelled-calls", HD_VERDICT_SHAKY,
                         "no thread was cancelled in a call that had its effect and had not yet "
                         "returned, as glibc before 2.41 does");
    if (relies & HEDDLE_WIRE_RELIES_ADDRESSES)
        hd_verdict_rests(verdict, "addresses", NULL, HD_VERDICT_FIRM,
                         "addresses of blocks did not depend on the schedule");
}
