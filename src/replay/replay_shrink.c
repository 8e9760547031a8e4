/*
 * A short schedule that shows the same: without the steps that have nothing to
 * do with it, and with few context switches.
 */
#include "replay_order.h"

static void copy(hd_witness_steps *to, const hd_witness_steps *from) {
    hd_vec_clear(to);
    for (size_t i = 0; i < from->length; i++)
        hd_vec_push(to, from->data[i]);
}

/* Takes the smaller schedule if it shows the claim.  It always should; a machine
 * whose operations say less than they access is why this is asked. */
static bool take(hd_machine *machine, enum hd_replay_claim claim, const hd_witness_steps *smaller,
                 hd_replay_shrunk *shrunk) {
    hd_error error = {""};
    if (!hd_replay_check(machine, claim, smaller, &error))
        return false;
    copy(&shrunk->schedule, smaller);
    return true;
}

/* The causal past of the last step: a prefix of each thread. */
static void drop_bystanders(hd_machine *machine, enum hd_replay_claim claim,
                            hd_replay_shrunk *shrunk) {
    hd_replay_order order;
    hd_witness_steps smaller = {0};
    const hd_witness_steps *schedule = &shrunk->schedule;
    if (hd_replay_order_init(&order, machine, schedule)) {
        const uint32_t *past = hd_replay_order_clock(&order, (uint32_t)schedule->length - 1);
        uint32_t *taken = HD_NEW_ARRAY(uint32_t, (size_t)order.width + 1);
        for (size_t i = 0; i < schedule->length; i++) {
            uint32_t column = order.columns.data[i];
            if (taken[column]++ < past[column])
                hd_vec_push(&smaller, schedule->data[i]);
        }
        free(taken);
        size_t dropped = schedule->length - smaller.length;
        if (dropped > 0 && take(machine, claim, &smaller, shrunk))
            shrunk->dropped = dropped;
        hd_vec_release(&smaller);
    }
    hd_replay_order_release(&order);
}

static void reorder(hd_machine *machine, enum hd_replay_claim claim, size_t budget,
                    hd_replay_shrunk *shrunk) {
    hd_replay_order order;
    hd_vec_u32 sequence = {0};
    hd_witness_steps other = {0};
    if (shrunk->schedule.length == 0) {
        shrunk->fewest = true;
        return;
    }
    if (hd_replay_order_init(&order, machine, &shrunk->schedule)) {
        shrunk->fewest = hd_replay_order_fewest(&order, budget, &sequence);
        for (size_t i = 0; i < sequence.length; i++)
            hd_vec_push(&other, shrunk->schedule.data[sequence.data[i]]);
        /* A greedy order may be worse than what there was. */
        if (hd_replay_switches(&other) < hd_replay_switches(&shrunk->schedule) &&
            !take(machine, claim, &other, shrunk))
            shrunk->fewest = false;
    }
    hd_vec_release(&sequence);
    hd_vec_release(&other);
    hd_replay_order_release(&order);
}

bool hd_replay_shrink(hd_machine *machine, enum hd_replay_claim claim,
                      const hd_witness_steps *schedule, size_t budget, hd_replay_shrunk *shrunk,
                      hd_error *error) {
    *shrunk = (hd_replay_shrunk){0};
    if (!hd_replay_check(machine, claim, schedule, error))
        return false;
    copy(&shrunk->schedule, schedule);
    if (claim == HD_REPLAY_VIOLATION)
        drop_bystanders(machine, claim, shrunk);
    reorder(machine, claim, budget ? budget : HD_REPLAY_BUDGET, shrunk);
    shrunk->switches = hd_replay_switches(&shrunk->schedule);
    return hd_replay_check(machine, claim, &shrunk->schedule, error);
}
