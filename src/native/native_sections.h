/*
 * Atomic sections that ask for inputs (heddle_wire_section): what is known of them, and as text for
 * a witness: "draws=CODE.WAYS.WAYS", with the place as an offset from the start of the code.  And
 * constants that inputs are compared with, which are values of inputs: "constants=77,78".
 */
#ifndef HD_NATIVE_SECTIONS_H
#define HD_NATIVE_SECTIONS_H

#include <stdbool.h>

#include "heddle/wire.h"
#include "launch/launch.h"

/* What was found is used from now on. */
void hd_native_sections_use(heddle_wire_explore *explore);

/* The same sections in another process; what another one has found: true if that is new. */
void hd_native_sections_copy(heddle_wire_explore *to, const heddle_wire_explore *from);
bool hd_native_sections_learn(heddle_wire_explore *to, const heddle_wire_explore *from);

/* As words; `code` is where the code begins.  A word that is not one of these, or is not
 * well-formed: false. */
void hd_native_sections_words(const heddle_wire_explore *explore, uint64_t code,
                              hd_launch_words *words);
bool hd_native_sections_word(heddle_wire_explore *explore, uint64_t code, const char *word);

#endif
