/* How much of a test `make test` does, which has TEST_BUILDS=few in the environment, and how much
 * is done under an emulator (scripts/cross). */
#ifndef HD_SUPPORT_FEW_H
#define HD_SUPPORT_FEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Twenty to two hundred times as slow. */
static inline bool support_emulated(void) {
    return getenv("HEDDLE_TEST_EMULATED") != NULL;
}

/* The second number there, else the first. */
static inline uint64_t support_few(uint64_t all, uint64_t few) {
    const char *builds = getenv("TEST_BUILDS");
    return support_emulated() || (builds && strcmp(builds, "few") == 0) ? few : all;
}

#endif
