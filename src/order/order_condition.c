/*
 * Waiters and notifications.  Both lists are in trace order, so places in them
 * are found by bisection and survive trimming.
 */
#include "order_condition.h"

#include "order_lists.h"

enum { TRIM_SLACK = 8 };

static void drop_notifications(hd_order_condition *condition) {
    for (size_t i = 0; i < condition->notifications.length; i++)
        hd_vec_release(&condition->notifications.data[i].clock);
    hd_vec_clear(&condition->notifications);
}

void hd_order_condition_release(hd_order_condition *condition) {
    drop_notifications(condition);
    hd_vec_release(&condition->notifications);
    hd_vec_release(&condition->waiters);
}

/* Are both lists in trace order, and do the counters say what the waiters do? */
HD_ASSERT_ONLY static bool condition_is_counted(const hd_order_condition *condition) {
    size_t waiting = 0, open = 0;
    for (size_t i = 0; i < condition->waiters.length; i++) {
        const struct hd_order_waiter *one = &condition->waiters.data[i];
        if ((i && one[-1].wait >= one->wait) || (i >= condition->guessed && one->guess))
            return false;
        waiting += !one->gone;
        open += !one->gone && one->guess;
    }
    for (size_t i = 1; i < condition->notifications.length; i++)
        if (condition->notifications.data[i - 1].number >= condition->notifications.data[i].number)
            return false;
    return waiting == condition->waiting && open == condition->open;
}

/* ---- Trimming: what can no more be taken goes. ---- */

static void trim_waiters(hd_order_condition *condition) {
    size_t kept = 0, guessed = 0;
    for (size_t i = 0; i < condition->waiters.length; i++) {
        if (condition->waiters.data[i].gone)
            continue;
        guessed += i < condition->guessed;
        condition->waiters.data[kept++] = condition->waiters.data[i];
    }
    assert(kept == condition->waiting);
    condition->waiters.length = kept;
    condition->guessed = guessed;
}

/* Notifications between the same two waits are there for the same waiters, those
 * from before.  They go in order, one each, so with j such waiters the first j
 * will do, or those up to the first notifyall. */
static void trim_notifications(hd_order_condition *condition) {
    size_t kept = 0, waiters = 0, left = 0;
    for (size_t i = 0; i < condition->notifications.length; i++) {
        struct hd_order_notification one = condition->notifications.data[i];
        size_t before = waiters;
        while (waiters < condition->waiters.length &&
               condition->waiters.data[waiters].wait < one.number)
            waiters++;
        if (waiters != before)
            left = waiters;
        if (one.next != i || left == 0) {
            hd_vec_release(&one.clock);
            continue;
        }
        left = one.all ? 0 : left - 1;
        assert(!kept || condition->notifications.data[kept - 1].number < one.number);
        one.next = (uint32_t)kept;
        condition->notifications.data[kept++] = one;
    }
    condition->notifications.length = kept;
}

/* At twice of what was left the last time, so that each entry pays for itself. */
static void trim_condition(hd_order_condition *condition) {
    size_t entries = condition->waiters.length + condition->notifications.length;
    if (entries < condition->trim_at || entries < TRIM_SLACK)
        return;
    trim_waiters(condition);
    trim_notifications(condition);
    entries = condition->waiters.length + condition->notifications.length;
    condition->trim_at = 2 * entries + TRIM_SLACK;
    HD_COSTLY_ASSERT(condition_is_counted(condition));
}

/* ---- Events ---- */

void hd_order_condition_wait(hd_order_condition *condition, uint32_t wait, uint32_t thread) {
    trim_condition(condition);
    assert(!condition->waiters.length || hd_vec_last(&condition->waiters)->wait < wait);
    hd_vec_push(&condition->waiters, (struct hd_order_waiter){.wait = wait, .thread = thread});
    condition->waiting++;
}

uint32_t hd_order_condition_guess(hd_order_condition *condition, uint32_t number) {
    while (condition->guessed < condition->waiters.length) {
        struct hd_order_waiter *waiter = &condition->waiters.data[condition->guessed++];
        if (waiter->gone)
            continue;
        assert(!waiter->guess && waiter->wait < number);
        waiter->guess = number;
        condition->open++;
        return waiter->thread;
    }
    return HD_ORDER_NONE;
}

void hd_order_condition_notify(hd_order_condition *condition, uint32_t number, bool all,
                               const hd_vec_u32 *clock) {
    if (!condition->waiting)
        return; /* no wait is before it, so no wake can take it */
    trim_condition(condition);
    assert(!condition->notifications.length ||
           hd_vec_last(&condition->notifications)->number < number);
    struct hd_order_notification one = {
        .number = number, .next = (uint32_t)condition->notifications.length, .all = all};
    hd_order_vector_copy(&one.clock, clock);
    hd_vec_push(&condition->notifications, one);
}

static struct hd_order_waiter *waiter_of(hd_order_condition *condition, uint32_t wait) {
    size_t from;
    hd_vec_lower(from, &condition->waiters, wait, wait);
    assert(from < condition->waiters.length && condition->waiters.data[from].wait == wait);
    return &condition->waiters.data[from];
}

static size_t first_after(const hd_order_condition *condition, uint32_t wait) {
    size_t from;
    hd_vec_lower(from, &condition->notifications, number, wait);
    return from;
}

/* The first that is free from i on; each step halves the way for the next one. */
static size_t first_free(hd_order_condition *condition, size_t i) {
    struct hd_order_notification *all = condition->notifications.data;
    size_t end = condition->notifications.length;
    while (i < end && all[i].next != i) {
        assert(all[i].next > i); /* so the walk ends */
        if (all[i].next < end)
            all[i].next = all[all[i].next].next;
        i = all[i].next;
    }
    return i;
}

static void judge_guess(hd_order_condition *condition, const struct hd_order_waiter *waiter,
                        uint32_t taken) {
    assert(!waiter->guess || condition->open);
    condition->open -= waiter->guess != 0;
    condition->wrong += waiter->guess != taken;
}

static uint32_t take_notification(hd_order_condition *condition, size_t i, hd_vec_u32 *clock) {
    struct hd_order_notification *one = &condition->notifications.data[i];
    assert(one->next == i);
    hd_order_vector_join(clock, &one->clock);
    if (!one->all) {
        one->next = (uint32_t)i + 1;
        hd_vec_release(&one->clock);
    }
    return one->number;
}

void hd_order_condition_wake(hd_order_condition *condition, uint32_t wait, hd_vec_u32 *clock) {
    struct hd_order_waiter *waiter = waiter_of(condition, wait);
    assert(!waiter->gone && condition->waiting);
    size_t i = first_free(condition, first_after(condition, wait));
    uint32_t taken =
        i < condition->notifications.length ? take_notification(condition, i, clock) : 0;
    assert(!taken || taken > wait);
    judge_guess(condition, waiter, taken);
    waiter->gone = true;
    if (--condition->waiting == 0) {
        drop_notifications(condition);
        hd_vec_clear(&condition->waiters);
        condition->guessed = 0;
    }
    HD_COSTLY_ASSERT(condition_is_counted(condition));
}
