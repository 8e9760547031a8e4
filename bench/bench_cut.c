/*
 * Measures enumerators in one process, in CPU seconds, for bench_states.py:
 *
 *     bench_cut TRACE MODEL CLASS KIND ROUNDS
 *     bench_cut TRACE MODEL CLASS KIND @SECONDS
 *
 * prints states, the least seconds of the rounds, and the bytes of memory at most
 * beside the trace; or as far as it comes in so many seconds.  Clocks are made anew in every round
 * and count.  A kind is the name of an algorithm, `bounds/N` or `quicklex/N` on N threads (then
 * seconds are those of the busiest), `call` (a C call for each state, with a pointer to 16 bytes),
 * `batch` (16-byte states stored in batches), `sums` (a sum of weights of each state compared),
 * `race` (are two last events accesses that race?), and `calls`, which is nothing but the calls,
 * for what a machine can do at all.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "cut/cut.h"

static volatile int time_is_up;

static void ring(int signal) {
    (void)signal;
    time_is_up = 1;
}

/* After so many CPU seconds. */
static void set_alarm(long seconds) {
    struct sigaction action = {.sa_handler = ring};
    struct itimerval timer = {.it_value.tv_sec = seconds};
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A line of /proc/self/status, in bytes. */
static double memory(const char *key) {
    char line[256];
    double bytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            bytes = strtod(line + strlen(key) + 1, NULL) * 1024;
    if (file)
        fclose(file);
    return bytes;
}

/* What a predicate of unknown form does at least: look at the state, and say no. */
static int __attribute__((noinline)) test(void *context, const hd_cut_packed *state) {
    const uint64_t *never = context;
    return state->words[0] == never[0] && state->words[1] == never[1];
}

static int take(void *context, const hd_cut_packed *states, size_t count) {
    uint64_t *sum = context;
    *sum += states[count - 1].words[0];
    return 0;
}

struct measure {
    hd_trace trace;
    enum hd_order_model model;
    enum hd_cut_class class;
    enum hd_cut_algorithm algorithm;
    unsigned workers;
    const char *look; /* how every state is looked at; NULL: by an algorithm */
    char *states;
    const char *used;
};

static int find(const char *word, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    fprintf(stderr, "bench_cut: no '%s'\n", word);
    exit(2);
}

static void read_kind(struct measure *m, char *kind) {
    static const char *const looks[] = {"call", "batch", "sums", "race", "calls"};
    char *slash = strchr(kind, '/');
    m->workers = slash ? (unsigned)strtoul(slash + 1, NULL, 10) : 1;
    if (slash)
        *slash = 0;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (strcmp(kind, looks[i]) == 0)
            m->look = looks[i];
    if (!m->look)
        m->algorithm = (enum hd_cut_algorithm)find(kind, hd_cut_algorithm_names, HD_CUT_ALGORITHMS);
}

/* A weight for each event, and a bound that few states reach. */
static void sum_all(const hd_cut_space *space, const uint32_t *none, uint64_t *visited) {
    int16_t *value = HD_NEW_ARRAY(int16_t, space->start[space->threads] + 1);
    uint64_t above = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 0; c <= space->length[p]; c++)
            value[space->start[p] + c] = (int16_t)((c * 37 + p * 11) % 100);
    hd_cut_sums(space, none, space->length, value, 900, NULL, visited, &above);
    if (above > *visited)
        exit(2);
    free(value);
}

/* Every two accesses of a variable that are concurrent, one of which writes. */
static void race_all(const hd_cut_space *space, const uint32_t *none, uint64_t *visited) {
    const hd_trace *trace = space->order->trace;
    HD_VEC(hd_cut_clash) pairs = {0};
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 1; c <= space->length[p]; c++) {
            uint32_t a = hd_cut_event(space, p, c);
            if (!hd_trace_is_access(hd_trace_event(trace, a)))
                continue;
            for (uint32_t q = p + 1; q < space->threads; q++)
                for (uint32_t d = hd_cut_low(space, p, c)[q] + 1; d <= space->length[q]; d++) {
                    const heddle_event *f = hd_trace_event(trace, hd_cut_event(space, q, d));
                    if (hd_trace_is_access(f) && f->object == hd_trace_event(trace, a)->object &&
                        (hd_trace_writes(f) || hd_trace_writes(hd_trace_event(trace, a))) &&
                        hd_cut_low(space, q, d)[p] < c)
                        hd_vec_push(&pairs, ((hd_cut_clash){(uint32_t)(space->start[p] + c),
                                                            (uint32_t)(space->start[q] + d)}));
                }
        }
    hd_cut_clashes clashes;
    uint64_t racing = 0;
    hd_cut_clashes_init(&clashes, space, pairs.data, pairs.length);
    hd_cut_clash_count(&clashes, none, space->length, NULL, NULL, visited, &racing);
    if (racing > *visited)
        exit(2);
    hd_cut_clashes_release(&clashes);
    hd_vec_release(&pairs);
}

/* As many calls as a large trace has states, over a few states that are there. */
static void call_only(uint64_t *never, uint64_t *visited) {
    hd_cut_packed states[HD_CUT_BATCH] = {0};
    hd_cut_test *volatile which = test; /* not to be known to the compiler */
    hd_cut_test *call = which;
    for (*visited = 0; *visited < (1U << 27); *visited += HD_CUT_BATCH)
        for (size_t i = 0; i < HD_CUT_BATCH; i++)
            if (call(never, &states[i]))
                exit(2);
}

static uint64_t look_at_all(const struct measure *m, hd_order *order) {
    hd_error error = {""};
    if (!hd_order_need(order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX, &error))
        exit(2);
    hd_cut_space space;
    uint32_t *places = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
    uint32_t threads = hd_cut_space_threads(order, places);
    hd_cut_places_for_diagram(order, HD_ORDER_POSET, places, threads); /* any order will do */
    hd_cut_space_init(&space, order, HD_ORDER_POSET, places);
    free(places);
    uint32_t *none = HD_NEW_ARRAY(uint32_t, space.stride);
    uint64_t never[2] = {UINT64_MAX, UINT64_MAX}, sum = 0, visited = 0;
    if (strcmp(m->look, "sums") == 0)
        sum_all(&space, none, &visited);
    else if (strcmp(m->look, "race") == 0)
        race_all(&space, none, &visited);
    else if (strcmp(m->look, "calls") == 0)
        call_only(never, &visited);
    else if (strcmp(m->look, "call") == 0)
        hd_cut_packed_each(&space, none, space.length, test, never, NULL, &visited);
    else
        hd_cut_packed_batches(&space, none, space.length, take, &sum, NULL, &visited);
    free(none);
    hd_cut_space_release(&space);
    return visited;
}

static double once(struct measure *m) {
    hd_order order;
    hd_cut_answer answer = {0};
    hd_error error = {""};
    double started = now();
    hd_order_init(&order, &m->trace);
    if (m->look) {
        hd_cut_count_add(&answer.states, look_at_all(m, &order));
    } else {
        hd_cut_request request = {.model = m->model,
                                  .class = m->class,
                                  .algorithm = m->algorithm,
                                  .workers = m->workers,
                                  .stop = &time_is_up,
                                  .memory = (size_t)8 << 30};
        if (!hd_cut_states(&order, &request, &answer, &error)) {
            fprintf(stderr, "bench_cut: %s\n", error.text);
            exit(2);
        }
        m->used = hd_cut_algorithm_names[answer.algorithm];
    }
    double seconds = m->workers > 1 ? answer.busiest : now() - started;
    hd_order_release(&order);
    free(m->states);
    m->states = hd_cut_count_text(&answer.states);
    hd_cut_answer_release(&answer);
    return seconds;
}

int main(int argc, char **argv) {
    static const char *const models[] = {[HD_ORDER_LOSET] = "loset", [HD_ORDER_POSET] = "poset"};
    if (argc != 6)
        return 2;
    struct measure m = {.used = argv[4]};
    hd_error error = {""};
    hd_trace_init(&m.trace);
    if (!hd_trace_load(&m.trace, argv[1], 0, &error)) {
        fprintf(stderr, "bench_cut: %s\n", error.text);
        return 2;
    }
    m.model = (enum hd_order_model)find(argv[2], models, HD_ORDER_MODELS);
    m.class = (enum hd_cut_class)find(argv[3], hd_cut_class_names, HD_CUT_CLASSES);
    read_kind(&m, argv[4]);
    double before = memory("VmRSS"), best = 0;
    bool timed = argv[5][0] == '@';
    unsigned long rounds = timed ? 1 : strtoul(argv[5], NULL, 10);
    if (timed)
        set_alarm(strtol(argv[5] + 1, NULL, 10));
    for (unsigned long i = 0; i < rounds; i++) {
        double seconds = once(&m);
        best = i && best < seconds ? best : seconds;
    }
    printf("%s %.9f %.0f %s\n", m.states, best, memory("VmHWM") - before, m.used);
    free(m.states);
    hd_trace_release(&m.trace);
    return 0;
}
