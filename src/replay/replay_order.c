/*
 * The clocks of a run.  A step is after the steps before it in its thread and
 * after those of other threads that it depends on: they share a location and
 * one of them writes it.  For each location two clocks are enough: all accesses
 * so far, and all writes so far.
 *
 * Taking a lock and giving it back write the lock; an await reads what it waits
 * for.  So enabledness needs nothing more, and every order that keeps the clocks
 * is a run with the same values.
 */
#include "replay_order.h"

/* Entries of the clocks of all steps: 256 MiB. */
enum { MOST_CLOCKS = 1 << 26 };

/* The clocks of the locations seen so far. */
typedef struct builder {
    hd_replay_order *order;
    hd_map places;  /* location: where its clocks are */
    hd_vec_u32 all; /* [place * width + column] */
    hd_vec_u32 writes;
    hd_vec_u32 latest; /* [column * width + column]: the clock of its last step */
} builder;

static uint32_t place_of(builder *b, uint32_t location) {
    bool added;
    uint32_t count = (uint32_t)b->places.length;
    uint32_t *place = hd_map_at(&b->places, location, &added);
    if (added) {
        *place = count;
        hd_vec_resize(&b->all, b->all.length + b->order->width);
        hd_vec_resize(&b->writes, b->writes.length + b->order->width);
    }
    assert(((size_t)*place + 1) * b->order->width <= b->all.length);
    assert(b->all.length == b->places.length * b->order->width &&
           b->writes.length == b->all.length);
    return *place;
}

static void join(uint32_t *clock, const uint32_t *other, uint32_t width) {
    for (uint32_t i = 0; i < width; i++)
        if (clock[i] < other[i])
            clock[i] = other[i];
}

/* Does the clock know of no more than was done? */
HD_ASSERT_ONLY static bool is_of_the_past(const builder *b, const uint32_t *clock,
                                          uint32_t column) {
    uint32_t width = b->order->width;
    for (uint32_t i = 0; i < width; i++)
        if (clock[i] > b->latest.data[(size_t)i * width + i] + (i == column))
            return false;
    return true;
}

/* Does each column have its own steps, in order? */
HD_ASSERT_ONLY static bool is_listed(const hd_replay_order *order) {
    for (uint32_t column = 0; column < order->width; column++)
        for (uint32_t k = order->first.data[column]; k < order->first.data[column + 1]; k++)
            if (order->columns.data[order->steps.data[k]] != column ||
                (k > order->first.data[column] && order->steps.data[k - 1] >= order->steps.data[k]))
                return false;
    return true;
}

/* Does each step know all that the one before it in its column knows, and itself? */
HD_ASSERT_ONLY static bool clocks_rise(const hd_replay_order *order) {
    for (uint32_t column = 0; column < order->width; column++)
        for (uint32_t k = 0; k < hd_replay_order_count(order, column); k++) {
            uint32_t step = hd_replay_order_step(order, column, k);
            const uint32_t *clock = hd_replay_order_clock(order, step);
            const uint32_t *before =
                k ? hd_replay_order_clock(order, hd_replay_order_step(order, column, k - 1))
                  : clock;
            for (uint32_t i = 0; i < order->width; i++)
                if (clock[i] < before[i] || clock[column] != k + 1)
                    return false;
        }
    return true;
}

static int add_step(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    builder *b = context;
    hd_replay_order *order = b->order;
    uint32_t width = order->width, column = order->columns.data[number - 1];
    uint32_t *clock = order->clocks.data + (number - 1) * width;
    uint32_t *latest = b->latest.data + (size_t)column * width;
    hd_machine_operation operation;
    machine->type->next(machine, step->thread, &operation);
    join(clock, latest, width);
    clock[column]++;
    for (uint32_t i = 0; i < operation.count; i++) {
        size_t at = (size_t)place_of(b, operation.accesses[i].location) * width;
        bool writes = operation.accesses[i].mode & HD_MACHINE_WRITES;
        join(clock, (writes ? b->all.data : b->writes.data) + at, width);
    }
    for (uint32_t i = 0; i < operation.count; i++) {
        size_t at = (size_t)place_of(b, operation.accesses[i].location) * width;
        join(b->all.data + at, clock, width);
        if (operation.accesses[i].mode & HD_MACHINE_WRITES)
            join(b->writes.data + at, clock, width);
    }
    assert(clock[column] == latest[column] + 1); /* others know of it only what it has done */
    HD_COSTLY_ASSERT(is_of_the_past(b, clock, column));
    memcpy(latest, clock, width * sizeof *latest);
    return 0;
}

/* Threads become columns in the order of their numbers, so that ties are broken
 * the same way whatever the schedule. */
static void find_columns(hd_replay_order *order, const hd_steps *schedule, uint32_t threads) {
    uint32_t *column_of = HD_NEW_ARRAY(uint32_t, (size_t)threads + 1);
    for (size_t i = 0; i < schedule->length; i++)
        column_of[schedule->data[i].thread] = 1;
    for (uint32_t thread = 0; thread < threads; thread++)
        if (column_of[thread]) {
            column_of[thread] = order->width++;
            hd_vec_push(&order->threads, thread);
        }
    for (size_t i = 0; i < schedule->length; i++)
        hd_vec_push(&order->columns, column_of[schedule->data[i].thread]);
    assert(order->threads.length == order->width && order->columns.length == schedule->length);
    free(column_of);
}

static void list_steps(hd_replay_order *order) {
    hd_vec_resize(&order->first, (size_t)order->width + 1);
    hd_vec_resize(&order->steps, order->columns.length);
    for (size_t i = 0; i < order->columns.length; i++)
        order->first.data[order->columns.data[i] + 1]++;
    for (uint32_t column = 0; column < order->width; column++)
        order->first.data[column + 1] += order->first.data[column];
    for (size_t i = order->columns.length; i-- > 0;)
        order->steps.data[--order->first.data[order->columns.data[i] + 1]] = (uint32_t)i;
    /* Each start but the first is now that of the column before it. */
    for (uint32_t column = 0; column < order->width; column++)
        order->first.data[column] = order->first.data[column + 1];
    order->first.data[order->width] = (uint32_t)order->columns.length;
    assert(!order->width || order->first.data[0] == 0);
    HD_COSTLY_ASSERT(is_listed(order));
}

bool hd_replay_order_init(hd_replay_order *order, hd_machine *machine, const hd_steps *schedule) {
    *order = (hd_replay_order){0};
    find_columns(order, schedule, machine->threads);
    if (schedule->length > MOST_CLOCKS / (order->width + 1U))
        return false;
    list_steps(order);
    hd_vec_resize(&order->clocks, schedule->length * order->width);
    builder b = {.order = order};
    hd_vec_resize(&b.latest, (size_t)order->width * order->width);
    hd_replay_watch watch = {.before = add_step, .context = &b};
    hd_replay_outcome outcome;
    hd_error error = {""};
    bool ran = hd_replay_run(machine, schedule, &watch, &outcome, &error);
    HD_COSTLY_ASSERT(!ran || clocks_rise(order));
    hd_map_release(&b.places);
    hd_vec_release(&b.all);
    hd_vec_release(&b.writes);
    hd_vec_release(&b.latest);
    return ran;
}

void hd_replay_order_release(hd_replay_order *order) {
    hd_vec_release(&order->threads);
    hd_vec_release(&order->columns);
    hd_vec_release(&order->clocks);
    hd_vec_release(&order->first);
    hd_vec_release(&order->steps);
}
