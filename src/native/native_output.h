/*
 * What a run wrote to standard output and said beside it, in a form in which runs that do not
 * differ are equal: the lines of blocks of any order are sorted, and come last; marks and inputs
 * are listed thread by thread, and a thread is named by who created it.
 */
#ifndef HD_NATIVE_OUTPUT_H
#define HD_NATIVE_OUTPUT_H

#include "native_machine.h"
#include "symbols/symbols.h"

/* Marks and output that do not count. */
typedef struct hd_native_left_out {
    bool (*leaves_out)(void *context, const char *label, const char *place, const char *function);
    void *context;
    hd_symbols *symbols; /* NULL: not needed so far */
    hd_map counts;       /* [hash of a saying]: those that are known to count */
} hd_native_left_out;

void hd_native_left_out_init(hd_native_left_out *left_out,
                             const hd_native_machine_options *options);
void hd_native_left_out_release(hd_native_left_out *left_out);

/* Of the run that was executed last; `file` has its output, and perhaps more, of other runs. */
void hd_native_output_take(int file, const hd_launch_run *run, hd_native_left_out *left_out,
                           hd_launch_log *log);

#endif
