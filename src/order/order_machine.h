/*
 * The clock machine: vector clocks one event at a time, with no index and no
 * trace in memory, for streams and for programs that still run.  Threads and
 * objects may appear as it goes.  Pairs (which send a recv took, which round a
 * bout belongs to) are found on the way, by the rules of trace_index.h.
 *
 *     hd_order_machine *machine = hd_order_machine_create(HD_ORDER_POSET);
 *     for each event, in order:
 *         hd_order_time time = hd_order_machine_step(machine, &event);
 *         ... hd_order_time_at(time, t) = events of t that are this one or before it
 *     hd_order_machine_free(machine);
 *
 * A plain access, a mark, the begin and end of a block cost a counter.  The
 * others cost a join of clocks, whose length is the number of threads so far;
 * each lock, channel message not yet received, barrier round, notification not
 * yet taken and variable with an atomic write keeps one clock.
 *
 * One edge goes against time: wait -> notify holds only if a later wake of that
 * wait takes this notify, which is not known at the notify.  The machine
 * guesses: a notify wakes the thread that has waited longest and was not guessed yet, a
 * notifyall all such.  hd_order_machine_wrong counts the waits about which it
 * was wrong; while that is 0, every clock given so far was exact.  Given the
 * must-edges of the trace (hd_order_machine_use_edges), or told which threads take a
 * notification (hd_order_machine_tell), it need not guess.
 */
#ifndef HD_ORDER_MACHINE_H
#define HD_ORDER_MACHINE_H

#include "order_clock.h"

typedef struct hd_order_machine hd_order_machine;

/* A clock: threads from `count` on have 0. */
typedef struct hd_order_time {
    const uint32_t *events; /* valid until the next step */
    uint32_t count;
} hd_order_time;

static inline uint32_t hd_order_time_at(hd_order_time time, uint32_t thread) {
    return thread < time.count ? time.events[thread] : 0;
}

hd_order_machine *hd_order_machine_create(enum hd_order_model model);
void hd_order_machine_free(hd_order_machine *machine);

/* The events will be those of this trace; before the first step. */
void hd_order_machine_use_edges(hd_order_machine *machine, const hd_order_must *must);

/* Atomic accesses order threads only as far as their memory orders say: the clocks are those of
 * happens-before in C11.  Without it a read is after the write that it saw whatever its order.
 * Before the first step, poset only. */
void hd_order_machine_count_orders(hd_order_machine *machine);

/* Which posts of its semaphore a take is after, where memory orders count.  As observed it is the
 * oldest that no take got.  That one alone is not what synchronises in this very order of events: a
 * semaphore is a counter, so its takes are after all earlier posts.  Other orders exist in which
 * the other posts come later, unless a read must see a write that orders it after them without
 * being synchronised.  What claims that no order of this run has two events in order, or wants to
 * be sure that one exists, takes all posts: always, or as long as there may be such a read. */
enum hd_order_posts { HD_ORDER_OLDEST_POST, HD_ORDER_ALL_POSTS, HD_ORDER_ALL_POSTS_IF_WEAKER };
void hd_order_machine_take_after(hd_order_machine *machine, enum hd_order_posts posts);

/* The next event is a notification, and is after the waits of these threads (order_takers.h).  Once
 * told, the machine guesses no more. */
void hd_order_machine_tell(hd_order_machine *machine, const hd_vec_u32 *threads);

/* Takes the next event, which must be checked (trace_check.h); gives its clock. */
hd_order_time hd_order_machine_step(hd_order_machine *machine, const heddle_event *event);

/* From the next event on a part of a variable is one of its own. */
void hd_order_machine_split(hd_order_machine *machine, uint32_t whole, uint32_t part);

/* From the next event on the number stands for a variable, or a lock, that was not used yet. */
void hd_order_machine_renew(hd_order_machine *machine, enum heddle_class class, uint32_t number);

/* Waits whose edge to a notify was guessed wrongly, and those whose guess may
 * still prove wrong because they did not wake so far. */
uint32_t hd_order_machine_wrong(const hd_order_machine *machine);

/* The clock of a thread's last event; for callers that look at other threads too. */
hd_order_time hd_order_machine_time(const hd_order_machine *machine, uint32_t thread);

/* The clock that the thread's next event starts from, before it joins another: that
 * of its last event, or of its fork. */
hd_order_time hd_order_machine_start(const hd_order_machine *machine, uint32_t thread);

#endif
