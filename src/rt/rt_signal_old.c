/*
 * Older functions for signals, in terms of those of POSIX.
 */
#include <errno.h>
#include <signal.h>

#include "rt.h"

static sighandler_t set_handler(int number, sighandler_t handler, int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

static int change_mask(int how, int number, sigset_t *old) {
    sigset_t set;
    sigemptyset(&set);
    if (sigaddset(&set, number) < 0)
        return -1;
    return sigprocmask(how, &set, old);
}

/* Masks of signals 1 to 32, as a number. */
static int change_masks(int how, int mask) {
    enum { SIGNALS = 32 };
    sigset_t set, old;
    unsigned before = 0;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; i++)
        if ((unsigned)mask >> i & 1)
            sigaddset(&set, i + 1);
    if (sigprocmask(how, &set, &old) < 0)
        return -1;
    for (int i = 0; i < SIGNALS; i++)
        before |= (unsigned)(sigismember(&old, i + 1) == 1) << i;
    return (int)before;
}

HD_RT_EXPORT int sigblock(int mask) {
    return change_masks(SIG_BLOCK, mask);
}

HD_RT_EXPORT int sigsetmask(int mask) {
    return change_masks(SIG_SETMASK, mask);
}

HD_RT_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) {
    return set_handler(number, handler, SA_RESTART);
}

HD_RT_EXPORT sighandler_t ssignal(int number, sighandler_t handler) {
    return set_handler(number, handler, SA_RESTART);
}

HD_RT_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) {
    return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

HD_RT_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) {
    return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

HD_RT_EXPORT int sighold(int number) {
    return change_mask(SIG_BLOCK, number, NULL);
}

HD_RT_EXPORT int sigrelse(int number) {
    return change_mask(SIG_UNBLOCK, number, NULL);
}

HD_RT_EXPORT int sigignore(int number) {
    return set_handler(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

HD_RT_EXPORT sighandler_t sigset(int number, sighandler_t handler) {
    struct sigaction action;
    sigset_t old;
    if (change_mask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, number, &old) < 0 ||
        sigaction(number, NULL, &action) < 0)
        return SIG_ERR;
    if (handler != SIG_HOLD && set_handler(number, handler, 0) == SIG_ERR)
        return SIG_ERR;
    return sigismember(&old, number) ? SIG_HOLD : action.sa_handler;
}

HD_RT_EXPORT int siginterrupt(int number, int interrupts) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) < 0)
        return -1;
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return sigaction(number, &action, NULL);
}
