/*
 * The schedule of a run: which thread took how many steps before another did.  Given
 * back to the runtime, with the same seed (for choices such as the waiter that a signal
 * wakes), it gives the same run, also where the seed alone would not: after a change
 * of the scheduler, or cut short.
 *
 * As a file it is text: `# heddle schedule 1`, `seed N`, and lines `THREAD STEPS`, the
 * thread by its number of birth.
 */
#ifndef HD_NATIVE_SCHEDULE_H
#define HD_NATIVE_SCHEDULE_H

#include "native_run.h"

typedef struct hd_native_schedule {
    HD_VEC(heddle_wire_run) runs;
    uint64_t seed;
} hd_native_schedule;

void hd_native_schedule_of(hd_native_schedule *schedule, const hd_native_run *run);
bool hd_native_schedule_save(const hd_native_schedule *schedule, const char *path, hd_error *error);
bool hd_native_schedule_load(hd_native_schedule *schedule, const char *path, hd_error *error);
void hd_native_schedule_release(hd_native_schedule *schedule);

#endif
