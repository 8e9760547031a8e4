/*
 * One condition variable as the clock machine sees it: which threads wait, which
 * notifications are there to be taken, and guesses which waiter will take
 * which.  Private to the clock machine.
 *
 * A wake takes the earliest notifyall, or notify that no earlier wake took,
 * after its wait.  Amortised time is logarithmic in the waiters and
 * notifications kept; with p waiters at most about p * p / 2 notifications are
 * kept, as no more of them can ever be taken.
 */
#ifndef HD_ORDER_CONDITION_H
#define HD_ORDER_CONDITION_H

#include "order_vector.h"

struct hd_order_waiter {
    uint32_t wait; /* event */
    uint32_t thread;
    uint32_t guess; /* the notification that it is thought to take, 0 if none yet */
    bool gone;      /* it woke */
};

struct hd_order_notification {
    uint32_t number; /* event */
    uint32_t next;   /* its own index, or a later one to look at because it was taken */
    bool all;
    hd_vec_u32 clock;
};

/* Zeroed, it is ready. */
typedef struct hd_order_condition {
    HD_VEC(struct hd_order_waiter) waiters;             /* by wait */
    HD_VEC(struct hd_order_notification) notifications; /* by number */
    size_t waiting;                                     /* waiters that are not gone */
    size_t guessed; /* waiters before this index have a guess or are gone */
    size_t trim_at; /* waiters and notifications together at which to trim */
    uint32_t open;  /* guesses of those that still wait */
    uint32_t wrong; /* waits about which the guess was wrong */
} hd_order_condition;

void hd_order_condition_release(hd_order_condition *condition);

void hd_order_condition_wait(hd_order_condition *condition, uint32_t wait, uint32_t thread);

/* The longest waiting thread that has no guess yet is now thought to take this
 * notification; HD_ORDER_NONE if none exists.  Call it once for a notify, until
 * NONE for a notifyall. */
uint32_t hd_order_condition_guess(hd_order_condition *condition, uint32_t number);

/* A notification, with its clock, which is copied. */
void hd_order_condition_notify(hd_order_condition *condition, uint32_t number, bool all,
                               const hd_vec_u32 *clock);

/* The wake of a wait: joins the clock of the notification it takes, if any. */
void hd_order_condition_wake(hd_order_condition *condition, uint32_t wait, hd_vec_u32 *clock);

#endif
