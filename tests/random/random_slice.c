/*
 * Slices against brute force: the smallest set of states that has all solutions of a random
 * predicate and, with two states, their union and their intersection.  The slice is written, read
 * again, and its consistent and its reachable states are compared with that set.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support_predicate.h"
#include "support_random.h"

enum { MOST_VECTORS = 1500, MOST_MEMBERS = 400, MEMORY = 64 << 20, TEXT = 4096 };

struct test {
    hd_order order;
    support_states states;
    char text[TEXT];
    hd_predicate predicate;
    hd_predicate_instance scene;
    hd_bits in; /* the sublattice, by number of the vector */
    uint32_t members[MOST_MEMBERS];
    size_t count;
    bool regular; /* it has nothing but solutions */
};

static bool complain(const struct test *test, char *why, size_t size, const char *what) {
    snprintf(why, size, "%s: %s", what, test->text);
    return false;
}

/* False: it is too large. */
static bool add(struct test *test, const uint32_t *state) {
    size_t number = support_states_number(&test->states, state);
    if (hd_bits_has(&test->in, number))
        return true;
    if (test->count == MOST_MEMBERS)
        return false;
    hd_bits_set(&test->in, number);
    test->members[test->count++] = (uint32_t)number;
    return true;
}

static bool find_sublattice(struct test *test) {
    uint32_t a[SUPPORT_STATES_THREADS], b[SUPPORT_STATES_THREADS], c[SUPPORT_STATES_THREADS];
    hd_bits_init(&test->in, test->states.vectors);
    for (size_t v = 0; v < test->states.vectors; v++) {
        support_states_vector(&test->states, v, a);
        if (hd_bits_has(&test->states.poset, v) && support_predicate_whole(&test->states, a) &&
            support_predicate_holds(&test->states, &test->predicate.tree, HD_ORDER_POSET, a) &&
            !add(test, a))
            return false;
    }
    size_t solutions = test->count;
    for (size_t i = 0; i < test->count; i++)
        for (size_t j = 0; j < i; j++) {
            support_states_vector(&test->states, test->members[i], a);
            support_states_vector(&test->states, test->members[j], b);
            for (int join = 0; join < 2; join++) {
                for (uint32_t p = 0; p < test->states.threads; p++)
                    c[p] = (a[p] > b[p]) == join ? a[p] : b[p];
                if (!add(test, c))
                    return false;
            }
        }
    test->regular = test->count == solutions;
    return true;
}

struct look {
    const struct test *test;
    const uint32_t *place; /* [place of the slice]: of the trace */
    uint32_t threads;
    size_t seen;
    bool wrong;
};

static int look_at(void *context, const uint32_t *state, uint32_t count) {
    struct look *look = context;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vector[SUPPORT_STATES_THREADS] = {0};
        for (uint32_t p = 0; p < look->threads; p++)
            vector[look->place[p]] = state[p] + (p + 1 == look->threads ? i : 0);
        look->wrong |=
            !hd_bits_has(&look->test->in, support_states_number(&look->test->states, vector));
        look->seen++;
    }
    return 0;
}

static bool compare(struct test *test, const hd_trace *slice, enum hd_cut_class class, char *why,
                    size_t size) {
    hd_error error = {""};
    hd_order order;
    hd_order_init(&order, slice);
    uint32_t threads[SUPPORT_STATES_THREADS], place[SUPPORT_STATES_THREADS];
    struct look look = {.test = test, .place = place};
    look.threads = hd_cut_space_threads(&order, threads);
    for (uint32_t p = 0; p < look.threads; p++)
        for (uint32_t q = 0; q < test->states.threads; q++)
            if (strcmp(hd_trace_thread_name(&slice->tables, threads[p]),
                       hd_trace_thread_name(&test->order.trace->tables, test->states.thread[q])) ==
                0)
                place[p] = q;
    hd_cut_visitor visitor = {.context = &look, .run = look_at};
    hd_cut_request request = {.model = HD_ORDER_LOSET,
                              .class = class,
                              .workers = 1,
                              .memory = MEMORY,
                              .visitors = &visitor};
    hd_cut_answer answer;
    bool right = hd_cut_states(&order, &request, &answer, &error) && !answer.why && !look.wrong &&
                 look.seen == test->count;
    if (!right)
        snprintf(why, size, "%zu %s states, not %zu%s: %s", look.seen, hd_cut_class_names[class],
                 test->count, look.wrong ? ", and wrong ones" : "", test->text);
    hd_cut_answer_release(&answer);
    hd_order_release(&order);
    return right;
}

static bool check_file(struct test *test, const hd_predicate_slicing *slicing, char *why,
                       size_t size) {
    char path[64];
    hd_error error = {""};
    hd_trace slice;
    snprintf(path, sizeof path, "/tmp/heddle-slice-%d.loset", (int)getpid());
    bool right = hd_trace_loset_save(&slicing->trace, "slice", path, &error);
    right = right && hd_trace_load(&slice, path, HD_TRACE_LOSETS, &error);
    remove(path);
    if (!right)
        return complain(test, why, size, error.text);
    right = compare(test, &slice, HD_CUT_CONSISTENT, why, size) &&
            compare(test, &slice, HD_CUT_REACHABLE, why, size);
    hd_trace_release(&slice);
    return right;
}

static bool slices(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    struct test test = {0};
    hd_error error = {""};
    hd_predicate_error wrong = {0};
    bool right = true;
    hd_order_init(&test.order, trace);
    support_predicate_draw(trace, random, test.text, TEXT);
    bool fits = hd_predicate_init(&test.predicate, test.text, &wrong);
    if (hd_predicate_uses(&test.predicate, HD_PREDICATE_RACE))
        hd_order_count_orders(&test.order);
    unsigned what = HD_ORDER_SCOPES | HD_ORDER_HELD | HD_ORDER_LOSET_CLOCKS |
                    HD_ORDER_LOSET_REVERSE | HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE;
    uint32_t places[SUPPORT_STATES_THREADS];
    if (!hd_order_need(&test.order, what, SIZE_MAX, &error) ||
        hd_order_threads(&test.order) > SUPPORT_STATES_THREADS ||
        !hd_cut_space_threads(&test.order, places) ||
        !support_states_init(&test.states, &test.order, places, MOST_VECTORS)) {
        hd_predicate_release(&test.predicate);
        hd_order_release(&test.order);
        return true;
    }
    fits = fits && hd_predicate_instance_init(&test.scene, &test.order, &test.predicate,
                                              HD_ORDER_POSET, MEMORY, &wrong);
    if (fits && find_sublattice(&test)) {
        hd_predicate_slicing slicing = {.memory = MEMORY};
        if (!hd_predicate_slicing_run(&slicing, &test.scene, &error))
            right = complain(&test, why, size, error.text);
        else if (!slicing.complete)
            right = complain(&test, why, size, "not complete");
        else if (slicing.empty != !test.count)
            right = complain(&test, why, size, "a slice where none is, or none");
        else if (slicing.regular && !test.regular)
            right = complain(&test, why, size, "called regular");
        else if (!slicing.empty)
            right = check_file(&test, &slicing, why, size);
        hd_predicate_slicing_release(&slicing);
    }
    if (fits)
        hd_predicate_instance_release(&test.scene);
    hd_bits_release(&test.in);
    hd_predicate_release(&test.predicate);
    support_states_release(&test.states);
    hd_order_release(&test.order);
    return right;
}

static const support_property properties[] = {
    {"slices", {4, 14, 2, 2, SUPPORT_ALL}, slices},
    {"slices of marks", {4, 12, 1, 1, SUPPORT_MARKS | SUPPORT_CHANNELS | SUPPORT_VALUES}, slices},
    {"slices of locks", {3, 16, 2, 2, SUPPORT_LOCKS | SUPPORT_WAITS | SUPPORT_MARKS}, slices},
};

SUPPORT_SUITE(random_slice) {
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
