/*
 * The code that statements are compiled to, and its arithmetic.
 *
 * Three-address code over one array of cells.  Each instance of a thread has
 * code of its own in which id is a constant, so that nearly every address is a
 * number in the instruction: `x[(id + 1) % N] = x[id]` is one MOVE.  Operands
 * are cells: shared variables, locals, temporaries and constants alike.
 *
 * Arithmetic is that of 64-bit two's complement and wraps; a shift takes its
 * count modulo 64, to the right the sign moves in; the least integer divided by
 * -1 is itself.
 */
#ifndef HD_MODEL_CODE_H
#define HD_MODEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Binary operators: code, text, precedence. */
#define HD_MODEL_OPERATORS(X)                                                                      \
    X(MULTIPLY, "*", 10)                                                                           \
    X(DIVIDE, "/", 10)                                                                             \
    X(REMAINDER, "%", 10)                                                                          \
    X(ADD, "+", 9)                                                                                 \
    X(SUBTRACT, "-", 9)                                                                            \
    X(SHIFT_LEFT, "<<", 8)                                                                         \
    X(SHIFT_RIGHT, ">>", 8)                                                                        \
    X(LESS, "<", 7)                                                                                \
    X(LESS_EQUAL, "<=", 7)                                                                         \
    X(GREATER, ">", 7)                                                                             \
    X(GREATER_EQUAL, ">=", 7)                                                                      \
    X(EQUAL, "==", 6)                                                                              \
    X(UNEQUAL, "!=", 6)                                                                            \
    X(BIT_AND, "&", 5)                                                                             \
    X(BIT_XOR, "^", 4)                                                                             \
    X(BIT_OR, "|", 3)                                                                              \
    X(BOTH, "&&", 2)                                                                               \
    X(ANY, "||", 1)

enum hd_model_code {
#define HD_MODEL_CODE_(name, text, binds) HD_MODEL_##name,
    HD_MODEL_OPERATORS(HD_MODEL_CODE_)
#undef HD_MODEL_CODE_
    /* The last two of these are used only where the right side can always be evaluated. */
    HD_MODEL_BINARY_CODES,
    HD_MODEL_NEGATE = HD_MODEL_BINARY_CODES, /* to = -a */
    HD_MODEL_NOT,                            /* to = !a */
    HD_MODEL_MOVE,                           /* to = a */
    HD_MODEL_ADDRESS,                        /* to = the cell of element b of array number a */
    HD_MODEL_LOAD,                           /* to = the cell whose number is in a */
    HD_MODEL_STORE,                          /* the cell whose number is in to = a */
    HD_MODEL_COMPARE_SWAP,                   /* to = cas(cell whose number is in a, b, b + 1) */
    HD_MODEL_JUMP,                           /* on at instruction `to` */
    HD_MODEL_JUMP_ZERO,                      /* if a is 0 */
    HD_MODEL_JUMP_NONZERO,                   /* if not */
    HD_MODEL_CHECK,                          /* the operation fails if a is 0 */
    HD_MODEL_HOLD, /* the operation is not enabled if a is 0; b: it is an assumption */
    HD_MODEL_DONE
};

typedef struct hd_model_instruction {
    uint32_t code : 8;
    uint32_t position : 24; /* of its statement */
    uint32_t to, a, b;
} hd_model_instruction;

static inline int64_t hd_model_divide(int64_t a, int64_t b) {
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t hd_model_remainder(int64_t a, int64_t b) {
    return b == -1 ? 0 : a % b;
}

/* A binary operator; the divisor is not 0. */
static inline __attribute__((always_inline)) int64_t hd_model_apply(enum hd_model_code code,
                                                                    int64_t a, int64_t b) {
    switch (code) {
    case HD_MODEL_MULTIPLY:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case HD_MODEL_DIVIDE:
        return hd_model_divide(a, b);
    case HD_MODEL_REMAINDER:
        return hd_model_remainder(a, b);
    case HD_MODEL_ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case HD_MODEL_SUBTRACT:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case HD_MODEL_SHIFT_LEFT:
        return (int64_t)((uint64_t)a << (b & 63));
    case HD_MODEL_SHIFT_RIGHT:
        return a >> (b & 63);
    case HD_MODEL_LESS:
        return a < b;
    case HD_MODEL_LESS_EQUAL:
        return a <= b;
    case HD_MODEL_GREATER:
        return a > b;
    case HD_MODEL_GREATER_EQUAL:
        return a >= b;
    case HD_MODEL_EQUAL:
        return a == b;
    case HD_MODEL_UNEQUAL:
        return a != b;
    case HD_MODEL_BIT_AND:
        return a & b;
    case HD_MODEL_BIT_XOR:
        return a ^ b;
    case HD_MODEL_BIT_OR:
        return a | b;
    case HD_MODEL_BOTH:
        return (a != 0) & (b != 0);
    case HD_MODEL_ANY:
        return (a != 0) | (b != 0);
    default:
        __builtin_unreachable();
    }
}

/* A unary operator; b is ignored. */
static inline int64_t hd_model_apply_unary(enum hd_model_code code, int64_t a) {
    return code == HD_MODEL_NEGATE ? (int64_t)(0 - (uint64_t)a) : a == 0;
}

static inline bool hd_model_divides(enum hd_model_code code) {
    return code == HD_MODEL_DIVIDE || code == HD_MODEL_REMAINDER;
}

#endif
