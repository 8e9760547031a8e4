#include "cut_tails.h"

#include <string.h>

#include "cut_simd.h"

uint32_t hd_cut_tails_split(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                            size_t wanted) {
    enum { DESCENTS = 64 };
    hd_random random;
    hd_random_seed(&random, 1);
    uint32_t threads = space->threads, split = 0;
    uint32_t *low = HD_NEW_ARRAY(uint32_t, 2 * (size_t)space->stride + 1);
    uint32_t *high = low + space->stride;
    double *mean = HD_NEW_ARRAY(double, threads + 1), *range = HD_NEW_ARRAY(double, threads + 1);
    for (int i = 0; i < DESCENTS; i++) {
        memcpy(low, least, space->stride * sizeof *low);
        memcpy(high, most, space->stride * sizeof *high);
        for (uint32_t p = 0; p < threads; p++) {
            assert(low[p] <= high[p]);
            range[p] = high[p] - low[p] + 1;
            uint32_t count = low[p] + (uint32_t)hd_random_below(&random, high[p] - low[p] + 1);
            hd_cut_narrow(low, high, low, high, hd_cut_low(space, p, count),
                          hd_cut_high(space, p, count), p + 1, space->stride);
        }
        double product = 1;
        for (uint32_t p = threads; p-- > 0;)
            mean[p] += (product *= range[p]) / DESCENTS;
    }
    for (uint32_t p = 0; p < threads; p++)
        if (mean[p] >= (double)wanted)
            split = p;
    free(low);
    free(mean);
    free(range);
    return split;
}
