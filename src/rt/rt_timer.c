/*
 * Timers that are read from a descriptor.  They run in real time, and virtual time is not that.  So
 * a thread of an explored program that waits for one can go on, and if it is chosen the timer
 * expires then.  When else it might is not explored: the answer says so.
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_external_wait.h"
#include "rt_file.h"
#include "rt_foreign.h"
#include "rt_real.h"

#define SECOND INT64_C(1000000000)

static bool armed; /* one was, in this run */

typedef struct next_timer {
    int file; /* or -1 */
    int64_t left;
    struct itimerspec at;
} next_timer;

/* Is it an armed timer, one that expires before those seen so far? */
static void look_at_timer(next_timer *next, int file) {
    struct itimerspec it;
    if (hd_rt_syscall(SYS_timerfd_gettime, file, (long)&it, 0, 0, 0, 0) < 0)
        return;
    int64_t left = it.it_value.tv_sec * SECOND + it.it_value.tv_nsec;
    if (left && (next->file < 0 || left < next->left))
        *next = (next_timer){file, left, it};
}

/* The files that an epoll descriptor asks about are in lines of their own; other descriptors have
 * none of these. */
static void look_into(next_timer *next, int file) {
    static const char word[] = "tfd:";
    char name[48], text[4096];
    hd_rt_print(name, sizeof name, "/proc/self/fdinfo/%d", file);
    long info = hd_rt_syscall(SYS_openat, AT_FDCWD, (long)name, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (info < 0)
        return;
    long size = hd_rt_syscall(SYS_read, info, (long)text, sizeof text, 0, 0, 0);
    hd_rt_syscall(SYS_close, info, 0, 0, 0, 0, 0);
    for (long i = 0, matched = 0; i < size; i++) {
        matched = text[i] == word[matched] ? matched + 1 : text[i] == *word;
        if (matched < (long)sizeof word - 1)
            continue;
        int number = 0;
        for (i++; i < size && text[i] == ' ';)
            i++;
        for (; i < size && text[i] >= '0' && text[i] <= '9'; i++)
            number = 10 * number + (text[i] - '0');
        look_at_timer(next, number);
        matched = 0;
    }
}

/* The timer among the files that expires first, if that is before the thread gives up. */
static next_timer find_timer(const hd_rt_thread *thread, const hd_rt_outside *what) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    next_timer next = {.file = -1};
    if (!hd_rt.exploring || !armed)
        return next;
    for (nfds_t i = 0; i < what->count; i++) {
        look_at_timer(&next, what->files[i].fd);
        look_into(&next, what->files[i].fd);
    }
    if (pending->flags & HEDDLE_WIRE_TIMED && next.left > pending->deadline - hd_rt.now)
        next.file = -1;
    return next;
}

bool hd_rt_timer_among(const hd_rt_thread *thread, const hd_rt_outside *what) {
    return find_timer(thread, what).file >= 0;
}

void hd_rt_timer_expire(const hd_rt_thread *thread, const hd_rt_outside *what) {
    next_timer next = find_timer(thread, what);
    if (next.file < 0)
        return;
    struct timespec patience = {1, 0};
    struct pollfd wanted = {.fd = next.file, .events = POLLIN};
    next.at.it_value = (struct timespec){0, 1};
    hd_rt_syscall(SYS_timerfd_settime, next.file, 0, (long)&next.at, 0, 0, 0);
    hd_rt_syscall(SYS_ppoll, (long)&wanted, 1, (long)&patience, 0, 8, 0);
}

HD_RT_EXPORT int timerfd_settime(int file, int flags, const struct itimerspec *span,
                                 struct itimerspec *old) {
    int (*real)(int, int, const struct itimerspec *, struct itimerspec *);
    *(void **)&real = hd_rt_real_symbol(__func__);
    hd_rt_file_asked(file, HD_RT_CODE());
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_files, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_fetch(span, sizeof *span, HD_RT_CODE());
    if (hd_rt.exploring && span && (span->it_value.tv_sec || span->it_value.tv_nsec)) {
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_TIMERS;
        armed = true;
    }
    struct itimerspec before;
    int result = real(file, flags, span, &before);
    if (!result && hd_rt_controlled())
        hd_rt_deliver(old, &before, sizeof before, HD_RT_CODE());
    else if (!result && old)
        *old = before;
    return result;
}
