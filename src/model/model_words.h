/*
 * Shared by the parts that write text for people.
 */
#ifndef HD_MODEL_WORDS_H
#define HD_MODEL_WORDS_H

#include "model_machine.h"

/* Appends text, at most 255 bytes of it; the result is NUL-terminated. */
void hd_model_say(hd_vec_char *to, const char *format, ...) HD_PRINTF(2, 3);

/* Is the expression made of numbers, parameters and id only? */
bool hd_model_constant(const hd_model_expression *e);

#endif
