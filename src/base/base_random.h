/*
 * The random generator: xoshiro256** seeded by splitmix64 (Blackman, Vigna).
 * Its numbers are part of the command line's contract: `heddle generate` with a
 * seed gives the same trace on every machine and in every later version.
 */
#ifndef HD_BASE_RANDOM_H
#define HD_BASE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hd_random {
    uint64_t state[4];
} hd_random;

void hd_random_seed(hd_random *random, uint64_t seed);
uint64_t hd_random_next(hd_random *random);
uint64_t hd_random_below(hd_random *random, uint64_t limit); /* 0..limit-1, unbiased; limit > 0 */
bool hd_random_chance(hd_random *random, uint32_t permille); /* true `permille` times in 1000 */

#endif
