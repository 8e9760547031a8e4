#include "predicate_online.h"

#include <stdatomic.h>
#include <string.h>

#include "predicate_online_state.h"

/* ---- Events ---- */

bool hd_predicate_online_knows(enum hd_cut_class class) {
    return class != HD_CUT_VIABLE && class != HD_CUT_REACHABLE;
}

hd_predicate_online *hd_predicate_online_create(const hd_predicate *predicate,
                                                const hd_trace_tables *tables,
                                                const hd_predicate_online_options *options,
                                                hd_predicate_error *error) {
    *error = (hd_predicate_error){0};
    assert(!options->loset || hd_predicate_online_knows(options->class));
    for (size_t i = 0; i < predicate->tree.nodes.length; i++) {
        const hd_predicate_node *node = &predicate->tree.nodes.data[i];
        if (node->kind == HD_PREDICATE_DEADLOCK || node->kind == HD_PREDICATE_DONE) {
            hd_predicate_fail(error, node, "this is known of a whole trace only, not online");
            return NULL;
        }
        if (options->loset && node->kind == HD_PREDICATE_RACE && !node->initialisation) {
            hd_predicate_fail(error, node,
                              "which accesses initialise is known of a whole trace only; online, "
                              "of a loset, ask for race(all)");
            return NULL;
        }
    }
    hd_predicate_online *online = HD_NEW(hd_predicate_online);
    online->predicate = predicate;
    online->options = *options;
    online->machine = hd_order_machine_create(options->loset ? HD_ORDER_LOSET : HD_ORDER_POSET);
    online->takers = hd_order_takers_create();
    hd_order_sets_init(&online->sets);
    if (options->loset && options->class == HD_CUT_STRONGLY_FEASIBLE)
        online->strong = hd_predicate_strong_create(tables, options->workers);
    online->races = hd_predicate_uses(predicate, HD_PREDICATE_RACE);
    if (online->races && !options->loset)
        hd_order_machine_count_orders(online->machine);
    online->race_alone =
        predicate->tree.nodes.data[predicate->tree.root].kind == HD_PREDICATE_RACE &&
        !options->loset && !options->singly;
    hd_predicate_facts_init(&online->facts, predicate, tables);
    online->facts.judge = (hd_predicate_judge){.context = online, .race = hd_predicate_online_race};
    hd_predicate_online_terms_init(&online->terms, &online->facts);
    online->last_given = HD_NEW_ARRAY(struct hd_predicate_given, predicate->leaves.length + 1);
    return online;
}

static void release_place(struct hd_predicate_online_place *place) {
    hd_vec_release(&place->clocks);
    hd_vec_release(&place->row_of);
    hd_vec_release(&place->events);
    hd_vec_release(&place->held);
    hd_vec_release(&place->accesses);
    hd_vec_release(&place->between);
    hd_vec_release(&place->starts);
}

void hd_predicate_online_free(hd_predicate_online *online) {
    if (!online)
        return;
    for (size_t i = 0; i < online->places.length; i++)
        release_place(&online->places.data[i]);
    hd_vec_release(&online->places);
    hd_vec_release(&online->place_of);
    hd_vec_release(&online->intervals);
    hd_vec_release(&online->most);
    for (size_t i = 0; i < online->seen.length; i++) {
        for (size_t j = 0; j < online->seen.data[i].length; j++)
            hd_vec_release(&online->seen.data[i].data[j].list);
        hd_vec_release(&online->seen.data[i]);
    }
    hd_vec_release(&online->seen);
    hd_vec_release(&online->parts);
    for (int i = 0; i < 2; i++) {
        hd_vec_release(&online->unused[i].retired);
        hd_vec_release(&online->unused[i].spare);
    }
    hd_predicate_online_terms_release(&online->terms);
    hd_predicate_facts_release(&online->facts);
    hd_order_machine_free(online->machine);
    hd_order_takers_free(online->takers);
    hd_vec_release(&online->held_back);
    hd_vec_release(&online->told);
    hd_order_sets_release(&online->sets);
    hd_predicate_strong_free(online->strong);
    free(online->last_given);
    if (online->pool)
        hd_pool_free(online->pool);
    free(online);
}

static uint32_t place_of(hd_predicate_online *online, uint32_t thread) {
    while (online->place_of.length <= thread)
        hd_vec_push(&online->place_of, HD_PREDICATE_NONE);
    uint32_t *place = &online->place_of.data[thread];
    if (*place == HD_PREDICATE_NONE) {
        struct hd_predicate_online_place fresh = {.thread = thread};
        *place = hd_predicate_facts_place(&online->facts, thread, 0);
        assert(*place == online->places.length); /* both number threads as they come */
        hd_vec_push(&fresh.row_of, HD_PREDICATE_NONE);
        hd_vec_push(&fresh.events, 0);
        hd_vec_push(&fresh.held, 0);
        hd_vec_push(&fresh.between, false);
        hd_vec_push(&fresh.accesses, (heddle_event){.kind = HEDDLE_MARK});
        hd_vec_push(&online->places, fresh);
        online->terms.made = false;
    }
    assert(online->places.data[*place].thread == thread &&
           online->places.length == online->facts.places.length);
    return *place;
}

/* The clock of the new event: a row of its own if it has heard of more than the last one. */
static void keep_clock(hd_predicate_online *online, uint32_t at, hd_order_time time) {
    struct hd_predicate_online_place *place = &online->places.data[at];
    size_t width = online->places.length;
    assert(width > at);
    uint32_t last = *hd_vec_last(&place->row_of);
    bool same = last != HD_PREDICATE_NONE && place->width == width;
    for (uint32_t q = 0; q < width && same; q++)
        same = q == at || place->clocks.data[(size_t)last * place->width + q] ==
                              hd_order_time_at(time, online->places.data[q].thread);
    if (same) {
        hd_vec_push(&place->row_of, last);
        return;
    }
    if (place->width != width) { /* threads have come: all rows get wider */
        HD_VEC(uint32_t) wider = {0};
        size_t rows = place->width ? place->clocks.length / place->width : 0;
        hd_vec_resize(&wider, rows * width);
        for (size_t r = 0; r < rows && wider.data; r++)
            memcpy(wider.data + r * width, place->clocks.data + r * place->width,
                   place->width * sizeof *wider.data);
        hd_vec_release(&place->clocks);
        place->clocks.data = wider.data;
        place->clocks.length = wider.length;
        place->clocks.capacity = wider.capacity;
        place->width = (uint32_t)width;
    }
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is this place at least
    hd_vec_push(&place->row_of, (uint32_t)(place->clocks.length / width));
    for (uint32_t q = 0; q < width; q++) {
        uint32_t heard = q == at ? 0 : hd_order_time_at(time, online->places.data[q].thread);
        assert(last == HD_PREDICATE_NONE || heard >= place->clocks.data[last * width + q]);
        hd_vec_push(&place->clocks, heard);
    }
}

/* A thread that was not forked may be at any state of the others: what was forgotten of
 * them is not seen. */
static void count_unseen(hd_predicate_online *online, uint32_t at) {
    for (uint32_t q = 0; q < online->places.length; q++) {
        uint32_t base = online->places.data[q].base;
        uint32_t heard = hd_predicate_online_clock(online, at, 1, q);
        assert(heard <= online->facts.places.data[q].count);
        if (q != at && heard < base)
            online->effort.unseen += base - heard;
    }
}

/* Writes and notes of a name without a thread must be ordered. */
static bool check_order(hd_predicate_online *online, uint32_t place, const heddle_event *event,
                        hd_predicate_error *error) {
    const hd_predicate_facts *facts = &online->facts;
    uint32_t count = facts->places.data[place].count;
    for (uint32_t i = 0; i < online->predicate->leaves.length; i++) {
        const hd_predicate_leaf *leaf = &online->predicate->leaves.data[i];
        struct hd_predicate_given *last = &online->last_given[i];
        if (leaf->kind != HD_PREDICATE_STAMP ||
            facts->places.data[place].leaves[i] != (int64_t)online->entered)
            continue;
        if (last->count && last->place != place &&
            hd_predicate_online_clock(online, place, count, last->place) < last->count)
            return hd_predicate_fail(error, &online->predicate->tree.nodes.data[leaf->node],
                                     "events %u and %llu %s '%s' in no fixed order; say whose, or "
                                     "sum(%s)",
                                     last->event, (unsigned long long)online->entered,
                                     event->kind == HEDDLE_MARK ? "note" : "write", leaf->name,
                                     leaf->name);
        assert(last->event < online->entered);
        online->terms.made &= last->count && last->place == place;
        *last = (struct hd_predicate_given){place, count, (uint32_t)online->entered};
    }
    return hd_predicate_facts_check(facts, false, error);
}

static void keep_interval(hd_predicate_online *online, uint32_t place, uint32_t count,
                          uint32_t number) {
    struct hd_predicate_interval interval = {.place = place, .count = count, .event = number};
    interval.places = (uint32_t)online->places.length;
    interval.at = online->most.length;
    for (uint32_t q = 0; q < interval.places; q++)
        hd_vec_push(&online->most, online->facts.places.data[q].count);
    assert(online->most.data[interval.at + place] == count);
    assert(!online->intervals.length || hd_vec_last(&online->intervals)->event < number);
    hd_vec_push(&online->intervals, interval);
}

/* A release and the wait that follows it are one step: whatever the release changed is there
 * from the wait on.  Nothing comes between them, so that the release was not looked at yet.
 * Returns whether it was to be. */
static bool join_step(hd_predicate_online *online, uint32_t at, const heddle_event *event) {
    struct hd_predicate_online_place *place = &online->places.data[at];
    bool joins = event->kind == HEDDLE_WAIT && place->released;
    place->released = event->kind == HEDDLE_RELEASE;
    if (!joins)
        return false;
    place->between.data[place->between.length - 2] = true;
    struct hd_predicate_interval *last =
        online->intervals.length ? hd_vec_last(&online->intervals) : NULL;
    if (!last || last->event + 1 != (uint32_t)online->entered)
        return false;
    assert(last->place == at && last->at + last->places == online->most.length);
    online->most.length = last->at;
    online->intervals.length--;
    return true;
}

/* Does a collection begin at the last event of the place? */
static bool begins(const hd_predicate_online *online, uint32_t at, uint32_t count) {
    const struct hd_predicate_online_place *place = &online->places.data[at];
    size_t last = place->row_of.length - 1;
    if (online->options.singly || place->between.data[last] || place->between.data[last - 1])
        return true;
    if (place->held.data[last] != place->held.data[last - 1])
        return true;
    if (online->races && (hd_trace_is_access(&place->accesses.data[last]) ||
                          hd_trace_is_access(&place->accesses.data[last - 1])))
        return true;
    return hd_predicate_facts_changed(&online->facts, at, count);
}

/* A release turned out to be half of a step: its collection is it alone. */
static void keep_start(hd_predicate_online *online, uint32_t at, uint32_t count) {
    struct hd_predicate_online_place *place = &online->places.data[at];
    if (place->between.data[place->between.length - 2] &&
        (!place->starts.length || *hd_vec_last(&place->starts) != count - 1))
        hd_vec_push(&place->starts, count - 1);
    if (begins(online, at, count))
        hd_vec_push(&place->starts, count);
}

/* Can others hear of the thread by this event? */
static bool tells(const heddle_event *event) {
    if (hd_trace_is_access(event))
        return hd_trace_writes(event) && (hd_trace_traits(event) & HEDDLE_T_ATOMIC);
    return event->kind != HEDDLE_MARK;
}

bool hd_predicate_online_enter(hd_predicate_online *online, const heddle_event *event,
                               hd_predicate_error *error) {
    if (online->options.loset && event->kind == HEDDLE_TAKE)
        return hd_predicate_fail(error, &online->predicate->tree.nodes.data[0],
                                 "a semaphore is taken, and the states of a loset with semaphores "
                                 "are known of a whole trace only; not --online");
    uint32_t number = (uint32_t)++online->entered;
    uint32_t at = place_of(online, event->thread);
    hd_order_time time = hd_order_machine_step(online->machine, event);
    keep_clock(online, at, time);
    struct hd_predicate_online_place *place = &online->places.data[at];
    hd_vec_push(&place->events, number);
    uint32_t held = *hd_vec_last(&place->held);
    hd_vec_push(&place->held,
                online->options.loset ? hd_order_sets_step(&online->sets, held, event) : 0);
    bool relocked = held != *hd_vec_last(&place->held);
    if (online->strong)
        hd_predicate_strong_take(online->strong, number, event);
    hd_vec_push(&place->accesses, *event);
    hd_vec_push(&place->between, false);
    bool joined = join_step(online, at, event);
    hd_predicate_facts_take(&online->facts, at, number, event);
    online->effort.kept++;
    uint32_t count = online->facts.places.data[at].count;
    keep_start(online, at, count);
    hd_predicate_online_terms_note(&online->terms, at, count);
    assert(count - place->base + 1 == place->row_of.length);
    assert(place->events.length == place->row_of.length &&
           place->held.length == place->row_of.length &&
           place->accesses.length == place->row_of.length &&
           place->between.length == place->row_of.length);
    if (count == 1)
        count_unseen(online, at);
    if (event->kind == HEDDLE_FORK || event->kind == HEDDLE_JOIN) {
        uint32_t child = place_of(online, event->object);
        online->places.data[child].ended |= event->kind == HEDDLE_JOIN;
    }
    if (!check_order(online, at, event, error))
        return false;
    bool access = online->races && hd_trace_is_access(event) && !hd_trace_is_exempt(event);
    bool fresh =
        access && (!online->race_alone || hd_predicate_online_collect(online, at, count, event));
    if (fresh || relocked || joined || number == 1 || online->options.singly ||
        hd_predicate_facts_changed(&online->facts, at, count))
        keep_interval(online, at, count, number);
    online->places.data[at].told += tells(event);
    return true;
}

/* ---- Looking ---- */

struct crew {
    hd_predicate_online *online;
    size_t count;
    atomic_size_t next;
};

static void online_work(void *context, unsigned worker) {
    struct crew *crew = context;
    size_t i;
    assert(worker < crew->online->options.workers);
    while ((i = atomic_fetch_add(&crew->next, 1)) < crew->count)
        hd_predicate_online_search(crew->online, worker, &crew->online->intervals.data[i]);
}

static int tell_sight(hd_predicate_online *online, const struct hd_predicate_interval *interval,
                      hd_predicate_report *report, void *context) {
    uint32_t places = interval->places;
    uint32_t *threads = HD_NEW_ARRAY(uint32_t, 2 * (size_t)places + 1), *events = threads + places;
    for (uint32_t q = 0; q < places; q++) {
        const struct hd_predicate_online_place *place = &online->places.data[q];
        threads[q] = place->thread;
        assert(interval->most[q] <= online->facts.places.data[q].count);
        bool kept = interval->most[q] >= place->base; /* a third thread's may be forgotten */
        events[q] = kept ? place->events.data[interval->most[q] - place->base] : 0;
    }
    hd_predicate_sight sight = {interval->event, places, interval->most, threads, events};
    int why = report(context, &sight);
    free(threads);
    return why;
}

/* A release that is the last event of all may be half of a step; how many intervals are looked
 * at. */
static size_t without_half(const hd_predicate_online *online) {
    size_t count = online->intervals.length;
    const struct hd_predicate_interval *last = count ? hd_vec_last(&online->intervals) : NULL;
    bool half = last && last->event == (uint32_t)online->entered &&
                online->places.data[last->place].released;
    return count - half;
}

static void look_at(hd_predicate_online *online, size_t count) {
    struct crew crew = {.online = online, .count = count};
    if (!online->terms.made && online->options.singly)
        hd_predicate_online_terms_make_opaque(&online->terms);
    else if (!online->terms.made)
        hd_predicate_online_terms_make(&online->terms);
    unsigned workers = online->options.workers;
    assert(count <= online->intervals.length);
    for (size_t i = 0; i < online->intervals.length; i++) {
        struct hd_predicate_interval *interval = &online->intervals.data[i];
        assert(interval->at == (i ? interval[-1].at + interval[-1].places : 0));
        interval->most = online->most.data + interval->at;
    }
    if (count < 2 || workers < 2) {
        online_work(&crew, 0);
        return;
    }
    if (!online->pool)
        online->pool = hd_pool_create(workers);
    for (unsigned i = 0; i < workers; i++)
        hd_pool_submit(online->pool, online_work, &crew);
    hd_pool_wait(online->pool);
}

/* Those that were looked at go; one may be left. */
static void drop_intervals(hd_predicate_online *online, size_t count) {
    if (count == online->intervals.length) {
        hd_vec_clear(&online->intervals);
        hd_vec_clear(&online->most);
        return;
    }
    assert(count + 1 == online->intervals.length);
    struct hd_predicate_interval *left = hd_vec_last(&online->intervals);
    memmove(online->most.data, online->most.data + left->at,
            left->places * sizeof *online->most.data);
    assert(left->at + left->places == online->most.length);
    online->most.length = left->places;
    left->at = 0;
    online->intervals.data[0] = *left;
    online->intervals.length = 1;
}

static int look_at_intervals(hd_predicate_online *online, size_t count, hd_predicate_report *report,
                             void *context) {
    look_at(online, count);
    int why = 0;
    for (size_t i = 0; i < count; i++) {
        struct hd_predicate_interval *interval = &online->intervals.data[i];
        online->effort.intervals++;
        online->effort.states += interval->states;
        online->effort.stopped += interval->stopped;
        if (interval->found && !why)
            why = tell_sight(online, interval, report, context);
    }
    drop_intervals(online, count);
    hd_predicate_online_forget(online);
    return why;
}

int hd_predicate_online_look(hd_predicate_online *online, hd_predicate_report *report,
                             void *context) {
    return look_at_intervals(online, without_half(online), report, context);
}

int hd_predicate_online_finish(hd_predicate_online *online, hd_predicate_report *report,
                               void *context) {
    return look_at_intervals(online, online->intervals.length, report, context);
}

uint32_t hd_predicate_online_gone(const hd_predicate_online *online, uint32_t thread) {
    if (thread >= online->place_of.length || online->place_of.data[thread] == HD_PREDICATE_NONE)
        return 0;
    return online->places.data[online->place_of.data[thread]].base;
}

hd_predicate_online_effort hd_predicate_online_effort_of(const hd_predicate_online *online) {
    hd_predicate_online_effort effort = online->effort;
    effort.guessed = hd_order_takers_early(online->takers);
    effort.kept += effort.events - online->entered;
    return effort;
}
