/*
 * rt_stuck.c: does the program say that it is right that no thread can go on?
 */
#ifndef HD_RT_STUCK_H
#define HD_RT_STUCK_H

#include <stdbool.h>

bool hd_rt_stuck_rightly(void);

#endif
