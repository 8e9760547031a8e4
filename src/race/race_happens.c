/*
 * Races by happens-before, one event at a time.
 *
 * Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race Detection"
 * (PLDI 2009), keep the last accesses of a variable as epochs: the clock of the
 * accessing thread alone, and a vector of them only where reads are concurrent.
 * Mathur, Kini and Viswanathan, "What Happens-After the First Race? Enhancing the
 * Predictive Power of Happens-Before Based Dynamic Race Detection" (OOPSLA 2018),
 * let what a read saw order too, after the read was looked at: then every report
 * is a race, not the first alone.
 *
 *   paper                  here
 *   C_t                    the clock machine's time of the thread (order_machine.h)
 *   epoch c@t              struct epoch
 *   R_x, W_x               epochs of struct variable, `kind` tells them apart
 *   LW_x (SHB)             the clock that the machine keeps of an atomic write: for
 *                          shb it is told that all accesses are atomic
 *   C_e before the join    hd_order_machine_start
 *
 * Atomic accesses make four kinds of epochs out of two.  An epoch is dropped when
 * an access comes after it by this order that conflicts with all it conflicts
 * with; what races with the dropped one later then races with that access too, or
 * comes after it.  So there is one epoch for most variables, and never more than
 * one a thread and kind.
 *
 * Cost: an access looks at the epochs of its variable; synchronisation costs what
 * the clock machine takes.
 */
#include "race.h"

struct epoch {
    uint32_t thread, clock; /* c@t */
    uint32_t event;
    uint32_t kind; /* HEDDLE_T_WRITES and HEDDLE_T_ATOMIC, of its traits */
    uint32_t location;
};

struct variable {
    HD_VEC(struct epoch) epochs;
};

struct hd_race_happens {
    hd_order_machine *machine;
    HD_VEC(struct variable) variables;
    enum hd_race_sees sees;
    hd_race_report *report;
    hd_race_tell *tell; /* instead of that, if there is one */
    void *context;
};

hd_race_happens *hd_race_happens_create(enum hd_race_sees sees, const hd_order_must *must,
                                        hd_race_report *report, void *context) {
    /* hb is this run's order as observed; every pair of shb is to race; what is unordered in this
     * very schedule is put to the checker. */
    static const enum hd_order_posts posts[] = {
        [HD_RACE_SEES_NONE] = HD_ORDER_OLDEST_POST,
        [HD_RACE_SEES_ALL] = HD_ORDER_ALL_POSTS_IF_WEAKER,
        [HD_RACE_SEES_PLAIN] = HD_ORDER_ALL_POSTS,
    };
    hd_race_happens *happens = HD_NEW(hd_race_happens);
    happens->machine = hd_order_machine_create(HD_ORDER_POSET);
    hd_order_machine_count_orders(happens->machine);
    hd_order_machine_take_after(happens->machine, posts[sees]);
    if (must)
        hd_order_machine_use_edges(happens->machine, must);
    happens->sees = sees;
    happens->report = report;
    happens->context = context;
    return happens;
}

void hd_race_happens_free(hd_race_happens *happens) {
    if (!happens)
        return;
    for (size_t i = 0; i < happens->variables.length; i++)
        hd_vec_release(&happens->variables.data[i].epochs);
    hd_vec_release(&happens->variables);
    hd_order_machine_free(happens->machine);
    free(happens);
}

void hd_race_happens_tell(hd_race_happens *happens, hd_race_tell *tell) {
    happens->tell = tell;
}

uint32_t hd_race_happens_wrong(const hd_race_happens *happens) {
    return hd_order_machine_wrong(happens->machine);
}

static uint32_t kind_of(const heddle_event *event) {
    return hd_trace_traits(event) & (HEDDLE_T_WRITES | HEDDLE_T_ATOMIC);
}

static bool conflict(uint32_t a, uint32_t b) {
    return ((a | b) & HEDDLE_T_WRITES) && !(a & b & HEDDLE_T_ATOMIC);
}

/* Does a conflict with all that b conflicts with? */
static bool covers(uint32_t a, uint32_t b) {
    return (!(b & HEDDLE_T_WRITES) || (a & HEDDLE_T_WRITES)) &&
           (!(a & HEDDLE_T_ATOMIC) || (b & HEDDLE_T_ATOMIC));
}

static void report_epoch(const hd_race_happens *happens, const struct epoch *e, uint32_t number,
                         const heddle_event *event) {
    if (!happens->tell) {
        happens->report(happens->context, e->event, number);
        return;
    }
    heddle_event first = {.thread = e->thread, .object = event->object, .location = e->location};
    happens->tell(happens->context, e->event, &first, number, event);
}

static void compare_epochs(const hd_race_happens *happens, const struct variable *variable,
                           uint32_t number, const heddle_event *event, hd_order_time time) {
    for (size_t i = 0; i < variable->epochs.length; i++) {
        const struct epoch *e = &variable->epochs.data[i];
        assert(e->event < number && e->clock);
        assert(e->thread != event->thread || e->clock <= hd_order_time_at(time, e->thread));
        if (e->thread != event->thread && conflict(e->kind, kind_of(event)) &&
            e->clock > hd_order_time_at(time, e->thread))
            report_epoch(happens, e, number, event);
    }
}

/* There is one epoch a thread and kind: a later access of the thread covers the earlier one. */
static bool has_epoch(const struct variable *variable, uint32_t thread, uint32_t kind) {
    for (size_t i = 0; i < variable->epochs.length; i++)
        if (variable->epochs.data[i].thread == thread && variable->epochs.data[i].kind == kind)
            return true;
    return false;
}

static void enter_epoch(struct variable *variable, uint32_t number, const heddle_event *event,
                        hd_order_time time) {
    size_t kept = 0;
    uint32_t kind = kind_of(event);
    for (size_t i = 0; i < variable->epochs.length; i++) {
        struct epoch e = variable->epochs.data[i];
        if (e.clock > hd_order_time_at(time, e.thread) || !covers(kind, e.kind))
            variable->epochs.data[kept++] = e;
    }
    variable->epochs.length = kept;
    HD_COSTLY_ASSERT(!has_epoch(variable, event->thread, kind));
    assert(hd_order_time_at(time, event->thread)); /* its own event is in it */
    hd_vec_push(&variable->epochs,
                (struct epoch){event->thread, hd_order_time_at(time, event->thread), number, kind,
                               event->location});
}

/* For shb: the same access, atomic, so that reads are ordered after what they saw.  One that is
 * atomic orders as far as its memory order says. */
static heddle_event as_atomic(const heddle_event *event) {
    heddle_event atomic = *event;
    if (hd_trace_is_ordered(event))
        return atomic;
    atomic.kind = !hd_trace_writes(event) ? HEDDLE_ATOMIC_READ
                  : hd_trace_reads(event) ? HEDDLE_ATOMIC_RMW
                                          : HEDDLE_ATOMIC_WRITE;
    return atomic;
}

static struct variable *variable_of(hd_race_happens *happens, const heddle_event *event) {
    if (event->object >= happens->variables.length)
        hd_vec_resize(&happens->variables, (size_t)event->object + 1);
    return &happens->variables.data[event->object];
}

/* With shb what an access reads orders it only from then on. */
static bool is_compared_first(const hd_race_happens *happens, const heddle_event *event) {
    return happens->sees == HD_RACE_SEES_ALL ||
           (happens->sees == HD_RACE_SEES_PLAIN && !hd_trace_is_ordered(event));
}

void hd_race_happens_step(hd_race_happens *happens, uint32_t number, const heddle_event *event) {
    if (!hd_trace_is_access(event)) {
        hd_order_machine_step(happens->machine, event);
        return;
    }
    if (hd_trace_is_exempt(event)) {
        heddle_event atomic = as_atomic(event);
        hd_order_machine_step(happens->machine,
                              is_compared_first(happens, event) ? &atomic : event);
        return;
    }
    struct variable *variable = variable_of(happens, event);
    hd_order_time time;
    if (is_compared_first(happens, event)) {
        heddle_event atomic = as_atomic(event);
        compare_epochs(happens, variable, number, event,
                       hd_order_machine_start(happens->machine, event->thread));
        time = hd_order_machine_step(happens->machine, &atomic);
    } else {
        time = hd_order_machine_step(happens->machine, event);
        compare_epochs(happens, variable, number, event, time);
    }
    enter_epoch(variable, number, event, time);
}
