/*
 * Runs in one process are alike only if all they change is memory.  A filter of the kernel's
 * stops every system call that changes something else, such as opening a file, mapping
 * memory or setting a handler: the server gives up, and every run gets a process of its own.
 * The runtime's own calls, which are made at one place, pass.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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
    default:
        return NULL;
    }
}

static void stopped(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    char text[64];
    const char *does = what_it_does(info->si_syscall);
    if (!does) {
        snprintf(text, sizeof text, "it makes system call %d", info->si_syscall);
        does = text;
    }
    hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, does);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define IF(comparison, with, yes, no) BPF_JUMP(BPF_JMP | (comparison) | BPF_K, with, yes, no)

bool hd_rt_filter_init(void) {
    struct sigaction old, ours = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    uintptr_t low = (uintptr_t)hd_rt_syscall, high = low + CODE_ROOM;
    struct sock_filter filter[10 + COUNT + 2] = {
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
    };
    for (unsigned i = 0; i < COUNT; i++)
        filter[10 + i] = (struct sock_filter)IF(BPF_JEQ, allowed[i], (uint8_t)(COUNT - i), 0);
    filter[10 + COUNT] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    filter[10 + COUNT + 1] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = 10 + COUNT + 2, .filter = filter};
    return low >> 32 == high >> 32 && hd_rt_real.sigaction(SIGSYS, &ours, &old) == 0 &&
           old.sa_handler == SIG_DFL && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           hd_rt_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0) == 0;
}
