/*
 * A loop counts 0, 1, 2, as inputs do, and its limit is no constant of an input.  So the values 0
 * and 1 tell nothing; and of a place in the code only the first comparison after an input does,
 * where a counter has its first value.
 */
#include "rt_compare.h"

#include "rt_explore.h"

enum { VALUES = 16, PLACES = 64 };

static uint64_t values[VALUES]; /* of inputs, the last ones */
static uint32_t inputs;         /* that there were */
static struct {
    uintptr_t code;
    uint32_t inputs; /* before it was there last */
} places[PLACES];

void hd_rt_compare_input(uint64_t value) {
    values[inputs++ % VALUES] = value;
}

/* Is it there for the first time since the last input? */
static bool is_first(uintptr_t code) {
    uint32_t at = (uint32_t)(code >> 2) % PLACES;
    bool first = places[at].code != code || places[at].inputs != inputs;
    places[at].code = code;
    places[at].inputs = inputs;
    return first;
}

static bool is_input(uint64_t value, unsigned bits) {
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    for (uint32_t i = 0; i < VALUES && i < inputs; i++)
        if (values[i] > 1 && (values[i] & mask) == (value & mask))
            return true;
    return false;
}

static void add(int64_t constant) {
    if (constant < -1 || constant > 3) /* inputs have these anyway */
        heddle_wire_constant(hd_rt_explore, constant);
}

/* The other side of a comparison for less is the next number, away from 0. */
static void learn(uint64_t constant, unsigned bits) {
    int64_t value = (int64_t)(constant << (64 - bits)) >> (64 - bits);
    add(value);
    if (value > 0 && value < INT64_MAX)
        add(value + 1);
    if (value < 0 && value > INT64_MIN)
        add(value - 1);
}

static bool is_looking(void) {
    return inputs && hd_rt_controlled() && hd_rt.exploring && !hd_rt.ended && !hd_rt.wire->anys;
}

static void compare(uint64_t constant, uint64_t value, unsigned bits, uintptr_t code) {
    if (is_looking() && is_first(code) && is_input(value, bits))
        learn(constant, bits);
}

#define COMPARE(bytes, type)                                                                       \
    HD_RT_EXPORT void __sanitizer_cov_trace_const_cmp##bytes(type constant, type value);           \
    HD_RT_EXPORT void __sanitizer_cov_trace_cmp##bytes(type first, type second);                   \
    void __sanitizer_cov_trace_const_cmp##bytes(type constant, type value) {                       \
        compare(constant, value, 8 * bytes, HD_RT_CODE());                                         \
    }                                                                                              \
    void __sanitizer_cov_trace_cmp##bytes(type first, type second) {                               \
        (void)first, (void)second;                                                                 \
    }

COMPARE(1, uint8_t)
COMPARE(2, uint16_t)
COMPARE(4, uint32_t)
COMPARE(8, uint64_t)

/* `cases`: how many there are, how many bits each has, and they. */
HD_RT_EXPORT void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases);
void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases) {
    unsigned bits = (unsigned)cases[1];
    if (!is_looking() || !bits || bits > 64 || !is_first(HD_RT_CODE()) || !is_input(value, bits))
        return;
    for (uint64_t i = 0; i < cases[0]; i++)
        learn(cases[2 + i], bits);
}

/* clang announces comparisons only together with functions. */
HD_RT_EXPORT void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
}
