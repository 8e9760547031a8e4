/*
 * The schedule of a run: which thread took how many steps before another did.  Given to the runtime
 * with the same seed (for choices such as the waiter that a signal wakes), it yields the same run,
 * even where the seed alone would not: after a change of the scheduler, or cut short.
 *
 * As a file it is text: `# heddle schedule 1`, `seed N`, and lines `THREAD STEPS`, the
 * thread by its number of birth.
 */
#ifndef HD_LAUNCH_SCHEDULE_H
#define HD_LAUNCH_SCHEDULE_H

#include "launch_run.h"

typedef struct hd_launch_schedule {
    HD_VEC(heddle_wire_run) runs;
    uint64_t seed;
} hd_launch_schedule;

void hd_launch_schedule_of(hd_launch_schedule *schedule, const hd_launch_run *run);
bool hd_launch_schedule_save(const hd_launch_schedule *schedule, const char *path, hd_error *error);
bool hd_launch_schedule_load(hd_launch_schedule *schedule, const char *path, hd_error *error);
void hd_launch_schedule_release(hd_launch_schedule *schedule);

#endif
