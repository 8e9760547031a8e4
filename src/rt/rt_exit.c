/*
 * How the program ends: exit and its handlers, abort, a failed assertion.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt.h"
#include "rt_explore.h"
#include "rt_external_wait.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_real.h"

void __cxa_finalize(void *module);

/* Could the thread take another step, now or when it is time?  Not if only another thread, or
 * something outside, lets it go on. */
static bool goes_on(uint32_t id) {
    const heddle_wire_thread *its = &hd_rt.wire->thread[id];
    if (hd_rt.mode == HD_RT_FREE)
        return its->state != HEDDLE_WIRE_ENDED && !hd_rt_free_waits(id);
    const hd_rt_thread *thread = hd_rt_thread_at(id);
    return its->state == HEDDLE_WIRE_LIVE &&
           (thread->outside ? hd_rt_outside_ready(thread) : hd_rt_able(thread));
}

static void note_unended(void) {
    uint32_t threads = hd_rt.wire->threads;
    for (uint32_t id = 0; id < threads && id < HEDDLE_WIRE_THREADS; id++)
        hd_rt.wire->thread[id].unended = (!hd_rt_self || hd_rt_self->id != id) && goes_on(id);
}

/* Handlers have run by then, in which threads may have ended, or been woken. */
static __attribute__((destructor)) void look_again(void) {
    if (hd_rt.mode != HD_RT_OFF && hd_rt.wire && hd_rt.wire->ending == HEDDLE_WIRE_EXITED &&
        !hd_rt.exploring)
        note_unended();
}

static void note_ending(enum heddle_wire_ending ending) {
    if (hd_rt.mode == HD_RT_OFF || !hd_rt.wire)
        return;
    hd_rt_settle();
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_order(hd_rt.code, 0); /* the last write is done */
    if (hd_rt.wire->ending == HEDDLE_WIRE_RUNNING)
        hd_rt.wire->ending = ending;
    if (ending == HEDDLE_WIRE_EXITED && !hd_rt.exploring)
        note_unended();
}

void hd_rt_exec_ends(bool ends) {
    int kept = errno;
    if (ends)
        note_ending(HEDDLE_WIRE_EXEC);
    else if (hd_rt.mode != HD_RT_OFF && hd_rt.wire && hd_rt.wire->ending == HEDDLE_WIRE_EXEC)
        hd_rt.wire->ending = HEDDLE_WIRE_RUNNING;
    errno = kept;
}

/* --- handlers and destructors ---------------------------------------------------------------- */

/* Handlers that the program itself has registered. */
static uint64_t exit_handlers;

char *hd_rt_exit_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    return transfer(state, &exit_handlers, sizeof exit_handlers, back);
}

static bool others_may_run(void) {
    return hd_rt.exploring && hd_rt_controlled() && hd_rt_explored.births != hd_rt_explored.joins;
}

static void use_handlers(uintptr_t code) {
    hd_rt_point(HEDDLE_ATOMIC_RMW + 1, &exit_handlers, sizeof exit_handlers, code);
}

/* Explored: a step where other threads may register or look for handlers. */
static void register_handler(uintptr_t code) {
    if (others_may_run()) {
        hd_rt_explore->exits |= HEDDLE_WIRE_REGISTERS;
        use_handlers(code);
    }
    exit_handlers++;
}

/* So is this, but not where no handler is and none is ever registered: the end of a process without
 * handlers is one step. */
static void look_for_handlers(uintptr_t code) {
    if (others_may_run() &&
        (hd_rt_exit_has_handlers() || hd_rt_explore->exits & HEDDLE_WIRE_REGISTERS))
        use_handlers(code);
}

HD_RT_EXPORT int __cxa_atexit(void (*function)(void *), void *argument, void *module) {
    uintptr_t from = (uintptr_t)module;
    if (hd_rt.wire && from >= hd_rt.wire->module[0].low && from < hd_rt.wire->module[0].high)
        register_handler(HD_RT_CODE());
    hd_rt_audit_own();
    int (*real)(void (*)(void *), void *, void *) = hd_rt_real.__cxa_atexit;
    if (!real) /* by a library that comes before this one */
        *(void **)&real = hd_rt_real_symbol("__cxa_atexit");
    return real(function, argument, module);
}

static int count_destructors(struct dl_phdr_info *info, size_t size, void *count) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        for (const ElfW(Dyn) *it = (const ElfW(Dyn) *)at; it->d_tag != DT_NULL; it++)
            if (it->d_tag == DT_FINI_ARRAYSZ)
                *(size_t *)count = it->d_un.d_val / sizeof(void *);
    }
    return 1; /* the first one is the program */
}

static size_t destructors;        /* of the program; one is the compiler's own */
static FILE *const *streams;      /* the C library's list of them, if it shows it */
static const FILE *usual_streams; /* its head before the first run */

void hd_rt_process_stays(void) {
    dl_iterate_phdr(count_destructors, &destructors);
    streams = hd_rt_real_symbol("_IO_list_all");
    usual_streams = streams ? *streams : NULL;
}

/* What exit would do after the handlers, in a process that stays.  Nothing is flushed where there
 * is nothing: it would write to the C library's variables, which then had to be put back each
 * time. */
static void flush(void) {
    bool usual = streams && *streams == usual_streams && usual_streams == stderr;
    if (hd_rt_explore->captured && (!usual || __fpending(stdout)))
        hd_rt_real.fflush(NULL);
}

bool hd_rt_exit_has_handlers(void) {
    return exit_handlers || destructors > 1;
}

/* Explored, handlers and destructors of the program are code like any other, while the other
 * threads go on: they take steps, and the end of the process comes after them.  What others
 * register before the last handler has returned is called, too. */
void hd_rt_exit_handlers(uintptr_t code) {
    uint64_t called;
    if (!hd_rt.exploring)
        return;
    hd_rt_audit_end(); /* the C library notes each that it calls */
    look_for_handlers(code);
    if (!hd_rt_exit_has_handlers())
        return;
    do {
        called = exit_handlers;
        __cxa_finalize(NULL);
        look_for_handlers(code);
    } while (exit_handlers != called);
}

/* --- on_exit --------------------------------------------------------------------------------- */

static int exit_status; /* that exit was called with */

typedef struct status_handler {
    void (*function)(int, void *);
    void *argument;
} status_handler;

static void run_status_handler(void *handler) {
    status_handler it = *(status_handler *)handler;
    free(handler);
    it.function(exit_status, it.argument);
}

/* As a handler of the other sort, so that all run in one order.  What it needs is memory of the
 * program's, which is put back between runs. */
HD_RT_EXPORT int on_exit(void (*function)(int, void *), void *argument) {
    int (*real)(void (*)(int, void *), void *) = NULL;
    if (!hd_rt_controlled()) {
        *(void **)&real = hd_rt_real_symbol("on_exit");
        return real(function, argument);
    }
    status_handler *handler = malloc(sizeof *handler);
    if (!handler)
        return -1;
    *handler = (status_handler){function, argument};
    return __cxa_atexit(run_status_handler, handler, (void *)hd_rt.wire->module[0].low);
}

/* --- quick_exit ------------------------------------------------------------------------------ */

typedef struct hd_rt_quick_handler {
    void (*function)(void *);
    struct hd_rt_quick_handler *next;
} quick_handler;

HD_RT_EXPORT int __cxa_at_quick_exit(void (*function)(void *), void *module) {
    int (*real)(void (*)(void *), void *) = NULL;
    if (!hd_rt_controlled()) {
        *(void **)&real = hd_rt_real_symbol("__cxa_at_quick_exit");
        return real(function, module);
    }
    quick_handler *handler = malloc(sizeof *handler);
    if (!handler)
        return -1;
    hd_rt_foreign_state("at_quick_exit", HEDDLE_WIRE_KEPT_exits, HD_RT_CHANGES, HD_RT_CODE());
    *handler = (quick_handler){function, hd_rt.quick};
    hd_rt.quick = handler;
    return 0;
}

HD_RT_EXPORT _Noreturn void quick_exit(int status) {
    void (*real)(int) = NULL;
    if (!hd_rt_controlled()) {
        hd_rt_settle();
        *(void **)&real = hd_rt_real_symbol("quick_exit");
        real(status);
    }
    for (;;) {
        hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_exits, HD_RT_CHANGES, HD_RT_CODE());
        if (!hd_rt.quick)
            break;
        quick_handler *handler = hd_rt.quick;
        hd_rt.quick = handler->next;
        handler->function(NULL);
    }
    _exit(status);
}

/* --- exit ------------------------------------------------------------------------------------ */

/* The end of a thread that is alone is not a step of its own. */
void hd_rt_explore_exit(bool well, uintptr_t code) {
    if (hd_rt_explored.over)
        return;
    if (hd_rt_explored.births != hd_rt_explored.joins) {
        hd_rt_explore->exits |= HEDDLE_WIRE_EXITS;
        hd_rt_point(HEDDLE_WIRE_EXIT, NULL, 0, code);
    }
    if (well)
        hd_rt_misuse_exit();
    hd_rt_explore_over();
}

/* Recorded, threads that are not waited for get a turn: what handlers and destructors do may meet
 * what they do. */
static void let_others_run(uintptr_t code) {
    if (!hd_rt.exploring && hd_rt_controlled() && hd_rt.live_count > 1)
        hd_rt_point(HEDDLE_WIRE_YIELD, NULL, 0, code);
}

void hd_rt_exit_begins(int status, uintptr_t code) {
    if (status && hd_rt.watched)
        hd_rt_replay_stop();
    exit_status = status;
    let_others_run(code);
    if (hd_rt_controlled())
        hd_rt_run_destructors(hd_rt_self);
    if (hd_rt.exploring) {
        hd_rt_exit_handlers(code);
        hd_rt_explore_exit(!status, code);
    } else if (!status)
        hd_rt_misuse_exit();
    note_ending(HEDDLE_WIRE_EXITED);
}

HD_RT_EXPORT _Noreturn void exit(int status) {
    if (hd_rt.wire && hd_rt.wire->sv_comp)
        status = 0; /* nothing is said by it there */
    hd_rt_exit_begins(status, HD_RT_CODE());
    if (hd_rt_in_memory) {
        flush();
        hd_rt_server_leave((status & 255) << 8);
    }
    hd_rt_real.exit(status);
    __builtin_unreachable();
}

/* Of heddle/test.h: whether a test runs, and where that is said.  What is pointed to is memory of
 * the program, which is put back between runs. */
static const char *const *tested;
static const char *tested_file;
static unsigned tested_line;

HD_RT_EXPORT void heddle_rt_tests(const char *const *running, const char *file, unsigned line);

void heddle_rt_tests(const char *const *running, const char *file, unsigned line) {
    tested = running;
    tested_file = file;
    tested_line = line;
}

static _Noreturn void fail_assertion(const char *assertion, const char *file, unsigned line,
                                     const char *function, uintptr_t code);

HD_RT_EXPORT _Noreturn void _exit(int status) {
    if (!status && tested && *tested && hd_rt_controlled())
        fail_assertion("the test ended before its end, by _exit(0)", tested_file, tested_line,
                       *tested, HD_RT_CODE());
    if (hd_rt.exploring)
        hd_rt_explore_exit(!status, HD_RT_CODE());
    else if (!status)
        hd_rt_misuse_exit();
    note_ending(HEDDLE_WIRE_EXITED);
    hd_rt_server_leave((status & 255) << 8);
    hd_rt_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

HD_RT_EXPORT _Noreturn void _Exit(int status) {
    _exit(status);
}

/* To fail ends all threads, as exit does: what the others do may come before it. */
static void before_failure(uintptr_t code) {
    if (hd_rt.exploring && hd_rt_controlled())
        hd_rt_explore_exit(false, code);
}

/* ---- Exceptions that nobody catches ---- */

/* Of the runtime of C++, if it is there. */
extern const void *__cxa_current_exception_type(void) __attribute__((weak));
extern void *const *__cxa_get_globals(void) __attribute__((weak));
extern char *__cxa_demangle(const char *name, char *to, size_t *size, int *status)
    __attribute__((weak));
extern const char _ZTISt9exception[] __attribute__((weak)); /* typeid(std::exception) */

/* Is it called by std::terminate, rather than by the program, which may have caught one? */
static bool is_by_terminate(uintptr_t code) {
    Dl_info caller, library;
    return __cxa_current_exception_type && __cxa_demangle &&
           dladdr((const void *)code, &caller) != 0 &&
           dladdr((const void *)(uintptr_t)__cxa_current_exception_type, &library) != 0 &&
           caller.dli_fbase == library.dli_fbase;
}

/* What std::exception::what() says of the exception that was caught last, by the layouts of the ABI
 * of C++ as libstdc++ has them; NULL: it is no such exception. */
static const char *what_of(const void *type) {
    enum { UNWIND = 80, OBJECT = 112, CATCHES = 4, WHAT = 2 };
    typedef bool catches(const void *self, const void *thrown, const void **object, unsigned outer);
    typedef const char *what(const void *self);
    const uint64_t primary = UINT64_C(0x474e5543432b2b00); /* "GNUCC++" */
    const char *header = __cxa_get_globals ? (const char *)*__cxa_get_globals() : NULL;
    if (!header || !_ZTISt9exception || *(const uint64_t *)(header + UNWIND) != primary)
        return NULL;
    const void *object = header + OBJECT;
    catches *const *of_type = *(catches *const *const *)_ZTISt9exception;
    if (!of_type[CATCHES](_ZTISt9exception, type, &object, 1))
        return NULL;
    what *const *of_object = *(what *const *const *)object;
    return of_object[WHAT](object);
}

/* What the run ends with is told by then: what is called here are no points. */
static void tell_exception(uintptr_t code) {
    const void *type = is_by_terminate(code) ? __cxa_current_exception_type() : NULL;
    if (!type || !hd_rt.wire || hd_rt.mode == HD_RT_OFF)
        return;
    hd_rt.ended = true;
    const char *name = ((const char *const *)type)[1];
    name += *name == '*';
    int status = -1;
    const char *plain = __cxa_demangle(name, NULL, NULL, &status);
    const char *says = what_of(type);
    hd_rt.wire->fault = (heddle_wire_fault){.kind = HEDDLE_WIRE_EXCEPTION};
    hd_rt_print(hd_rt.wire->message, sizeof hd_rt.wire->message,
                "uncaught exception of type %s%s%s", status || !plain ? name : plain,
                says ? ": " : "", says ? says : "");
}

HD_RT_EXPORT _Noreturn void abort(void) {
    if (hd_rt_controlled() && hd_rt.wire->sv_comp) {
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_ABORT;
        exit(0); /* an end like any other there: reach_error is what fails */
    }
    before_failure(HD_RT_CODE());
    note_ending(HEDDLE_WIRE_ABORTED);
    tell_exception(HD_RT_CODE());
    hd_rt_stack_of_self();
    hd_rt_server_leave(SIGABRT);
    hd_rt_real.abort();
    __builtin_unreachable();
}

static bool is_text(const char *text, const char *other) { /* strcmp is the program's */
    while (*text && *text == *other)
        text++, other++;
    return *text == *other;
}

/* With the conventions of SV-COMP, is a failed assertion the error that is asked for?  One in
 * reach_error is; so is any, if the program names no function that is an error to reach. */
static bool is_error(const char *function) {
    const heddle_wire *wire = hd_rt.wire;
    if (!hd_rt_controlled() || !wire->sv_comp)
        return true;
    if (wire->sv_comp & HEDDLE_WIRE_SV_PASSES)
        return false;
    return !wire->errors || (function && (is_text(function, "reach_error") ||
                                          is_text(function, "__VERIFIER_error") ||
                                          is_text(function, "__VERIFIER_assert")));
}

HD_RT_EXPORT _Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line,
                                          const char *function) {
    if (!is_error(function)) {
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_ASSERT;
        exit(0); /* as with abort */
    }
    fail_assertion(assertion, file, line, function, HD_RT_CODE());
}

static void fail_assertion(const char *assertion, const char *file, unsigned line,
                           const char *function, uintptr_t code) {
    before_failure(code);
    note_ending(HEDDLE_WIRE_ABORTED);
    if (hd_rt.wire && hd_rt.mode != HD_RT_OFF)
        hd_rt_print(hd_rt.wire->message, sizeof hd_rt.wire->message, "%s:%u: assertion failed: %s",
                    file, line, assertion);
    hd_rt_stack_of_self();
    hd_rt_server_leave(SIGABRT);
    hd_rt_real.__assert_fail(assertion, file, line, function);
    __builtin_unreachable();
}

/* Its first thread goes, and with it what was to come. */
void hd_rt_exit_of_thread(uintptr_t code) {
    if (!tested || !*tested || !hd_rt_controlled() || hd_rt.current->id)
        return;
    before_failure(code);
    hd_rt.wire->fault = (heddle_wire_fault){.kind = HEDDLE_WIRE_LEFT, .code = code};
    hd_rt_print(hd_rt.wire->message, sizeof hd_rt.wire->message,
                "the test ended before its end, by pthread_exit");
    hd_rt_fail();
}

void hd_rt_fail(void) {
    note_ending(HEDDLE_WIRE_ABORTED);
    hd_rt_stack_of_self();
    hd_rt_server_leave(SIGABRT);
    hd_rt_real.abort();
    __builtin_unreachable();
}
