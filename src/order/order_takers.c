#include "order_takers.h"

#include <string.h>

struct waiting {
    uint32_t wait, thread;
};

struct notification {
    uint32_t number;
    bool all, taken, told;
    hd_vec_u32 threads; /* whose wakes took it */
};

/* Both lists are in the order of events. */
struct condition {
    HD_VEC(struct waiting) waiting;
    HD_VEC(struct notification) notifications;
    size_t useful; /* notifications from now on that can be taken, until another thread waits */
};

struct hd_order_takers {
    uint32_t number;
    HD_VEC(struct condition) conditions;
    uint32_t early;
};

hd_order_takers *hd_order_takers_create(void) {
    return HD_NEW(hd_order_takers);
}

void hd_order_takers_free(hd_order_takers *takers) {
    if (!takers)
        return;
    for (size_t i = 0; i < takers->conditions.length; i++) {
        struct condition *condition = &takers->conditions.data[i];
        for (size_t j = 0; j < condition->notifications.length; j++)
            hd_vec_release(&condition->notifications.data[j].threads);
        hd_vec_release(&condition->notifications);
        hd_vec_release(&condition->waiting);
    }
    hd_vec_release(&takers->conditions);
    free(takers);
}

static bool is_known(const struct condition *condition, const struct notification *one) {
    return (one->taken && !one->all) || !condition->waiting.length ||
           condition->waiting.data[0].wait > one->number;
}

/* The first notification with at least this number. */
static size_t find_notification(const struct condition *condition, uint32_t number) {
    size_t from;
    hd_vec_lower(from, &condition->notifications, number, number);
    return from;
}

/* Those that were told and can no longer be taken go. */
static void drop_told(struct condition *condition) {
    size_t gone = 0;
    while (gone < condition->notifications.length && condition->notifications.data[gone].told &&
           is_known(condition, &condition->notifications.data[gone])) {
        hd_vec_release(&condition->notifications.data[gone].threads);
        gone++;
    }
    if (!gone)
        return;
    condition->notifications.length -= gone;
    memmove(condition->notifications.data, condition->notifications.data + gone,
            condition->notifications.length * sizeof *condition->notifications.data);
}

/* Several threads wait: notifications after the last wait go to them in order, one each, so that
 * as many as there are threads can be taken, or those up to the first notifyall. */
static void see_notification(hd_order_takers *takers, struct condition *condition, bool all) {
    if (!condition->useful || !condition->waiting.length)
        return;
    condition->useful = all ? 0 : condition->useful - 1;
    hd_vec_push(&condition->notifications,
                (struct notification){.number = takers->number, .all = all});
}

static void see_wake(struct condition *condition, uint32_t thread) {
    size_t w = 0;
    while (condition->waiting.data[w].thread != thread)
        w++;
    assert(w < condition->waiting.length);
    size_t i = find_notification(condition, condition->waiting.data[w].wait);
    struct notification *all = condition->notifications.data;
    while (i < condition->notifications.length && all[i].taken && !all[i].all)
        i++;
    if (i < condition->notifications.length) {
        all[i].taken = true;
        hd_vec_push(&all[i].threads, thread);
    }
    condition->waiting.length--;
    memmove(condition->waiting.data + w, condition->waiting.data + w + 1,
            (condition->waiting.length - w) * sizeof *condition->waiting.data);
    drop_told(condition);
}

void hd_order_takers_see(hd_order_takers *takers, const heddle_event *event) {
    takers->number++;
    if (event->kind != HEDDLE_WAIT && event->kind != HEDDLE_WAKE && event->kind != HEDDLE_NOTIFY &&
        event->kind != HEDDLE_NOTIFYALL)
        return;
    if (event->object >= takers->conditions.length)
        hd_vec_resize(&takers->conditions, (size_t)event->object + 1);
    struct condition *condition = &takers->conditions.data[event->object];
    if (event->kind == HEDDLE_WAIT) {
        hd_vec_push(&condition->waiting, (struct waiting){takers->number, event->thread});
        condition->useful = condition->waiting.length;
    } else if (event->kind == HEDDLE_WAKE) {
        see_wake(condition, event->thread);
    } else {
        see_notification(takers, condition, event->kind == HEDDLE_NOTIFYALL);
    }
}

void hd_order_takers_end(hd_order_takers *takers) {
    for (size_t i = 0; i < takers->conditions.length; i++)
        hd_vec_clear(&takers->conditions.data[i].waiting);
}

/* NULL: no thread could take it when it came. */
static struct notification *notification_of(const hd_order_takers *takers, uint32_t condition,
                                            uint32_t number) {
    assert(condition < takers->conditions.length && number <= takers->number);
    const struct condition *its = &takers->conditions.data[condition];
    size_t i = find_notification(its, number);
    bool there = i < its->notifications.length && its->notifications.data[i].number == number;
    return there ? &its->notifications.data[i] : NULL;
}

bool hd_order_takers_known(const hd_order_takers *takers, uint32_t condition, uint32_t number) {
    const struct notification *one = notification_of(takers, condition, number);
    return !one || is_known(&takers->conditions.data[condition], one);
}

void hd_order_takers_tell(hd_order_takers *takers, uint32_t condition, uint32_t number,
                          hd_vec_u32 *threads) {
    struct notification *one = notification_of(takers, condition, number);
    hd_vec_clear(threads);
    if (!one)
        return;
    assert(!one->told);
    one->told = true;
    for (size_t i = 0; i < one->threads.length; i++)
        hd_vec_push(threads, one->threads.data[i]);
    const struct condition *its = &takers->conditions.data[condition];
    if (!is_known(its, one)) {
        takers->early++;
        for (size_t i = 0; i < its->waiting.length && its->waiting.data[i].wait < number; i++)
            hd_vec_push(threads, its->waiting.data[i].thread);
    }
    drop_told(&takers->conditions.data[condition]);
}

uint32_t hd_order_takers_early(const hd_order_takers *takers) {
    return takers->early;
}
