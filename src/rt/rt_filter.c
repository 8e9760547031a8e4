/*
 * Runs in one process are alike only if all they change is memory.  A filter of the kernel's
 * stops every system call that changes something else, such as opening a file, mapping
 * memory or setting a handler: the server gives up, and every run gets a process of its own.
 * The runtime's own calls, which are made at one place, pass.
 *
 * What the program writes to standard output goes to a file that is looked at when a run has
 * ended.  The filter stops these calls too, and the runtime does them: so it knows how far the
 * output of the run goes without asking the kernel, and puts that back with its other
 * variables.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_real.h"

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { CODE_ROOM = 256 }; /* bytes of hd_rt_syscall, at most */

/* They ask, or write to files that are open anyway. */
static const uint16_t allowed[] = {
    SYS_write,         SYS_writev,          SYS_futex,        SYS_getpid, SYS_gettid,
    SYS_getppid,       SYS_getuid,          SYS_geteuid,      SYS_getgid, SYS_getegid,
    SYS_sched_yield,   SYS_fstat,           SYS_newfstatat,   SYS_ioctl,  SYS_lseek,
    SYS_clock_gettime, SYS_rt_sigreturn,    SYS_clock_getres, SYS_getcpu, SYS_sched_getaffinity,
    SYS_uname,         SYS_restart_syscall,
};

enum { COUNT = sizeof allowed / sizeof *allowed };

bool hd_rt_filter_allows(long call) {
    for (unsigned i = 0; i < COUNT; i++)
        if (allowed[i] == call)
            return true;
    return false;
}

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
    case SYS_lseek:
        return "it goes back and forth in its output";
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

/* Does the call in the place of the kernel; false if it is none of those. */
static bool do_output(int call, void *context) {
    if (!hd_rt_explore->captured || hd_rt_arch_argument(context, 0) != STDOUT_FILENO)
        return false;
    uintptr_t second = hd_rt_arch_argument(context, 1), third = hd_rt_arch_argument(context, 2);
    long result;
    if (call == SYS_write)
        result = write_piece((const void *)second, third);
    else if (call == SYS_writev)
        result = write_pieces((const struct iovec *)second, third);
    else if (call == SYS_lseek && !second && third == SEEK_CUR)
        result = (long)hd_rt_explored.written;
    else
        return false;
    hd_rt_arch_result(context, result);
    return true;
}

/* --- the filter ----------------------------------------------------------------------------- */

static void stopped(int signal, siginfo_t *info, void *context) {
    (void)signal;
    char text[64];
    if (do_output(info->si_syscall, context))
        return;
    const char *does = what_it_does(info->si_syscall);
    if (!does) {
        hd_rt_print(text, sizeof text, "it makes system call %d", info->si_syscall);
        does = text;
    }
    hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, does);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define IF(comparison, with, yes, no) BPF_JUMP(BPF_JMP | (comparison) | BPF_K, with, yes, no)

bool hd_rt_filter_init(void) {
    enum { LISTED = 16 }; /* where the list of allowed calls begins */
    struct sigaction old, ours = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    uintptr_t low = (uintptr_t)hd_rt_syscall, high = low + CODE_ROOM;
    struct sock_filter filter[LISTED + COUNT + 2] = {
        LOAD(arch),
        IF(BPF_JEQ, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_TRAP),
        /* The address is little-endian: its low half comes first. */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        IF(BPF_JEQ, (uint32_t)(low >> 32), 0, 4),
        LOAD(instruction_pointer),
        IF(BPF_JGE, (uint32_t)low, 0, 2),
        IF(BPF_JGE, (uint32_t)high, 1, 0),
        RETURN(SECCOMP_RET_ALLOW),
        LOAD(nr),
        IF(BPF_JEQ, SYS_write, 2, 0),
        IF(BPF_JEQ, SYS_writev, 1, 0),
        IF(BPF_JEQ, SYS_lseek, 0, 3),
        LOAD(args[0]),
        IF(BPF_JEQ, STDOUT_FILENO, COUNT + 1, 0), /* stopped, at the end */
        LOAD(nr),
    };
    for (unsigned i = 0; i < COUNT; i++)
        filter[LISTED + i] = (struct sock_filter)IF(BPF_JEQ, allowed[i], (uint8_t)(COUNT - i), 0);
    filter[LISTED + COUNT] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    filter[LISTED + COUNT + 1] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = LISTED + COUNT + 2, .filter = filter};
    return low >> 32 == high >> 32 && hd_rt_real.sigaction(SIGSYS, &ours, &old) == 0 &&
           old.sa_handler == SIG_DFL && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           hd_rt_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0) == 0;
}
