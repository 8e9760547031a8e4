/*
 * The families of traces: each is well-formed, its reads see what was written,
 * its numbers are as doc/generate.md says, and it never changes (a hash of
 * every trace below is part of the contract).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "generate/generate.h"
#include "support_few.h"
#include "support_suite.h"
#include "trace/trace.h"

/* ---- Asking for a trace. ---- */

/* A family with the numbers it takes, in the order of its table; those not
 * given keep their initial values. */
struct request {
    const char *family, *word;
    uint64_t seed;
    size_t count;
    uint64_t numbers[HD_GENERATE_MAX_NUMBERS];
    uint64_t events, hash;
};

static void generate(hd_trace *trace, const struct request *wanted) {
    const hd_generate_family *family = hd_generate_family_find(wanted->family);
    assert_non_null(family);
    hd_generate_request request;
    hd_generate_request_init(&request, family);
    request.word = wanted->word;
    request.seed = wanted->seed;
    for (size_t i = 0; i < wanted->count; i++)
        request.numbers[i] = wanted->numbers[i];
    hd_error error = {""};
    hd_trace_init(trace);
    if (!family->generate(trace, &request, &error))
        fail_msg("%s: %s", wanted->family, error.text);
    if (!hd_trace_check_all(trace, &error))
        fail_msg("%s: %s", wanted->family, error.text);
}

/* FNV-1a over everything a text file would show. */
static void hash_bytes(uint64_t *hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of(const hd_trace *trace) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        char line[256];
        size_t length = hd_trace_print(line, sizeof line, &trace->tables, hd_trace_event(trace, i));
        hash_bytes(&hash, line, length + 1);
    }
    return hash;
}

/* Every read has the value of the last write, 0 before the first. */
static void check_values(const hd_trace *trace) {
    size_t variables = trace->tables.names[HEDDLE_CLASS_VARIABLE].length;
    int64_t *values = HD_NEW_ARRAY(int64_t, variables + 1);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        const heddle_event *event = hd_trace_event(trace, i);
        if (!hd_trace_is_access(event))
            continue;
        assert_true(event->flags & HEDDLE_HAS_VALUE);
        if (hd_trace_writes(event))
            values[event->object] = event->value;
        assert_int_equal(event->value, values[event->object]);
    }
    free(values);
}

/* Nothing is held at the end; returns the number of locks that are. */
static unsigned held_at_end(const hd_trace *trace) {
    unsigned held = 0;
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        uint8_t kind = hd_trace_event(trace, i)->kind;
        held += kind == HEDDLE_ACQUIRE || kind == HEDDLE_READ_ACQUIRE;
        held -= kind == HEDDLE_RELEASE || kind == HEDDLE_READ_RELEASE;
    }
    return held;
}

/* ---- The contract. ---- */

/* family, word, seed, numbers; events, hash */
static const struct request golden[] = {
    {"grid", NULL, 1, 2, {8, 12}, 96, 0x179da2366ee0b5d5},
    {"forkjoin", NULL, 1, 2, {11, 2}, 44, 0xf0a72c55645b7df2},
    {"chains", NULL, 1, 4, {4, 40, 4, 0}, 160, 0x2828f8c1e682533b},
    {"chains", NULL, 1, 4, {4, 40, 2, 1}, 160, 0xe2a75ad554de768d},
    {"product", NULL, 1, 2, {8, 4}, 64, 0x657a91cc7a411a45},
    {"handover", NULL, 1, 2, {4, 8}, 128, 0xc5429cfda20bfe3d},
    {"bank", NULL, 1, 3, {4, 10, 8}, 344, 0xaa3d148ea0f24739},
    {"bank", NULL, 2, 3, {3, 5, 2}, 130, 0xf1b1c6ed2c303f73},
    {"poset", NULL, 5, 4, {10, 300, 0, 1000}, 300, 0x340b7d2fa0410886},
    {"poset", NULL, 1, 4, {8, 480, 40, 500}, 480, 0x40d7dcd0f9565143},
    {"locks", NULL, 1, 0, {0}, 200, 0x8c16488aae8fbe52},
    {"locks", NULL, 1, 8, {6, 2000, 4, 5, 500, 300, 20, 100}, 2000, 0x67396fb3f5429f67},
    {"locks", NULL, 2, 8, {6, 2000, 4, 5, 500, 300, 20, 100}, 2000, 0x83490b9bcdc67f57},
};

static void test_golden(void **state) {
    (void)state;
    bool same = true;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        hd_trace trace;
        generate(&trace, &golden[i]);
        check_values(&trace);
        uint64_t hash = hash_of(&trace);
        if (hash != golden[i].hash || trace.events.length != golden[i].events) {
            print_error("row %zu, %s: %zu events, 0x%016llx\n", i, golden[i].family,
                        trace.events.length, (unsigned long long)hash);
            same = false;
        }
        hd_trace_release(&trace);
    }
    assert_true(same);
}

static void test_seed(void **state) {
    (void)state;
    struct request one = {.family = "locks", .seed = 1}, two = one;
    two.seed = 2;
    hd_trace first, again, other;
    generate(&first, &one);
    generate(&again, &one);
    generate(&other, &two);
    assert_true(hash_of(&first) == hash_of(&again));
    assert_true(hash_of(&first) != hash_of(&other));
    hd_trace_release(&first);
    hd_trace_release(&again);
    hd_trace_release(&other);
}

/* ---- States, by looking at every vector of event counts. ---- */

struct edge {
    uint32_t from, to;
};

typedef HD_VEC(struct edge) edge_list;

/* The send that a receive takes: as many sends of the channel come before it
 * as receives come before the receive. */
static uint32_t send_of(const hd_trace *trace, uint32_t receive) {
    uint32_t channel = hd_trace_event(trace, receive)->object, skip = 0;
    for (uint32_t i = 1; i < receive; i++)
        skip += hd_trace_event(trace, i)->kind == HEDDLE_RECV &&
                hd_trace_event(trace, i)->object == channel;
    for (uint32_t i = 1; i < receive; i++)
        if (hd_trace_event(trace, i)->kind == HEDDLE_SEND &&
            hd_trace_event(trace, i)->object == channel && skip-- == 0)
            return i;
    return 0;
}

static uint32_t first_of(const hd_trace *trace, uint32_t thread) {
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++)
        if (hd_trace_event(trace, i)->thread == thread)
            return i;
    return 0;
}

static uint32_t last_of(const hd_trace *trace, uint32_t thread) {
    for (uint32_t i = hd_trace_length(trace); i > 0; i--)
        if (hd_trace_event(trace, i)->thread == thread)
            return i;
    return 0;
}

static void must_edges(const hd_trace *trace, edge_list *edges) {
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        const heddle_event *event = hd_trace_event(trace, i);
        struct edge edge = {0, 0};
        if (event->kind == HEDDLE_RECV)
            edge = (struct edge){send_of(trace, i), i};
        else if (event->kind == HEDDLE_FORK)
            edge = (struct edge){i, first_of(trace, event->object)};
        else if (event->kind == HEDDLE_JOIN)
            edge = (struct edge){last_of(trace, event->object), i};
        if (edge.from != 0 && edge.to != 0)
            hd_vec_push(edges, edge);
    }
}

/* Is event `number` among the first counts[t] events of each thread t? */
static bool is_in(const hd_trace *trace, const uint32_t *counts, uint32_t number) {
    uint32_t thread = hd_trace_event(trace, number)->thread, position = 0;
    for (uint32_t i = 1; i <= number; i++)
        position += hd_trace_event(trace, i)->thread == thread;
    return position <= counts[thread];
}

static bool is_consistent(const hd_trace *trace, const edge_list *edges, const uint32_t *counts) {
    for (size_t i = 0; i < edges->length; i++)
        if (is_in(trace, counts, edges->data[i].to) && !is_in(trace, counts, edges->data[i].from))
            return false;
    return true;
}

enum { MOST_THREADS = 16 };

static uint64_t count_states(const hd_trace *trace) {
    uint32_t threads = trace->tables.names[HEDDLE_CLASS_THREAD].length, thread;
    uint32_t lengths[MOST_THREADS] = {0}, counts[MOST_THREADS] = {0};
    assert_true(threads <= MOST_THREADS);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++)
        lengths[hd_trace_event(trace, i)->thread]++;
    edge_list edges = {0};
    must_edges(trace, &edges);
    uint64_t states = 0;
    do {
        states += is_consistent(trace, &edges, counts);
        for (thread = 0; thread < threads && counts[thread] == lengths[thread]; thread++)
            counts[thread] = 0;
        if (thread < threads)
            counts[thread]++;
    } while (thread < threads);
    hd_vec_release(&edges);
    return states;
}

static uint64_t states_of(const char *family, size_t count, const uint64_t *numbers) {
    struct request request = {.family = family, .seed = 1, .count = count};
    memcpy(request.numbers, numbers, count * sizeof *numbers);
    hd_trace trace;
    generate(&trace, &request);
    uint64_t states = count_states(&trace);
    hd_trace_release(&trace);
    return states;
}

#define STATES(family, ...)                                                                        \
    states_of(family, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                        \
              (uint64_t[]){__VA_ARGS__})

static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent > 0; exponent--)
        result *= base;
    return result;
}

static void test_grid_states(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 4; n++)
        for (uint64_t m = 1; m <= 4; m++)
            assert_int_equal(STATES("grid", n, m), power(m + 1, n));
}

static void test_forkjoin_states(void **state) {
    (void)state;
    for (uint64_t k = 1; k <= 5; k++)
        assert_int_equal(STATES("forkjoin", k, 2), 2 * power(3, k) - 1);
    for (uint64_t k = 1; k <= 3; k++)
        for (uint64_t m = 1; m <= 4; m++)
            assert_int_equal(STATES("forkjoin", k, m),
                             power(m + 1, k) + 2 * (power(m + 1, k) - 1) / m);
}

static void test_product_states(void **state) {
    (void)state;
    for (uint64_t m = 1; m <= 4; m++)
        for (uint64_t k = 1; k <= 3; k++)
            assert_int_equal(STATES("product", m, k), power((m + 1) * (m + 2) / 2, k));
}

static void test_chains_states(void **state) {
    (void)state;
    for (uint64_t n = 2; n <= 3; n++)
        for (uint64_t items = 1; items <= 3; items++)
            for (uint64_t every = 2; every <= 4; every++)
                assert_int_equal(STATES("chains", n, items * every, every, 1),
                                 n * items * every + 1);
    /* Two stages: what the second has begun, the first has finished. */
    for (uint64_t items = 1; items <= 4; items++)
        for (uint64_t every = 2; every <= 4; every++)
            assert_int_equal(STATES("chains", 2, items * every, every, 0),
                             items * every + 1 + every * every * items * (items - 1) / 2 +
                                 every * items);
}

/* ---- What does not go together is refused. ---- */

static void refuse(const char *family, const char *word, const uint64_t *numbers, size_t count) {
    hd_generate_request request;
    hd_generate_request_init(&request, hd_generate_family_find(family));
    request.word = word;
    for (size_t i = 0; i < count; i++)
        request.numbers[i] = numbers[i];
    hd_trace trace;
    hd_trace_init(&trace);
    hd_error error = {""};
    assert_false(hd_generate_family_find(family)->generate(&trace, &request, &error));
    assert_true(error.text[0] != '\0');
    assert_int_equal(trace.events.length, 0);
    hd_trace_release(&trace);
}

static void test_refused(void **state) {
    (void)state;
    refuse("chains", NULL, (uint64_t[]){3, 10, 4, 0}, 4);
    refuse("grid", NULL, (uint64_t[]){100000, 1000000000}, 2);
    refuse("like", "nothing", NULL, 0);
    refuse("like", NULL, NULL, 0);
    assert_null(hd_generate_family_find("nothing"));
}

/* Initial values are in range, options come behind places. */
static void test_table(void **state) {
    (void)state;
    for (size_t i = 0; i < hd_generate_family_count; i++) {
        const hd_generate_family *family = &hd_generate_families[i];
        assert_ptr_equal(hd_generate_family_find(family->name), family);
        bool option = false;
        for (size_t j = 0; j < HD_GENERATE_MAX_NUMBERS && family->parameters[j].name; j++) {
            const hd_generate_parameter *parameter = &family->parameters[j];
            assert_in_range(parameter->initial, parameter->low, parameter->high);
            assert_true(parameter->option || !option);
            option = parameter->option;
        }
    }
}

/* ---- Random programs of every size. ---- */

static void test_locks_sizes(void **state) {
    (void)state;
    for (uint64_t threads = 1; threads <= 5; threads++)
        for (uint64_t events = 1; events <= 60; events++) {
            struct request request = {
                .family = "locks",
                .seed = events,
                .count = 8,
                .numbers = {threads, events, threads - 1, 2, 300, 400, 50, 50}};
            hd_trace trace;
            generate(&trace, &request);
            assert_int_equal(trace.events.length, events);
            assert_int_equal(held_at_end(&trace), 0);
            check_values(&trace);
            hd_trace_release(&trace);
        }
}

/* The money is still there. */
static void test_bank_sum(void **state) {
    (void)state;
    struct request request = {.family = "bank", .seed = 3, .count = 3, .numbers = {5, 40, 6}};
    hd_trace trace;
    generate(&trace, &request);
    int64_t sum = 0;
    for (uint32_t i = hd_trace_length(&trace) - 5; i <= hd_trace_length(&trace); i++) {
        assert_int_equal(hd_trace_event(&trace, i)->kind, HEDDLE_READ);
        assert_true(hd_trace_event(&trace, i)->value >= 0);
        sum += hd_trace_event(&trace, i)->value;
    }
    assert_int_equal(sum, 600);
    check_values(&trace);
    hd_trace_release(&trace);
}

/* ---- Likenesses. ---- */

enum measure {
    THREADS,
    EVENTS,
    LOCK_EVENTS,
    LOCKS,
    ACCESSES,
    VARIABLES,
    WAIT_EVENTS,
    WITNESSES,
    MEASURES
};

/* Table A1 of the paper, and the hashes of seeds 1, 2 and 3. */
static const struct like {
    const char *name;
    uint64_t measures[MEASURES];
    uint64_t hashes[3];
} likes[] = {
    {"conpool",
     {4, 97, 16, 1, 53, 5, 3, 252},
     {0x8425c815442929d0, 0xcf6ff1ea595b1b3b, 0xace677476c23761f}},
    {"liveness",
     {7, 283, 44, 9, 163, 12, 6, 855},
     {0x455f69333a0fbd04, 0xeb0b3b856dddb88a, 0x3813d043974035ec}},
    {"SynchBench",
     {16, 1510, 306, 2, 533, 15, 0, 47526},
     {0xe607368a91748838, 0xcf9fef2ea0178817, 0x0405f3fe5d4c9347}},
    {"Barrier1",
     {10, 653, 108, 2, 262, 12, 7, 3975},
     {0x5e33e67ae7b23d86, 0xd9a1902eb468e091, 0x1e71797072444303}},
    {"Barrier2",
     {13, 805, 136, 2, 340, 16, 7, 6516},
     {0xcfbdd5f4c33bbfb2, 0x999aefb07f8655cf, 0x4724591c35744ca2}},
    {"account1",
     {11, 902, 146, 21, 430, 42, 10, 1416},
     {0xac300945d3abad36, 0x43367e37bb6d1eae, 0x93d20b528b62f441}},
    {"account2",
     {21, 1747, 282, 41, 850, 82, 20, 2796},
     {0x68af99bcaf0675ec, 0x2fd6211bd7d7a86f, 0xda017accf267bb7f}},
    {"DaisyTest1",
     {3, 2998, 422, 10, 2003, 45, 15, 383007},
     {0x5ed9da12bc736d52, 0xaf3876bfb9438613, 0xfcdbdfe14e59728c}},
    {"DaisyTest2",
     {3, 4998, 699, 14, 3330, 64, 25, 1100814},
     {0x5c3feadd230d831a, 0xc557d6a980f6aeb7, 0x0d8c55b1efbcef05}},
    {"DaisyTest3",
     {3, 7999, 1096, 18, 5341, 81, 36, 3025419},
     {0x9d6a7d2b81750002, 0x3ffb80f2f172a215, 0x36bfb974ada7ab92}},
    {"Elevator1",
     {4, 3004, 370, 11, 1795, 70, 0, 3249},
     {0x4525ffe96dfc4b5b, 0xce04202cbb3f4b2f, 0x36c4ba4f6e7e82fc}},
    {"Elevator2",
     {4, 5001, 610, 11, 3668, 117, 0, 12285},
     {0x2ac79ee7860b0f8f, 0xc5a5c2e1f1dd613b, 0xa975f1c4becb5357}},
    {"Elevator3",
     {4, 8004, 1128, 11, 5601, 94, 0, 24627},
     {0x0cd7311b6e72e99f, 0x538880d7f2419d3a, 0x2ea43bf3c67d7935}},
    {"philo",
     {6, 1141, 126, 6, 857, 23, 22, 4893},
     {0x501781cf752f8d10, 0x436c6cc4c0283b2c, 0xe8b6b6e4ff8d4e7e}},
    {"ThriftTrace1",
     {4, 2406, 226, 12, 869, 62, 53, 618},
     {0x4caa75954b405594, 0x1f1ea15fe6d037ca, 0xf85532cf2ba5e431}},
    {"ThriftTrace2",
     {4, 2452, 234, 12, 873, 62, 55, 618},
     {0xffe0d682a4126d24, 0xc4a606a45133bd68, 0xe6bd90cc051df8a2}},
    {"ThriftTrace3",
     {10, 4844, 404, 18, 1739, 129, 91, 2811},
     {0x535f641917c66aa6, 0x2e035c9bdc47b86b, 0xfaa2fcc6984863d7}},
    {"ThriftTrace4",
     {4, 6761, 586, 48, 2785, 171, 125, 35610},
     {0xb822437150d7370c, 0x418da07e14186355, 0xf3280ddc26ca6dc8}},
    {"ThriftTrace5",
     {20, 8950, 722, 28, 3320, 223, 165, 9615},
     {0x541814bccf71dda9, 0xbf2d24b1b6ec28db, 0x3f3f2e223b85e173}},
    {"ThriftTrace6",
     {4, 11357, 1384, 48, 3184, 171, 324, 35610},
     {0xd1b0aa9eea7c1fc5, 0x0b349d8ec5bdc2a4, 0xe9dce606a3d569ad}},
    {"ThriftTrace7",
     {20, 13561, 1520, 28, 3727, 223, 372, 9609},
     {0x44f354bfdd2bb322, 0x991d8884080b8ff6, 0x78d9002f612ddba0}},
    {"ThriftTrace8",
     {40, 15975, 1239, 48, 5485, 429, 259, 35748},
     {0x8201fca6853f9e7c, 0x0bb590067d2b0b82, 0x49235e9d388edc20}},
    {"ThriftTrace9",
     {10, 16040, 2981, 18, 1345, 107, 1408, 2577},
     {0xb90776f64e538957, 0x52a875e22d3be120, 0x4aea6581f98a65b7}},
    {"ThriftTrace10",
     {6, 20640, 1724, 158, 8818, 519, 349, 479142},
     {0xe9bd3f3d015f2f8e, 0x5e1e70ad1a966133, 0x13926005661c4b17}},
    {"ThriftTrace11",
     {6, 25237, 2522, 158, 9218, 519, 549, 479142},
     {0xd8bb68bcbd0fcb2e, 0xf2aee26fa863cda8, 0x0208b010068db5f0}},
};

/* How many different objects the events of such a kind have. */
static uint64_t distinct(const hd_trace *trace, enum heddle_class class) {
    uint32_t names = trace->tables.names[class].length;
    bool *seen = HD_NEW_ARRAY(bool, names + 1);
    uint64_t count = 0;
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        const heddle_event *event = hd_trace_event(trace, i);
        uint32_t object = class == HEDDLE_CLASS_THREAD ? event->thread : event->object;
        if (class != HEDDLE_CLASS_THREAD && hd_trace_kinds[event->kind].class != class)
            continue;
        count += !seen[object];
        seen[object] = true;
    }
    free(seen);
    return count;
}

/* Three for every read, and the last one, against every other write. */
static uint64_t witnesses_of(const hd_trace *trace) {
    uint32_t variables = trace->tables.names[HEDDLE_CLASS_VARIABLE].length;
    uint64_t *reads = HD_NEW_ARRAY(uint64_t, variables + 1);
    uint64_t *writes = HD_NEW_ARRAY(uint64_t, variables + 1);
    uint64_t triplets = 0;
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        const heddle_event *event = hd_trace_event(trace, i);
        if (hd_trace_is_access(event))
            ++*(hd_trace_writes(event) ? &writes[event->object] : &reads[event->object]);
    }
    for (uint32_t i = 0; i < variables; i++)
        triplets += (reads[i] + 1) * writes[i];
    free(reads);
    free(writes);
    return 3 * triplets;
}

static void measure(const hd_trace *trace, uint64_t *measures) {
    memset(measures, 0, MEASURES * sizeof *measures);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        const heddle_event *event = hd_trace_event(trace, i);
        uint8_t class = hd_trace_kinds[event->kind].class;
        measures[LOCK_EVENTS] += event->kind == HEDDLE_ACQUIRE || event->kind == HEDDLE_RELEASE;
        measures[ACCESSES] += hd_trace_is_access(event);
        measures[WAIT_EVENTS] += class == HEDDLE_CLASS_CONDITION;
    }
    measures[EVENTS] = hd_trace_length(trace);
    measures[THREADS] = distinct(trace, HEDDLE_CLASS_THREAD);
    measures[LOCKS] = distinct(trace, HEDDLE_CLASS_LOCK);
    measures[VARIABLES] = distinct(trace, HEDDLE_CLASS_VARIABLE);
    measures[WITNESSES] = witnesses_of(trace);
}

static bool check_like(const struct like *like, uint64_t seed) {
    struct request request = {.family = "like", .word = like->name, .seed = seed};
    uint64_t measures[MEASURES];
    hd_trace trace;
    generate(&trace, &request);
    check_values(&trace);
    measure(&trace, measures);
    for (unsigned i = 0; i < MEASURES; i++)
        if (measures[i] != like->measures[i])
            fail_msg("%s, seed %llu: measure %u is %llu, not %llu", like->name,
                     (unsigned long long)seed, i, (unsigned long long)measures[i],
                     (unsigned long long)like->measures[i]);
    assert_int_equal(held_at_end(&trace), like->measures[LOCK_EVENTS] % 2);
    uint64_t hash = hash_of(&trace);
    hd_trace_release(&trace);
    if (hash != like->hashes[seed - 1])
        print_error("%s, seed %llu: 0x%016llx\n", like->name, (unsigned long long)seed,
                    (unsigned long long)hash);
    return hash == like->hashes[seed - 1];
}

static void test_like(void **state) {
    (void)state;
    bool same = true;
    for (size_t i = 0; i < sizeof likes / sizeof *likes; i++)
        for (uint64_t seed = 1; seed <= support_few(3, 1); seed++)
            same &= check_like(&likes[i], seed);
    assert_true(same);
}

/* Measures hold for any seed; names are read in any case. */
static void test_like_other_seeds(void **state) {
    (void)state;
    for (uint64_t seed = 4; seed < 40; seed++) {
        struct request request = {.family = "like", .word = "CONPOOL", .seed = seed};
        uint64_t measures[MEASURES];
        hd_trace trace;
        generate(&trace, &request);
        measure(&trace, measures);
        assert_memory_equal(measures, likes[0].measures, sizeof measures);
        hd_trace_release(&trace);
    }
}

SUPPORT_SUITE(test_generate) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),         cmocka_unit_test(test_seed),
        cmocka_unit_test(test_grid_states),    cmocka_unit_test(test_forkjoin_states),
        cmocka_unit_test(test_product_states), cmocka_unit_test(test_chains_states),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_table),
        cmocka_unit_test(test_locks_sizes),    cmocka_unit_test(test_bank_sum),
        cmocka_unit_test(test_like),           cmocka_unit_test(test_like_other_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
