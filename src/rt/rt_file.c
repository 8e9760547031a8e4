#include "rt_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_kernel.h"
#include "rt_outside.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_sync.h"

/* --- the variables -------------------------------------------------------------------------- */

enum { CELLS = HEDDLE_WIRE_FILES, PLACES = 4 * CELLS, PAIRS = 256, UNIX_SOCKETS = 7 };
enum sort { OTHER, PIPE, SOCKET, EVENT };

static uint64_t cells[CELLS]; /* the first is for all files of an explored program */
static struct {
    uint64_t key; /* 0: free */
    uint32_t cell;
} places[PLACES];
static uint32_t used;
static struct { uint64_t one, other; /* inodes */ } pairs[PAIRS];
static uint32_t pair_count;
static uint32_t busy; /* free-running threads use the tables together */

static void enter(void) {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        ;
}

static void leave(void) {
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static uint64_t mix(uint64_t x) {
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* The same for both ends of a connection of this machine's. */
static uint64_t hash_address(const struct sockaddr_storage *address, socklen_t length) {
    uint64_t hash = length;
    const unsigned char *bytes = (const unsigned char *)address;
    for (socklen_t i = 0; i < length && i < sizeof *address; i++)
        hash = mix(hash + bytes[i]);
    return hash;
}

static uint64_t key_of_socket(int file, uint64_t inode) {
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t here_length = sizeof here, there_length = sizeof there;
    for (uint32_t i = 0; i < pair_count; i++)
        if (pairs[i].one == inode || pairs[i].other == inode)
            return pairs[i].one;
    if (hd_rt_syscall(SYS_getsockname, file, (long)&here, (long)&here_length, 0, 0, 0) < 0)
        return inode;
    if (here.ss_family == AF_UNIX)
        return UNIX_SOCKETS; /* whose other end is where is not known */
    if (hd_rt_syscall(SYS_getpeername, file, (long)&there, (long)&there_length, 0, 0, 0) < 0)
        return inode;
    return hash_address(&here, here_length) + hash_address(&there, there_length);
}

static enum sort look_at(int file, uint64_t *inode) {
    struct stat status;
    if (file <= STDERR_FILENO || hd_rt_syscall(SYS_fstat, file, (long)&status, 0, 0, 0, 0) < 0)
        return OTHER;
    *inode = status.st_ino;
    switch (status.st_mode & S_IFMT) {
    case S_IFIFO:
        return PIPE;
    case S_IFSOCK:
        return SOCKET;
    case 0: /* all event descriptors and their kin have one inode */
        return EVENT;
    default:
        return OTHER;
    }
}

/* Files that find no place share the last variable. */
static uint32_t find_cell(uint64_t key) {
    uint64_t place = mix(key) % PLACES;
    while (places[place].key && places[place].key != key)
        place = (place + 1) % PLACES;
    if (places[place].key)
        return places[place].cell;
    if (used == CELLS - 1)
        return used;
    places[place].key = key;
    places[place].cell = ++used;
    return used;
}

/* NULL if the file has none. */
static uint64_t *cell_of(int file) {
    uint64_t inode = 0;
    enum sort sort = look_at(file, &inode);
    if (sort == OTHER || hd_rt.mode == HD_RT_OFF)
        return NULL;
    if (hd_rt.exploring) {
        hd_rt_kernel_used(file, inode);
        return &cells[0];
    }
    enter();
    uint64_t key = sort == EVENT    ? (uint64_t)file
                   : sort == SOCKET ? key_of_socket(file, inode)
                                    : inode;
    uint32_t cell = find_cell((key << 2 | sort) ? key << 2 | sort : 1);
    leave();
    return &cells[cell];
}

void hd_rt_file_init(void) {
    hd_rt.wire->files = (uintptr_t)cells;
}

static void change(uint64_t *cell, uintptr_t code) {
    enum { RMW = HEDDLE_ATOMIC_RMW + 1 };
    if (!cell)
        return;
    if (hd_rt_controlled())
        hd_rt_record_atomic(RMW, 3, cell, code, ++*cell);
    else if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_lock(cell);
        hd_rt_free_unlock(RMW, 3, cell, code, ++*cell);
    }
}

void hd_rt_file_changed(int file, uintptr_t code) {
    if (hd_rt.mode != HD_RT_OFF)
        change(cell_of(file), code);
}

const volatile void *hd_rt_file_any(void) {
    return hd_rt.exploring ? &cells[0] : NULL;
}

/* --- before and after a call ----------------------------------------------------------------- */

static bool waits(int file, int flags) {
    long status = hd_rt_syscall(SYS_fcntl, file, F_GETFL, 0, 0, 0, 0);
    return !(flags & MSG_DONTWAIT) && status >= 0 && !(status & O_NONBLOCK);
}

/* SO_RCVTIMEO and SO_SNDTIMEO. */
static int64_t deadline_of(int file, short events) {
    struct timeval limit = {0, 0};
    socklen_t length = sizeof limit;
    int which = events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO;
    if (getsockopt(file, SOL_SOCKET, which, &limit, &length) < 0 ||
        (!limit.tv_sec && !limit.tv_usec))
        return HD_RT_FOREVER;
    return hd_rt_deadline_in(&(struct timespec){limit.tv_sec, limit.tv_usec * 1000}, 0);
}

/* The point before a call under control.  False: it fails, and errno says why. */
static bool begin_call(int file, uint64_t *cell, short events, int flags, uintptr_t code) {
    struct pollfd wanted = {.fd = file, .events = events};
    const hd_rt_outside what = {.files = &wanted, .count = 1};
    hd_rt_settle();
    if (hd_rt.exploring)
        hd_rt_spin_forget(hd_rt.current); /* where a file is at is no memory */
    if (events == POLLOUT)
        hd_rt_output(file, code);
    if (!cell && hd_rt.exploring && file <= STDERR_FILENO && events == POLLOUT)
        return true; /* these take what they are given */
    if (cell && hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it uses pipes or sockets");
    if (!waits(file, flags)) {
        if (cell)
            hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, HEDDLE_WIRE_TRY, cell, 0, code, HD_RT_FOREVER);
        return true;
    }
    if (!cell && hd_rt_outside_ask(&wanted, 1) != 0)
        return true;
    int64_t deadline = cell ? deadline_of(file, events) : HD_RT_FOREVER;
    for (;;) {
        switch (hd_rt_outside_wait(&what, cell, deadline, code)) {
        case HD_RT_READY:
            return true;
        case HD_RT_LATE:
            errno = EAGAIN;
            return false;
        case HD_RT_INTERRUPTED:
            errno = EINTR;
            return false;
        case HD_RT_RESTARTED:
            break;
        }
    }
}

/* --- reading -------------------------------------------------------------------------------- */

static size_t sum(const struct iovec *parts, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}

/* A call that reads or writes, from before it to after it. */
typedef struct call {
    uint64_t *cell;  /* of the file */
    uintptr_t code;  /* where it is */
    bool seen;       /* it is an event when it is done, */
    bool controlled; /* and what it stores another one */
} call;

/* Before a call that reads; false: it fails instead. */
static bool reads(call *it, int file, int flags, uintptr_t code) {
    *it = (call){.code = code, .seen = hd_rt.mode != HD_RT_OFF};
    if (!it->seen)
        return true;
    it->cell = cell_of(file);
    it->controlled = hd_rt_controlled();
    if (!it->cell) {
        hd_rt_input_file(file);
        hd_rt_foreign_file("read", file, code);
    }
    return !it->controlled || begin_call(file, it->cell, POLLIN, flags, code);
}

/* After it: what it returned. */
static ssize_t has_read(const call *it, ssize_t got) {
    if (it->seen && got >= 0)
        change(it->cell, it->code);
    return got;
}

/* Where the call is to store, aside if others may look at one of the places. */
static char *parts_begin(hd_rt_aside *aside, const call *it, const struct iovec *parts,
                         size_t count) {
    bool shared = false;
    for (size_t i = 0; i < count && it->controlled && hd_rt.exploring; i++)
        shared |= hd_rt_explore_shares(parts[i].iov_base, parts[i].iov_len);
    return shared ? hd_rt_aside_room(aside, sum(parts, count)) : NULL;
}

/* The bytes that it got go where the caller wants them. */
static ssize_t parts_end(hd_rt_aside *aside, const call *it, const struct iovec *parts,
                         size_t count, ssize_t got, const char *from) {
    ssize_t left = got;
    for (size_t i = 0; i < count && left > 0 && it->controlled; i++) {
        size_t size = (size_t)left < parts[i].iov_len ? (size_t)left : parts[i].iov_len;
        if (from)
            hd_rt_deliver(parts[i].iov_base, from + (got - left), size, it->code);
        else
            hd_rt_delivered(parts[i].iov_base, size, it->code);
        left -= (ssize_t)size;
    }
    if (from)
        hd_rt_aside_leave(aside);
    return got;
}

#define ONE(to, size) (&(struct iovec){to, size}), 1

static ssize_t read_file(int file, void *to, size_t size, uintptr_t code) {
    hd_rt_aside aside;
    call it;
    if (!reads(&it, file, 0, code))
        return -1;
    char *from = parts_begin(&aside, &it, ONE(to, size));
    ssize_t got = has_read(&it, hd_rt_real.read(file, from ? from : to, size));
    return parts_end(&aside, &it, ONE(to, size), got, from);
}

HD_RT_EXPORT ssize_t read(int file, void *to, size_t size) {
    return read_file(file, to, size, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t __read_chk(int file, void *to, size_t size, size_t room) {
    (void)room;
    return read_file(file, to, size, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t readv(int file, const struct iovec *parts, int count) {
    hd_rt_aside aside;
    call it;
    if (!reads(&it, file, 0, HD_RT_CODE()))
        return -1;
    char *from = parts_begin(&aside, &it, parts, (size_t)count);
    ssize_t got = from ? hd_rt_real.read(file, from, sum(parts, (size_t)count))
                       : hd_rt_real.readv(file, parts, count);
    return parts_end(&aside, &it, parts, (size_t)count, has_read(&it, got), from);
}

static ssize_t receive(int file, void *to, size_t size, int flags, uintptr_t code) {
    hd_rt_aside aside;
    call it;
    if (!reads(&it, file, flags, code))
        return -1;
    char *from = parts_begin(&aside, &it, ONE(to, size));
    ssize_t got = has_read(&it, hd_rt_real.recv(file, from ? from : to, size, flags));
    return parts_end(&aside, &it, ONE(to, size), got, from);
}

HD_RT_EXPORT ssize_t recv(int file, void *to, size_t size, int flags) {
    return receive(file, to, size, flags, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t __recv_chk(int file, void *to, size_t size, size_t room, int flags) {
    (void)room;
    return receive(file, to, size, flags, HD_RT_CODE());
}

/* Where the other end's address goes. */
typedef struct address_of {
    struct sockaddr *address, *to;
    socklen_t *length, *length_to, room;
    struct sockaddr_storage kept;
} address_of;

static void address_begin(address_of *who, const call *it, struct sockaddr *to, socklen_t *length) {
    who->address = who->to = to;
    who->length = who->length_to = length;
    if (!it->controlled || !to || !length)
        return;
    who->room = *length < sizeof who->kept ? *length : (socklen_t)sizeof who->kept;
    who->address = (struct sockaddr *)&who->kept;
    who->length = &who->room;
}

static void address_end(address_of *who, const call *it, ssize_t got) {
    if (who->address == who->to || got < 0)
        return;
    socklen_t size = who->room < *who->length_to ? who->room : *who->length_to;
    hd_rt_deliver(who->to, &who->kept, size, it->code);
    hd_rt_deliver(who->length_to, &who->room, sizeof who->room, it->code);
}

HD_RT_EXPORT ssize_t recvfrom(int file, void *restrict to, size_t size, int flags,
                              struct sockaddr *restrict address, socklen_t *restrict length) {
    hd_rt_aside aside;
    address_of who;
    call it;
    if (!reads(&it, file, flags, HD_RT_CODE()))
        return -1;
    address_begin(&who, &it, address, length);
    char *from = parts_begin(&aside, &it, ONE(to, size));
    ssize_t got = has_read(
        &it, hd_rt_real.recvfrom(file, from ? from : to, size, flags, who.address, who.length));
    parts_end(&aside, &it, ONE(to, size), got, from);
    address_end(&who, &it, got);
    return got;
}

HD_RT_EXPORT ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    hd_rt_aside aside;
    call it;
    if (!reads(&it, file, flags, HD_RT_CODE()))
        return -1;
    const struct iovec *parts = message->msg_iov;
    size_t count = message->msg_iovlen;
    char *from = parts_begin(&aside, &it, parts, count);
    struct iovec whole = {from, sum(parts, count)};
    if (from) {
        message->msg_iov = &whole;
        message->msg_iovlen = 1;
    }
    ssize_t got = has_read(&it, hd_rt_real.recvmsg(file, message, flags));
    message->msg_iov = (struct iovec *)(uintptr_t)parts;
    message->msg_iovlen = count;
    return parts_end(&aside, &it, parts, count, got, from);
}

HD_RT_EXPORT int accept(int file, struct sockaddr *restrict address, socklen_t *restrict length) {
    address_of who;
    call it;
    if (!reads(&it, file, 0, HD_RT_CODE()))
        return -1;
    hd_rt_foreign_state(__func__, HD_RT_STATE_files, HD_RT_CHANGES, HD_RT_CODE());
    address_begin(&who, &it, address, length);
    int got = (int)has_read(&it, hd_rt_real.accept(file, who.address, who.length));
    address_end(&who, &it, got);
    return got;
}

HD_RT_EXPORT int accept4(int file, struct sockaddr *restrict address, socklen_t *restrict length,
                         int flags) {
    address_of who;
    call it;
    if (!reads(&it, file, 0, HD_RT_CODE()))
        return -1;
    hd_rt_foreign_state(__func__, HD_RT_STATE_files, HD_RT_CHANGES, HD_RT_CODE());
    address_begin(&who, &it, address, length);
    int got = (int)has_read(&it, hd_rt_real.accept4(file, who.address, who.length, flags));
    address_end(&who, &it, got);
    return got;
}

HD_RT_EXPORT int eventfd_read(int file, eventfd_t *value) {
    return read_file(file, value, sizeof *value, HD_RT_CODE()) == sizeof *value ? 0 : -1;
}

/* --- writing -------------------------------------------------------------------------------- */

/* A piece of what does not fit at once. */
static ssize_t write_piece(int file, bool socket, const char *from, size_t size, int flags) {
    if (socket)
        return hd_rt_real.send(file, from, size, flags | MSG_DONTWAIT);
    return hd_rt_real.write(file, from, size < PIPE_BUF ? size : PIPE_BUF);
}

/* More than a pipe takes at once would wait inside the call, perhaps for another thread of
 * ours: it goes piece by piece. */
static ssize_t write_pieces(int file, uint64_t *cell, const struct iovec *parts, size_t count,
                            int flags, uintptr_t code) {
    uint64_t inode;
    bool socket = look_at(file, &inode) == SOCKET;
    ssize_t whole = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t done = 0; done < parts[i].iov_len;) {
            if (!begin_call(file, cell, POLLOUT, flags, code))
                return whole ? whole : -1;
            ssize_t put = write_piece(file, socket, (const char *)parts[i].iov_base + done,
                                      parts[i].iov_len - done, flags);
            if (put < 0 && errno == EAGAIN)
                continue;
            if (put < 0)
                return whole ? whole : -1;
            change(cell, code);
            done += (size_t)put;
            whole += put;
        }
    return whole;
}

/* The outputs of a program that is explored take what they are given. */
static bool is_kept(int file, uintptr_t code) {
    if (!hd_rt.exploring || file > STDERR_FILENO || !hd_rt_controlled())
        return false;
    hd_rt_settle();
    hd_rt_output(file, code);
    if (file == STDOUT_FILENO)
        hd_rt_explore_unseen(); /* the bytes are not looked at */
    return true;
}

/* What a call is to write; `simple`: and nothing else. */
typedef struct outgoing {
    const struct iovec *parts;
    size_t count;
    bool simple;
} outgoing;

/* Before a call that writes; false: it is done already, and returns *put. */
static bool writes(call *it, int file, int flags, outgoing what, uintptr_t code, ssize_t *put) {
    *it = (call){.code = code};
    if (hd_rt.mode == HD_RT_OFF)
        return true;
    for (size_t i = 0; i < what.count; i++)
        hd_rt_fetch(what.parts[i].iov_base, what.parts[i].iov_len, code);
    if (is_kept(file, code))
        return true;
    it->cell = cell_of(file);
    if (!it->cell)
        hd_rt_foreign_file("write", file, code);
    if (!hd_rt_controlled()) {
        change(it->cell, code);
        return true;
    }
    it->seen = true;
    *put = -1;
    if (!it->cell || !what.simple || sum(what.parts, what.count) <= PIPE_BUF || !waits(file, flags))
        return begin_call(file, it->cell, POLLOUT, flags, code);
    *put = write_pieces(file, it->cell, what.parts, what.count, flags, code);
    return false;
}

/* After it. */
static ssize_t has_written(const call *it, ssize_t put) {
    if (it->seen && put >= 0)
        change(it->cell, it->code);
    return put;
}

static ssize_t write_file(int file, const void *from, size_t size, uintptr_t code) {
    outgoing what = {ONE((void *)(uintptr_t)from, size), true};
    call it;
    ssize_t put;
    if (!writes(&it, file, 0, what, code, &put))
        return put;
    return has_written(&it, hd_rt_real.write(file, from, size));
}

HD_RT_EXPORT ssize_t write(int file, const void *from, size_t size) {
    return write_file(file, from, size, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t writev(int file, const struct iovec *parts, int count) {
    call it;
    ssize_t put;
    hd_rt_fetch(parts, (size_t)count * sizeof *parts, HD_RT_CODE());
    if (!writes(&it, file, 0, (outgoing){parts, (size_t)count, true}, HD_RT_CODE(), &put))
        return put;
    return has_written(&it, hd_rt_real.writev(file, parts, count));
}

HD_RT_EXPORT ssize_t send(int file, const void *from, size_t size, int flags) {
    outgoing what = {ONE((void *)(uintptr_t)from, size), true};
    call it;
    ssize_t put;
    if (!writes(&it, file, flags, what, HD_RT_CODE(), &put))
        return put;
    return has_written(&it, hd_rt_real.send(file, from, size, flags));
}

HD_RT_EXPORT ssize_t sendto(int file, const void *from, size_t size, int flags,
                            const struct sockaddr *address, socklen_t length) {
    outgoing what = {ONE((void *)(uintptr_t)from, size), !address};
    call it;
    ssize_t put;
    hd_rt_fetch(address, length, HD_RT_CODE());
    if (!writes(&it, file, flags, what, HD_RT_CODE(), &put))
        return put;
    return has_written(&it, hd_rt_real.sendto(file, from, size, flags, address, length));
}

/* All of a message except the bytes. */
static void fetch_message(const struct msghdr *message, uintptr_t code) {
    hd_rt_fetch(message, sizeof *message, code);
    hd_rt_fetch(message->msg_iov, message->msg_iovlen * sizeof *message->msg_iov, code);
    hd_rt_fetch(message->msg_name, message->msg_namelen, code);
    hd_rt_fetch(message->msg_control, message->msg_controllen, code);
}

HD_RT_EXPORT ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    fetch_message(message, HD_RT_CODE());
    outgoing what = {message->msg_iov, message->msg_iovlen,
                     !message->msg_name && !message->msg_control};
    call it;
    ssize_t put;
    if (!writes(&it, file, flags, what, HD_RT_CODE(), &put))
        return put;
    return has_written(&it, hd_rt_real.sendmsg(file, message, flags));
}

HD_RT_EXPORT int eventfd_write(int file, eventfd_t value) {
    return write_file(file, &value, sizeof value, HD_RT_CODE()) == sizeof value ? 0 : -1;
}

/* --- making and closing --------------------------------------------------------------------- */

HD_RT_EXPORT int socketpair(int domain, int type, int protocol, int files[2]) {
    hd_rt_foreign_state(__func__, HD_RT_STATE_files, HD_RT_CHANGES, HD_RT_CODE());
    int made[2], result = hd_rt_real.socketpair(domain, type, protocol, made);
    uint64_t one, other;
    if (hd_rt.mode != HD_RT_OFF && !result && look_at(made[0], &one) == SOCKET &&
        look_at(made[1], &other) == SOCKET) {
        enter();
        if (pair_count < PAIRS) {
            pairs[pair_count].one = one;
            pairs[pair_count++].other = other;
        }
        leave();
    }
    if (!result && hd_rt_controlled())
        hd_rt_deliver(files, made, sizeof made, HD_RT_CODE());
    else if (!result)
        hd_rt_copy(files, made, sizeof made);
    return result;
}

/* A reader at the other end sees that nothing more comes. */
static void begin_end(int file, uintptr_t code) {
    uint64_t *cell = hd_rt.mode == HD_RT_OFF ? NULL : cell_of(file);
    if (!cell)
        return;
    if (hd_rt_controlled()) {
        if (hd_rt_in_memory)
            hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it uses pipes or sockets");
        hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, HEDDLE_WIRE_TRY, cell, 0, code, HD_RT_FOREVER);
    }
    change(cell, code);
}

void hd_rt_file_asked(int file, uintptr_t code) {
    if (hd_rt.exploring)
        begin_end(file, code);
}

HD_RT_EXPORT int shutdown(int file, int how) {
    begin_end(file, HD_RT_CODE());
    return hd_rt_real.shutdown(file, how);
}

HD_RT_EXPORT int close(int file) {
    begin_end(file, HD_RT_CODE());
    hd_rt_foreign_state(__func__, HD_RT_STATE_files, HD_RT_CHANGES, HD_RT_CODE());
    return hd_rt_real.close ? hd_rt_real.close(file)
                            : (int)hd_rt_syscall(SYS_close, file, 0, 0, 0, 0, 0);
}
