/*
 * Variables on stacks by name: "jobs[2].done of main in main()".
 *
 * An address of a stack is another variable whenever another function has its frame there.  The
 * runtime tells of the frames that were there when their threads reached a point (struct
 * heddle_wire_function): only then others can have seen what is in them.  Where these frames
 * are is computed as a debugger does it, by the tables for unwinding and the frame base; what
 * is in them, by the locations of variables that lie in memory at a fixed distance from it.
 *
 * An address that was one variable has its name.  If it was two, at different times or in
 * different blocks of a function, the name has both: "a of main in f() or b of main in g()".
 * If it was more it has none here.  Of variables of one name that lie in several places (the
 * function calls itself, or is called in several depths; blocks) the name says which, by the
 * distance from the thread's outermost frame: "x of main in f() at -160".
 */
#ifndef HD_SYMBOLS_LOCALS_H
#define HD_SYMBOLS_LOCALS_H

#include "symbols_modules.h"

typedef struct hd_symbols_locals hd_symbols_locals;

hd_symbols_locals *hd_symbols_locals_create(const hd_launch_run *run, hd_symbols *symbols);
void hd_symbols_locals_free(hd_symbols_locals *locals);

/* Frames are those of another run now. */
void hd_symbols_locals_forget(hd_symbols_locals *locals);

/* False if it is not known.  `whole`: as hd_symbols_variable. */
bool hd_symbols_locals_name(hd_symbols_locals *locals, uint64_t address, bool whole,
                            hd_vec_char *to);

#endif
