/*
 * The compiler's inside: expressions (model_compile_expression.c),
 * operations (model_compile.c) of one instance of a thread, and what these touch
 * (model_compile_touch.c).
 */
#ifndef HD_MODEL_COMPILE_H
#define HD_MODEL_COMPILE_H

#include "model_program.h"

typedef struct hd_model_compiler {
    hd_model_program *program;
    hd_model_error *error;
    hd_map constants; /* value -> its number */
    hd_map arrays;    /* first cell -> number of the array */
    uint32_t thread;
    uint32_t temporaries;                    /* taken */
    uint8_t of_shared[HD_MODEL_TEMPORARIES]; /* temporaries with values read from locations */
    uint32_t position;                       /* of the statement that is compiled */
    HD_VEC(uint32_t)
    returns;        /* operations, or in an atomic block jumps, that lead after the call */
    bool too_large; /* more instructions than allowed: what follows is not kept */
} hd_model_compiler;

#define HD_MODEL_NOWHERE UINT32_MAX

uint32_t hd_model_compiler_temporary(hd_model_compiler *compiler);
uint32_t hd_model_compiler_constant(hd_model_compiler *compiler, int64_t value);
bool hd_model_compiler_known(const hd_model_compiler *compiler, uint32_t cell, int64_t *value);

uint32_t hd_model_compiler_here(const hd_model_compiler *compiler);
uint32_t hd_model_compiler_emit(hd_model_compiler *compiler, enum hd_model_code code, uint32_t to,
                                uint32_t a, uint32_t b);
void hd_model_compiler_land(hd_model_compiler *compiler, uint32_t jump); /* `to` is here */

/* Code for an expression; the cell with its value.  `wanted`: that cell, unless it
 * is HD_MODEL_NOWHERE, is written, once and last. */
uint32_t hd_model_compiler_expression(hd_model_compiler *compiler, const hd_model_expression *e,
                                      uint32_t wanted);

/* Code for the address of an element: the cell that holds it.  *direct is the
 * cell itself if it is known, else HD_MODEL_NOWHERE. */
uint32_t hd_model_compiler_address(hd_model_compiler *compiler, const hd_model_expression *use,
                                   uint32_t *direct);

/* Code that checks the invariants over what the code of an operation may write.  `value` is the
 * condition without which nothing is written, or HD_MODEL_NOWHERE. */
void hd_model_compiler_invariants(hd_model_compiler *compiler, uint32_t code, uint32_t value);

/* Code that checks each of them alone, for the first state. */
void hd_model_compiler_first_state(hd_model_compiler *compiler);

void hd_model_compiler_assign(hd_model_compiler *compiler, const hd_model_expression *target,
                              const hd_model_expression *value);

/* What an operation touches, by its code or besides. */
typedef struct hd_model_touch {
    bool jumps;     /* some of the code may not be run */
    bool may_fail;  /* or be left before its end */
    bool shared;    /* touches a location, perhaps */
    bool certainly; /* and in any case */
    bool computed;  /* one that is not known before it runs */
} hd_model_touch;

/* A location is accessed; other cells are the thread's own. */
void hd_model_touched(hd_model_compiler *compiler, hd_model_touch *t, uint32_t location,
                      uint8_t mode);

/* Decides whether an operation is visible and its accesses are fixed.  `t` has what it touches
 * besides its code. */
void hd_model_classify(hd_model_compiler *compiler, hd_model_operation *operation,
                       hd_model_touch t);

#endif
