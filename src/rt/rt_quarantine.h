/*
 * Freed memory that is not used again yet (rt_quarantine.c).
 */
#ifndef HD_RT_QUARANTINE_H
#define HD_RT_QUARANTINE_H

#include "rt.h"

/* Frees a block of the C library's, later. */
void hd_rt_quarantine(void *block);

#endif
