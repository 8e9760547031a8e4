#include "race_holders.h"

#include <stdlib.h>

void hd_race_holders_add(hd_race_holders *holders, uint32_t lock, uint32_t thread, uint32_t event,
                         uint32_t node) {
    hd_vec_push(&holders->all, (struct hd_race_holder){lock, thread, event, node});
}

static int compare_holders(const void *x, const void *y) {
    const struct hd_race_holder *a = x, *b = y;
    if (a->lock != b->lock)
        return a->lock < b->lock ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

void hd_race_holders_sort(hd_race_holders *holders, uint32_t locks) {
    uint32_t lock = 0;
    holders->first = HD_NEW_ARRAY(uint32_t, (size_t)locks + 1);
    if (holders->all.length)
        qsort(holders->all.data, holders->all.length, sizeof *holders->all.data, compare_holders);
    for (uint32_t i = 0; i < holders->all.length; i++) {
        const struct hd_race_holder *h = &holders->all.data[i];
        if (!i || h->lock != h[-1].lock || h->thread != h[-1].thread) {
            while (lock < h->lock)
                holders->first[++lock] = (uint32_t)holders->runs.length;
            hd_vec_push(&holders->runs, (hd_race_holders_run){h->thread, i, 0});
        }
        assert(h->lock < locks);
        assert(!hd_vec_last(&holders->runs)->count || h->event > h[-1].event);
        hd_vec_last(&holders->runs)->count++;
        hd_vec_push(&holders->events, h->event);
        hd_vec_push(&holders->nodes, h->node);
    }
    while (lock < locks)
        holders->first[++lock] = (uint32_t)holders->runs.length;
    assert(!holders->runs.length ||
           hd_vec_last(&holders->runs)->start + hd_vec_last(&holders->runs)->count ==
               holders->events.length);
    hd_vec_release(&holders->all);
}

void hd_race_holders_release(hd_race_holders *holders) {
    hd_vec_release(&holders->all);
    hd_vec_release(&holders->events);
    hd_vec_release(&holders->nodes);
    hd_vec_release(&holders->runs);
    free(holders->first);
    *holders = (hd_race_holders){0};
}
