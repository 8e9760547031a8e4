/*
 * Calls that write to a file.
 */
#include <errno.h>
#include <limits.h>
#include <sys/eventfd.h>

#include "rt_aside.h"
#include "rt_cancel.h"
#include "rt_descriptor.h"
#include "rt_explore.h"
#include "rt_file_call.h"
#include "rt_foreign.h"
#include "rt_real.h"

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
    bool socket = hd_rt_file_is_socket(file);
    ssize_t whole = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t done = 0; done < parts[i].iov_len;) {
            if (!hd_rt_file_begin(file, cell, POLLOUT, flags, code))
                return whole ? whole : -1;
            ssize_t put = write_piece(file, socket, (const char *)parts[i].iov_base + done,
                                      parts[i].iov_len - done, flags);
            if (put < 0 && errno == EAGAIN)
                continue;
            if (put < 0)
                return whole ? whole : -1;
            hd_rt_file_change(cell, code);
            if (put && hd_rt_file_has_units(file))
                hd_rt_file_put(cell, (size_t)put, code);
            done += (size_t)put;
            whole += put;
        }
    return whole;
}

/* Is it what the program was given, or standard output under another number? */
static bool is_given(int file) {
    return hd_rt_given(file) || (hd_rt.wire->prints && hd_rt_given_is_output(file));
}

/* The outputs of a program that is explored take what they are given.  Others may put a file of the
 * program's own there meanwhile. */
static bool is_kept(int file, uintptr_t code) {
    if (!hd_rt.exploring || !hd_rt_controlled() || !is_given(file))
        return false;
    hd_rt_settle();
    hd_rt_cancel_point("write", code);
    hd_rt_output(file);
    if (file == STDOUT_FILENO)
        hd_rt_explore_unseen(); /* the bytes are not looked at */
    if (!hd_rt_foreign_printed(file, code))
        hd_rt_foreign_file("write", file, code);
    if (file == STDOUT_FILENO)
        hd_rt_say_output(code);
    return is_given(file);
}

/* What a call is to write; `simple`: and nothing else. */
typedef struct outgoing {
    const struct iovec *parts;
    size_t count;
    bool simple;
} outgoing;

/* Before a call that writes; false: it is done already, and returns *put. */
static bool writes(hd_rt_file_call *it, int file, int flags, outgoing what, uintptr_t code,
                   ssize_t *put) {
    *it = (hd_rt_file_call){.code = code};
    if (hd_rt.mode == HD_RT_OFF)
        return true;
    for (size_t i = 0; i < what.count; i++)
        hd_rt_fetch(what.parts[i].iov_base, what.parts[i].iov_len, code);
    hd_rt_descriptor_use(file, code);
    if (is_kept(file, code))
        return true;
    it->cell = hd_rt_file_cell(file);
    if (!it->cell)
        hd_rt_foreign_file("write", file, code);
    if (!hd_rt_controlled()) {
        hd_rt_file_change(it->cell, code);
        return true;
    }
    it->seen = true;
    it->pipe = it->cell && hd_rt_file_has_units(file);
    *put = -1;
    if (!it->cell || !what.simple || hd_rt_file_sum(what.parts, what.count) <= PIPE_BUF ||
        !hd_rt_file_waits(file, flags))
        return hd_rt_file_begin(file, it->cell, POLLOUT, flags, code);
    *put = write_pieces(file, it->cell, what.parts, what.count, flags, code);
    return false;
}

/* After it. */
static ssize_t has_written(const hd_rt_file_call *it, ssize_t put) {
    if (it->seen && put >= 0)
        hd_rt_file_change(it->cell, it->code);
    if (it->pipe && put > 0)
        hd_rt_file_put(it->cell, (size_t)put, it->code);
    return put;
}

static ssize_t write_file(int file, const void *from, size_t size, uintptr_t code) {
    outgoing what = {HD_RT_FILE_ONE((void *)(uintptr_t)from, size), true};
    hd_rt_file_call it;
    ssize_t put;
    if (!writes(&it, file, 0, what, code, &put))
        return put;
    return has_written(&it, hd_rt_real.write(file, from, size));
}

HD_RT_EXPORT ssize_t write(int file, const void *from, size_t size) {
    return write_file(file, from, size, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t writev(int file, const struct iovec *list, int count) {
    hd_rt_file_call it;
    hd_rt_file_parts parts;
    ssize_t put;
    if (hd_rt.mode == HD_RT_OFF || count < 0 || count > IOV_MAX)
        return hd_rt_real.writev(file, list, count);
    hd_rt_file_parts_begin(&parts, list, (size_t)count, HD_RT_CODE());
    if (writes(&it, file, 0, (outgoing){parts.list, parts.count, true}, HD_RT_CODE(), &put))
        put = has_written(&it, hd_rt_real.writev(file, parts.list, count));
    hd_rt_file_parts_end(&parts);
    return put;
}

HD_RT_EXPORT ssize_t send(int file, const void *from, size_t size, int flags) {
    outgoing what = {HD_RT_FILE_ONE((void *)(uintptr_t)from, size), true};
    hd_rt_file_call it;
    ssize_t put;
    if (!writes(&it, file, flags, what, HD_RT_CODE(), &put))
        return put;
    return has_written(&it, hd_rt_real.send(file, from, size, flags));
}

HD_RT_EXPORT ssize_t sendto(int file, const void *from, size_t size, int flags,
                            const struct sockaddr *address, socklen_t length) {
    outgoing what = {HD_RT_FILE_ONE((void *)(uintptr_t)from, size), !address};
    hd_rt_file_call it;
    ssize_t put;
    hd_rt_fetch(address, length, HD_RT_CODE());
    if (!writes(&it, file, flags, what, HD_RT_CODE(), &put))
        return put;
    return has_written(&it, hd_rt_real.sendto(file, from, size, flags, address, length));
}

/* All of a message except the bytes, as it is when the call begins. */
static struct msghdr fetch_message(const struct msghdr *message, uintptr_t code) {
    hd_rt_fetch(message, sizeof *message, code);
    struct msghdr it = *message;
    hd_rt_fetch(it.msg_name, it.msg_namelen, code);
    hd_rt_fetch(it.msg_control, it.msg_controllen, code);
    return it;
}

static ssize_t send_message(int file, const struct msghdr *message, int flags, uintptr_t code) {
    hd_rt_file_call it;
    hd_rt_file_parts parts;
    ssize_t put;
    if (hd_rt.mode == HD_RT_OFF)
        return hd_rt_real.sendmsg(file, message, flags);
    struct msghdr own = fetch_message(message, code);
    hd_rt_file_parts_begin(&parts, own.msg_iov, own.msg_iovlen, code);
    own.msg_iov = (struct iovec *)(uintptr_t)parts.list;
    outgoing what = {parts.list, parts.count, !own.msg_name && !own.msg_control};
    if (writes(&it, file, flags, what, code, &put))
        put = has_written(&it, hd_rt_real.sendmsg(file, &own, flags));
    hd_rt_file_parts_end(&parts);
    return put;
}

HD_RT_EXPORT ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    return send_message(file, message, flags, HD_RT_CODE());
}

/* One after the other; those that were sent count, even if the next one fails. */
HD_RT_EXPORT int sendmmsg(int file, struct mmsghdr *messages, unsigned count, int flags) {
    int sent = 0;
    if (hd_rt.mode == HD_RT_OFF)
        return hd_rt_real.sendmmsg(file, messages, count, flags);
    while ((unsigned)sent < count && sent < IOV_MAX) {
        ssize_t put = send_message(file, &messages[sent].msg_hdr, flags, HD_RT_CODE());
        if (put < 0)
            return sent ? sent : -1;
        unsigned length = (unsigned)put;
        hd_rt_deliver(&messages[sent++].msg_len, &length, sizeof length, HD_RT_CODE());
    }
    return sent;
}

HD_RT_EXPORT int eventfd_write(int file, eventfd_t value) {
    return write_file(file, &value, sizeof value, HD_RT_CODE()) == sizeof value ? 0 : -1;
}
