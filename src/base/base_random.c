#include "base_random.h"

#include <assert.h>

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t rotate_left(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

void hd_random_seed(hd_random *random, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix64(&seed);
}

uint64_t hd_random_next(hd_random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t hd_random_below(hd_random *random, uint64_t limit) {
    assert(limit > 0);
    uint64_t spare = (0 - limit) % limit; /* 2^64 mod limit values would be drawn once too often */
    uint64_t drawn;
    do
        drawn = hd_random_next(random);
    while (drawn < spare);
    return drawn % limit;
}

bool hd_random_chance(hd_random *random, uint32_t permille) {
    return hd_random_below(random, 1000) < permille;
}
