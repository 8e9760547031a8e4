/*
 * Tests of code with threads, in C11 and C++17.  This header is all there is to it:
 *
 *     #include <heddle/test.h>
 *
 *     static int count;
 *     static void *add(void *unused) { (void)unused; count++; return NULL; }
 *
 *     HEDDLE_TEST(counts) {
 *         heddle_thread(add, NULL);
 *         heddle_thread(add, NULL);
 *         heddle_join();
 *         HEDDLE_EQUAL(count, 2);
 *     }
 *
 * `heddle test file.c` compiles the file and runs each test under every schedule that matters: a
 * test passes if no schedule fails.  Built by another compiler, or run without heddle, the program
 * runs each test once (doc/testing.md).
 *
 *     HEDDLE_TEST(name) { ... }             a test; its name is an identifier
 *     HEDDLE_TEST(name, "time=10s") { ... } with options (see below)
 *     HEDDLE_TEST_FAILS(name) { ... }       declared to fail: that no schedule fails is an error
 *
 *     heddle_thread(function, argument);    starts a thread: void *function(void *argument)
 *     heddle_thread([&] { ... });           the same in C++
 *     heddle_join();                        waits for all that this thread has started; the end of
 *                                           a test does so too
 *
 *     HEDDLE_CHECK(condition);              fails the test unless it is true
 *     HEDDLE_EQUAL(a, b);                   the same for a == b, and prints both values
 *     HEDDLE_EVENTUALLY(condition);         waits until it is true: that it may never be is
 * reported HEDDLE_INVARIANT(name, condition);    outside of functions: must be true before and
 * after every step of the test of this name, from its first heddle_thread to its heddle_join
 *     HEDDLE_ALWAYS(condition);             C++, inside a test: the same from here to heddle_join;
 *                                           may use the test's variables
 *
 * Threads may also be made by any other means (pthread_create, std::thread); then heddle_watch()
 * says from where on invariants must hold.  heddle_choose and all else of heddle/mark.h is there
 * too.
 *
 * An invariant is looked at by a thread of its own, in one step, at any moment: that step is never
 * a data race.  Without heddle it is looked at where it begins and where it ends.
 *
 * Options are words with blanks between them: time=10s, executions=1000, depth=500 (limits, as of
 * heddle explore), spurious (waits on conditions may end by themselves), reuse (freed memory may be
 * handed out again), no-race (do not look for data races), and of tests that are declared to fail,
 * with=RULE: how (race, deadlock, assertion, abort, signal, exit, ...).
 *
 * The program has a main function, a weak one: it gives way to another one.  Its arguments:
 * --list, --run NAME, or names of tests (none: all).  With HEDDLE_TEST_NO_MAIN defined there is
 * none, which leaves threads, checks and invariants for the tests of other frameworks.
 */
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#include <heddle/mark.h>

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds after which a test that runs without heddle is ended. */
#ifndef HEDDLE_TEST_SECONDS
#define HEDDLE_TEST_SECONDS 10
#endif

enum { HEDDLE_TEST_THREADS = 64, HEDDLE_TEST_MONITORS = 16 }; /* of one thread, at most */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What heddle's runtime has, if it is there ---- */

int heddle_rt_running(void) __attribute__((weak));
void heddle_rt_section(int begins) __attribute__((weak));
void heddle_rt_monitor(void) __attribute__((weak)); /* the next thread only looks */
void heddle_rt_tests(const char *const *running, const char *file, unsigned line)
    __attribute__((weak));
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) __THROW
    __attribute__((noreturn));
int on_exit(void (*function)(int status, void *argument), void *argument) __THROW;

/* Does heddle decide which thread runs? */
static inline int heddle_running(void) {
    return heddle_rt_running ? heddle_rt_running() : 0;
}

/* ---- Tests ---- */

typedef struct heddle_test {
    const char *name, *options;
    int fails; /* it is declared to */
    void (*body)(void);
    struct heddle_test *next;
} heddle_test;

typedef struct heddle_invariant {
    const char *test;
    void *(*check)(void *);
    struct heddle_invariant *next;
} heddle_invariant;

/* All of a program, whichever of its files they are in. */
typedef struct heddle_test_list {
    heddle_test *first, **last;
    heddle_invariant *invariants;
    const char *running; /* the name of the test; NULL: none */
    pthread_t runner;    /* its thread */
    pid_t process;       /* that runs it, not one that it has made */
    /* Of heddle/linear.h: what else the arguments may say; -1: nothing. */
    int (*clients)(int *argc, char **argv);
} heddle_test_list;

__attribute__((weak)) heddle_test_list heddle_all_tests;

static inline void heddle_test_add(heddle_test *test) {
    heddle_test_list *all = &heddle_all_tests;
    if (!all->last)
        all->last = &all->first;
    *all->last = test;
    all->last = &test->next;
}

static inline void heddle_invariant_add(heddle_invariant *invariant) {
    invariant->next = heddle_all_tests.invariants;
    heddle_all_tests.invariants = invariant;
}

/* ---- Failures ---- */

/* Inlined, so that failures at two places are two findings. */
__attribute__((noreturn, always_inline)) static inline void
heddle_test_failed(const char *text, const char *file, unsigned line, const char *function) {
    __assert_fail(text, file, line, function);
}

/* The test itself is wrong. */
__attribute__((noreturn)) static inline void heddle_test_stop(const char *text) {
    fprintf(stderr, "heddle/test.h: %s\n", text);
    abort();
}

/* ---- Threads ---- */

/* What one thread has started and not joined, and the invariants that it has begun. */
typedef struct heddle_started {
    int threads, joined, monitors, watching;
    pthread_t thread[HEDDLE_TEST_THREADS];
    struct {
        void *(*check)(void *);
        void *argument;
    } monitor[HEDDLE_TEST_MONITORS];
} heddle_started;

__attribute__((weak)) __thread heddle_started heddle_own;

/* The place for a thread that is about to be started. */
static inline pthread_t *heddle_thread_place(void) {
    heddle_started *own = &heddle_own;
    if (own->threads == HEDDLE_TEST_THREADS)
        heddle_test_stop("too many threads");
    return &own->thread[own->threads++];
}

static inline void heddle_thread_started(int error) {
    if (error)
        heddle_test_stop("a thread cannot be started");
}

/* The next one to be joined; 0: none is left, and invariants end here. */
static inline int heddle_join_next(pthread_t *next) {
    heddle_started *own = &heddle_own;
    int i;
    if (own->joined < own->threads) {
        *next = own->thread[own->joined++];
        return 1;
    }
    for (i = 0; i < own->monitors; i++)
        own->monitor[i].check(own->monitor[i].argument);
    own->threads = own->joined = own->monitors = own->watching = 0;
    return 0;
}

/* Macros, so that schedules name the line of the test. */
#define heddle_join()                                                                              \
    do {                                                                                           \
        pthread_t heddle_next;                                                                     \
        while (heddle_join_next(&heddle_next))                                                     \
            pthread_join(heddle_next, NULL);                                                       \
    } while (0)

/* The check holds from here to heddle_join.  Under heddle a thread of its own looks, once, at a
 * moment that the search chooses; without it no thread could look without a race. */
static inline void heddle_monitor(void *(*check)(void *), void *argument) {
    heddle_started *own = &heddle_own;
    if (heddle_running()) {
        if (heddle_rt_monitor)
            heddle_rt_monitor();
        heddle_thread_started(pthread_create(heddle_thread_place(), NULL, check, argument));
        return;
    }
    if (own->monitors == HEDDLE_TEST_MONITORS)
        heddle_test_stop("too many invariants");
    own->monitor[own->monitors].check = check;
    own->monitor[own->monitors++].argument = argument;
    check(argument);
}

/* The invariants of the test hold from here to heddle_join. */
static inline void heddle_watch(void) {
    const heddle_test_list *all = &heddle_all_tests;
    heddle_invariant *it;
    if (!all->running || heddle_own.watching || !pthread_equal(all->runner, pthread_self()))
        return;
    heddle_own.watching = 1;
    for (it = all->invariants; it; it = it->next)
        if (strcmp(it->test, all->running) == 0)
            heddle_monitor(it->check, NULL);
}

/* A macro, so that schedules name the line of the invariant. */
#define heddle_section(begins) (heddle_rt_section ? heddle_rt_section(begins) : (void)0)

#ifdef __cplusplus
} /* extern "C" */

#include <memory>
#include <sstream>
#include <type_traits>
#include <utility>

namespace heddle {

template <class F> void *run(void *closure) {
    std::unique_ptr<F> function(static_cast<F *>(closure));
    (*function)();
    return nullptr;
}

/* What a thread runs: a function with its argument, or something to be called. */
struct start {
    void *(*function)(void *);
    void *argument;
    start(void *(*from)(void *), void *with) : function(from), argument(with) {
    }
    template <class F>
    explicit start(F &&from)
        : function(run<std::decay_t<F>>), argument(new std::decay_t<F>(std::forward<F>(from))) {
    }
};

template <class F> void *look(void *closure) {
    (*static_cast<F *>(closure))();
    return nullptr;
}

/* An invariant with variables of the test. */
template <class F> struct always {
    F function;
    explicit always(F &&from) : function(std::move(from)) {
        heddle_monitor(look<F>, &function);
    }
    always(const always &) = delete;
    ~always() {
        heddle_join();
    }
};

template <class T> void show(std::ostream &to, const T &value) {
    if constexpr (std::is_enum_v<T>)
        to << static_cast<long long>(value);
    else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> ||
                       std::is_same_v<T, unsigned char>)
        to << static_cast<int>(value);
    else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>)
        to << static_cast<const void *>(value);
    else if constexpr (std::is_arithmetic_v<T>)
        to << value;
    else
        to << "?";
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
template <class A, class B>
void equal(const A &a, const B &b, const char *text, const char *file, unsigned line,
           const char *function) {
    if (a == b)
        return;
    std::ostringstream said;
    said << text << " (";
    show(said, a);
    said << " and ";
    show(said, b);
    said << ")";
    heddle_test_failed(said.str().c_str(), file, line, function);
}
#pragma GCC diagnostic pop

} // namespace heddle

#define heddle_thread(...)                                                                         \
    do {                                                                                           \
        heddle_watch();                                                                            \
        heddle::start heddle_it(__VA_ARGS__);                                                      \
        heddle_thread_started(pthread_create(heddle_thread_place(), nullptr, heddle_it.function,   \
                                             heddle_it.argument));                                 \
    } while (0)

#define HEDDLE_EQUAL(a, b) heddle::equal((a), (b), #a " == " #b, __FILE__, __LINE__, __func__)

#define HEDDLE_ALWAYS(...) HEDDLE_ALWAYS_AT(HEDDLE_TEST_JOIN(heddle_always_, __LINE__), __VA_ARGS__)
#define HEDDLE_ALWAYS_AT(name, ...)                                                                \
    heddle::always name([&] { HEDDLE_TEST_LOOK("always ", __VA_ARGS__); })

extern "C" {
#else

#define heddle_thread(function, argument)                                                          \
    do {                                                                                           \
        heddle_watch();                                                                            \
        heddle_thread_started(                                                                     \
            pthread_create(heddle_thread_place(), NULL, (function), (argument)));                  \
    } while (0)

/* 'd': floating point; 'u': unsigned; 'i': signed, or a pointer. */
static inline void heddle_show(char *to, size_t size, char kind, size_t width, ...) {
    va_list values;
    va_start(values, width);
    if (kind == 'd')
        snprintf(to, size, "%g", va_arg(values, double));
    else if (kind == 'u' && width > sizeof(unsigned))
        snprintf(to, size, "%llu", va_arg(values, unsigned long long));
    else if (kind == 'u')
        snprintf(to, size, "%u", va_arg(values, unsigned));
    else if (width > sizeof(int))
        snprintf(to, size, "%lld", va_arg(values, long long));
    else
        snprintf(to, size, "%d", va_arg(values, int));
    va_end(values);
}

#define HEDDLE_SHOW(to, value)                                                                     \
    heddle_show(to, sizeof(to),                                                                    \
                _Generic((value), float                                                            \
                         : 'd', double                                                             \
                         : 'd', unsigned                                                           \
                         : 'u', unsigned long                                                      \
                         : 'u', unsigned long long                                                 \
                         : 'u', default                                                            \
                         : 'i'),                                                                   \
                sizeof(value), (value))

#define HEDDLE_EQUAL(a, b)                                                                         \
    do {                                                                                           \
        __typeof__((void)0, (a)) heddle_a = (a);                                                   \
        __typeof__((void)0, (b)) heddle_b = (b);                                                   \
        _Pragma("GCC diagnostic push")                                                             \
            _Pragma("GCC diagnostic ignored \"-Wsign-compare\"") int heddle_same =                 \
                heddle_a == heddle_b;                                                              \
        _Pragma("GCC diagnostic pop") if (!heddle_same) {                                          \
            char heddle_text_a[40], heddle_text_b[40], heddle_text[512];                           \
            HEDDLE_SHOW(heddle_text_a, heddle_a);                                                  \
            HEDDLE_SHOW(heddle_text_b, heddle_b);                                                  \
            snprintf(heddle_text, sizeof heddle_text, "%s == %s (%s and %s)", #a, #b,              \
                     heddle_text_a, heddle_text_b);                                                \
            heddle_test_failed(heddle_text, __FILE__, __LINE__, __func__);                         \
        }                                                                                          \
    } while (0)

#endif

/* ---- Conditions ---- */

#define HEDDLE_CHECK(...)                                                                          \
    ((__VA_ARGS__) ? (void)0 : heddle_test_failed(#__VA_ARGS__, __FILE__, __LINE__, __func__))

/* In one step, whatever it reads. */
#define HEDDLE_TEST_LOOK(what, ...)                                                                \
    do {                                                                                           \
        int heddle_holds;                                                                          \
        heddle_section(1);                                                                         \
        heddle_holds = (__VA_ARGS__) ? 1 : 0;                                                      \
        heddle_section(0);                                                                         \
        if (!heddle_holds)                                                                         \
            heddle_test_failed(what #__VA_ARGS__, __FILE__, __LINE__, __func__);                   \
    } while (0)

#define HEDDLE_INVARIANT(test, ...)                                                                \
    HEDDLE_INVARIANT_AT(test, HEDDLE_TEST_JOIN(heddle_invariant_##test##_, __LINE__), __VA_ARGS__)
#define HEDDLE_INVARIANT_AT(test, name, ...)                                                       \
    static void *HEDDLE_TEST_JOIN(name, _check)(void *heddle_unused) {                             \
        (void)heddle_unused;                                                                       \
        HEDDLE_TEST_LOOK("invariant ", __VA_ARGS__);                                               \
        return NULL;                                                                               \
    }                                                                                              \
    static heddle_invariant name = {#test, HEDDLE_TEST_JOIN(name, _check), NULL};                  \
    __attribute__((constructor)) static void HEDDLE_TEST_JOIN(name, _add)(void) {                  \
        heddle_invariant_add(&name);                                                               \
    }                                                                                              \
    typedef int HEDDLE_TEST_JOIN(name, _end)

/* A loop that changes nothing, and that heddle therefore takes for one that waits. */
static inline void heddle_wait_more(time_t *until, const char *text, const char *file,
                                    unsigned line, const char *function) {
    sched_yield();
    if (heddle_running())
        return;
    if (!*until)
        *until = time(NULL) + HEDDLE_TEST_SECONDS;
    if (time(NULL) > *until)
        heddle_test_failed(text, file, line, function);
}

/* It reads what no thread writes, in case no other thread accesses what the condition reads: then
 * that is no step, and a loop without steps is not one that waits. */
#define HEDDLE_EVENTUALLY(...)                                                                     \
    do {                                                                                           \
        static int heddle_unwritten;                                                               \
        time_t heddle_until = 0;                                                                   \
        while (!(__VA_ARGS__)) {                                                                   \
            (void)__atomic_load_n(&heddle_unwritten, __ATOMIC_SEQ_CST);                            \
            heddle_wait_more(&heddle_until, "eventually " #__VA_ARGS__, __FILE__, __LINE__,        \
                             __func__);                                                            \
        }                                                                                          \
    } while (0)

/* ---- Declaring tests ---- */

#define HEDDLE_TEST_JOIN(a, b) HEDDLE_TEST_JOIN_(a, b)
#define HEDDLE_TEST_JOIN_(a, b) a##b

#define HEDDLE_TEST(...) HEDDLE_TEST_DECLARE(0, __VA_ARGS__, "", 0)
#define HEDDLE_TEST_FAILS(...) HEDDLE_TEST_DECLARE(1, __VA_ARGS__, "", 0)
#define HEDDLE_TEST_DECLARE(fails, name, options, ...)                                             \
    static void heddle_test_##name##_body(void);                                                   \
    static heddle_test heddle_test_##name = {#name, options, fails, heddle_test_##name##_body,     \
                                             NULL};                                                \
    __attribute__((constructor)) static void heddle_test_##name##_add(void) {                      \
        heddle_test_add(&heddle_test_##name);                                                      \
    }                                                                                              \
    static void heddle_test_##name##_body(void)

/* ---- Running them ---- */

#ifndef HEDDLE_TEST_NO_MAIN

static inline heddle_test *heddle_test_find(const char *name) {
    heddle_test *it = heddle_all_tests.first;
    while (it && strcmp(it->name, name) != 0)
        it = it->next;
    return it;
}

/* Does an invariant speak of a test that is not there, or is a name taken twice? */
static inline int heddle_test_wrong(void) {
    const heddle_invariant *invariant;
    heddle_test *it;
    for (it = heddle_all_tests.first; it; it = it->next)
        if (heddle_test_find(it->name) != it) {
            fprintf(stderr, "heddle/test.h: there are two tests %s\n", it->name);
            return 1;
        }
    for (invariant = heddle_all_tests.invariants; invariant; invariant = invariant->next)
        if (!heddle_test_find(invariant->test)) {
            fprintf(stderr, "heddle/test.h: there is an invariant of %s, but no such test\n",
                    invariant->test);
            return 1;
        }
    return 0;
}

/* A line a test: its name, and its options after a blank.  The first line is for heddle test. */
static inline int heddle_test_print(void) {
    const heddle_test *it;
    puts(heddle_rt_running ? "heddle tests 1" : "heddle tests 1 without heddle");
    for (it = heddle_all_tests.first; it; it = it->next)
        printf("%s%s%s%s\n", it->name, it->fails ? " fails" : "", *it->options ? " " : "",
               it->options);
    return 0;
}

/* A test that leaves by exit(0) has not come to its checks; one whose thread leaves by pthread_exit
 * is told apart by heddle. */
static inline void heddle_test_left(int status, void *process) {
    if (status == 0 && heddle_all_tests.running && getpid() == (pid_t)(intptr_t)process)
        heddle_test_failed(heddle_rt_tests ? "the test ended before its end, by exit(0)"
                                           : "the test ended before its end, by exit(0) or "
                                             "pthread_exit",
                           __FILE__, __LINE__, heddle_all_tests.running);
}

static inline void heddle_test_left_quickly(void) {
    if (heddle_all_tests.running && getpid() == heddle_all_tests.process)
        heddle_test_failed("the test ended before its end, by quick_exit", __FILE__, __LINE__,
                           heddle_all_tests.running);
}

static inline int heddle_test_run(const heddle_test *test) {
    heddle_all_tests.running = test->name;
    heddle_all_tests.runner = pthread_self();
    heddle_all_tests.process = getpid();
    on_exit(heddle_test_left, (void *)(intptr_t)getpid());
    at_quick_exit(heddle_test_left_quickly);
    if (heddle_rt_tests)
        heddle_rt_tests(&heddle_all_tests.running, __FILE__, __LINE__); /* _exit(0) */
    test->body();
    heddle_join();
    heddle_all_tests.running = NULL;
    return 0;
}

/* Each in a process of its own, once, as the system schedules it. */
static inline int heddle_test_run_apart(const heddle_test *test, int number) {
    int status = 0, left[2];
    char byte = 0;
    pid_t child;
    fflush(stdout);
    child = pipe(left) == 0 ? fork() : -1;
    if (child == 0) {
        alarm(HEDDLE_TEST_SECONDS);
        status = heddle_test_run(test);
        if (write(left[1], &byte, 1) != 1)
            status = 1;
        exit(status);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("heddle/test.h");
        return 1;
    }
    /* Nothing was written: it left by _exit. */
    fcntl(left[0], F_SETFL, O_NONBLOCK);
    if (read(left[0], &byte, 1) != 1 && status == 0) {
        fprintf(stderr, "%s: the test ended before its end\n", test->name);
        status = 1;
    }
    close(left[0]);
    close(left[1]);
    printf("%sok %d - %s", status && !test->fails ? "not " : "", number, test->name);
    if (test->fails)
        printf(" # declared to fail, %s", status ? "and did" : "did not in this one run");
    printf("\n");
    return status != 0 && !test->fails;
}

static inline int heddle_test_run_all(int argc, char **argv) {
    const heddle_test *it;
    int failed = 0, count = 0, i;
    for (i = 1; i < argc; i++)
        if (!heddle_test_find(argv[i])) {
            fprintf(stderr, "%s: there is no test %s; --list prints all\n", argv[0], argv[i]);
            return 2;
        }
    for (it = heddle_all_tests.first; it; it = it->next) {
        int chosen = argc < 2;
        for (i = 1; i < argc; i++)
            chosen |= strcmp(argv[i], it->name) == 0;
        if (chosen)
            failed |= heddle_test_run_apart(it, ++count);
    }
    printf("1..%d\n", count);
    return failed;
}

static inline int heddle_test_main(int argc, char **argv) {
    const heddle_test *first = heddle_all_tests.first, *only;
    int status;
    if (heddle_test_wrong())
        return 2;
    status = heddle_all_tests.clients ? heddle_all_tests.clients(&argc, argv) : -1;
    if (status >= 0)
        return status;
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return heddle_test_print();
    only = argc == 3 && strcmp(argv[1], "--run") == 0 ? heddle_test_find(argv[2])
           : argc == 1 && first && !first->next       ? first
                                                      : NULL;
    if (only && (argc == 3 || heddle_running()))
        return heddle_test_run(only);
    if (heddle_running() || (argc > 1 && argv[1][0] == '-')) {
        fprintf(stderr,
                "%s: run one test with --run NAME, or all with heddle test; --list prints "
                "their names\n",
                argv[0]);
        return 2;
    }
    return heddle_test_run_all(argc, argv);
}

#ifdef __cplusplus
} /* extern "C": main is not in there */
#endif
__attribute__((weak)) int main(int argc, char **argv) {
    return heddle_test_main(argc, argv);
}
#ifdef __cplusplus
extern "C" {
#endif

#endif

#ifdef __cplusplus
}
#endif
#endif
