#include "base_stop.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base_mem.h"

volatile int hd_stop_number;

/* A file or folder, and the process that it is of: a child that was forked removes nothing. */
typedef struct entry {
    pid_t owner;
    char path[];
} entry;

/* A handler may remove it.  Who takes it out of its place owns it, so that no handler
 * sees what another thread frees; places are never freed. */
typedef struct place {
    _Atomic(entry *) entry;
    struct place *next;
} place;

static _Atomic(place *) places;
static atomic_bool listens, by_terminal, noted;
static _Atomic int64_t noted_at; /* of the clock, nanoseconds */
static _Atomic(void (*)(void)) before_end;
static int file = -1;
static pid_t owner;

/* --- paths ---------------------------------------------------------------------------------- */

static bool put(place *it, entry *made) {
    entry *none = NULL;
    return atomic_compare_exchange_strong(&it->entry, &none, made);
}

/* A new place each time: the order of removal is that of the list. */
static void push(entry *pushed) {
    place *made = HD_NEW(place);
    put(made, pushed);
    made->next = atomic_load(&places);
    while (!atomic_compare_exchange_weak(&places, &made->next, made))
        ;
}

/* In a handler too: only what is allowed there, so nothing is freed. */
static void remove_one(const entry *taken) {
    if (taken && taken->owner == getpid() && unlink(taken->path) != 0)
        rmdir(taken->path);
}

static void remove_in_handler(void) {
    for (place *it = atomic_load(&places); it; it = it->next)
        remove_one(atomic_exchange(&it->entry, NULL));
}

static void remove_at_exit(void) {
    for (place *it = atomic_load(&places); it; it = it->next) {
        entry *taken = atomic_exchange(&it->entry, NULL);
        remove_one(taken);
        free(taken);
    }
}

void hd_stop_add(const char *path) {
    static atomic_flag registered = ATOMIC_FLAG_INIT;
    size_t size = strlen(path) + 1;
    entry *made = hd_mem_alloc(sizeof *made + size);
    made->owner = getpid();
    memcpy(made->path, path, size);
    place *first = atomic_load(&places);
    if (!first || !put(first, made))
        push(made);
    if (!atomic_flag_test_and_set(&registered))
        atexit(remove_at_exit);
}

void hd_stop_remove(const char *path) {
    for (place *it = atomic_load(&places); it; it = it->next) {
        entry *taken = atomic_exchange(&it->entry, NULL);
        if (taken && strcmp(taken->path, path) == 0) {
            free(taken);
            return;
        }
        if (taken && !put(it, taken))
            push(taken);
    }
}

/* --- signals -------------------------------------------------------------------------------- */

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const char *const names[] = {"SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"};
enum { COUNT = sizeof numbers / sizeof *numbers };

const char *hd_stop_name(int number) {
    for (int i = 0; i < COUNT; i++)
        if (numbers[i] == number)
            return names[i];
    return "a signal";
}

bool hd_stop_is(int number) {
    for (int i = 0; i < COUNT; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

void hd_stop_before_end(void (*work)(void)) {
    atomic_store(&before_end, work);
}

static void clean_up(void) {
    void (*work)(void) = getpid() == owner ? atomic_exchange(&before_end, NULL) : NULL;
    if (work)
        work();
    remove_in_handler();
}

static void end_at_once(int number) {
    clean_up();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t it;
    sigemptyset(&it);
    sigaddset(&it, number);
    sigaction(number, &usual, NULL);
    pthread_sigmask(SIG_UNBLOCK, &it, NULL);
    raise(number);
}

/* What else ends a process without a handler, and is no fault of its own: nothing asks it to end
 * soon, so it ends now. */
static const int others[] = {SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM,
                             SIGPROF, SIGXCPU, SIGXFSZ, SIGIO,   SIGPWR};
enum { OTHERS = sizeof others / sizeof *others };

static void handle_other(int number) {
    end_at_once(number);
}

static void listen_to_other(int number) {
    struct sigaction ours = {.sa_handler = handle_other, .sa_flags = SA_RESTART}, old;
    sigfillset(&ours.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(number, &ours, NULL);
}

/* --- faults of its own ----------------------------------------------------------------------- */

/* A mistake in heddle, or in a predicate in C that it has loaded.  Other signals are blocked in the
 * handler, and a second fault ends the process as if there were none. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGSYS};
enum { FAULTS = sizeof faults / sizeof *faults, STACK = 1 << 16 };

/* The signal comes again when the handler returns, with the registers of the fault. */
static void handle_fault(int number) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    clean_up();
    sigaction(number, &usual, NULL);
    raise(number);
}

/* On a stack of its own: that of the first thread may have been used up. */
static void listen_to_faults(void) {
    static char stack[STACK];
    struct sigaction ours = {.sa_handler = handle_fault, .sa_flags = SA_ONSTACK}, old;
    sigfillset(&ours.sa_mask);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (int i = 0; i < FAULTS; i++)
        if (sigaction(faults[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(faults[i], &ours, NULL);
}

static int64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* timeout(1) and some shells send one signal twice: to the process, and to its group. */
static bool is_echo(int number) {
    static const int64_t moment = INT64_C(200000000); /* nanoseconds */
    return number == hd_stop_number && clock_now() - atomic_load(&noted_at) < moment;
}

static void handle(int number, siginfo_t *info, void *unused) {
    (void)unused;
    int before = errno;
    bool first = atomic_load(&listens) && !atomic_exchange(&noted, true);
    if (first) {
        uint64_t one = 1;
        atomic_store(&noted_at, clock_now());
        atomic_store(&by_terminal, info->si_code == SI_KERNEL);
        hd_stop_number = number;
        if (file >= 0 && write(file, &one, sizeof one) < 0)
            file = -1; /* then the time between two looks is longer */
    } else if (!is_echo(number))
        end_at_once(number);
    errno = before;
}

void hd_stop_init(void) {
    owner = getpid();
    struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART}, old;
    sigfillset(&ours.sa_mask);
    for (int i = 0; i < COUNT; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 &&
            (old.sa_handler == SIG_DFL || numbers[i] == SIGINT))
            sigaction(numbers[i], &ours, NULL);
    for (int i = 0; i < OTHERS; i++)
        listen_to_other(others[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        listen_to_other(number);
    listen_to_faults();
}

void hd_stop_listen(void) {
    if (!owner)
        return; /* the signals are not ours: this is a library in another program */
    if (file < 0)
        file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    atomic_store(&listens, true);
}

void hd_stop_obey(void) {
    atomic_store(&listens, false);
    if (hd_stop_number)
        end_at_once(hd_stop_number);
}

bool hd_stop_by_terminal(void) {
    return atomic_load(&by_terminal);
}

int hd_stop_file(void) {
    return file;
}
