#include "cut_visit.h"

#include <string.h>

void hd_cut_each_init(hd_cut_each *each, uint32_t threads, hd_cut_state *state, void *context) {
    *each = (hd_cut_each){.context = context, .state = state, .threads = threads};
    each->copy = HD_NEW_ARRAY(uint32_t, threads + 1);
}

void hd_cut_each_release(hd_cut_each *each) {
    free(each->copy);
    each->copy = NULL;
}

int hd_cut_each_run(void *context, const uint32_t *state, uint32_t count) {
    hd_cut_each *each = context;
    memcpy(each->copy, state, each->threads * sizeof *state);
    for (uint32_t i = 0; i < count; i++) {
        int why = each->state(each->context, each->copy);
        if (why)
            return why;
        if (each->threads)
            each->copy[each->threads - 1]++;
        if (hd_clock_over())
            return HD_CUT_STOPPED;
    }
    return 0;
}
