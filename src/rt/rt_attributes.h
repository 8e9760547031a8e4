/*
 * What attributes of a thread say that the runtime must act on: a thread under control is not made
 * by the C library with them.  A program that asks for them is told those that it gave.
 */
#ifndef HD_RT_ATTRIBUTES_H
#define HD_RT_ATTRIBUTES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* 0, or the error with which the C library would refuse to make such a thread. */
int hd_rt_attributes_check(const pthread_attr_t *asked);

/* Are they such that no call need ask the system about them? */
bool hd_rt_attributes_usual(const pthread_attr_t *asked);

/* A thread gets a stack of ours for these attributes; NULL asks for the usual one.  Its size; and:
 * do others ask for one of the same? */
size_t hd_rt_attributes_made(uint32_t id, const pthread_attr_t *asked);
bool hd_rt_attributes_fit(uint32_t id, const pthread_attr_t *asked);

/* The signals that it is to block, if they say so. */
void hd_rt_attributes_mask(const pthread_attr_t *asked, uint64_t *blocked);

/* A hash of what a thread that the current one creates now gets from it, which no step shows: how
 * floating-point numbers are computed, its name, signals that it blocks; and of what its
 * attributes say, but for where its stack is.  NULL: they are the usual ones. */
uint64_t hd_rt_attributes_inherited(const pthread_attr_t *asked, const char name[16]);

#endif
