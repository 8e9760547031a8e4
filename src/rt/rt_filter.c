/*
 * Runs in one process are alike only if all they change is memory.  A filter of the kernel's
 * stops every system call that changes something else, such as opening a file, mapping
 * memory or setting a handler: the server gives up, and every run gets a process of its own.
 * The runtime's own calls, which are made at one place, pass.
 *
 * What the program writes to standard output goes to a file that is looked at when a run has ended.
 * The filter stops these calls too, and the runtime does them: so it knows how far the output of
 * the run goes without asking the kernel, and restores that with its other variables.
 *
 * And it stops calls by which the kernel stores an answer in the program's memory: into a page
 * that is protected it would not, and the call would fail with EFAULT.  The runtime makes the
 * pages writable first and then does the call.
 */
#include <asm/termbits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_seccomp.h"

/* They change nothing and store nothing. */
static const uint16_t allowed[] = {
    SYS_getpid, SYS_gettid,  SYS_getppid,     SYS_getuid,          SYS_geteuid,
    SYS_getgid, SYS_getegid, SYS_sched_yield, SYS_restart_syscall, SYS_rt_sigreturn,
};

enum { COUNT = sizeof allowed / sizeof *allowed };

static const char *what_it_does(int call) {
    switch (call) {
#ifdef SYS_open
    case SYS_open:
#endif
    case SYS_openat:
        return "it opens files";
    case SYS_read:
    case SYS_pread64:
        return "it reads from files";
    case SYS_close:
        return "it closes files";
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_madvise:
    case SYS_brk:
        return "it maps memory";
    case SYS_socket:
#ifdef SYS_pipe
    case SYS_pipe:
#endif
    case SYS_pipe2:
        return "it makes sockets or pipes";
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
        return "it handles signals";
    case SYS_kill:
    case SYS_tgkill:
        return "it sends signals";
    case SYS_exit_group:
        return "it leaves by a way of its own";
    case SYS_write:
    case SYS_writev:
        return "it writes to files";
    case SYS_lseek:
        return "it goes back and forth in files";
    case SYS_ioctl:
        return "it controls a device";
    default:
        return NULL;
    }
}

/* --- standard output ------------------------------------------------------------------------ */

static long write_piece(const void *from, size_t size) {
    long done = hd_rt_syscall(SYS_pwrite64, STDOUT_FILENO, (long)from, (long)size,
                              (long)hd_rt_explored.written, 0, 0);
    if (done > 0)
        hd_rt_explore->wrote = hd_rt_explored.written += (uint64_t)done;
    return done;
}

static long write_pieces(const struct iovec *pieces, size_t count) {
    long sum = 0;
    for (size_t i = 0; i < count; i++) {
        long done = write_piece(pieces[i].iov_base, pieces[i].iov_len);
        if (done < 0)
            return sum ? sum : done;
        sum += done;
        if ((size_t)done < pieces[i].iov_len)
            break;
    }
    return sum;
}

/* Of standard output, and what goes to standard error, which is nowhere. */
static bool do_output(long call, const uintptr_t a[6], long *result) {
    bool writes = call == SYS_write || call == SYS_writev;
    bool captured = hd_rt_explore->captured && (writes || call == SYS_lseek) &&
                    hd_rt_given_is_output((int)a[0]);
    if (!captured) {
        if (writes && (a[0] == STDOUT_FILENO || a[0] == STDERR_FILENO))
            *result = hd_rt_syscall(call, (long)a[0], (long)a[1], (long)a[2], 0, 0, 0);
        return writes && (a[0] == STDOUT_FILENO || a[0] == STDERR_FILENO);
    }
    if (call == SYS_write)
        *result = write_piece((const void *)a[1], a[2]);
    else if (call == SYS_writev)
        *result = write_pieces((const struct iovec *)a[1], a[2]);
    else if (call == SYS_lseek && !a[1] && a[2] == SEEK_CUR)
        *result = (long)hd_rt_explored.written;
    else
        return false;
    return true;
}

/* --- calls that store an answer ------------------------------------------------------------- */

typedef struct answer {
    uint16_t call;
    uint8_t argument; /* where it is stored */
    uint16_t size;
} answer;

static const answer answers[] = {
    {SYS_fstat, 1, sizeof(struct stat)},
    {SYS_newfstatat, 2, sizeof(struct stat)},
    {SYS_statx, 4, sizeof(struct statx)},
    {SYS_uname, 0, sizeof(struct utsname)},
    {SYS_clock_gettime, 1, sizeof(struct timespec)},
    {SYS_clock_getres, 1, sizeof(struct timespec)},
    {SYS_gettimeofday, 0, sizeof(struct timeval)},
    {SYS_gettimeofday, 1, sizeof(struct timezone)},
    {SYS_getcpu, 0, sizeof(unsigned)},
    {SYS_getcpu, 1, sizeof(unsigned)},
    {SYS_getrusage, 1, sizeof(struct rusage)},
    {SYS_times, 0, sizeof(struct tms)},
    {SYS_sysinfo, 0, sizeof(struct sysinfo)},
    {SYS_getrlimit, 1, sizeof(struct rlimit)},
    {SYS_getresuid, 0, sizeof(uid_t)},
    {SYS_getresuid, 1, sizeof(uid_t)},
    {SYS_getresuid, 2, sizeof(uid_t)},
#ifdef __x86_64__ /* older calls that aarch64 does not have */
    {SYS_time, 0, sizeof(time_t)},
    {SYS_stat, 1, sizeof(struct stat)},
    {SYS_lstat, 1, sizeof(struct stat)},
#endif
};

/* Requests of ioctl that only ask; isatty is one. */
static size_t ioctl_size(uintptr_t request) {
    switch (request) {
    case TCGETS:
        return sizeof(struct termios);
    case TIOCGWINSZ:
        return sizeof(struct winsize);
    case FIONREAD:
        return sizeof(int);
    default:
        return 0;
    }
}

/* Those whose arguments say how much they store; false: it is not one of those that only ask. */
static bool make_room(long call, const uintptr_t a[6]) {
    switch (call) {
    case SYS_sched_getaffinity:
        hd_rt_reset_touch(a[2], a[1]);
        return true;
    case SYS_getcwd:
        hd_rt_reset_touch(a[0], a[1]);
        return true;
    case SYS_readlinkat:
        hd_rt_reset_touch(a[2], a[3]);
        return true;
#ifdef SYS_readlink
    case SYS_readlink:
        hd_rt_reset_touch(a[1], a[2]);
        return true;
#endif
    case SYS_prlimit64:
        hd_rt_reset_touch(a[3], sizeof(struct rlimit));
        return !a[2];
    case SYS_rt_sigprocmask:
        hd_rt_reset_touch(a[2], a[3]);
        return !a[1];
    case SYS_ioctl:
        hd_rt_reset_touch(a[2], ioctl_size(a[1]));
        return ioctl_size(a[1]) != 0;
    default:
        return false;
    }
}

static bool do_answer(long call, const uintptr_t a[6], long *result) {
    bool known = make_room(call, a);
    for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++)
        if (answers[i].call == call) {
            hd_rt_reset_touch(a[answers[i].argument], answers[i].size);
            known = true;
        }
    if (known)
        *result = hd_rt_syscall(call, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
                                (long)a[5]);
    return known;
}

static bool is_allowed(long call, const uintptr_t a[6]) {
    for (unsigned i = 0; i < COUNT; i++)
        if (allowed[i] == call)
            return true;
    int operation = (int)a[1] & FUTEX_CMD_MASK;
    return call == SYS_futex && (operation == FUTEX_WAIT || operation == FUTEX_WAKE);
}

/* --- the filter ----------------------------------------------------------------------------- */

long hd_rt_filter_call(long call, const uintptr_t a[6]) {
    char text[64];
    long result;
    if (do_output(call, a, &result) || do_answer(call, a, &result))
        return result;
    if (is_allowed(call, a))
        return hd_rt_syscall(call, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
                             (long)a[5]);
    const char *does = what_it_does((int)call);
    if (!does) {
        hd_rt_print(text, sizeof text, "it makes system call %ld", call);
        does = text;
    }
    hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, does);
}

static void stopped(int signal, siginfo_t *info, void *context) {
    (void)signal;
    uintptr_t a[6];
    for (unsigned i = 0; i < 6; i++)
        a[i] = hd_rt_arch_argument(context, i);
    hd_rt_arch_result(context, hd_rt_filter_call(info->si_syscall, a));
}

bool hd_rt_filter_init(void) {
    enum { LISTED = 14 }; /* where the list of allowed calls begins */
    struct sigaction old, ours = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    uintptr_t low = (uintptr_t)hd_rt_syscall, high = low + CODE_ROOM;
    struct sock_filter filter[LISTED + COUNT + 2] = {
        OTHERS_THAN_OWN(SECCOMP_RET_TRAP, low, high), IF(BPF_JEQ, SYS_futex, 0, 3),
        /* To wait and to wake only reads the word. */
        LOAD(args[1]), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (uint32_t)FUTEX_CMD_MASK),
        IF(BPF_JGT, FUTEX_WAKE, COUNT, COUNT + 1), /* stopped or allowed, at the end */
    };
    for (unsigned i = 0; i < COUNT; i++)
        filter[LISTED + i] = (struct sock_filter)IF(BPF_JEQ, allowed[i], (uint8_t)(COUNT - i), 0);
    filter[LISTED + COUNT] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    filter[LISTED + COUNT + 1] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = LISTED + COUNT + 2, .filter = filter};
    return low >> 32 == high >> 32 && hd_rt_real.sigaction(SIGSYS, &ours, &old) == 0 &&
           hd_rt_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) == 0 &&
           hd_rt_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0) == 0;
}
