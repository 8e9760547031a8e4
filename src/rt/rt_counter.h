/*
 * rt_counter.c: does code read a counter of the processor?
 */
#ifndef HD_RT_COUNTER_H
#define HD_RT_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool hd_rt_counter_in(const void *code, size_t size);

#endif
