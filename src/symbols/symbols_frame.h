/*
 * A function from its beginning on: its instructions, and which registers have an address in its
 * frame before each, by the distance from where the stack pointer was when it began.
 */
#ifndef HD_SYMBOLS_FRAME_H
#define HD_SYMBOLS_FRAME_H

#include "symbols_image.h"

enum { HD_SYMBOLS_MOST_STEPS = 4096 }; /* instructions of a function */

/* Functions that are called. */
enum hd_symbols_callee {
    HD_SYMBOLS_ANY,     /* reads what it can get hold of, and the words of the frame that may be
                           arguments */
    HD_SYMBOLS_QUIET,   /* reads nothing that its arguments point to, and has none on the stack */
    HD_SYMBOLS_COMPARE, /* the second argument points to a value that it reads, and writes or not */
    HD_SYMBOLS_LAST,    /* does not come back, and what the function has is of no interest to it */
    HD_SYMBOLS_TWICE    /* may return twice */
};

/* What is known of a register. */
enum hd_symbols_known {
    HD_SYMBOLS_UNKNOWN,  /* no address in the frame */
    HD_SYMBOLS_IN_FRAME, /* its distance from the stack pointer at the beginning */
    HD_SYMBOLS_MIXED,    /* perhaps one in the frame, not known which */
    HD_SYMBOLS_CONSTANT,
    HD_SYMBOLS_LOADED /* what is at this address of the program's data */
};

typedef struct hd_symbols_value {
    enum hd_symbols_known kind;
    int64_t number;
} hd_symbols_value;

typedef struct hd_symbols_step {
    hd_symbols_instruction it;
    uint64_t address;
    hd_symbols_value before[HD_SYMBOLS_REGISTERS];
    uint32_t on, off; /* steps that may come next, + 1; 0: none */
    uint8_t callee;   /* enum hd_symbols_callee */
    uint32_t size;    /* of what a callee compares */
    const char *name; /* of the callee; NULL: not known */
    bool seen;
} hd_symbols_step;

typedef struct hd_symbols_frame {
    hd_symbols_image *image;
    HD_VEC(hd_symbols_step) steps;
    hd_map at; /* address -> step + 1 */
    HD_VEC(uint32_t) todo;
    bool escapes; /* an address in the frame goes where it is not followed, or code is not known */
    bool spills;  /* one is written to memory: then a load may bring one */
    bool returns_twice;
} hd_symbols_frame;

/* False if not all of its instructions could be looked at, or it may return twice. */
bool hd_symbols_frame_init(hd_symbols_frame *frame, hd_symbols_image *image, uint64_t start);
void hd_symbols_frame_release(hd_symbols_frame *frame);

/* The step of an address; NULL if the function does not come there. */
const hd_symbols_step *hd_symbols_frame_at(const hd_symbols_frame *frame, uint64_t address);

/* What comes after the prefix and a decimal number in a name; NULL if it is not so. */
const char *hd_symbols_number_after(const char *name, const char *prefix, uint32_t *number);

/* Of a register, or of none. */
static inline hd_symbols_value hd_symbols_value_of(const hd_symbols_value *values, uint8_t number) {
    return number < HD_SYMBOLS_REGISTERS ? values[number]
                                         : (hd_symbols_value){HD_SYMBOLS_UNKNOWN, 0};
}

static inline bool hd_symbols_may_be_in_frame(hd_symbols_value it) {
    return it.kind == HD_SYMBOLS_IN_FRAME || it.kind == HD_SYMBOLS_MIXED;
}

#endif
