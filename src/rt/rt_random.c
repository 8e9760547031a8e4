/*
 * Random numbers: xoshiro256**, by Blackman and Vigna.
 */
#include "rt.h"

static uint64_t rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static uint64_t next_random(uint64_t *s) {
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t hd_rt_random(uint64_t limit) {
    return (uint64_t)((unsigned __int128)next_random(hd_rt.random) * limit >> 64);
}

uint64_t hd_rt_choice(uint64_t limit) {
    return (uint64_t)((unsigned __int128)next_random(hd_rt.choices) * limit >> 64);
}

void hd_rt_random_seed(uint64_t *state, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        state[i] = z ^ z >> 31;
    }
}
