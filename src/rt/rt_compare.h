/*
 * Constants that inputs are compared with.  The compiler announces comparisons of sources that ask
 * for inputs (launch_compiler.c).  If one side is the value of an input, the constant on the other
 * side is one that the input should have, too: the tool uses it in its next search.
 */
#ifndef HD_RT_COMPARE_H
#define HD_RT_COMPARE_H

#include "rt.h"

/* An input has this value now. */
void hd_rt_compare_input(uint64_t value);

#endif
