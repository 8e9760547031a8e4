/*
 * Signals that the program sends to itself.  To send one is a step on what is pending for its
 * thread, or for all if it is for the process, and depends on what is to be done with signals.
 *
 * A signal for the process that several threads would handle goes to the sender, or else to the
 * first of them; the verdict says so.
 */
#include <errno.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_foreign.h"
#include "rt_handle.h"
#include "rt_identity.h"
#include "rt_real.h"
#include "rt_signal.h"
#include "rt_sync.h"

static bool has_descriptors;

static bool is_signal(int number) {
    return number > 0 && number < NSIG;
}

static bool blocks(const hd_rt_thread *thread, int number) {
    return thread->blocked >> (number - 1) & 1;
}

/* To the thread of the system that runs all of the program's: the C library would send it to one
 * that sleeps. */
static int send_really(int number) {
    long self = hd_rt_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    long process = hd_rt_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
    long error = hd_rt_syscall(SYS_tgkill, process, self, number, 0, 0, 0);
    if (hd_rt.signals)
        hd_rt_signal_deliver_here();
    if (!error)
        return 0;
    errno = (int)-error;
    return -1;
}

static void hide(uint32_t what) {
    if (hd_rt.exploring)
        hd_rt_explore->hidden |= what;
}

/* The first thread that does not block it, the present one if it does not; and how many there
 * are. */
static hd_rt_thread *taker_of(int number, uint32_t *count) {
    hd_rt_thread *taker = NULL;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        hd_rt_thread *thread = hd_rt.live[i];
        if (blocks(thread, number) || thread->exiting)
            continue;
        ++*count;
        if (!taker || thread == hd_rt.current)
            taker = thread;
    }
    return taker;
}

static int enqueue(hd_rt_thread *to, const hd_rt_signal *it) {
    if (hd_rt_signal_queue(to, it))
        return 0;
    errno = EAGAIN;
    return -1;
}

/* It is pending for the process: some thread takes it later, or reads it from a descriptor. */
static int send_to_all(const hd_rt_signal *it) {
    if (!has_descriptors)
        return enqueue(NULL, it);
    hide(HEDDLE_WIRE_HIDES_DESCRIPTORS);
    return send_really(it->number);
}

static int send_to_one(hd_rt_thread *to, const hd_rt_signal *it, uintptr_t code) {
    bool waits = blocks(to, it->number);
    uint32_t others = 0;
    if (!waits) {
        enum hd_rt_signal_fate fate = hd_rt_signal_fate(it->number);
        if (fate == HD_RT_SIGNAL_KILLS)
            hd_rt_signal_die(it->number, code);
        if (fate == HD_RT_SIGNAL_STOPS)
            hide(HEDDLE_WIRE_HIDES_HANDLERS);
        if (fate != HD_RT_SIGNAL_HANDLED)
            return 0;
    }
    if (waits && has_descriptors && !taker_of(it->number, &others))
        return send_to_all(it);
    if (enqueue(to, it) < 0)
        return -1;
    if (to == hd_rt.current)
        hd_rt_signal_deliver_here();
    else if (hd_rt.exploring) {
        hd_rt_explore->targets |= waits ? 0 : heddle_wire_target(to->id);
        hd_rt_explore_interrupt(to);
    }
    return 0;
}

/* In another schedule the thread may be there.  It takes steps to look from the next search on, so
 * that its end comes before or after. */
static int send_to_ended(const hd_rt_thread *to, int number) {
    if (hd_rt.exploring && !blocks(to, number) && hd_rt_signal_fate(number) != HD_RT_SIGNAL_IGNORED)
        hd_rt_explore->targets |= heddle_wire_target(to->id);
    return 0;
}

static void step_for_all(uintptr_t code) {
    hd_rt_signal_step(heddle_wire_signals(0), 8 * HEDDLE_WIRE_EXPLORED, 0, code);
}

/* To the process if `to` is NULL.  Explored: a step, and so is the look that the other takes before
 * each of its own steps.  So the handler runs before whichever of them. */
static int send_signal(hd_rt_thread *to, hd_rt_signal it, uintptr_t code) {
    uint32_t takers = 0;
    if (hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it sends signals");
    if (!hd_rt.exploring)
        hd_rt_point(HEDDLE_WIRE_FENCE, NULL, 0, code);
    else if (to)
        hd_rt_signal_step(heddle_wire_signals(to->id), 1, 0, code);
    else
        step_for_all(code);
    if (has_descriptors && hd_rt.exploring) /* who reads from one may go on after it */
        hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, HEDDLE_WIRE_TRY, hd_rt_file_any(), 0, code,
                         HD_RT_FOREVER);
    if (hd_rt_signal_at_once(it.number) || it.number == SIGKILL) {
        if (to != hd_rt.current && hd_rt.live_count > 1)
            hide(HEDDLE_WIRE_HIDES_SIGNALS);
        hd_rt.wire->kills |= it.number == SIGKILL;
        return send_really(it.number);
    }
    if (to && to->wire->state == HEDDLE_WIRE_ENDED)
        return send_to_ended(to, it.number);
    if (to)
        return send_to_one(to, &it, code);
    to = taker_of(it.number, &takers);
    if (takers > 1 && hd_rt_signal_fate(it.number) == HD_RT_SIGNAL_HANDLED)
        hide(HEDDLE_WIRE_HIDES_SIGNALS);
    return to ? send_to_one(to, &it, code) : send_to_all(&it);
}

/* --- what the program calls ------------------------------------------------------------------ */

/* Explored: one that was joined is there no more, in this run; in others it may be. */
static hd_rt_thread *ended_thread(pthread_t handle, int number, uintptr_t code) {
    hd_rt_thread *thread = NULL;
    for (uint32_t id = 0; hd_rt.exploring && id < hd_rt.wire->threads; id++)
        if (hd_rt_thread_at(id) && pthread_equal(hd_rt_thread_at(id)->handle, handle))
            thread = hd_rt_thread_at(id);
    if (thread && is_signal(number)) {
        hd_rt_signal_step(heddle_wire_signals(thread->id), 1, 0, code);
        send_to_ended(thread, number);
    }
    return thread;
}

static int send_by_handle(pthread_t handle, hd_rt_signal it, uintptr_t code) {
    hd_rt_thread *thread = hd_rt_handle_use(handle, "pthread_kill", code);
    if (thread && thread->reaped)
        thread = ended_thread(handle, it.number, code);
    if (!thread || thread->reaped)
        return ESRCH;
    if (it.number && !is_signal(it.number))
        return EINVAL;
    return it.number && send_signal(thread, it, code) ? errno : 0;
}

HD_RT_EXPORT int pthread_kill(pthread_t handle, int number) {
    if (!hd_rt_controlled()) {
        hd_rt_handle_look(handle, HD_RT_CODE());
        return hd_rt_real.pthread_kill(handle, number);
    }
    return send_by_handle(handle, (hd_rt_signal){.number = number, .code = SI_TKILL}, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_sigqueue(pthread_t handle, int number, const union sigval value) {
    if (!hd_rt_controlled()) {
        int (*real)(pthread_t, int, const union sigval);
        *(void **)&real = hd_rt_real_symbol(__func__);
        return real(handle, number, value);
    }
    return send_by_handle(
        handle, (hd_rt_signal){.number = number, .code = SI_QUEUE, .value = value}, HD_RT_CODE());
}

HD_RT_EXPORT int raise(int number) {
    if (hd_rt_controlled() && is_signal(number))
        return send_signal(hd_rt.current, (hd_rt_signal){.number = number, .code = SI_TKILL},
                           HD_RT_CODE());
    int error = hd_rt_real.pthread_kill(pthread_self(), number);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

HD_RT_EXPORT int kill(pid_t process, int number) {
    bool group = hd_rt.exploring && (process == 0 || process == -getpgrp());
    if (hd_rt_controlled() && is_signal(number) && group)
        hide(HEDDLE_WIRE_HIDES_SIGNALS); /* the tool is of that group, perhaps */
    if (hd_rt_controlled() && is_signal(number) && (group || process == getpid()))
        return send_signal(NULL, (hd_rt_signal){.number = number, .code = SI_USER}, HD_RT_CODE());
    return hd_rt_real.kill(hd_rt_identity_real(process), number);
}

HD_RT_EXPORT int sigqueue(pid_t process, int number, const union sigval value) {
    if (hd_rt_controlled() && is_signal(number) && process == getpid())
        return send_signal(NULL, (hd_rt_signal){.number = number, .code = SI_QUEUE, .value = value},
                           HD_RT_CODE());
    int (*real)(pid_t, int, const union sigval);
    *(void **)&real = hd_rt_real_symbol(__func__);
    return real(hd_rt_identity_real(process), number, value);
}

HD_RT_EXPORT int killpg(pid_t group, int number) {
    if (group >= 0)
        return kill(group ? -group : 0, number);
    errno = EINVAL;
    return -1;
}

/* All threads of the program are one of the system's, with the numbers that gettid gives them. */
HD_RT_EXPORT int tgkill(pid_t process, pid_t thread, int number) {
    int (*real)(pid_t, pid_t, int);
    *(void **)&real = hd_rt_real_symbol(__func__);
    if (hd_rt_controlled() && process == getpid() && thread >= process &&
        (uint32_t)(thread - process) < hd_rt.wire->threads) {
        hd_rt_thread *to = hd_rt_thread_at((uint32_t)(thread - process));
        int error =
            to ? send_by_handle(to->handle, (hd_rt_signal){.number = number, .code = SI_TKILL},
                                HD_RT_CODE())
               : ESRCH;
        errno = error ? error : errno;
        return error ? -1 : 0;
    }
    hide(HEDDLE_WIRE_HIDES_SIGNALS);
    return real(process, thread, number);
}

/* --- what is not simulated ------------------------------------------------------------------- */

/* Signals that timers send, as bits. */
static uint64_t by_timer;

void hd_rt_signal_by_timer(int signal) {
    if (!hd_rt.exploring)
        return;
    by_timer |= is_signal(signal) ? (uint64_t)1 << (signal - 1) : 0;
    for (uint64_t rest = by_timer; rest; rest &= rest - 1)
        if (hd_rt_signal_fate(__builtin_ctzll(rest) + 1) == HD_RT_SIGNAL_HANDLED)
            hide(HEDDLE_WIRE_HIDES_TIMERS);
}

HD_RT_EXPORT unsigned alarm(unsigned seconds) {
    unsigned (*real)(unsigned);
    *(void **)&real = hd_rt_real_symbol(__func__);
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_process, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_signal_by_timer(seconds ? SIGALRM : 0);
    return real(seconds);
}

HD_RT_EXPORT useconds_t ualarm(useconds_t span, useconds_t again) {
    useconds_t (*real)(useconds_t, useconds_t);
    *(void **)&real = hd_rt_real_symbol(__func__);
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_process, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_signal_by_timer(span ? SIGALRM : 0);
    return real(span, again);
}

HD_RT_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict span,
                           struct itimerval *restrict old) {
    static const int signals[] = {SIGALRM, SIGVTALRM, SIGPROF};
    int (*real)(__itimer_which_t, const struct itimerval *restrict, struct itimerval *restrict);
    *(void **)&real = hd_rt_real_symbol(__func__);
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_process, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_fetch(span, sizeof *span, HD_RT_CODE());
    if (span && which <= ITIMER_PROF)
        hd_rt_signal_by_timer(signals[which]);
    struct itimerval before;
    int result = real(which, span, &before);
    if (!result && hd_rt_controlled())
        hd_rt_deliver(old, &before, sizeof before, HD_RT_CODE());
    else if (!result && old)
        *old = before;
    return result;
}

HD_RT_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event,
                              timer_t *restrict timer) {
    int (*real)(clockid_t, struct sigevent *restrict, timer_t *restrict);
    *(void **)&real = hd_rt_real_symbol(__func__);
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_process, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_fetch(event, sizeof *event, HD_RT_CODE());
    if (event && event->sigev_notify == SIGEV_THREAD)
        hide(HEDDLE_WIRE_HIDES_TIMERS);
    else if (!event || event->sigev_notify != SIGEV_NONE)
        hd_rt_signal_by_timer(event ? event->sigev_signo : SIGALRM);
    timer_t made;
    int result = real(clock, event, &made);
    if (!result && hd_rt_controlled())
        hd_rt_deliver(timer, &made, sizeof made, HD_RT_CODE());
    else if (!result)
        *timer = made;
    return result;
}

/* The system knows nothing of signals that are pending here: those that all threads block are sent
 * to it from now on. */
HD_RT_EXPORT int signalfd(int file, const sigset_t *set, int flags) {
    int (*real)(int, const sigset_t *, int);
    *(void **)&real = hd_rt_real_symbol(__func__);
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_files, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_fetch(set, sizeof set->__val[0], HD_RT_CODE());
    int result = real(file, set, flags);
    if (!hd_rt_controlled() || result < 0)
        return result;
    if (hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it reads signals from a descriptor");
    step_for_all(HD_RT_CODE());
    has_descriptors = true;
    for (int number = 1; number < NSIG; number++) {
        uint32_t takers = 0;
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, number);
        if (sigismember(set, number) != 1 || !hd_rt_signal_waits(hd_rt.current, &one))
            continue;
        hide(HEDDLE_WIRE_HIDES_DESCRIPTORS);
        if (!taker_of(number, &takers))
            hd_rt_signal_surface(number);
    }
    return result;
}
