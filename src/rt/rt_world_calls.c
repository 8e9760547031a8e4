#include "rt_world_calls.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

static void put_parts(hd_rt_world_stream *s, const struct iovec *list, uint64_t count, long left) {
    for (uint64_t i = 0; i < count && left > 0; i++) {
        size_t size = (size_t)left < list[i].iov_len ? (size_t)left : list[i].iov_len;
        hd_rt_world_put(s, list[i].iov_base, size);
        left -= (long)size;
    }
}

/* An address or an option with its length, of which there was room for some. */
static void put_sized(hd_rt_world_stream *s, uintptr_t at, uintptr_t length_at, socklen_t room) {
    socklen_t *length = (socklen_t *)length_at;
    if (!at || !length)
        return;
    hd_rt_world_put(s, length, sizeof *length);
    hd_rt_world_put(s, (void *)at, *length < room ? *length : room);
}

static void put_message(hd_rt_world_stream *s, struct msghdr *message, socklen_t room, long got) {
    size_t control = message->msg_controllen;
    hd_rt_world_put(s, &message->msg_namelen, sizeof message->msg_namelen);
    hd_rt_world_put(s, &message->msg_controllen, sizeof message->msg_controllen);
    hd_rt_world_put(s, &message->msg_flags, sizeof message->msg_flags);
    if (message->msg_name)
        hd_rt_world_put(s, message->msg_name,
                        message->msg_namelen < room ? message->msg_namelen : room);
    if (message->msg_control)
        hd_rt_world_put(s, message->msg_control,
                        message->msg_controllen < control ? message->msg_controllen : control);
    put_parts(s, message->msg_iov, message->msg_iovlen, got);
}

static size_t ioctl_size(uintptr_t request) {
    return request == TCGETS       ? sizeof(struct termios)
           : request == TIOCGWINSZ ? sizeof(struct winsize)
           : request == FIONREAD   ? sizeof(int)
                                   : 0;
}

static void put_at(hd_rt_world_stream *s, uintptr_t at, size_t size) {
    if (at)
        hd_rt_world_put(s, (void *)at, size);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void put_sets(hd_rt_world_stream *s, const uintptr_t a[6]) {
    size_t size = (a[0] + 63) / 64 * 8;
    for (unsigned i = 1; i <= 3; i++)
        put_at(s, a[i], size);
}

/* Lengths that say how much room there is, before the call changes them. */
socklen_t hd_rt_world_room(long call, const uintptr_t a[6]) {
    const socklen_t *length = NULL;
    switch (call) {
    case SYS_accept:
    case SYS_accept4:
    case SYS_getsockname:
    case SYS_getpeername:
        length = (const socklen_t *)a[2];
        break;
    case SYS_getsockopt:
        length = (const socklen_t *)a[4];
        break;
    case SYS_recvfrom:
        length = (const socklen_t *)a[5];
        break;
    case SYS_recvmsg:
        return ((const struct msghdr *)a[1])->msg_namelen;
    default:
        break;
    }
    return length ? *length : 0;
}

/* Calls that store one thing, of a size that is always the same; and those that store as many bytes
 * as they return, into room that an argument has. */
static const struct stores {
    short call;
    uint8_t at, room; /* arguments */
    uint16_t size;    /* 0: as many as it returns */
} stores[] = {
    {SYS_read, 1, 2, 0},
    {SYS_pread64, 1, 2, 0},
    {SYS_getdents64, 1, 2, 0},
    {SYS_recvfrom, 1, 2, 0},
    {SYS_getrandom, 0, 1, 0},
    {SYS_getcwd, 0, 1, 0},
    {SYS_readlinkat, 2, 3, 0},
    {SYS_sched_getaffinity, 2, 1, 0},
    {SYS_fstat, 1, 0, sizeof(struct stat)},
    {SYS_newfstatat, 2, 0, sizeof(struct stat)},
    {SYS_statx, 4, 0, sizeof(struct statx)},
    {SYS_statfs, 1, 0, sizeof(struct statfs)},
    {SYS_fstatfs, 1, 0, sizeof(struct statfs)},
    {SYS_uname, 0, 0, sizeof(struct utsname)},
    {SYS_sysinfo, 0, 0, sizeof(struct sysinfo)},
    {SYS_getrusage, 1, 0, sizeof(struct rusage)},
    {SYS_times, 0, 0, sizeof(struct tms)},
    {SYS_prlimit64, 3, 0, sizeof(struct rlimit)},
    {SYS_pipe2, 0, 0, 2 * sizeof(int)},
    {SYS_socketpair, 3, 0, 2 * sizeof(int)},
    {SYS_timerfd_gettime, 1, 0, sizeof(struct itimerspec)},
    {SYS_sendfile, 2, 0, sizeof(off_t)},
    {SYS_rt_sigtimedwait, 1, 0, sizeof(siginfo_t)},
    {SYS_rt_sigpending, 0, 0, sizeof(uint64_t)},
    {SYS_getitimer, 1, 0, sizeof(struct itimerval)},
    {SYS_setitimer, 2, 0, sizeof(struct itimerval)},
    {SYS_timer_create, 2, 0, sizeof(int)},
    {SYS_timer_gettime, 1, 0, sizeof(struct itimerspec)},
    {SYS_timer_settime, 3, 0, sizeof(struct itimerspec)},
#ifdef __x86_64__
    {SYS_pipe, 0, 0, 2 * sizeof(int)},
    {SYS_stat, 1, 0, sizeof(struct stat)},
    {SYS_lstat, 1, 0, sizeof(struct stat)},
    {SYS_readlink, 1, 2, 0},
#endif
};

void hd_rt_world_stored(hd_rt_world_stream *s, long call, const uintptr_t a[6], long result,
                        socklen_t room) {
    size_t got = (size_t)result;
    if (result < 0)
        return;
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        if (stores[i].call == call)
            put_at(s, a[stores[i].at],
                   stores[i].size ? stores[i].size : least(got, a[stores[i].room]));
    switch (call) {
    case SYS_readv:
    case SYS_preadv:
        put_parts(s, (const struct iovec *)a[1], a[2], result);
        break;
    case SYS_recvfrom:
        put_sized(s, a[4], a[5], room);
        break;
    case SYS_recvmsg:
        put_message(s, (struct msghdr *)a[1], room, result);
        break;
    case SYS_accept:
    case SYS_accept4:
    case SYS_getsockname:
    case SYS_getpeername:
        put_sized(s, a[1], a[2], room);
        break;
    case SYS_getsockopt:
        put_sized(s, a[3], a[4], room);
        break;
    case SYS_ppoll:
#ifdef SYS_poll
    case SYS_poll:
#endif
        put_at(s, a[0], a[1] * sizeof(struct pollfd));
        break;
    case SYS_pselect6:
#ifdef SYS_select
    case SYS_select:
#endif
        put_sets(s, a);
        break;
    case SYS_epoll_pwait:
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
        put_at(s, a[1], least(got, a[2]) * sizeof(struct epoll_event));
        break;
    case SYS_ioctl:
        put_at(s, a[2], ioctl_size(a[1]));
        break;
    case SYS_fcntl:
        put_at(s, a[1] == F_GETLK || a[1] == F_OFD_GETLK ? a[2] : 0, sizeof(struct flock));
        break;
    default:
        break;
    }
}

/* The calls.  Those that only change something outside are here too: nothing is changed there by a
 * run that is played back. */
const uint16_t hd_rt_world_watched[] = {
    SYS_read,
    SYS_pread64,
    SYS_readv,
    SYS_preadv,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_accept,
    SYS_accept4,
    SYS_getsockname,
    SYS_getpeername,
    SYS_getsockopt,
    SYS_getrandom,
    SYS_getcwd,
    SYS_readlinkat,
    SYS_sched_getaffinity,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrusage,
    SYS_times,
    SYS_prlimit64,
    SYS_pipe2,
    SYS_socketpair,
    SYS_ppoll,
    SYS_pselect6,
    SYS_epoll_pwait,
    SYS_ioctl,
    SYS_fcntl,
    SYS_timerfd_gettime,
    SYS_sendfile,
    SYS_rt_sigtimedwait,
    SYS_rt_sigpending,
    SYS_getitimer,
    SYS_setitimer,
    SYS_timer_create,
    SYS_timer_gettime,
    SYS_timer_settime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
    SYS_getdents64,
    SYS_write,
    SYS_pwrite64,
    SYS_writev,
    SYS_pwritev,
    SYS_sendto,
    SYS_sendmsg,
    SYS_openat,
    SYS_close,
    SYS_close_range,
    SYS_lseek,
    SYS_dup,
    SYS_dup3,
    SYS_socket,
    SYS_bind,
    SYS_listen,
    SYS_connect,
    SYS_shutdown,
    SYS_setsockopt,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_truncate,
    SYS_fallocate,
    SYS_unlinkat,
    SYS_renameat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_flock,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_eventfd2,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_signalfd4,
    SYS_inotify_init1,
    SYS_inotify_add_watch,
    SYS_memfd_create,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_chdir,
    SYS_fchdir,
    SYS_fadvise64,
    SYS_readahead,
    SYS_sync,
    SYS_umask,
#ifdef __x86_64__
    SYS_alarm,
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_pipe,
    SYS_dup2,
    SYS_poll,
    SYS_select,
    SYS_unlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_rename,
    SYS_readlink,
    SYS_epoll_wait,
    SYS_epoll_create,
    SYS_eventfd,
    SYS_link,
    SYS_symlink,
    SYS_chmod,
    SYS_chown,
    SYS_creat,
#endif
};

enum { COUNT = sizeof hd_rt_world_watched / sizeof *hd_rt_world_watched };
_Static_assert((int)COUNT <= (int)HD_RT_WORLD_MOST, "there is room in the filter");
const uint32_t hd_rt_world_watched_count = COUNT;

/* What people want to see. */
bool hd_rt_world_shown(long call, const uintptr_t a[6]) {
    return (call == SYS_write || call == SYS_writev) &&
           (a[0] == STDOUT_FILENO || a[0] == STDERR_FILENO);
}
