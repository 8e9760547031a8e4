/*
 * Messages that are received: besides the bytes the call reads the header and the list of parts,
 * and stores the sender's address, what comes with the message, and how all that turned out.
 */
#include <errno.h>

#include "rt_explore.h"
#include "rt_file_call.h"
#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_sync.h"

/* A message under way: the caller's header as it was when the call began, with places of ours. */
typedef struct message {
    struct msghdr own, asked;
    struct sockaddr_storage name;
    hd_rt_file_parts parts;
    hd_rt_aside bytes, control;
    struct iovec whole;
    char *from; /* where the bytes are, unless they are where they belong */
} message;

static void message_begin(message *it, const struct msghdr *header, uintptr_t code) {
    hd_rt_fetch(header, sizeof *header, code);
    it->asked = it->own = *header;
    hd_rt_file_parts_begin(&it->parts, it->asked.msg_iov, it->asked.msg_iovlen, code);
}

/* When nothing is waited for any more: where the kernel is to store. */
static void message_place(message *it, const hd_rt_file_call *call) {
    it->own.msg_iov = (struct iovec *)(uintptr_t)it->parts.list;
    it->from = hd_rt_file_room(&it->bytes, call, it->parts.list, it->parts.count);
    if (it->from) {
        it->whole = (struct iovec){it->from, hd_rt_file_sum(it->parts.list, it->parts.count)};
        it->own.msg_iov = &it->whole;
        it->own.msg_iovlen = 1;
    }
    if (it->asked.msg_name)
        it->own.msg_name = &it->name;
    if (it->own.msg_namelen > sizeof it->name)
        it->own.msg_namelen = sizeof it->name;
    if (it->asked.msg_control)
        it->own.msg_control =
            hd_rt_aside_begin(&it->control, it->asked.msg_control, it->asked.msg_controllen);
}

static void message_store(message *it, struct msghdr *header, uintptr_t code) {
    if (it->asked.msg_name) {
        socklen_t size = it->own.msg_namelen;
        if (size > it->asked.msg_namelen)
            size = it->asked.msg_namelen;
        hd_rt_deliver(it->asked.msg_name, &it->name, size, code);
        hd_rt_deliver(&header->msg_namelen, &it->own.msg_namelen, sizeof size, code);
    }
    hd_rt_deliver(&header->msg_flags, &it->own.msg_flags, sizeof header->msg_flags, code);
    hd_rt_deliver(&header->msg_controllen, &it->own.msg_controllen, sizeof header->msg_controllen,
                  code);
}

static ssize_t receive_message(int file, struct msghdr *header, int flags, uintptr_t code) {
    message it;
    hd_rt_file_call call;
    ssize_t got = -1;
    message_begin(&it, header, code);
    if (hd_rt_file_reads(&call, file, flags, code)) {
        if (it.asked.msg_control) /* descriptors may come */
            hd_rt_foreign_state("recvmsg", HEDDLE_WIRE_KEPT_files, HD_RT_CHANGES, code);
        message_place(&it, &call);
        got = hd_rt_file_has_read(&call, hd_rt_real.recvmsg(file, &it.own, flags));
        hd_rt_file_stored(&it.bytes, &call, it.parts.list, it.parts.count, got, it.from);
        if (it.asked.msg_control)
            hd_rt_aside_end(&it.control, got < 0 ? 0 : it.own.msg_controllen, code);
        if (got >= 0)
            message_store(&it, header, code);
    }
    hd_rt_file_parts_end(&it.parts);
    return got;
}

HD_RT_EXPORT ssize_t recvmsg(int file, struct msghdr *header, int flags) {
    return hd_rt.mode == HD_RT_OFF ? hd_rt_real.recvmsg(file, header, flags)
                                   : receive_message(file, header, flags, HD_RT_CODE());
}

/* As the kernel does it: one after the other, and the time limit counts after each. */
HD_RT_EXPORT int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags,
                          struct timespec *limit) {
    enum { MOST = 1024 };
    if (hd_rt.mode == HD_RT_OFF)
        return hd_rt_real.recvmmsg(file, messages, count, flags, limit);
    if (hd_rt.mode == HD_RT_FREE && limit)
        return hd_rt_real.recvmmsg(file, messages, count, flags, limit);
    hd_rt_fetch(limit, limit ? sizeof *limit : 0, HD_RT_CODE());
    int64_t deadline = limit ? hd_rt_deadline_in(limit, 0) : HD_RT_FOREVER;
    int done = 0;
    while ((unsigned)done < count && done < MOST) {
        bool waits = !done || !(flags & MSG_WAITFORONE);
        int how = (flags & ~MSG_WAITFORONE) | (waits ? 0 : MSG_DONTWAIT);
        ssize_t got = receive_message(file, &messages[done].msg_hdr, how, HD_RT_CODE());
        if (got < 0)
            return done ? done : -1;
        unsigned length = (unsigned)got;
        hd_rt_deliver(&messages[done++].msg_len, &length, sizeof length, HD_RT_CODE());
        if (limit && hd_rt.now >= deadline)
            break;
    }
    return done;
}
