/*
 * Libraries that the program opens while it runs.  The handle of one is memory of the loader's: a
 * call that looks for a name reads it, and the call that closes the library writes it.  So a thread
 * that closes a library in which another one may look is a race like others.
 *
 * A library that is opened several times has one handle, and which of the times a call closes is
 * not known.  So only one that was opened once is looked at.
 */
#ifndef HD_RT_LIBRARY_H
#define HD_RT_LIBRARY_H

#include "rt.h"

/* The runtime begins. */
void hd_rt_library_start(void);

#endif
