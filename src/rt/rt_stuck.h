/*
 * rt_stuck.c: do threads wait for each other's mutexes?  Does the program say that it is right that
 * no thread can go on?
 */
#ifndef HD_RT_STUCK_H
#define HD_RT_STUCK_H

#include <stdbool.h>

bool hd_rt_stuck_in_ring(void);
bool hd_rt_stuck_rightly(void);

#endif
