/*
 * What a run wrote to standard output and said beside it, in a form in which runs that do not
 * differ are equal: the lines of blocks of any order are sorted, and come last; marks and inputs
 * are listed thread by thread, and a thread is named by who created it.
 */
#ifndef HD_NATIVE_OUTPUT_H
#define HD_NATIVE_OUTPUT_H

#include "launch/launch.h"

/* Of the run that was executed last; `file` has its output, and perhaps more, of other runs. */
void hd_native_output_take(int file, const heddle_wire_explore *explore, hd_launch_log *log);

#endif
