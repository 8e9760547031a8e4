/*
 * What may depend on what a thread has read: registers and bytes of its frame, as symbols_certain.c
 * follows them through the instructions of a function.  What is loaded from any other memory may,
 * unless that memory never changes.
 */
#ifndef HD_SYMBOLS_TAINT_H
#define HD_SYMBOLS_TAINT_H

#include "symbols_frame.h"

/* Bytes of the frame, by their distance from where the stack pointer was at the beginning. */
enum {
    HD_SYMBOLS_TAINT_LOW = -2048,
    HD_SYMBOLS_TAINT_HIGH = 256,
    HD_SYMBOLS_TAINT_WORDS = (HD_SYMBOLS_TAINT_HIGH - HD_SYMBOLS_TAINT_LOW) / 64
};

typedef struct hd_symbols_taint {
    uint32_t registers;
    bool flags, vectors;
    bool decided; /* whether this place is reached */
    bool lost;    /* what happens here is not known */
    uint64_t bytes[HD_SYMBOLS_TAINT_WORDS];
} hd_symbols_taint;

/* After the step, which is no call. */
void hd_symbols_taint_pass(hd_symbols_taint *it, const hd_symbols_frame *frame,
                           const hd_symbols_step *p);

/* What both have; true if that is more than `to` had. */
bool hd_symbols_taint_join(hd_symbols_taint *to, const hd_symbols_taint *from);

/* Bytes of the frame; false if they are too far away. */
bool hd_symbols_taint_frame(hd_symbols_taint *taint, int64_t from, uint32_t size);

#endif
