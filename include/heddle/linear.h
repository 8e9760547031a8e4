/*
 * Is a data structure linearizable?  In C11 and C++17, beside heddle/test.h:
 *
 *     #include <heddle/linear.h>
 *
 *     typedef struct model { int count; long long values[8]; } model;
 *
 *     HEDDLE_LINEAR(stack, model) {}
 *
 *     HEDDLE_OPERATION(stack, push, "fresh") { push(a); return HEDDLE_DONE; }
 *     HEDDLE_MODEL(stack, push) { model->values[model->count++] = a; return HEDDLE_DONE; }
 *
 *     HEDDLE_OPERATION(stack, pop) { return pop(); }
 *     HEDDLE_MODEL(stack, pop) {
 *         return model->count ? model->values[--model->count] : HEDDLE_EMPTY;
 *     }
 *
 * `heddle test file.c` makes small programs that call these operations in several threads, the
 * smallest first, and runs each under every schedule that matters.  In every run there must be an
 * order of the calls in which the model gives the same results, and in which no call comes before
 * one that had returned when it began.  If no order does, heddle test shows the program, the calls
 * over time and the schedule (doc/testing.md).
 *
 *     HEDDLE_LINEAR(name, type) { ... }             a test; the type of the model; what is done
 *                                                   before the first call
 *     HEDDLE_LINEAR(name, type, "options") { ... }
 *     HEDDLE_LINEAR_FAILS(name, type) { ... }       declared to fail
 *     HEDDLE_OPERATION(name, operation) { ... }     an operation: returns a long long
 *     HEDDLE_OPERATION(name, operation, "0..2") { ... }           with an argument, a
 *     HEDDLE_OPERATION(name, operation, "1,2", "fresh") { ... }   with two, a and b
 *     HEDDLE_OPERATION_BY(name, "owner", operation) { ... }       only one thread of a client calls
 *                                                   the operations by "owner"
 *     HEDDLE_MODEL(name, operation) { ... }         what it does to the model, and returns
 *
 * The values of an argument are listed, or "fresh": another number in each call, 1, 2 and so on in
 * the order in which a client's text has the calls; list them where their order counts.  An
 * operation without a result returns HEDDLE_DONE; HEDDLE_EMPTY is a result that is no number.
 *
 * Each run starts with global variables as they are initialised.  The model starts as zeros, in C++
 * as `type()`; the body of HEDDLE_LINEAR may change it, as `model`.  In C the model is copied byte
 * by byte; in C++ it is copied as its type says.
 *
 * A model returns HEDDLE_WAITS where the operation waits.  Then it is right that calls wait for
 * ever, if by the model all of them wait.
 *
 * Options are those of a test (heddle/test.h), and bounds: threads=2, operations=2 (calls of each
 * thread), before=1 (calls before the threads begin), all at most; after=pop+pop (calls after they
 * have ended), clients=1000 (at most).
 */
#ifndef HEDDLE_LINEAR_H
#define HEDDLE_LINEAR_H

#include <heddle/test.h>

#include <heddle/linear_clients.h>

#ifdef __cplusplus
#include <new>
#include <type_traits>

extern "C" {
#endif

/* ---- What is declared ---- */

typedef struct heddle_linear {
    const char *name, *options, *file;
    unsigned line;
    heddle_linear_model model;
    void *initial;
    void (*begin)(void);
    heddle_operation *first, **last;
    struct heddle_linear *next;
} heddle_linear;

/* The run of a client. */
typedef struct heddle_linear_all {
    heddle_linear *first;
    const char *client; /* that is to be run; NULL: none was given */
    const heddle_linear *running;
    heddle_history history;
    unsigned before; /* calls before the threads are started */
    int stage;       /* 1: the threads run; 2: they have ended */
    union {
        uint8_t of[HEDDLE_LINEAR_THREADS];
        uint64_t all;
    } returned; /* how many calls of each thread */
    int controlled;
    int (*stuck)(void); /* where no thread can go on: is that right? */
} heddle_linear_all;

__attribute__((weak)) heddle_linear_all heddle_all_linear;

/* ---- The runtime, if it is there ---- */

/* What is to be asked when no thread can go on any more: is that right? */
void heddle_rt_stuck(int (*const *is_right)(void)) __attribute__((weak));

/* ---- Calls ---- */

/*
 * The order of calls and returns in time is what the program itself sees: a return stores the
 * number of calls that its thread has made, and the beginning of a call loads these numbers of all
 * threads, in one step.  So it is data like any other, and whatever a search leaves out, runs with
 * another order of a return and the beginning of a call are other runs to it.  Two returns, or two
 * beginnings, do not depend on each other.
 *
 * Under heddle these steps are relaxed, so that they order nothing else, and hide no data race.
 */
static inline uint64_t heddle_linear_look(const heddle_linear_all *all) {
    return all->controlled ? __atomic_load_n(&all->returned.all, __ATOMIC_RELAXED)
                           : __atomic_load_n(&all->returned.all, __ATOMIC_SEQ_CST);
}

static inline void heddle_linear_tell(heddle_linear_all *all, unsigned thread, unsigned number) {
    if (all->controlled)
        __atomic_store_n(&all->returned.of[thread], (uint8_t)number, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&all->returned.of[thread], (uint8_t)number, __ATOMIC_SEQ_CST);
}

static inline uint64_t heddle_linear_lanes(uint64_t seen) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(seen);
#else
    return seen;
#endif
}

static inline void heddle_linear_call(heddle_linear_all *all, heddle_call *call) {
    call->seen = heddle_linear_lanes(heddle_linear_look(all));
    call->result = call->operation->run(call->a, call->b);
    call->returned = 1;
    heddle_linear_tell(all, call->thread, call->number + 1);
}

static inline void *heddle_linear_thread(void *of) {
    heddle_linear_all *all = &heddle_all_linear;
    heddle_call *call = (heddle_call *)of, *end = all->history.call + all->history.count;
    unsigned thread = call->thread;
    for (; call < end && call->thread == thread; call++)
        heddle_linear_call(all, call);
    return NULL;
}

/* ---- Judging ---- */

/* The calls that were begun.  Where no thread goes on, every thread is in the first call that has
 * not returned; the first one perhaps waits for the others to end. */
static inline void heddle_linear_taken(heddle_history *taken, int stuck) {
    const heddle_linear_all *all = &heddle_all_linear;
    const heddle_history *h = &all->history;
    unsigned i;
    taken->count = 0;
    taken->stuck = stuck;
    for (i = 0; i < h->count; i++) {
        const heddle_call *call = &h->call[i];
        int next = i == 0 || h->call[i - 1].thread != call->thread || h->call[i - 1].returned;
        int waits = stuck && next && (call->thread ? all->stage == 1 : all->stage != 1);
        if (call->returned || waits)
            taken->call[taken->count++] = *call;
    }
}

/* Is there an order of the calls?  If not, they are shown. */
static inline int heddle_linear_right(int stuck) {
    const heddle_linear *linear = heddle_all_linear.running;
    heddle_linear_search search;
    heddle_history taken;
    heddle_linear_taken(&taken, stuck);
    if (heddle_linear_holds(&search, &taken, &linear->model, linear->initial))
        return 1;
    printf("no order of these calls has these results%s:\n",
           stuck ? ", and lets those that do not return wait" : "");
    heddle_linear_draw(stdout, &taken);
    heddle_linear_explain(stdout, &search, linear->initial);
    fflush(stdout);
    return 0;
}

static inline void heddle_linear_check(void) {
    const heddle_linear *linear = heddle_all_linear.running;
    char text[200];
    if (heddle_linear_right(0))
        return;
    snprintf(text, sizeof text, "not linearizable: %.160s", heddle_all_linear.client);
    heddle_test_failed(text, linear->file, linear->line, linear->name);
}

/* The threads have ended: by their calls, not in one of them, which then perhaps took effect. */
static inline void heddle_linear_check_returned(void) {
    const heddle_linear *linear = heddle_all_linear.running;
    const heddle_history *h = &heddle_all_linear.history;
    char text[HEDDLE_LINEAR_WORD + 64], call[HEDDLE_LINEAR_WORD];
    unsigned i;
    for (i = 0; i < h->count; i++)
        if (h->call[i].thread && !h->call[i].returned) {
            heddle_linear_show(call, sizeof call, &h->call[i]);
            snprintf(text, sizeof text, "%s has ended its thread and not returned", call);
            heddle_test_failed(text, linear->file, linear->line, linear->name);
        }
}

/* When no thread can go on. */
static inline int heddle_linear_stuck(void) {
    return heddle_linear_right(1);
}

/* ---- Running a client ---- */

static inline void heddle_linear_begin(heddle_linear *linear) {
    heddle_linear_all *all = &heddle_all_linear;
    all->running = linear;
    all->controlled = heddle_running();
    heddle_linear_parse(all->client, linear->first, &all->history, &all->before);
    all->stuck = heddle_linear_stuck;
    if (heddle_rt_stuck)
        heddle_rt_stuck(&all->stuck);
}

static inline void heddle_linear_run(heddle_linear *linear) {
    heddle_linear_all *all = &heddle_all_linear;
    heddle_history *h = &all->history;
    unsigned own, i;
    heddle_linear_begin(linear);
    for (own = 0; own < all->before; own++)
        heddle_linear_call(all, &h->call[own]);
    all->stage = 1;
    for (i = 0; i < h->count; i++)
        if (h->call[i].thread && (i == 0 || h->call[i - 1].thread != h->call[i].thread))
            heddle_thread(heddle_linear_thread, &h->call[i]);
    heddle_join();
    all->stage = 2;
    heddle_linear_check_returned();
    heddle_linear_check();
    for (; own < h->count && h->call[own].thread == 0; own++) {
        heddle_linear_call(all, &h->call[own]);
        heddle_linear_check();
    }
    all->stuck = NULL;
}

/* ---- Making clients ---- */

static inline void heddle_linear_bound(const heddle_linear *linear, heddle_linear_bounds *bounds) {
    memset(bounds, 0, sizeof *bounds);
    bounds->threads = bounds->operations = 2;
    bounds->before = 1;
    bounds->clients = ULLONG_MAX;
    heddle_linear_read(bounds, linear->options);
}

typedef struct heddle_linear_counting {
    const heddle_linear *linear;
    unsigned long long count, wanted; /* the one that is wanted, from 1; 0: all are printed */
    unsigned long long safe;          /* the last whose calls all return, by the model */
    heddle_linear_text text;
    heddle_history calls;
    unsigned before;
} heddle_linear_counting;

/* Does the model let all calls return that come before the threads?  Else they would not begin. */
static inline int heddle_linear_begins(heddle_linear_counting *c) {
    const heddle_linear_model *model = &c->linear->model;
    void *state = HEDDLE_LINEAR_ROOM(model);
    unsigned i;
    int begins = 1;
    heddle_linear_parse(c->text.text, c->linear->first, &c->calls, &c->before);
    model->copy(state, c->linear->initial);
    for (i = 0; i < c->before && begins; i++) {
        const heddle_call *call = &c->calls.call[i];
        begins = call->operation->apply(state, call->a, call->b) != HEDDLE_WAITS;
    }
    model->drop(state);
    return begins;
}

static inline int heddle_linear_each(void *context, const heddle_linear_maker *maker,
                                     const heddle_linear_client *client) {
    heddle_linear_counting *c = (heddle_linear_counting *)context;
    heddle_linear_client_text(maker, client, &c->text);
    if (!heddle_linear_begins(c))
        return 0;
    if (++c->count > maker->bounds.clients)
        return 1;
    if (c->wanted == ULLONG_MAX && !heddle_running() &&
        heddle_linear_all_return(&c->calls, &c->linear->model, 0, c->before, c->linear->initial))
        c->safe = c->count;
    if (!c->wanted)
        puts(c->text.text);
    return c->wanted && c->count == c->wanted;
}

static inline unsigned long long heddle_linear_go_through(const heddle_linear *linear,
                                                          const heddle_linear_bounds *bounds,
                                                          heddle_linear_counting *counting) {
    heddle_linear_maker *maker = (heddle_linear_maker *)malloc(sizeof *maker);
    if (!maker)
        heddle_test_stop("out of memory");
    heddle_linear_maker_init(maker, linear->first, bounds);
    counting->linear = linear;
    maker->each = heddle_linear_each;
    maker->context = counting;
    heddle_linear_make(maker);
    free(maker);
    return counting->count;
}

static inline heddle_linear *heddle_linear_find(const char *name) {
    heddle_linear *it = heddle_all_linear.first;
    while (it && strcmp(it->name, name) != 0)
        it = it->next;
    if (it && !it->first)
        heddle_linear_bad("a structure without operations", name);
    return it;
}

/* Run without heddle test: any client of the first thousand, of the search's choice; without heddle
 * the last of them that cannot wait for ever. */
static inline void heddle_linear_choose(const heddle_linear *linear) {
    static heddle_linear_counting counting;
    heddle_linear_bounds bounds;
    heddle_linear_bound(linear, &bounds);
    memset(&counting, 0, sizeof counting);
    bounds.clients = bounds.clients < 1000 ? bounds.clients : 1000;
    counting.wanted = ULLONG_MAX;
    counting.wanted = heddle_linear_go_through(linear, &bounds, &counting);
    if (counting.wanted > bounds.clients)
        counting.wanted = bounds.clients;
    if (heddle_running())
        counting.wanted = counting.wanted > 1
                              ? (unsigned long long)heddle_choose(1, (long long)counting.wanted)
                              : 1;
    else if (counting.safe)
        counting.wanted = counting.safe;
    counting.count = 0;
    heddle_linear_go_through(linear, &bounds, &counting);
    heddle_all_linear.client = counting.text.text;
}

/* Are these calls of the structure? */
static inline void heddle_linear_check_after(const heddle_linear *linear, const char *after) {
    static heddle_linear_text text;
    static heddle_history calls;
    unsigned before;
    heddle_linear_put_after(&text, after);
    heddle_linear_parse(text.text, linear->first, &calls, &before);
    if (calls.count > 8)
        heddle_linear_bad("clients can have 8 calls at the end", after);
}

/* Has a call an argument that is another number in each call? */
static inline int heddle_linear_has_fresh(const heddle_linear *linear) {
    const heddle_operation *it;
    unsigned i;
    for (it = linear->first; it; it = it->next)
        for (i = 0; i < 2; i++)
            if (it->domain[i] && strcmp(it->domain[i], "fresh") == 0)
                return 1;
    return 0;
}

/* --clients NAME [BOUND]...: prints them.  --run NAME --client TEXT: chooses one.  The status, or
 * -1: it is no such thing. */
static inline int heddle_linear_main(int *argc, char **argv) {
    heddle_linear *linear;
    heddle_linear_listing = *argc > 2 && strcmp(argv[1], "--clients") == 0;
    linear = *argc > 2 ? heddle_linear_find(argv[2]) : NULL;
    if (linear && *argc == 5 && strcmp(argv[1], "--run") == 0 && strcmp(argv[3], "--client") == 0) {
        heddle_all_linear.client = argv[4];
        *argc = 3;
        return -1;
    }
    if (linear && heddle_linear_listing) {
        static heddle_linear_counting counting;
        heddle_linear_bounds bounds;
        int i;
        heddle_linear_bound(linear, &bounds);
        for (i = 3; i < *argc; i++)
            heddle_linear_read(&bounds, argv[i]);
        heddle_linear_check_after(linear, bounds.after);
        linear->begin(); /* which may change the model */
        printf("heddle clients 1\n%u %u %u %d\n", bounds.threads, bounds.operations, bounds.before,
               heddle_linear_has_fresh(linear));
        if (heddle_linear_go_through(linear, &bounds, &counting) > bounds.clients)
            puts("...");
        return 0;
    }
    return -1;
}

static inline void heddle_linear_test(heddle_linear *linear) {
    linear->begin();
    if (!heddle_all_linear.client)
        heddle_linear_choose(linear);
    heddle_linear_run(linear);
}

static inline void heddle_linear_add(heddle_linear *linear) {
    heddle_linear **last = &heddle_all_linear.first;
    while (*last)
        last = &(*last)->next;
    *last = linear;
    heddle_all_tests.clients = heddle_linear_main;
}

static inline void heddle_operation_add(heddle_linear *linear, heddle_operation *operation) {
    if (!linear->last)
        linear->last = &linear->first;
    *linear->last = operation;
    linear->last = &operation->next;
}

#ifdef __cplusplus
} /* extern "C" */

namespace heddle {

template <class M> void model_copy(void *to, const void *from) {
    new (to) M(*static_cast<const M *>(from));
}

template <class M> void model_drop(void *state) {
    static_cast<M *>(state)->~M();
}

} // namespace heddle

extern "C" {
#else

static inline void heddle_linear_drop(void *state) {
    (void)state;
}

#endif

#ifdef __cplusplus
}
#endif

/* ---- Declaring ---- */

#define HEDDLE_LINEAR(...) HEDDLE_LINEAR_DECLARE(0, __VA_ARGS__, "", 0)
#define HEDDLE_LINEAR_FAILS(...) HEDDLE_LINEAR_DECLARE(1, __VA_ARGS__, "", 0)

#ifdef __cplusplus
#define HEDDLE_LINEAR_COPY(name)
#define HEDDLE_LINEAR_MODEL(name)                                                                  \
    {                                                                                              \
        sizeof(heddle_model_##name), std::is_trivially_copyable<heddle_model_##name>::value,       \
            heddle::model_copy<heddle_model_##name>, heddle::model_drop<heddle_model_##name>       \
    }
#else
#define HEDDLE_LINEAR_COPY(name)                                                                   \
    static void heddle_model_##name##_copy(void *to, const void *from) {                           \
        memcpy(to, from, sizeof(heddle_model_##name));                                             \
    }
#define HEDDLE_LINEAR_MODEL(name)                                                                  \
    { sizeof(heddle_model_##name), 1, heddle_model_##name##_copy, heddle_linear_drop }
#endif

#define HEDDLE_LINEAR_DECLARE(fails, name, type, options, ...)                                     \
    typedef type heddle_model_##name;                                                              \
    HEDDLE_LINEAR_COPY(name)                                                                       \
    static heddle_model_##name heddle_model_##name##_initial;                                      \
    static void heddle_structure_##name##_body(heddle_model_##name *model);                        \
    static void heddle_structure_##name##_begin(void) {                                            \
        heddle_structure_##name##_body(&heddle_model_##name##_initial);                            \
    }                                                                                              \
    static heddle_linear heddle_structure_##name = {#name,                                         \
                                                    options,                                       \
                                                    __FILE__,                                      \
                                                    __LINE__,                                      \
                                                    HEDDLE_LINEAR_MODEL(name),                     \
                                                    &heddle_model_##name##_initial,                \
                                                    heddle_structure_##name##_begin,               \
                                                    NULL,                                          \
                                                    NULL,                                          \
                                                    NULL};                                         \
    __attribute__((constructor)) static void heddle_structure_##name##_add(void) {                 \
        heddle_linear_add(&heddle_structure_##name);                                               \
    }                                                                                              \
    HEDDLE_TEST_DECLARE(fails, name, "linear " options, 0) {                                       \
        heddle_linear_test(&heddle_structure_##name);                                              \
    }                                                                                              \
    static void heddle_structure_##name##_body(__attribute__((unused)) heddle_model_##name *model)

#define HEDDLE_OPERATION(name, ...) HEDDLE_OPERATION_DECLARE(name, NULL, __VA_ARGS__, NULL, NULL, 0)
#define HEDDLE_OPERATION_BY(name, by, ...)                                                         \
    HEDDLE_OPERATION_DECLARE(name, by, __VA_ARGS__, NULL, NULL, 0)
#define HEDDLE_OPERATION_DECLARE(name, by, operation, first, second, ...)                          \
    static long long heddle_operation_##name##_##operation##_run(long long a, long long b);        \
    static long long heddle_operation_##name##_##operation##_model(heddle_model_##name *model,     \
                                                                   long long a, long long b);      \
    static long long heddle_operation_##name##_##operation##_apply(void *model, long long a,       \
                                                                   long long b) {                  \
        return heddle_operation_##name##_##operation##_model((heddle_model_##name *)model, a, b);  \
    }                                                                                              \
    static heddle_operation heddle_operation_##name##_##operation = {                              \
        #operation,                                                                                \
        {first, second},                                                                           \
        heddle_operation_##name##_##operation##_run,                                               \
        heddle_operation_##name##_##operation##_apply,                                             \
        by,                                                                                        \
        NULL};                                                                                     \
    __attribute__((constructor)) static void heddle_operation_##name##_##operation##_add(void) {   \
        heddle_operation_add(&heddle_structure_##name, &heddle_operation_##name##_##operation);    \
    }                                                                                              \
    static long long heddle_operation_##name##_##operation##_run(                                  \
        __attribute__((unused)) long long a, __attribute__((unused)) long long b)

#define HEDDLE_MODEL(name, operation)                                                              \
    static long long heddle_operation_##name##_##operation##_model(                                \
        __attribute__((unused)) heddle_model_##name *model, __attribute__((unused)) long long a,   \
        __attribute__((unused)) long long b)

#endif
