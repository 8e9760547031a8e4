/*
 * The room `order` against its slow twin: every rule of doc/format.md is written here
 * once more, with loops over the whole trace, no index and no flags, and the
 * closure is Floyd and Warshall's.
 */
#include <stdio.h>
#include <string.h>

#include "order/order.h"
#include "support_random.h"

enum { MAX_EVENTS = 64 };

/* Edges and their closure; events are numbered from 1 on. */
typedef struct naive {
    const hd_trace *trace;
    uint32_t length;
    bool must[MAX_EVENTS + 1][MAX_EVENTS + 1];  /* one edge, program order left out */
    bool after[MAX_EVENTS + 1][MAX_EVENTS + 1]; /* [a][b]: b is a or after a */
} naive;

static const heddle_event *at(const naive *n, uint32_t number) {
    return hd_trace_event(n->trace, number);
}

static bool same_object(const naive *n, uint32_t a, uint32_t b) {
    return at(n, a)->object == at(n, b)->object;
}

static uint32_t position(const naive *n, uint32_t event) {
    uint32_t count = 0;
    for (uint32_t e = 1; e <= event; e++)
        count += at(n, e)->thread == at(n, event)->thread;
    return count;
}

/* The last event of the thread before `event` that has this kind; 0 if none. */
static uint32_t last_of(const naive *n, uint32_t event, int kind) {
    uint32_t last = 0;
    for (uint32_t e = 1; e < event; e++)
        if (at(n, e)->thread == at(n, event)->thread && at(n, e)->kind == kind)
            last = e;
    return last;
}

/* ---- Must-edges ---- */

static void naive_threads(naive *n, uint32_t event) {
    uint32_t first = 0, last = 0;
    for (uint32_t e = 1; e <= n->length; e++) {
        if (at(n, e)->thread != at(n, event)->object)
            continue;
        first = first ? first : e;
        last = e;
    }
    if (at(n, event)->kind == HEDDLE_FORK && first)
        n->must[event][first] = true;
    if (at(n, event)->kind == HEDDLE_JOIN && last)
        n->must[last][event] = true;
}

static void naive_messages(naive *n) {
    bool taken[MAX_EVENTS + 1] = {false};
    for (uint32_t e = 1; e <= n->length; e++) {
        if (at(n, e)->kind != HEDDLE_RECV)
            continue;
        for (uint32_t s = 1; s < e; s++) {
            if (at(n, s)->kind != HEDDLE_SEND || !same_object(n, s, e) || taken[s])
                continue;
            taken[s] = true;
            n->must[s][e] = true;
            break;
        }
    }
}

static void naive_wakes(naive *n) {
    bool taken[MAX_EVENTS + 1] = {false};
    for (uint32_t e = 1; e <= n->length; e++) {
        if (at(n, e)->kind != HEDDLE_WAKE)
            continue;
        uint32_t wait = last_of(n, e, HEDDLE_WAIT);
        for (uint32_t s = wait + 1; s < e; s++) {
            bool one = at(n, s)->kind == HEDDLE_NOTIFY, all = at(n, s)->kind == HEDDLE_NOTIFYALL;
            if (!(one || all) || !same_object(n, s, e) || taken[s])
                continue;
            taken[s] = one;
            n->must[wait][s] = n->must[s][e] = true;
            break;
        }
    }
}

/* Rounds of one barrier: the first bout of the current round ends it. */
static void naive_rounds(naive *n, uint32_t barrier) {
    uint32_t round[MAX_EVENTS + 1] = {0}, current = 1;
    for (uint32_t e = 1; e <= n->length; e++) {
        if (at(n, e)->object != barrier)
            continue;
        if (at(n, e)->kind == HEDDLE_BARRIER_IN)
            round[e] = current;
        if (at(n, e)->kind == HEDDLE_BARRIER_OUT) {
            round[e] = round[last_of(n, e, HEDDLE_BARRIER_IN)];
            current += round[e] == current;
        }
    }
    for (uint32_t a = 1; a <= n->length; a++)
        for (uint32_t b = 1; b <= n->length; b++)
            if (round[a] && round[a] == round[b] && at(n, a)->kind == HEDDLE_BARRIER_IN &&
                at(n, b)->kind == HEDDLE_BARRIER_OUT)
                n->must[a][b] = true;
}

static void naive_must(naive *n, const hd_trace *trace) {
    memset(n, 0, sizeof *n);
    n->trace = trace;
    n->length = hd_trace_length(trace);
    assert(n->length <= MAX_EVENTS);
    for (uint32_t e = 1; e <= n->length; e++)
        if (at(n, e)->kind == HEDDLE_FORK || at(n, e)->kind == HEDDLE_JOIN)
            naive_threads(n, e);
    naive_messages(n);
    naive_wakes(n);
    for (uint32_t barrier = 0; barrier < trace->tables.names[HEDDLE_CLASS_BARRIER].length;
         barrier++)
        naive_rounds(n, barrier);
}

/* ---- Locks ---- */

static bool is_acquire(const heddle_event *event) {
    return hd_trace_acquires(event);
}

static bool is_release(const heddle_event *event) {
    return hd_trace_releases(event);
}

static bool is_reading(const heddle_event *event) {
    return hd_trace_is_shared(event);
}

/* How often the thread holds the lock after those of its events that are below `limit`. */
static int depth(const naive *n, uint32_t thread, uint32_t lock, uint32_t limit) {
    int held = 0;
    for (uint32_t e = 1; e < limit; e++) {
        const heddle_event *event = at(n, e);
        if (event->thread == thread && event->object == lock)
            held += is_acquire(event) - is_release(event);
    }
    return held;
}

/* An acquire or release that changes its lock. */
static bool changes(const naive *n, uint32_t e) {
    const heddle_event *event = at(n, e);
    int before = depth(n, event->thread, event->object, e);
    return (is_acquire(event) && before == 0) || (is_release(event) && before == 1);
}

/* Is the lock held, for reading, after the thread's events below `limit`? */
static bool reads_under(const naive *n, uint32_t thread, uint32_t lock, uint32_t limit) {
    bool reading = false;
    for (uint32_t e = 1; e < limit; e++)
        if (at(n, e)->thread == thread && at(n, e)->object == lock && changes(n, e) &&
            is_acquire(at(n, e)))
            reading = is_reading(at(n, e));
    return reading;
}

static bool lock_edge(const naive *n, uint32_t a, uint32_t b) {
    const heddle_event *release = at(n, a), *acquire = at(n, b);
    return is_release(release) && is_acquire(acquire) && release->object == acquire->object &&
           changes(n, a) && changes(n, b) && !(is_reading(release) && is_reading(acquire));
}

static bool is_atomic(const heddle_event *event) {
    return (hd_trace_traits(event) & HEDDLE_T_ATOMIC) != 0;
}

static bool atomic_edge(const naive *n, uint32_t a, uint32_t b) {
    if (!is_atomic(at(n, a)) || !is_atomic(at(n, b)) || !hd_trace_writes(at(n, a)) ||
        !hd_trace_reads(at(n, b)) || !same_object(n, a, b))
        return false;
    for (uint32_t e = a + 1; e < b; e++)
        if (hd_trace_writes(at(n, e)) && same_object(n, e, b))
            return false;
    return true;
}

/* As observed a take gets the oldest unit that was posted and not taken. */
static bool unit_edge(const naive *n, uint32_t a, uint32_t b) {
    uint32_t taken = 0;
    if (at(n, a)->kind != HEDDLE_POST || at(n, b)->kind != HEDDLE_TAKE || !same_object(n, a, b))
        return false;
    for (uint32_t e = 1; e <= b; e++) { /* which post each take gets */
        uint32_t posts = 0;
        if (at(n, e)->kind != HEDDLE_TAKE || !same_object(n, e, b))
            continue;
        for (uint32_t p = 1; p < e; p++)
            if (at(n, p)->kind == HEDDLE_POST && same_object(n, p, b) && posts++ == taken) {
                taken++;
                if (e == b)
                    return p == a;
                break;
            }
    }
    return false;
}

/* ---- Closure ---- */

static void close_over(naive *n, enum hd_order_model model) {
    for (uint32_t a = 1; a <= n->length; a++)
        for (uint32_t b = a; b <= n->length; b++)
            n->after[a][b] = n->must[a][b] || at(n, a)->thread == at(n, b)->thread ||
                             (model == HD_ORDER_POSET && a < b &&
                              (lock_edge(n, a, b) || atomic_edge(n, a, b) || unit_edge(n, a, b)));
    for (uint32_t k = 1; k <= n->length; k++)
        for (uint32_t a = 1; a <= n->length; a++)
            for (uint32_t b = 1; b <= n->length; b++)
                if (n->after[a][k] && n->after[k][b])
                    n->after[a][b] = true;
}

static uint32_t naive_clock(const naive *n, uint32_t event, uint32_t thread) {
    uint32_t count = 0;
    for (uint32_t e = 1; e <= n->length; e++)
        count += at(n, e)->thread == thread && n->after[e][event];
    return count;
}

static uint32_t naive_reverse(const naive *n, uint32_t event, uint32_t thread) {
    uint32_t count = 0;
    for (uint32_t e = 1; e <= n->length; e++) {
        if (at(n, e)->thread != thread)
            continue;
        if (n->after[event][e])
            break;
        count++;
    }
    return count;
}

/* ---- Properties ---- */

#define FAIL(...) (snprintf(why, why_size, __VA_ARGS__), false)

static bool has(hd_order_list list, uint32_t event) {
    for (uint32_t i = 0; i < list.count; i++)
        if (list.events[i] == event)
            return true;
    return false;
}

static bool ascending(hd_order_list list) {
    for (uint32_t i = 1; i < list.count; i++)
        if (list.events[i - 1] >= list.events[i])
            return false;
    return true;
}

static bool edges_equal(const naive *n, const hd_order *order, char *why, size_t why_size) {
    for (uint32_t a = 1; a <= n->length; a++) {
        hd_order_list out = hd_order_lists_of(&order->must.out, a);
        hd_order_list into = hd_order_lists_of(&order->must.into, a);
        if (!ascending(out) || !ascending(into))
            return FAIL("a list of event %u is not ascending", a);
        if (order->index.position[a] != position(n, a))
            return FAIL("event %u has position %u", a, order->index.position[a]);
        for (uint32_t b = 1; b <= n->length; b++) {
            bool remote = at(n, a)->thread != at(n, b)->thread;
            bool in_out = has(out, b), in_into = has(hd_order_lists_of(&order->must.into, b), a);
            if (in_out != in_into)
                return FAIL("%u -> %u is in one of out and into only", a, b);
            if (remote ? in_out != n->must[a][b] : in_out && !n->must[a][b])
                return FAIL("%u -> %u: %d, should be %d", a, b, in_out, n->must[a][b]);
        }
    }
    return true;
}

static bool check_edges(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    static naive n;
    hd_order order;
    naive_must(&n, trace);
    hd_order_init(&order, trace);
    bool good = edges_equal(&n, &order, why, why_size);
    hd_order_release(&order);
    return good;
}

static bool clocks_equal(const naive *n, const hd_order_clocks *clocks, char *why,
                         size_t why_size) {
    for (uint32_t e = 1; e <= n->length; e++) {
        uint32_t copy[MAX_EVENTS];
        assert(clocks->threads <= MAX_EVENTS);
        hd_order_clocks_copy(clocks, e, copy);
        for (uint32_t t = 0; t < clocks->threads; t++) {
            uint32_t is = hd_order_clocks_at(clocks, e, t);
            uint32_t should = clocks->reverse ? naive_reverse(n, e, t) : naive_clock(n, e, t);
            if (is != should || copy[t] != should)
                return FAIL("%s of event %u at thread %u: %u, should be %u",
                            clocks->reverse ? "reverse" : "clock", e, t, is, should);
        }
    }
    return true;
}

static bool before_equal(const naive *n, const hd_order *order, enum hd_order_model model,
                         char *why, size_t why_size) {
    for (uint32_t a = 1; a <= n->length; a++)
        for (uint32_t b = 1; b <= n->length; b++)
            if (hd_order_before(order, model, a, b) != (a != b && n->after[a][b]))
                return FAIL("is %u before %u? it should be %d", a, b, n->after[a][b]);
    return true;
}

static bool check_clocks(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    static naive n;
    hd_order order;
    hd_error error = {0};
    hd_order_init(&order, trace);
    unsigned all = HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE | HD_ORDER_POSET_CLOCKS |
                   HD_ORDER_POSET_REVERSE;
    bool good = hd_order_need(&order, all, SIZE_MAX, &error) || FAIL("%s", error.text);
    naive_must(&n, trace);
    for (int model = 0; model < HD_ORDER_MODELS && good; model++) {
        close_over(&n, (enum hd_order_model)model);
        good = clocks_equal(&n, &order.clocks[model], why, why_size) &&
               clocks_equal(&n, &order.reverse[model], why, why_size) &&
               before_equal(&n, &order, (enum hd_order_model)model, why, why_size);
    }
    hd_order_release(&order);
    return good;
}

static bool time_equals(hd_order_time time, const hd_order_clocks *clocks, uint32_t event) {
    for (uint32_t t = 0; t < clocks->threads; t++)
        if (hd_order_time_at(time, t) != hd_order_clocks_at(clocks, event, t))
            return false;
    return true;
}

enum manner { GUESSED, BY_EDGES, TOLD, MANNERS };

/* Tells the machine who takes the notification that comes next. */
static void foresee(hd_order_takers *takers, hd_order_machine *machine, const hd_trace *trace,
                    uint32_t event) {
    const heddle_event *it = hd_trace_event(trace, event);
    hd_vec_u32 threads = {0};
    if (it->kind == HEDDLE_NOTIFY || it->kind == HEDDLE_NOTIFYALL) {
        hd_order_takers_tell(takers, it->object, event, &threads);
        hd_order_machine_tell(machine, &threads);
    }
    hd_vec_release(&threads);
}

/* With foresight every clock is right; without, as long as no guess was wrong. */
static bool stream_equals(const hd_order *order, enum hd_order_model model, enum manner manner,
                          char *why, size_t why_size) {
    hd_order_machine *machine = hd_order_machine_create(model);
    hd_order_takers *takers = hd_order_takers_create();
    bool exact = true, good = true;
    if (manner == BY_EDGES)
        hd_order_machine_use_edges(machine, &order->must);
    for (uint32_t e = 1; e <= hd_order_length(order) && manner == TOLD; e++)
        hd_order_takers_see(takers, hd_trace_event(order->trace, e));
    hd_order_takers_end(takers);
    for (uint32_t e = 1; e <= hd_order_length(order) && good; e++) {
        if (manner == TOLD)
            foresee(takers, machine, order->trace, e);
        hd_order_time time = hd_order_machine_step(machine, hd_trace_event(order->trace, e));
        exact = exact && time_equals(time, &order->clocks[model], e);
        if (!exact && hd_order_machine_wrong(machine) == 0)
            good = FAIL("a streamed clock is wrong, up to event %u, model %d, manner %d", e, model,
                        (int)manner);
    }
    hd_order_takers_free(takers);
    hd_order_machine_free(machine);
    return good;
}

static bool check_stream(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_order order;
    hd_error error = {0};
    hd_order_init(&order, trace);
    bool good =
        hd_order_need(&order, HD_ORDER_LOSET_CLOCKS | HD_ORDER_POSET_CLOCKS, SIZE_MAX, &error) ||
        FAIL("%s", error.text);
    for (int variant = 0; variant < MANNERS * HD_ORDER_MODELS && good; variant++)
        good = stream_equals(&order, (enum hd_order_model)(variant / MANNERS),
                             (enum manner)(variant % MANNERS), why, why_size);
    hd_order_release(&order);
    return good;
}

/* Set `set` has exactly the locks that the thread holds after its events below `limit`. */
static bool set_equals(const naive *n, const hd_order_sets *sets, uint32_t set, uint32_t thread,
                       uint32_t limit) {
    uint32_t locks = n->trace->tables.names[HEDDLE_CLASS_LOCK].length, count = 0;
    for (uint32_t lock = 0; lock < locks; lock++) {
        bool held = depth(n, thread, lock, limit) > 0;
        hd_order_lock found = hd_order_sets_find(sets, set, lock);
        if (held != (found != HD_ORDER_NONE))
            return false;
        if (held && hd_order_lock_reading(found) != reads_under(n, thread, lock, limit))
            return false;
        count += held;
    }
    return hd_order_sets_at(sets, set).count == count;
}

static bool pair_equals(const naive *n, const hd_order_held *held, uint32_t a, uint32_t b,
                        hd_random *random) {
    uint32_t x = hd_random_chance(random, 500) ? hd_order_held_after(held, a)
                                               : hd_order_held_before(held, a);
    uint32_t y = hd_order_held_after(held, b);
    uint32_t common = 0, conflicts = 0;
    for (uint32_t lock = 0; lock < n->trace->tables.names[HEDDLE_CLASS_LOCK].length; lock++) {
        hd_order_lock left = hd_order_sets_find(&held->sets, x, lock);
        hd_order_lock right = hd_order_sets_find(&held->sets, y, lock);
        bool both = left != HD_ORDER_NONE && right != HD_ORDER_NONE;
        common += both;
        conflicts += both && !(hd_order_lock_reading(left) && hd_order_lock_reading(right));
    }
    hd_vec_u32 list = {0};
    hd_order_sets_common(&held->sets, x, y, false, &list);
    bool good = list.length == common;
    hd_vec_clear(&list);
    hd_order_sets_common(&held->sets, x, y, true, &list);
    good = good && list.length == conflicts;
    hd_vec_release(&list);
    return good && hd_order_sets_meet(&held->sets, x, y) == (common > 0) &&
           hd_order_sets_conflict(&held->sets, x, y) == (conflicts > 0);
}

static bool held_equals(const naive *n, const hd_order *order, hd_random *random, char *why,
                        size_t why_size) {
    const hd_order_held *held = &order->held;
    for (uint32_t e = 1; e <= n->length; e++) {
        uint32_t thread = at(n, e)->thread;
        uint32_t before = hd_order_held_before(held, e), after = hd_order_held_after(held, e);
        hd_order_held_cursor cursor;
        hd_order_held_start(&cursor, held, thread);
        if (!set_equals(n, &held->sets, before, thread, e))
            return FAIL("the locks before event %u are wrong", e);
        if (!set_equals(n, &held->sets, after, thread, e + 1))
            return FAIL("the locks after event %u are wrong", e);
        uint32_t previous = hd_order_previous(order, e);
        if (previous && hd_order_held_walk(&cursor, previous) != before)
            return FAIL("the cursor is wrong at event %u", previous);
        if (hd_order_held_walk(&cursor, e) != after)
            return FAIL("the cursor is wrong at event %u", e);
        uint32_t other = 1 + (uint32_t)hd_random_below(random, n->length);
        if (!pair_equals(n, held, e, other, random))
            return FAIL("the locks of events %u and %u are compared wrongly", e, other);
    }
    return true;
}

static uint32_t naive_release(const naive *n, uint32_t acquire) {
    for (uint32_t e = acquire + 1; e <= n->length; e++)
        if (at(n, e)->thread == at(n, acquire)->thread && is_release(at(n, e)) &&
            same_object(n, e, acquire) && changes(n, e))
            return e;
    return 0;
}

static bool scopes_equal(const naive *n, const hd_order_scopes *scopes, char *why,
                         size_t why_size) {
    uint32_t count = 0;
    for (uint32_t e = 1; e <= n->length; e++) {
        uint32_t found = hd_order_scopes_find(scopes, e);
        if ((found != HD_ORDER_NONE) != (is_acquire(at(n, e)) && changes(n, e)))
            return FAIL("whether event %u begins a hold is wrong", e);
        if (found == HD_ORDER_NONE)
            continue;
        const hd_order_scope *scope = &scopes->scopes[found];
        if (found != count++ || scope->release != naive_release(n, e) ||
            scope->lock != at(n, e)->object || scope->thread != at(n, e)->thread ||
            scope->reading != is_reading(at(n, e)))
            return FAIL("the hold of event %u is wrong", e);
    }
    return count == scopes->count || FAIL("%u holds, should be %u", scopes->count, count);
}

/* Every hold once, under its own lock and thread, in order. */
static bool listed(const hd_order_scopes *scopes, char *why, size_t why_size) {
    for (int by_thread = 0; by_thread < 2; by_thread++) {
        const hd_trace_lists *lists = by_thread ? &scopes->by_thread : &scopes->by_lock;
        uint32_t total = 0;
        for (uint32_t i = 0; i < lists->count; i++) {
            const uint32_t *items = hd_trace_list(lists, i);
            uint32_t length = hd_trace_list_length(lists, i);
            total += length;
            for (uint32_t k = 0; k < length; k++) {
                const hd_order_scope *scope = &scopes->scopes[items[k]];
                if ((by_thread ? scope->thread : scope->lock) != i ||
                    (k && items[k - 1] >= items[k]))
                    return FAIL("hold %u is listed wrongly", items[k]);
            }
        }
        if (total != scopes->count)
            return FAIL("%u holds are listed of %u", total, scopes->count);
    }
    return true;
}

static bool check_locks(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    static naive n;
    hd_order order;
    hd_error error = {0};
    naive_must(&n, trace);
    hd_order_init(&order, trace);
    bool good = hd_order_need(&order, HD_ORDER_SCOPES | HD_ORDER_HELD, 0, &error) &&
                held_equals(&n, &order, random, why, why_size) &&
                scopes_equal(&n, &order.scopes, why, why_size) &&
                listed(&order.scopes, why, why_size);
    hd_order_release(&order);
    return good;
}

/* All of it small; long ones for what only many objects and much waiting reach. */
#define SMALL                                                                                      \
    { .threads = 5, .events = 24, .locks = 3, .variables = 3, .features = SUPPORT_ALL }
#define LONG                                                                                       \
    { .threads = 6, .events = 400, .locks = 3, .variables = 3, .features = SUPPORT_ALL }
#define WAITS                                                                                      \
    {                                                                                              \
        .threads = 6, .events = 400, .locks = 1, .variables = 1,                                   \
        .features = SUPPORT_LOCKS | SUPPORT_WAITS                                                  \
    }

SUPPORT_SUITE(random_order) {
    static const support_property properties[] = {
        {"must-edges are those of the definition", SMALL, check_edges},
        {"stored clocks and reverse clocks equal the closure", SMALL, check_clocks},
        {"streamed clocks equal stored clocks", SMALL, check_stream},
        {"streamed clocks equal stored clocks on long traces", LONG, check_stream},
        {"streamed clocks equal stored clocks with much waiting", WAITS, check_stream},
        {"held locks and holds equal a scan", SMALL, check_locks},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
