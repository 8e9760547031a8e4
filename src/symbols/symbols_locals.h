/*
 * Variables on stacks by name: "jobs[2].done of main in main()".
 *
 * An address on a stack is a different variable whenever another function has its frame there.  The
 * runtime reports the frames that existed when their threads reached a point (struct
 * heddle_wire_function): only then can other threads have seen what is in them.  Where these frames
 * are is computed as a debugger does it, from the unwind tables and the frame base; what is in
 * them, from the locations of variables that are in memory at a fixed distance from it.
 *
 * An address that was one variable has its name.  If it was two, at different times or in different
 * blocks of a function, the name has both: "a of main in f() or b of main in g()". If it was more
 * than two, it gets no name here.  If variables of one name are in several places (the function is
 * recursive, is called at several depths, or has several blocks), the name includes the distance
 * from the thread's outermost frame: "x of main in f() at -160".
 */
#ifndef HD_SYMBOLS_LOCALS_H
#define HD_SYMBOLS_LOCALS_H

#include "symbols_modules.h"

typedef struct hd_symbols_locals hd_symbols_locals;

hd_symbols_locals *hd_symbols_locals_create(const hd_launch_run *run, hd_symbols *symbols);
void hd_symbols_locals_free(hd_symbols_locals *locals);

/* Forgets all frames: those of another run come now. */
void hd_symbols_locals_forget(hd_symbols_locals *locals);

/* False if it is not known.  `whole`: as hd_symbols_variable. */
bool hd_symbols_locals_name(hd_symbols_locals *locals, uint64_t address, bool whole,
                            hd_vec_char *to);

#endif
