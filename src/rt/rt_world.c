#include "rt_world.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "rt.h"
#include "rt_arch.h"
#include "rt_external_wait.h"
#include "rt_real.h"
#include "rt_seccomp.h"
#include "rt_string.h"

enum { SAID = 1 << 16 };
#define ROOM ((uint64_t)1 << 32) /* bytes of the file, at most; it has holes */

bool hd_rt_world_on;

static struct {
    char *bytes;
    uint64_t *used;                   /* of them, while they are written */
    uint64_t size;                    /* of what is played back */
    uint64_t at[HEDDLE_WIRE_THREADS]; /* where each thread reads next */
    uintptr_t loader_low, loader_high;
    bool lost; /* there was no room */
} world;

bool hd_rt_world_plays(void) {
    return hd_rt_world_on && hd_rt.wire->world == HEDDLE_WIRE_PLAYS;
}

/* --- the file ------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t size) {
    return (size + 7) & ~UINT64_C(7);
}

/* An entry that is being written or read: where its next bytes go. */
typedef struct stream {
    heddle_world_entry *entry;
    uint64_t at; /* bytes of it so far */
    bool plays;
} stream;

static heddle_world_entry *entry_at(uint64_t at) {
    return (heddle_world_entry *)(world.bytes + at);
}

static void put(stream *s, void *from, size_t size) {
    if (s->plays) {
        if (s->at + size <= s->entry->size)
            hd_rt_copy(from, (const char *)(s->entry + 1) + s->at, size);
        s->at += size;
        return;
    }
    uint64_t end = (uint64_t)((char *)(s->entry + 1) - world.bytes) + s->at + size;
    if (end > ROOM - sizeof *s->entry) {
        world.lost = true;
        return;
    }
    hd_rt_copy((char *)(s->entry + 1) + s->at, from, size);
    s->at += size;
}

static void begin_entry(stream *s, uint32_t what, int64_t result) {
    *s = (stream){.entry = entry_at(*world.used)};
    *s->entry = (heddle_world_entry){hd_rt.current ? hd_rt.current->id : 0, what, result, 0};
}

static void end_entry(stream *s) {
    if (world.lost)
        return;
    s->entry->size = s->at;
    __atomic_store_n(world.used, *world.used + sizeof *s->entry + round_up(s->at),
                     __ATOMIC_RELEASE);
    if (*world.used > ROOM - (1 << 20))
        world.lost = true;
    hd_rt.wire->world_lost = world.lost;
}

static bool is_kept(void) {
    return hd_rt_world_on && !world.lost && hd_rt.wire->world == HEDDLE_WIRE_KEEPS;
}

/* The thread's next entry; NULL: it has no more. */
static heddle_world_entry *next_entry(void) {
    uint32_t id = hd_rt.current ? hd_rt.current->id : 0;
    uint64_t *at = &world.at[id];
    while (*at + sizeof(heddle_world_entry) <= world.size) {
        heddle_world_entry *it = entry_at(*at);
        if (it->size > world.size - *at - sizeof *it)
            return NULL;
        *at += sizeof *it + round_up(it->size);
        if (it->thread == id)
            return it;
    }
    return NULL;
}

static void differ(uint32_t what, const heddle_world_entry *entry) {
    char text[160];
    if (what >= SAID || entry->what >= SAID)
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "it asks for something else from outside");
    hd_rt_print(text, sizeof text, "it makes system call %u where the recording has %u", what,
                entry->what);
    hd_rt_stop(HEDDLE_WIRE_DIVERGED, text);
}

/* --- what calls store ----------------------------------------------------------------------- */

static void put_parts(stream *s, const struct iovec *list, uint64_t count, long left) {
    for (uint64_t i = 0; i < count && left > 0; i++) {
        size_t size = (size_t)left < list[i].iov_len ? (size_t)left : list[i].iov_len;
        put(s, list[i].iov_base, size);
        left -= (long)size;
    }
}

/* An address or an option with its length, of which there was room for some. */
static void put_sized(stream *s, uintptr_t at, uintptr_t length_at, socklen_t room) {
    socklen_t *length = (socklen_t *)length_at;
    if (!at || !length)
        return;
    put(s, length, sizeof *length);
    put(s, (void *)at, *length < room ? *length : room);
}

static void put_message(stream *s, struct msghdr *message, socklen_t room, long got) {
    size_t control = message->msg_controllen;
    put(s, &message->msg_namelen, sizeof message->msg_namelen);
    put(s, &message->msg_controllen, sizeof message->msg_controllen);
    put(s, &message->msg_flags, sizeof message->msg_flags);
    if (message->msg_name)
        put(s, message->msg_name, message->msg_namelen < room ? message->msg_namelen : room);
    if (message->msg_control)
        put(s, message->msg_control,
            message->msg_controllen < control ? message->msg_controllen : control);
    put_parts(s, message->msg_iov, message->msg_iovlen, got);
}

static size_t ioctl_size(uintptr_t request) {
    return request == TCGETS       ? sizeof(struct termios)
           : request == TIOCGWINSZ ? sizeof(struct winsize)
           : request == FIONREAD   ? sizeof(int)
                                   : 0;
}

static void put_at(stream *s, uintptr_t at, size_t size) {
    if (at)
        put(s, (void *)at, size);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void put_sets(stream *s, const uintptr_t a[6]) {
    size_t size = (a[0] + 63) / 64 * 8;
    for (unsigned i = 1; i <= 3; i++)
        put_at(s, a[i], size);
}

/* Lengths that say how much room there is, before the call changes them. */
static socklen_t room_of(long call, const uintptr_t a[6]) {
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
#ifdef __x86_64__
    {SYS_pipe, 0, 0, 2 * sizeof(int)},
    {SYS_stat, 1, 0, sizeof(struct stat)},
    {SYS_lstat, 1, 0, sizeof(struct stat)},
    {SYS_readlink, 1, 2, 0},
#endif
};

static void put_stored(stream *s, long call, const uintptr_t a[6], long result, socklen_t room) {
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
static const uint16_t watched[] = {
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

enum { COUNT = sizeof watched / sizeof *watched };

/* What people want to see. */
static bool is_shown(long call, const uintptr_t a[6]) {
    return (call == SYS_write || call == SYS_writev) &&
           (a[0] == STDOUT_FILENO || a[0] == STDERR_FILENO);
}

static long do_call(long call, const uintptr_t a[6]) {
    return hd_rt_syscall(call, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4],
                         (long)a[5]);
}

/* --- memory that is a file ------------------------------------------------------------------ */

/* What the file has now. */
static long keep_mapping(const uintptr_t a[6]) {
    struct stat status;
    stream s;
    long result = do_call(SYS_mmap, a);
    begin_entry(&s, SYS_mmap, result);
    if (result >= 0 && hd_rt_syscall(SYS_fstat, (long)a[4], (long)&status, 0, 0, 0, 0) == 0 &&
        (uint64_t)status.st_size > a[5]) {
        uint64_t size = (uint64_t)status.st_size - a[5], done = 0;
        size = size < a[1] ? size : a[1];
        char *to = (char *)(s.entry + 1);
        bool fits = (uint64_t)(to - world.bytes) + size < ROOM - (1 << 20);
        for (long got = 1; fits && done < size && got > 0; done += got > 0 ? (uint64_t)got : 0)
            got = hd_rt_syscall(SYS_pread64, (long)a[4], (long)(to + done), (long)(size - done),
                                (long)(a[5] + done), 0, 0);
        world.lost |= !fits;
        s.at = done;
    }
    end_entry(&s);
    return result;
}

static long play_mapping(const heddle_world_entry *entry, const uintptr_t a[6]) {
    if (entry->result < 0)
        return (long)entry->result;
    long place = (a[3] & MAP_FIXED) ? (long)a[0] : (long)entry->result;
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | (long)(a[3] & MAP_FIXED);
    long at = hd_rt_syscall(SYS_mmap, place, (long)a[1], PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at < 0)
        return at;
    hd_rt_copy((void *)at, entry + 1, entry->size < a[1] ? entry->size : a[1]);
    hd_rt_syscall(SYS_mprotect, at, (long)a[1], (long)a[2], 0, 0, 0);
    return at;
}

/* --- one call ------------------------------------------------------------------------------- */

static long keep_call(long call, const uintptr_t a[6]) {
    stream s;
    if (call == SYS_mmap)
        return keep_mapping(a);
    socklen_t room = room_of(call, a);
    long result = do_call(call, a);
    begin_entry(&s, (uint32_t)call, result);
    put_stored(&s, call, a, result, room);
    end_entry(&s);
    return result;
}

static long play_call(long call, const uintptr_t a[6]) {
    heddle_world_entry *entry = next_entry();
    if (!entry)
        return do_call(call, a); /* the recording ends here */
    if (entry->what != (uint32_t)call)
        differ((uint32_t)call, entry);
    if (call == SYS_mmap)
        return play_mapping(entry, a);
    stream s = {.entry = entry, .plays = true};
    put_stored(&s, call, a, (long)entry->result, room_of(call, a));
    if (is_shown(call, a))
        do_call(call, a);
    return (long)entry->result;
}

static long meet(long call, const uintptr_t a[6]) {
    if (hd_rt_world_plays() && !hd_rt.ended)
        return play_call(call, a);
    return is_kept() ? keep_call(call, a) : do_call(call, a);
}

long hd_rt_world_call(long number, long a, long b, long c, long d, long e, long f) {
    const uintptr_t all[] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)c,
                             (uintptr_t)d, (uintptr_t)e, (uintptr_t)f};
    return hd_rt_world_on ? meet(number, all) : hd_rt_syscall(number, a, b, c, d, e, f);
}

int hd_rt_world_poll(struct pollfd *files, nfds_t count) {
    struct timespec none = {0, 0};
    enum { SIGNAL_SET = 8 };
    if (!hd_rt_world_on)
        return hd_rt_outside_ask(files, count);
    long ready =
        hd_rt_world_call(SYS_ppoll, (long)files, (long)count, (long)&none, 0, SIGNAL_SET, 0);
    if (ready >= 0)
        return (int)ready;
    errno = (int)-ready;
    return -1;
}

int64_t hd_rt_world_say(enum hd_rt_world_said what, int64_t value) {
    uint32_t number = SAID + (uint32_t)what;
    stream s;
    if (hd_rt_world_plays() && !hd_rt.ended) {
        const heddle_world_entry *entry = next_entry();
        if (entry && entry->what != number)
            differ(number, entry);
        return entry ? entry->result : value;
    }
    if (is_kept()) {
        begin_entry(&s, number, value);
        end_entry(&s);
    }
    return value;
}

/* --- the filter ----------------------------------------------------------------------------- */

static void stopped(int signal, siginfo_t *info, void *context) {
    (void)signal;
    uintptr_t a[6], from = (uintptr_t)info->si_call_addr;
    for (unsigned i = 0; i < 6; i++)
        a[i] = hd_rt_arch_argument(context, i);
    /* Libraries are loaded as they are. */
    bool loads = from >= world.loader_low && from < world.loader_high;
    long result = loads ? do_call(info->si_syscall, a) : meet(info->si_syscall, a);
    hd_rt_arch_result(context, result);
}

static bool filter(void) {
    enum { LISTED = 13 };
    struct sigaction ours = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO | SA_NODEFER};
    uintptr_t low = (uintptr_t)hd_rt_syscall, high = low + CODE_ROOM;
    struct sock_filter code[LISTED + COUNT + 2] = {
        OTHERS_THAN_OWN(SECCOMP_RET_ALLOW, low, high), IF(BPF_JEQ, SYS_mmap, 0, 2), LOAD(args[4]),
        IF(BPF_JEQ, UINT32_MAX, COUNT, COUNT + 1), /* of no file: allowed; else stopped */
    };
    for (unsigned i = 0; i < COUNT; i++)
        code[LISTED + i] = (struct sock_filter)IF(BPF_JEQ, watched[i], (uint8_t)(COUNT - i), 0);
    code[LISTED + COUNT] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    code[LISTED + COUNT + 1] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
    struct sock_fprog program = {.len = LISTED + COUNT + 2, .filter = code};
    return low >> 32 == high >> 32 && hd_rt_real.sigaction(SIGSYS, &ours, NULL) == 0 &&
           hd_rt_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) == 0 &&
           hd_rt_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0) == 0;
}

static bool open_file(bool plays) {
    struct stat status;
    long file = hd_rt_syscall(SYS_openat, AT_FDCWD, (long)hd_rt.wire->world_path,
                              (plays ? O_RDONLY : O_RDWR) | O_CLOEXEC, 0, 0, 0);
    if (file < 0 || hd_rt_syscall(SYS_fstat, file, (long)&status, 0, 0, 0, 0) < 0)
        return false;
    world.size = plays ? (uint64_t)status.st_size : ROOM;
    bool large = plays || hd_rt_syscall(SYS_ftruncate, file, (long)ROOM, 0, 0, 0, 0) == 0;
    long at = large ? hd_rt_syscall(SYS_mmap, 0, (long)world.size,
                                    plays ? PROT_READ : PROT_READ | PROT_WRITE,
                                    plays ? MAP_PRIVATE : MAP_SHARED | MAP_NORESERVE, file, 0)
                    : -1;
    hd_rt_syscall(SYS_close, file, 0, 0, 0, 0, 0);
    if (at < 0)
        return false;
    world.bytes = (char *)at;
    return true;
}

void hd_rt_world_init(void) {
    bool plays = hd_rt.wire->world == HEDDLE_WIRE_PLAYS;
    uintptr_t loader = getauxval(AT_BASE);
    heddle_world_head *head;
    if (!hd_rt.wire->world || !open_file(plays))
        return;
    head = (heddle_world_head *)world.bytes;
    if (plays && (world.size < sizeof *head || head->magic != HEDDLE_WORLD_MAGIC))
        return;
    if (plays) {
        world.size = head->used < world.size ? head->used : world.size;
    } else {
        head->magic = HEDDLE_WORLD_MAGIC;
        head->used = sizeof *head;
        world.used = &head->used;
    }
    for (uint32_t i = 0; i < HEDDLE_WIRE_THREADS; i++)
        world.at[i] = sizeof *head;
    for (uint32_t i = 0; i < hd_rt.wire->modules && i < HEDDLE_WIRE_MODULES; i++)
        if (hd_rt.wire->module[i].base == loader) {
            world.loader_low = hd_rt.wire->module[i].low;
            world.loader_high = hd_rt.wire->module[i].high;
        }
    hd_rt_world_on = filter();
    hd_rt.wire->world_on = hd_rt_world_on;
}
