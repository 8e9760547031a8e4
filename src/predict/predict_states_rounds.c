/*
 * Rounds for nothing: a thread comes back to a point, and none of its steps since changed anything.
 * What is left without them is a run with the same steps of all others.
 */
#include "predict_states.h"

#include <stdlib.h>

typedef struct look {
    uint32_t from; /* the point of the thread before the step */
    bool changes;  /* something besides that point */
    bool out;      /* it is left out */
} look;

static bool same_content(const hd_predict_content *a, const hd_predict_content *b) {
    return a->value == b->value && a->count == b->count && a->written == b->written &&
           a->owner == b->owner;
}

static bool last_changes(const hd_predict_simulator *r, uint32_t thread) {
    const hd_predict_moment *before = hd_vec_last(&r->moments);
    if (before->signalled != r->now.signalled || before->ended != r->now.ended)
        return true;
    for (size_t i = before->old; i < r->old.length; i++) {
        const hd_predict_old *old = &r->old.data[i];
        if (old->what == HD_PREDICT_OLD_CELL
                ? !same_content(&old->content, &r->cells.all.data[old->number].now)
                : old->number != thread)
            return true;
    }
    return false;
}

/* The last step before which the thread is where it was before step i, without a change until then;
 * i: there is none. */
static size_t last_return(const look *looks, const hd_predict_path *path, size_t i) {
    size_t last = i;
    for (size_t k = i; k < path->length; k++) {
        if (path->data[k].thread != path->data[i].thread)
            continue;
        if (looks[k].from == looks[i].from)
            last = k;
        if (looks[k].changes)
            break;
    }
    return last;
}

void hd_predict_states_shorten(hd_predict_simulator *r, hd_predict_path *path) {
    look *looks = hd_mem_zero(path->length + 1, sizeof *looks);
    bool good = true;
    size_t kept = 0;
    hd_predict_simulate_back(r, 0);
    for (size_t i = 0; good && i < path->length; i++) {
        uint32_t thread = path->data[i].thread;
        looks[i].from = r->at[thread];
        good = looks[i].from && hd_predict_simulate_step(r, path->data[i], NULL);
        looks[i].changes = good && last_changes(r, thread);
    }
    for (size_t i = 0; good && i < path->length; i++) {
        size_t last = looks[i].out ? i : last_return(looks, path, i);
        for (size_t k = i; k < last; k++)
            looks[k].out |= path->data[k].thread == path->data[i].thread;
    }
    for (size_t i = 0; i < path->length; i++)
        if (!looks[i].out)
            path->data[kept++] = path->data[i];
    path->length = kept;
    free(looks);
}
