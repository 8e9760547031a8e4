/*
 * Signals.  A handler of the program may record and switch, so one that comes from
 * outside waits for the next point of a thread that does not block it; those that an
 * instruction raises come at once.  The system blocks what all threads block.
 */
#include "rt_signal.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_sync.h"

static struct sigaction wanted[NSIG];

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

static uint64_t bit_of(int signal) {
    return (uint64_t)1 << (signal - 1);
}

static uint64_t bits_of(const sigset_t *set) {
    return set->__val[0];
}

void hd_rt_signal_init(void) {
    sigset_t set;
    hd_rt_real.pthread_sigmask(SIG_BLOCK, NULL, &set);
    hd_rt.current->blocked = bits_of(&set);
}

static void note(int signal) {
    __atomic_or_fetch(&hd_rt.signals, bit_of(signal), __ATOMIC_RELAXED);
}

static void call(int signal) {
    const struct sigaction *action = &wanted[signal];
    hd_rt_thread *self = hd_rt.current;
    uint64_t blocked = self->blocked;
    int error = errno;
    self->blocked |= bits_of(&action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER))
        self->blocked |= bit_of(signal);
    if (action->sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = signal, .si_code = SI_USER};
        action->sa_sigaction(signal, &info, NULL);
    } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
        action->sa_handler(signal);
    self->blocked = blocked;
    errno = error;
}

/* Of those that wait for the process or for this thread. */
static uint64_t take_signals(uint64_t wanted_bits) {
    hd_rt_thread *self = hd_rt.current;
    uint64_t due = __atomic_fetch_and(&hd_rt.signals, ~wanted_bits, __ATOMIC_RELAXED);
    due = (due | self->signals) & wanted_bits;
    self->signals &= ~wanted_bits;
    return due;
}

int hd_rt_signal_take(const sigset_t *set, siginfo_t *info) {
    uint64_t due = take_signals(bits_of(set));
    if (!due)
        return 0;
    int number = __builtin_ctzll(due) + 1;
    hd_rt.current->signals |= due & (due - 1);
    if (info)
        *info = (siginfo_t){.si_signo = number, .si_code = SI_USER};
    return number;
}

bool hd_rt_signal_waits(const hd_rt_thread *thread, const sigset_t *set) {
    return ((hd_rt.signals | thread->signals) & bits_of(set)) != 0;
}

bool hd_rt_signal_due(const hd_rt_thread *thread) {
    return ((hd_rt.signals | thread->signals) & ~thread->blocked) != 0;
}

/* Those of the process and those of this thread, lowest number first. */
void hd_rt_signal_deliver(void) {
    hd_rt_thread *self = hd_rt.current;
    uint64_t due = take_signals(~self->blocked);
    if (!due)
        return;
    self->restarts = !self->interrupted || self->restarts;
    for (; due; due &= due - 1) {
        int signal = __builtin_ctzll(due) + 1;
        self->interrupted = true;
        self->restarts &= (wanted[signal].sa_flags & SA_RESTART) != 0;
        call(signal);
    }
}

static int act_at_once(int signal, const struct sigaction *action, struct sigaction *old,
                       uintptr_t code) {
    struct sigaction before;
    hd_rt_fetch(action, sizeof *action, code);
    int result = hd_rt_real.sigaction(signal, action, &before);
    if (!result)
        hd_rt_deliver(old, &before, sizeof before, code);
    return result;
}

static void use_signals(const char *name, enum hd_rt_use how, uintptr_t code) {
    hd_rt_foreign_state(name, HD_RT_STATE_signals, how, code);
}

HD_RT_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    use_signals(__func__, action ? HD_RT_CHANGES : HD_RT_LOOKS, HD_RT_CODE());
    if (hd_rt.mode != HD_RT_CONTROLLED || signal < 1 || signal >= 64)
        return hd_rt_real.sigaction(signal, action, old);
    if (at_once(signal))
        return act_at_once(signal, action, old, HD_RT_CODE());
    struct sigaction before = wanted[signal], real = {0}, real_before;
    hd_rt_fetch(action, sizeof *action, HD_RT_CODE());
    bool handled = action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    if (handled) {
        real = *action;
        real.sa_flags &= ~SA_SIGINFO;
        real.sa_handler = note;
    }
    int result = hd_rt_real.sigaction(signal, handled ? &real : action, &real_before);
    if (result)
        return result;
    if (action)
        wanted[signal] = *action;
    hd_rt_deliver(old, real_before.sa_handler == note ? &before : &real_before, sizeof *old,
                  HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT sighandler_t signal(int number, sighandler_t handler) {
    if (hd_rt.mode != HD_RT_CONTROLLED)
        return hd_rt_real.signal(number, handler);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

/* An explorer must know that a thread that waits for signals may go on after it. */
static void reach_point(uintptr_t code) {
    const volatile void *object = hd_rt_file_any();
    if (object)
        hd_rt_point_with(HEDDLE_WIRE_EXTERNAL, HEDDLE_WIRE_TRY, object, 0, code, HD_RT_FOREVER);
    else
        hd_rt_point(HEDDLE_WIRE_FENCE, NULL, 0, code);
}

/* Sends it to the thread of the system that runs all of the program's: the C library would send
 * it to one that sleeps.  Its handler has run when this returns. */
static int send_signal(int number, uintptr_t code) {
    if (hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it sends signals");
    reach_point(code);
    long self = hd_rt_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    long error = hd_rt_syscall(SYS_tgkill, getpid(), self, number, 0, 0, 0);
    if (hd_rt.signals)
        hd_rt_signal_deliver();
    if (!error)
        return 0;
    errno = (int)-error;
    return -1;
}

/* To another thread, of an explored program: a step, and so is the look that the other takes before
 * each of its own steps.  So the handler runs before whichever of them. */
static int send_explored(hd_rt_thread *thread, int number, uintptr_t code) {
    hd_rt_explore->targets |= (uint64_t)1 << thread->id;
    hd_rt_point(HEDDLE_WIRE_FENCE, (const void *)(uintptr_t)heddle_wire_signals(thread->id), 1,
                code);
    thread->signals |= bit_of(number);
    hd_rt_explore_interrupt(thread);
    return 0;
}

/* To one thread; a signal without a handler that is not blocked acts on the process. */
static int send_to(hd_rt_thread *thread, int number, uintptr_t code) {
    const struct sigaction *action = &wanted[number];
    bool handled = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    bool waits = (thread->blocked & bit_of(number)) != 0;
    if ((!handled && !waits) || at_once(number))
        return send_signal(number, code);
    if (hd_rt.exploring && thread != hd_rt.current && !waits)
        return send_explored(thread, number, code);
    thread->signals |= bit_of(number);
    reach_point(code);
    hd_rt_signal_deliver();
    return 0;
}

/* Explored: one that was joined is there no more, in this run; in others it may be. */
static hd_rt_thread *ended_thread(pthread_t handle, int number, uintptr_t code) {
    hd_rt_thread *thread = NULL;
    for (uint32_t id = 0; hd_rt.exploring && id < hd_rt.wire->threads; id++)
        if (hd_rt_thread_at(id) && pthread_equal(hd_rt_thread_at(id)->handle, handle))
            thread = hd_rt_thread_at(id);
    if (thread && number > 0 && number < 64)
        send_explored(thread, number, code);
    return thread;
}

HD_RT_EXPORT int pthread_kill(pthread_t handle, int number) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_kill(handle, number);
    use_signals(__func__, HD_RT_CHANGES, HD_RT_CODE());
    hd_rt_thread *thread = hd_rt_thread_of(handle);
    if (!thread)
        thread = ended_thread(handle, number, HD_RT_CODE());
    if (!thread || thread->reaped)
        return ESRCH;
    if (number < 0 || number >= 64)
        return EINVAL;
    return number && send_to(thread, number, HD_RT_CODE()) ? errno : 0;
}

HD_RT_EXPORT int raise(int number) {
    use_signals(__func__, HD_RT_CHANGES, HD_RT_CODE());
    if (hd_rt_controlled() && number > 0 && number < 64)
        return send_to(hd_rt.current, number, HD_RT_CODE());
    int error = hd_rt_real.pthread_kill(pthread_self(), number);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

HD_RT_EXPORT int kill(pid_t process, int number) {
    use_signals(__func__, HD_RT_CHANGES, HD_RT_CODE());
    if (hd_rt.exploring && hd_rt_controlled() && number && process == getpid() &&
        hd_rt.live_count > 1)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_SIGNALS;
    if (hd_rt_controlled() && number && process == getpid())
        return send_signal(number, HD_RT_CODE());
    return hd_rt_real.kill(process, number);
}

HD_RT_EXPORT int sigpending(sigset_t *set) {
    if (!hd_rt_controlled())
        return hd_rt_real.sigpending(set);
    use_signals(__func__, HD_RT_LOOKS, HD_RT_CODE());
    sigset_t pending;
    int failed = hd_rt_real.sigpending(&pending);
    if (failed)
        return failed;
    pending.__val[0] |= (hd_rt.signals | hd_rt.current->signals) & hd_rt.current->blocked;
    hd_rt_deliver(set, &pending, sizeof pending, HD_RT_CODE());
    return 0;
}

/* --- masks ---------------------------------------------------------------------------------- */

void hd_rt_signal_mask(void) {
    uint64_t all = ~UINT64_C(0);
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        all &= hd_rt.live[i]->blocked;
    if (hd_rt.exploring)
        all &= ~bit_of(SIGSYS); /* that is how calls are watched */
    sigset_t set;
    sigemptyset(&set);
    set.__val[0] = all;
    hd_rt_real.pthread_sigmask(SIG_SETMASK, &set, NULL);
}

uint64_t hd_rt_signal_swap(uint64_t blocked) {
    uint64_t before = hd_rt.current->blocked;
    hd_rt.current->blocked = blocked;
    if (blocked != before)
        hd_rt_signal_mask();
    return before;
}

static uint64_t masked(int how, uint64_t before, uint64_t bits) {
    return how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits;
}

static int mask_signals(int how, const sigset_t *set, sigset_t *old, uintptr_t code) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_sigmask(how, set, old);
    uint64_t before = hd_rt.current->blocked;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    hd_rt_fetch(set, sizeof set->__val[0], code);
    uint64_t wanted_bits = set ? bits_of(set) : 0;
    sigset_t was = {{before}};
    hd_rt_deliver(old, &was, sizeof was, code);
    if (set) {
        hd_rt_signal_swap(masked(how, before, wanted_bits));
        hd_rt_signal_deliver();
    }
    return 0;
}

HD_RT_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    return mask_signals(how, set, old, HD_RT_CODE());
}

HD_RT_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    int error = mask_signals(how, set, old, HD_RT_CODE());
    if (!error)
        return 0;
    errno = error;
    return -1;
}
