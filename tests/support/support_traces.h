/*
 * Small random well-formed traces, for tests.  Every kind of event can be in
 * them: nested and re-entrant locks, read-write locks, tries, forks,
 * joins, condition waits (with their release as one step), barriers, messages,
 * semaphores, read-modify-writes, atomics, frees, atomic blocks, marks.
 */
#ifndef SUPPORT_TRACES_H
#define SUPPORT_TRACES_H

#include "trace/trace.h"

/* What may be in a trace; bits of support_shape.features. */
enum {
    SUPPORT_ATOMICS = 1,
    SUPPORT_RMW = 2,
    SUPPORT_LOCKS = 4,
    SUPPORT_REENTRANT = 8, /* re-entrant holds */
    SUPPORT_RWLOCKS = 16,
    SUPPORT_TRYFAIL = 32,
    SUPPORT_FORKS = 64, /* all but the first thread may be forked; joins too */
    SUPPORT_WAITS = 128,
    SUPPORT_BARRIERS = 256,
    SUPPORT_CHANNELS = 512, /* messages, first in first out */
    SUPPORT_BLOCKS = 1024,
    SUPPORT_MARKS = 2048,
    SUPPORT_VALUES = 4096,     /* accesses carry values, reads those of the write they saw */
    SUPPORT_SEMAPHORES = 8192, /* posts and takes */
    SUPPORT_FREES = 16384,     /* ends of memory: writes without a value */
    SUPPORT_ALL = 32767,
    SUPPORT_ORDERS = 32768,     /* memory orders of atomics, and fences; not in ALL */
    SUPPORT_CERTAIN = 131072,   /* events that are certain; not in ALL */
    SUPPORT_MORE_BLOCKS = 65536 /* besides SUPPORT_BLOCKS: five times as many; not in ALL */
};

typedef struct support_shape {
    unsigned threads, events, locks, variables; /* at most; each case draws its own */
    unsigned features;
} support_shape;

/* Fills an initialised, empty trace, which then passes hd_trace_check_all.
 * Locks may be left held at the end and waits never woken. */
void support_random_trace(hd_trace *trace, hd_random *random, const support_shape *shape);

/* Fills an initialised, empty trace with the events whose bit is set in keep (by
 * number - 1), if that is well-formed; else false and `to` is left empty.  Names
 * are numbered anew, by first use; a read that now sees another write gets the
 * value of that one. */
bool support_keep(hd_trace *to, const hd_trace *from, const hd_bits *keep);

/* Fills an initialised, empty trace from text; fails the process on bad text. */
void support_parse(hd_trace *trace, const char *text);

#endif
