#include "rt_file_call.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>

#include "rt_cancel.h"
#include "rt_explore.h"
#include "rt_external_wait.h"
#include "rt_real.h"
#include "rt_sync.h"
#include "rt_world.h"

size_t hd_rt_file_sum(const struct iovec *parts, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}

void hd_rt_file_parts_begin(hd_rt_file_parts *parts, const struct iovec *list, size_t count,
                            uintptr_t code) {
    parts->list = list;
    parts->count = list && count <= IOV_MAX ? count : 0;
    parts->kept.mapped = false;
    size_t size = parts->count * sizeof *list;
    hd_rt_fetch(list, size, code);
    if (!hd_rt.exploring || !hd_rt_explore_shares(list, size))
        return;
    parts->list = hd_rt_string_move(hd_rt_aside_room(&parts->kept, size), list, size);
}

void hd_rt_file_parts_end(hd_rt_file_parts *parts) {
    hd_rt_aside_leave(&parts->kept);
}

bool hd_rt_file_waits(int file, int flags) {
    long status = hd_rt_world_call(SYS_fcntl, file, F_GETFL, 0, 0, 0, 0);
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

/* Calls of this sort are cancellation points, all alike. */
static bool goes_on(uintptr_t code) {
    hd_rt_cancel_point("read", code);
    return true;
}

bool hd_rt_file_begin(int file, uint64_t *cell, short events, int flags, uintptr_t code) {
    struct pollfd wanted = {.fd = file, .events = events};
    const hd_rt_outside what = {.files = &wanted, .count = 1};
    hd_rt_settle();
    if (hd_rt.exploring)
        hd_rt_spin_lose(hd_rt.current); /* where a file is at is no memory */
    if (events == POLLOUT)
        hd_rt_output(file);
    if (!cell && hd_rt.exploring && file <= STDERR_FILENO && events == POLLOUT)
        return goes_on(code); /* these take what they are given */
    if (cell && hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it uses pipes or sockets");
    /* If it is ready, it does not matter whether it would wait. */
    if (!cell && !(flags & MSG_DONTWAIT) && hd_rt_world_poll(&wanted, 1) != 0)
        return goes_on(code);
    if (!hd_rt_file_waits(file, flags)) {
        if (!cell)
            return goes_on(code);
        hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, HEDDLE_WIRE_TRY, cell, 0, code, HD_RT_FOREVER);
        hd_rt_check_cancel();
        hd_rt_cancel_calls();
        return true;
    }
    int64_t deadline = cell ? deadline_of(file, events) : HD_RT_FOREVER;
    for (;;) {
        switch (hd_rt_outside_wait(&what, cell, deadline, code)) {
        case HD_RT_READY:
            hd_rt_cancel_calls();
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
