#include "cut_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cut_filter.h"
#include "cut_places.h"

/* ---- The interval of a coin ---- */

/* The incomplete beta function, regularized, by its continued fraction (Lentz). */
static double beta_fraction(double a, double b, double x) {
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double fraction = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        for (int half = 0; half < 2; half++) {
            double term = half ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            change = c * d;
            fraction *= change;
        }
        if (fabs(change - 1) < 1e-15)
            break;
    }
    return fraction;
}

static double incomplete_beta(double a, double b, double x) {
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* Where the function has a value: by halving. */
static double beta_quantile(double a, double b, double value) {
    double low = 0, high = 1;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (incomplete_beta(a, b, middle) < value)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

void hd_cut_coin_interval(uint64_t hits, uint64_t drawn, double error, double *least,
                          double *most) {
    double k = (double)hits, n = (double)drawn;
    *least = hits == 0 ? 0 : beta_quantile(k, n - k + 1, error / 2);
    *most = hits == drawn ? 1 : beta_quantile(k + 1, n - k, 1 - error / 2);
}

/* ---- Levels of nodes ---- */

/* Counts of a thread with the same rows, and the node after them. */
typedef struct edge {
    uint32_t first, last, node;
    double sum; /* paths of the node's edges up to this one, in units of the level */
} edge;

typedef struct level {
    uint32_t nodes;
    uint32_t *low, *high; /* [node * stride], of the threads from here on */
    uint32_t *first;      /* [node]: its first edge; and one more */
    HD_VEC(edge) edges;
    double *paths; /* [node], in units of 2^shift */
    int64_t shift;
} level;

typedef struct relaxed {
    const hd_cut_space *space;
    level *levels; /* [threads] */
    uint32_t most; /* nodes of a level */
    bool joined;   /* some were */
    const volatile int *stop;
} relaxed;

static uint32_t *low_of(const relaxed *r, const level *l, uint32_t node) {
    return l->low + (size_t)node * r->space->stride;
}

static uint32_t *high_of(const relaxed *r, const level *l, uint32_t node) {
    return l->high + (size_t)node * r->space->stride;
}

/* The bounds that a count leaves to the threads after it; false if none is left. */
static bool narrow(const relaxed *r, uint32_t place, const uint32_t *low, const uint32_t *high,
                   uint32_t count, uint32_t *to_low, uint32_t *to_high) {
    const hd_cut_space *space = r->space;
    const uint32_t *least = hd_cut_low(space, place, count);
    const uint32_t *most = hd_cut_high(space, place, count);
    for (uint32_t q = place + 1; q < space->threads; q++) {
        to_low[q] = least[q] > low[q] ? least[q] : low[q];
        to_high[q] = most[q] < high[q] ? most[q] : high[q];
        if (to_low[q] > to_high[q])
            return false;
    }
    return true;
}

/* Children of a level as they are found: rows of both bounds, in the order of edges. */
typedef struct children {
    const relaxed *r;
    uint32_t from; /* the first thread that is left */
    HD_VEC(uint32_t) low, high;
    hd_vec_u32 order, node_of;
} children;

static int compare_children(const void *a, const void *b, void *context) {
    const children *c = context;
    uint32_t stride = c->r->space->stride, x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    for (uint32_t q = c->from; q < c->r->space->threads; q++) {
        uint32_t left = c->low.data[(size_t)x * stride + q];
        uint32_t right = c->low.data[(size_t)y * stride + q];
        if (left != right)
            return left < right ? -1 : 1;
        left = c->high.data[(size_t)x * stride + q];
        right = c->high.data[(size_t)y * stride + q];
        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

/* Starts a node with the bounds of a child, or widens it by them. */
static void put_child(const relaxed *r, level *l, const children *c, uint32_t child, bool starts) {
    uint32_t stride = r->space->stride;
    if (starts)
        l->nodes++;
    uint32_t *low = low_of(r, l, l->nodes - 1), *high = high_of(r, l, l->nodes - 1);
    for (uint32_t q = c->from; q < r->space->threads; q++) {
        uint32_t least = c->low.data[(size_t)child * stride + q];
        uint32_t most = c->high.data[(size_t)child * stride + q];
        low[q] = starts || least < low[q] ? least : low[q];
        high[q] = starts || most > high[q] ? most : high[q];
    }
}

/* Equal ones are one node; if there are still too many, neighbours are joined. */
static void make_nodes(relaxed *r, level *l, children *c) {
    uint32_t count = (uint32_t)c->order.length, distinct = 0, stride = r->space->stride;
    qsort_r(c->order.data, count, sizeof *c->order.data, compare_children, c);
    for (uint32_t i = 0; i < count; i++)
        distinct += i == 0 || compare_children(&c->order.data[i - 1], &c->order.data[i], c) != 0;
    uint32_t nodes = distinct < r->most ? distinct : r->most;
    r->joined |= nodes < distinct;
    l->low = HD_NEW_ARRAY(uint32_t, (size_t)nodes * stride + 1);
    l->high = HD_NEW_ARRAY(uint32_t, (size_t)nodes * stride + 1);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool other = i == 0 || compare_children(&c->order.data[i - 1], &c->order.data[i], c) != 0;
        seen += other;
        bool starts = i == 0 || (uint64_t)(seen - 1) * nodes / distinct >= l->nodes;
        if (other)
            put_child(r, l, c, c->order.data[i], starts);
        c->node_of.data[c->order.data[i]] = l->nodes - 1;
    }
    assert(l->nodes == nodes);
}

static void add_edges(relaxed *r, uint32_t place, uint32_t node, children *c) {
    const hd_cut_space *space = r->space;
    level *l = &r->levels[place];
    const uint32_t *low = low_of(r, l, node), *high = high_of(r, l, node);
    const uint32_t *stretch = space->stretch + space->start[place];
    l->first[node] = (uint32_t)l->edges.length;
    for (uint32_t count = low[place], end; count <= high[place]; count = end + 1) {
        end = stretch[count] < high[place] ? stretch[count] : high[place];
        uint32_t child = HD_ORDER_NONE;
        if (place + 1 < space->threads) {
            size_t at = c->low.length;
            hd_vec_resize(&c->low, at + space->stride);
            hd_vec_resize(&c->high, at + space->stride);
            if (!narrow(r, place, low, high, count, c->low.data + at, c->high.data + at)) {
                c->low.length = c->high.length = at;
                continue;
            }
            child = (uint32_t)c->order.length;
            hd_vec_push(&c->order, child);
        }
        hd_vec_push(&l->edges, (edge){count, end, child, 0});
    }
}

/* All levels; false if it was stopped. */
static bool make_levels(relaxed *r) {
    const hd_cut_space *space = r->space;
    level *first = &r->levels[0];
    first->nodes = 1;
    first->low = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    first->high = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    memcpy(first->high, space->length, space->threads * sizeof *first->high);
    for (uint32_t place = 0; place < space->threads; place++) {
        level *l = &r->levels[place];
        children c = {.r = r, .from = place + 1};
        l->first = HD_NEW_ARRAY(uint32_t, (size_t)l->nodes + 1);
        for (uint32_t node = 0; node < l->nodes; node++)
            add_edges(r, place, node, &c);
        l->first[l->nodes] = (uint32_t)l->edges.length;
        bool last = place + 1 == space->threads;
        if (!last && c.order.length) {
            hd_vec_resize(&c.node_of, c.order.length);
            make_nodes(r, l + 1, &c);
            for (size_t i = 0; i < l->edges.length; i++)
                l->edges.data[i].node = c.node_of.data[l->edges.data[i].node];
        }
        hd_vec_release(&c.low);
        hd_vec_release(&c.high);
        hd_vec_release(&c.order);
        hd_vec_release(&c.node_of);
        if ((r->stop && *r->stop) || hd_clock_look() != HD_CLOCK_GOES)
            return false;
    }
    return true;
}

/* Paths from each node to the end, from the last level on; sums are kept to draw by. */
static void count_paths(relaxed *r) {
    for (uint32_t place = r->space->threads; place-- > 0;) {
        level *l = &r->levels[place], *next = l + 1;
        bool last = place + 1 == r->space->threads;
        double greatest = 0;
        l->paths = HD_NEW_ARRAY(double, (size_t)l->nodes + 1);
        for (uint32_t node = 0; node < l->nodes; node++) {
            for (uint32_t i = l->first[node]; i < l->first[node + 1]; i++) {
                edge *e = &l->edges.data[i];
                double each = last ? 1 : next->paths[e->node];
                l->paths[node] += each * (e->last - e->first + 1);
                e->sum = l->paths[node];
            }
            greatest = l->paths[node] > greatest ? l->paths[node] : greatest;
        }
        int exponent = 0;
        frexp(greatest, &exponent);
        l->shift = exponent + (last ? 0 : next->shift);
        for (uint32_t node = 0; node < l->nodes; node++)
            l->paths[node] = ldexp(l->paths[node], -exponent);
        for (size_t i = 0; i < l->edges.length; i++)
            l->edges.data[i].sum = ldexp(l->edges.data[i].sum, -exponent);
    }
}

static void release_levels(relaxed *r) {
    for (uint32_t place = 0; place < r->space->threads; place++) {
        level *l = &r->levels[place];
        free(l->low);
        free(l->high);
        free(l->first);
        free(l->paths);
        hd_vec_release(&l->edges);
    }
    free(r->levels);
}

/* ---- Drawing ---- */

static double draw_below(hd_random *random, double limit) {
    double most = 9007199254740992; /* 2^53 */
    return (double)(hd_random_next(random) >> 11) / most * limit;
}

/* One path, each with the same probability. */
static void draw_path(const relaxed *r, hd_random *random, uint32_t *state) {
    uint32_t node = 0;
    for (uint32_t place = 0; place < r->space->threads; place++) {
        const level *l = &r->levels[place];
        double at = draw_below(random, l->paths[node]);
        uint32_t low = l->first[node], high = l->first[node + 1] - 1;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (l->edges.data[middle].sum <= at)
                low = middle + 1;
            else
                high = middle;
        }
        const edge *e = &l->edges.data[low];
        state[place] = e->first + (uint32_t)hd_random_below(random, e->last - e->first + 1);
        node = e->node;
    }
}

typedef struct looker {
    const hd_cut_space *space;
    enum hd_cut_class class;
    hd_cut_reach *reach; /* NULL: of a poset */
    hd_cut_rules rules;
} looker;

static bool is_state(looker *l, const uint32_t *state) {
    const hd_cut_space *space = l->space;
    if (!hd_cut_consistent(space, state))
        return false;
    for (uint32_t p = 0; hd_cut_rules_split(&l->rules) && p < space->threads; p++)
        if (hd_bits_has(&l->rules.between, space->start[p] + state[p]))
            return false;
    if (l->rules.units.semaphores && !hd_cut_units_suffice(&l->rules.units, space, state))
        return false;
    if (l->rules.together.rows && !hd_cut_together_whole(&l->rules.together, space, state))
        return false;
    return !l->reach || l->class == HD_CUT_CONSISTENT || hd_cut_in_class(l->reach, l->class, state);
}

/* A number in units of a level's paths. */
static double in_units(double value, int64_t shift) {
    return ldexp(value, shift > 100000 ? 100000 : (int)shift);
}

/* The interval for what was drawn; whether it is narrow enough.  What was left open may be a hit
 * or not. */
static bool conclude(const relaxed *r, hd_cut_estimate *e, uint64_t open, double error) {
    double least, most, other, share = (double)e->hits / (double)e->drawn;
    double scale = r->levels[0].paths[0];
    int64_t shift = r->levels[0].shift;
    hd_cut_coin_interval(e->hits, e->drawn, error, &least, &most);
    if (open)
        hd_cut_coin_interval(e->hits + open, e->drawn, error, &other, &most);
    e->paths = in_units(scale, shift);
    e->least = in_units(scale * least, shift);
    e->most = in_units(scale * most, shift);
    e->middle = in_units(scale * share, shift);
    return e->hits && most - least <= 2 * e->precision * share;
}

/* Asked after every draw, it looks at the clock after every `looks` of them: after each where there
 * are many threads, whose pairs a draw looks at. */
static bool is_late(const relaxed *r, double end, uint64_t drawn, uint64_t looks) {
    enum { MANY = 100 };
    if (r->space->threads < MANY && drawn % looks)
        return false;
    return hd_progress_clock() > end || (r->stop && *r->stop) || hd_clock_look() != HD_CLOCK_GOES;
}

/* Draws paths until the interval is narrow enough; false: until the time. */
static bool draw_paths(const relaxed *r, looker *l, hd_cut_estimate *e, hd_random *random,
                       uint32_t *state, double end, double error) {
    enum { FIRST = 1024, LOOKS = 64 };
    uint64_t next = FIRST, open = 0;
    if (l->reach)
        hd_cut_reach_until(l->reach, end);
    for (unsigned stage = 1;;) {
        draw_path(r, random, state);
        bool hit = is_state(l, state);
        e->drawn++;
        e->hits += hit;
        open += !hit && l->reach && hd_cut_reach_left_open(l->reach);
        if (e->drawn == next) {
            if (conclude(r, e, open, error / 2 / (stage * (stage + 1.0))))
                return true;
            stage++;
            next *= 2;
        }
        if (e->drawn == e->draws || is_late(r, end, open ? 0 : e->drawn, LOOKS)) {
            conclude(r, e, open, error / 2);
            return false;
        }
    }
}

/* ---- Where hardly a path is a state ---- */

/* Paths of a node up to a count, which is in one of its edges or before all. */
static double paths_up_to(const level *l, uint32_t node, uint32_t count, bool including) {
    uint32_t low = l->first[node], high = l->first[node + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->edges.data[middle].last < count)
            low = middle + 1;
        else
            high = middle;
    }
    double before = low > l->first[node] ? l->edges.data[low - 1].sum : 0;
    if (low == l->first[node + 1] || l->edges.data[low].first > count)
        return before;
    const edge *e = &l->edges.data[low];
    uint32_t taken = count - e->first + (including ? 1 : 0);
    return before + (e->sum - before) * taken / (e->last - e->first + 1);
}

/* A state, by its own bounds, each count as likely as there are paths after it; returns the
 * logarithm of one over its probability.  The mean of these, without logarithms, is the number of
 * states (Knuth 1975). */
static double draw_state(const relaxed *r, hd_random *random, uint32_t *state, uint32_t *low,
                         uint32_t *high) {
    const hd_cut_space *space = r->space;
    double weight = 0;
    uint32_t node = 0;
    memset(low, 0, space->threads * sizeof *low);
    memcpy(high, space->length, space->threads * sizeof *high);
    for (uint32_t place = 0; place < space->threads; place++) {
        const level *l = &r->levels[place];
        double from = paths_up_to(l, node, low[place], false);
        double to = paths_up_to(l, node, high[place], true);
        double at = from + draw_below(random, to - from);
        uint32_t first = low[place], last = high[place];
        while (first < last) {
            uint32_t middle = first + (last - first) / 2;
            if (paths_up_to(l, node, middle, true) <= at)
                first = middle + 1;
            else
                last = middle;
        }
        state[place] = first;
        weight += log(to - from) -
                  log(paths_up_to(l, node, first, true) - paths_up_to(l, node, first, false));
        uint32_t i = l->first[node];
        while (l->edges.data[i].last < first)
            i++;
        node = l->edges.data[i].node;
        narrow(r, place, low, high, first, low, high);
    }
    return weight;
}

/* A lower bound that holds with all but the probability `error`: of so many means, each of which is
 * the number on average, all are more than c times it with a probability of c^-MEANS at most
 * (Markov). */
enum { MEANS = 16 };

static void bound_below(const relaxed *r, looker *l, hd_cut_estimate *e, hd_random *random,
                        uint32_t *state, double end, double error) {
    enum { LOOKS = 16 };
    uint32_t *low = HD_NEW_ARRAY(uint32_t, 2 * (size_t)r->space->stride + 2);
    double sums[MEANS] = {0}, greatest = -INFINITY, whole = 0, least = INFINITY;
    uint64_t rounds = 0;
    if (l->reach)
        hd_cut_reach_until(l->reach, end);
    do {
        for (unsigned i = 0; i < MEANS; i++) {
            double weight = draw_state(r, random, state, low, low + r->space->stride + 1);
            if (weight > greatest) { /* sums are in units of the greatest */
                for (unsigned k = 0; k < MEANS; k++)
                    sums[k] *= exp(greatest - weight);
                greatest = weight;
            }
            if (is_state(l, state))
                sums[i] += exp(weight - greatest);
        }
        rounds++;
    } while (rounds != e->draws && !is_late(r, end, rounds, LOOKS));
    for (unsigned i = 0; i < MEANS; i++) {
        least = sums[i] < least ? sums[i] : least;
        whole += sums[i];
    }
    double units = exp(greatest) / (double)rounds;
    double bound = least * units / pow(error, -1.0 / MEANS);
    e->least = bound > e->least ? bound : e->least;
    e->middle = whole * units / MEANS;
    if (!(e->middle >= e->least && e->middle <= e->most)) /* a few of them weigh too much */
        e->middle = sqrt(e->least) * sqrt(e->most);
    e->drawn += rounds * MEANS;
    free(low);
}

/* Of the error, a fifth is for the bound from below. */
static void draw(const relaxed *r, looker *l, hd_cut_estimate *e) {
    enum { ENOUGH = 1000 };
    uint32_t *state = HD_NEW_ARRAY(uint32_t, r->space->stride + 1);
    double begin = hd_progress_clock(), error = 1 - e->confidence;
    hd_random random;
    hd_random_seed(&random, e->seed);
    bool narrow_enough = draw_paths(r, l, e, &random, state, begin + e->seconds / 2, error * 4 / 5);
    if (!narrow_enough && e->hits < ENOUGH)
        bound_below(r, l, e, &random, state, begin + e->seconds, error / 5);
    free(state);
}

/* ---- The question ---- */

/* So that a level's children, with the bounds of each, fit into some megabytes. */
static uint32_t affordable_nodes(const hd_cut_space *space) {
    enum { CHILDREN = 1 << 20, LEAST = 256, MOST = 1 << 14 };
    uint32_t longest = 1;
    for (uint32_t p = 0; p < space->threads; p++)
        longest = space->length[p] + 1 > longest ? space->length[p] + 1 : longest;
    uint64_t room = (uint64_t)CHILDREN * 16 / (longest * (uint64_t)space->stride);
    return room < LEAST ? LEAST : room > MOST ? MOST : (uint32_t)room;
}

static void estimate_space(looker *l, const hd_cut_request *request, hd_cut_estimate *e) {
    relaxed r = {.space = l->space, .most = e->nodes, .stop = request->stop};
    if (!r.most)
        r.most = affordable_nodes(l->space);
    r.levels = HD_NEW_ARRAY(level, (size_t)l->space->threads + 1);
    if (make_levels(&r)) {
        count_paths(&r);
        bool plain = !hd_cut_rules_split(&l->rules) && !hd_cut_rules_count(&l->rules) &&
                     (!l->reach || l->class == HD_CUT_CONSISTENT);
        e->exact = plain && !r.joined && r.levels[0].shift < 53;
        if (e->exact) {
            e->paths = ldexp(r.levels[0].paths[0], (int)r.levels[0].shift);
            e->least = e->most = e->middle = e->paths;
        } else {
            draw(&r, l, e);
        }
    }
    release_levels(&r);
}

bool hd_cut_estimate_states(hd_order *order, const hd_cut_request *request, hd_cut_estimate *e,
                            hd_error *error) {
    bool poset = request->model == HD_ORDER_POSET;
    unsigned what = poset ? HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE
                          : HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE;
    if (!hd_order_need(order, what | HD_ORDER_SCOPES | HD_ORDER_HELD, request->memory, error))
        return false;
    hd_cut_space space;
    uint32_t *places = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
    uint32_t count = hd_cut_space_threads(order, places);
    hd_cut_places_for_diagram(order, request->model, places, count);
    bool good = hd_cut_space_init_in_time(&space, order, request->model, places, error);
    free(places);
    if (!good)
        return false;
    if (!space.threads) {
        e->least = e->most = e->middle = e->paths = 1;
        e->exact = true;
    } else {
        looker l = {.space = &space, .class = request->class};
        hd_cut_loset loset;
        hd_cut_rules_init(&l.rules, &space);
        if (!poset) {
            hd_cut_loset_init(&loset, &space, !request->unchecked && !order->trace->loset);
            l.reach = hd_cut_reach_create(&loset);
        }
        estimate_space(&l, request, e);
        if (!poset) {
            hd_cut_reach_free(l.reach);
            hd_cut_loset_release(&loset);
        }
        hd_cut_rules_release(&l.rules);
    }
    hd_cut_space_release(&space);
    return true;
}
