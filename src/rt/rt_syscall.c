/*
 * syscall() of an explored program, but for the operations of rt_futex.c.  Those that have a
 * function of their own here are that function.  Some change nothing that others see, and store
 * nothing or only where the caller says.  What the rest do is not known, and the answer says so.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rt_explore.h"
#include "rt_sync.h"

/* They store nothing. */
static bool is_quiet(long number) {
    switch (number) {
    case SYS_getpgid:
    case SYS_getsid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_sched_get_priority_max:
    case SYS_sched_get_priority_min:
    case SYS_membarrier:
        return true;
    default:
        return false;
    }
}

/* They only store what they were asked for. */
static bool is_answer(long number) {
    switch (number) {
    case SYS_uname:
    case SYS_getcpu:
    case SYS_getrandom:
    case SYS_getrusage:
    case SYS_gettimeofday:
    case SYS_clock_getres:
    case SYS_sched_getaffinity:
    case SYS_sysinfo:
    case SYS_times:
        return true;
    default:
        return false;
    }
}

/* Can that be an address that others may access, too? */
static bool may_be_seen(uintptr_t at) {
    enum { LOWEST = 1 << 16 };
    const hd_rt_thread *self = hd_rt.current;
    bool own =
        at >= self->wire->stack && at < self->stack_top && !hd_rt_explore_shares((void *)at, 8);
    return at >= LOWEST && at < UINTPTR_MAX / 2 && !own;
}

static bool stores_for_others(const long *a) {
    bool seen = false;
    for (int i = 0; i < 6; i++)
        seen |= may_be_seen((uintptr_t)a[i]);
    return seen;
}

/* As the functions return it, with errno; false: there is none. */
static bool do_as_function(long number, const long *a, long *result) {
    switch (number) {
    case SYS_read:
        *result = read((int)a[0], (void *)a[1], (size_t)a[2]);
        return true;
    case SYS_write:
        *result = write((int)a[0], (const void *)a[1], (size_t)a[2]);
        return true;
    case SYS_close:
        *result = close((int)a[0]);
        return true;
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_sched_yield:
        *result = sched_yield();
        return true;
    case SYS_tgkill:
        *result = tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
        return true;
    case SYS_exit_group:
        _exit((int)a[0]);
    default:
        return false;
    }
}

/* The numbers of the process and of threads are not the system's (rt_identity.c). */
bool hd_rt_syscall_number(long number, long *result) {
    switch (number) {
    case SYS_getpid:
        *result = getpid();
        return true;
    case SYS_getppid:
        *result = getppid();
        return true;
    case SYS_gettid:
        *result = gettid();
        return true;
    default:
        return false;
    }
}

bool hd_rt_syscall_does(long number, const long *a, long *result) {
    if (!hd_rt_explored.births || hd_rt.ended)
        return false;
    if (do_as_function(number, a, result))
        return true;
    bool others = hd_rt_explored.births != hd_rt_explored.joins;
    if (!others || is_quiet(number) || (is_answer(number) && !stores_for_others(a)))
        return false;
    hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_SYSCALLS;
    hd_rt_explore->call = (uint32_t)number;
    return false;
}
