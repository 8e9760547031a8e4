/*
 * Signals.  A handler of the program may record and switch, so one that comes from
 * outside waits for the next point of a thread; those that an instruction raises
 * come at once.
 */
#include <errno.h>
#include <signal.h>

#include "rt.h"
#include "rt_real.h"

static struct sigaction wanted[NSIG];

void hd_rt_signal_init(void) {
}

static bool at_once(int signal) {
    switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGABRT:
    case SIGSYS:
        return true;
    default:
        return false;
    }
}

static void note(int signal) {
    __atomic_or_fetch(&hd_rt.signals, (uint64_t)1 << (signal - 1), __ATOMIC_RELAXED);
}

static void call(int signal) {
    const struct sigaction *action = &wanted[signal];
    int error = errno;
    if (action->sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = signal, .si_code = SI_USER};
        action->sa_sigaction(signal, &info, NULL);
    } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
        action->sa_handler(signal);
    errno = error;
}

/* Those of the process and those of this thread, lowest number first. */
void hd_rt_signal_deliver(void) {
    hd_rt_thread *self = hd_rt.current;
    uint64_t due = __atomic_exchange_n(&hd_rt.signals, 0, __ATOMIC_RELAXED) | self->signals;
    self->signals = 0;
    self->restarts = !self->interrupted || self->restarts;
    for (; due; due &= due - 1) {
        int signal = __builtin_ctzll(due) + 1;
        self->interrupted = true;
        self->restarts &= (wanted[signal].sa_flags & SA_RESTART) != 0;
        call(signal);
    }
}

HD_RT_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    if (hd_rt.mode != HD_RT_CONTROLLED || signal < 1 || signal >= 64 || at_once(signal))
        return hd_rt_real.sigaction(signal, action, old);
    struct sigaction before = wanted[signal], real = {0}, real_before;
    bool handled = action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    if (handled) {
        real = *action;
        real.sa_flags &= ~SA_SIGINFO;
        real.sa_handler = note;
    }
    int result = hd_rt_real.sigaction(signal, handled ? &real : action, &real_before);
    if (result)
        return result;
    if (old)
        *old = real_before.sa_handler == note ? before : real_before;
    if (action)
        wanted[signal] = *action;
    return 0;
}

HD_RT_EXPORT sighandler_t signal(int number, sighandler_t handler) {
    if (hd_rt.mode != HD_RT_CONTROLLED)
        return hd_rt_real.signal(number, handler);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

HD_RT_EXPORT int pthread_kill(pthread_t handle, int number) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_kill(handle, number);
    hd_rt_thread *thread = hd_rt_thread_of(handle);
    if (!thread)
        return ESRCH;
    if (number < 0 || number >= 64)
        return EINVAL;
    if (!number)
        return 0;
    bool handled = wanted[number].sa_handler != SIG_DFL && wanted[number].sa_handler != SIG_IGN;
    if (!handled || at_once(number))
        return raise(number) ? errno : 0; /* what it does, it does to the process */
    thread->signals |= (uint64_t)1 << (number - 1);
    hd_rt_point(HEDDLE_WIRE_FENCE, NULL, 0, HD_RT_CODE());
    return 0;
}
