/*
 * Signals.  A handler of the program may record and switch, so one that comes from
 * outside waits for the next point of a thread that does not block it; those that an
 * instruction raises come at once.  The system blocks what all threads block.
 *
 * Those that threads send each other (rt_signal_send.c) never leave the process: what is pending
 * for whom, who blocks what and what is to be done is kept here, as the kernel would keep it.  In
 * an explored program each of these is at an address that is not memory (heddle/wire.h), and who
 * changes it, or depends on it, takes a step there.
 */
#include "rt_signal.h"
#include "rt_misuse.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_sync.h"
#include "rt_world.h"

static struct sigaction wanted[NSIG];

bool hd_rt_signal_at_once(int signal) {
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
    return set->__val[0] & ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
}

void hd_rt_signal_init(void) {
    sigset_t set;
    struct sigaction before;
    hd_rt_real.pthread_sigmask(SIG_BLOCK, NULL, &set);
    hd_rt.current->blocked = bits_of(&set);
    for (int signal = 1; signal < NSIG; signal++) /* what who started it ignores */
        if (hd_rt_real.sigaction(signal, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
            wanted[signal].sa_handler = SIG_IGN;
}

void hd_rt_signal_step(uint64_t address, uint32_t size, unsigned flags, uintptr_t code) {
    if (hd_rt.exploring && !hd_rt.ended && hd_rt_explored.births != hd_rt_explored.joins)
        hd_rt_point_with(HEDDLE_WIRE_FENCE, flags, (const void *)(uintptr_t)address, size, code,
                         HD_RT_FOREVER);
}

enum hd_rt_signal_fate hd_rt_signal_fate(int signal) {
    const struct sigaction *action = &wanted[signal];
    if (action->sa_handler == SIG_IGN)
        return HD_RT_SIGNAL_IGNORED;
    if (action->sa_handler != SIG_DFL)
        return HD_RT_SIGNAL_HANDLED;
    switch (signal) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT:
        return HD_RT_SIGNAL_IGNORED;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        return HD_RT_SIGNAL_STOPS;
    default:
        return HD_RT_SIGNAL_KILLS;
    }
}

/* --- what is pending ------------------------------------------------------------------------ */

enum { QUEUED = 128, FIRST_QUEUED = 32 }; /* signals from there on are as many as were sent */

/* In the order in which they were sent.  A signal from outside is only a bit of hd_rt.signals. */
static struct {
    const hd_rt_thread *to; /* NULL: the process */
    hd_rt_signal it;
} queue[QUEUED];
static uint32_t queue_length;

static void note(int signal) {
    __atomic_or_fetch(&hd_rt.signals, bit_of(signal), __ATOMIC_RELAXED);
}

/* What came with the last one from outside. */
static siginfo_t brought[NSIG];

static void note_brought(int signal, const siginfo_t *info) {
    hd_rt_copy(&brought[signal], info, sizeof *info);
    note(signal);
}

/* The system brings one.  A run that is played back has those of the recording. */
static void bring(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (!hd_rt_world_plays())
        note_brought(signal, info);
}

bool hd_rt_signal_queue(hd_rt_thread *to, const hd_rt_signal *it) {
    uint64_t pending = to ? to->signals : hd_rt.signals;
    if (it->number < FIRST_QUEUED && pending & bit_of(it->number))
        return true; /* one stands for all */
    if (queue_length == QUEUED)
        return false;
    queue[queue_length].to = to;
    queue[queue_length++].it = *it;
    if (to)
        to->signals |= bit_of(it->number);
    else
        note(it->number);
    return true;
}

/* Takes the first of that number; is there another one? */
static bool unqueue(const hd_rt_thread *to, hd_rt_signal *it) {
    uint32_t kept = 0, found = 0;
    for (uint32_t i = 0; i < queue_length; i++) {
        bool same = queue[i].to == to && queue[i].it.number == it->number;
        found += same;
        if (same && found == 1) {
            *it = queue[i].it;
            continue;
        }
        queue[kept].to = queue[i].to;
        queue[kept++].it = queue[i].it;
    }
    queue_length = kept;
    return found > 1;
}

/* The lowest of these that waits for the present thread, else for the process. */
static bool take_signal(uint64_t of, hd_rt_signal *it) {
    hd_rt_thread *self = hd_rt.current;
    siginfo_t recorded;
    if (hd_rt_world_signal(&recorded))
        note_brought(recorded.si_signo, &recorded);
    uint64_t own = self->signals & of;
    uint64_t due = own ? own : __atomic_load_n(&hd_rt.signals, __ATOMIC_RELAXED) & of;
    if (!due)
        return false;
    int number = __builtin_ctzll(due) + 1;
    uint64_t bit = bit_of(number);
    *it = (hd_rt_signal){.number = number, .outside = &brought[number]};
    if (unqueue(own ? self : NULL, it))
        return true;
    if (it->outside)
        hd_rt_world_keep_signal(&brought[number]);
    if (own)
        self->signals &= ~bit;
    else
        __atomic_and_fetch(&hd_rt.signals, ~bit, __ATOMIC_RELAXED);
    return true;
}

/* A signal that is to be ignored waits for no thread any more. */
static void discard(int signal) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < queue_length; i++)
        if (queue[i].it.number != signal) {
            queue[kept].to = queue[i].to;
            queue[kept++].it = queue[i].it;
        }
    queue_length = kept;
    __atomic_and_fetch(&hd_rt.signals, ~bit_of(signal), __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        hd_rt.live[i]->signals &= ~bit_of(signal);
}

static siginfo_t info_of(const hd_rt_signal *it) {
    siginfo_t info = {.si_signo = it->number, .si_code = it->code};
    if (it->outside)
        hd_rt_copy(&info, it->outside, sizeof info);
    else {
        info.si_pid = getpid();
        info.si_uid = getuid();
        info.si_value = it->value;
    }
    return info;
}

int hd_rt_signal_take(const sigset_t *set, siginfo_t *info) {
    hd_rt_signal it;
    if (!take_signal(bits_of(set), &it))
        return 0;
    if (info)
        *info = info_of(&it);
    return it.number;
}

bool hd_rt_signal_waits(const hd_rt_thread *thread, const sigset_t *set) {
    return ((hd_rt.signals | thread->signals) & bits_of(set)) != 0;
}

bool hd_rt_signal_due(const hd_rt_thread *thread) {
    return ((hd_rt.signals | thread->signals) & ~thread->blocked) != 0;
}

/* Sends it to the thread of the system. */
static void strike(int signal) {
    long process = hd_rt_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
    hd_rt_syscall(SYS_tgkill, process, hd_rt_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0,
                  0);
}

void hd_rt_signal_surface(int signal) {
    hd_rt_signal it;
    while (take_signal(bit_of(signal), &it))
        strike(signal);
}

/* --- handlers ------------------------------------------------------------------------------- */

void hd_rt_signal_die(int signal, uintptr_t code) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t set;
    if (hd_rt.exploring)
        hd_rt_explore_exit(false, code);
    hd_rt_settle();
    hd_rt_stack_of_self();
    hd_rt_server_leave(signal);
    sigemptyset(&set);
    sigaddset(&set, signal);
    hd_rt_real.sigaction(signal, &usual, NULL);
    hd_rt_real.pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    strike(signal);
}

/* What threads blocked before the outermost handler that runs. */
static uint64_t blocked_before[HEDDLE_WIRE_EXPLORED];

typedef struct handling {
    const hd_rt_signal *it;
    const struct sigaction *action;
} handling;

static void call_handler(void *argument) {
    const handling *of = argument;
    if (of->action->sa_flags & SA_SIGINFO) {
        siginfo_t info = info_of(of->it);
        of->action->sa_sigaction(of->it->number, &info, NULL);
    } else
        of->action->sa_handler(of->it->number);
}

/* What a handler does is found out apart from what its thread does (rt_shadow.c), if it interrupts
 * that anywhere. */
static void run_handler(const hd_rt_signal *it, const struct sigaction *action, bool anywhere) {
    hd_rt_thread *self = hd_rt.current;
    uint64_t blocked = self->blocked;
    uint64_t modes[HD_RT_ARCH_MODES];
    uint8_t context = self->context;
    int error = errno;
    const struct hd_rt_outside *outside = self->outside; /* the handler does not wait for that, */
    const void *with = self->with;                       /* nor with it */
    bool signalled = self->signalled;
    self->outside = NULL;
    self->with = NULL;
    self->blocked |= bits_of(&action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER))
        self->blocked |= bit_of(it->number);
    if (!self->handling && self->id < HEDDLE_WIRE_EXPLORED)
        blocked_before[self->id] = blocked;
    self->handling = (uint8_t)(self->handling + anywhere);
    if (anywhere)
        self->context = (uint8_t)it->number;
    hd_rt_arch_modes(modes);
    hd_rt_arch_usual_modes();
    self->inside++;
    handling of = {it, action};
    if (action->sa_flags & SA_ONSTACK)
        hd_rt_signal_on_stack(call_handler, &of);
    else
        call_handler(&of);
    self->inside = (uint8_t)(self->inside - (self->inside > 0));
    hd_rt_arch_set_modes(modes);
    self->handling = (uint8_t)(self->handling - (anywhere && self->handling));
    self->context = context;
    self->blocked = blocked;
    self->outside = outside;
    self->with = with;
    self->signalled = signalled;
    if (errno != error) /* one byte on, as an address where a call returns to */
        hd_rt_misuse_note(HEDDLE_WIRE_NOTED_ERRNO, NULL, (uintptr_t)action->sa_handler + 1,
                          self->id);
    if (!hd_rt.exploring)
        errno = error;
    else if (anywhere && errno != error)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_ERRNO;
}

void hd_rt_signal_unsafe(uint8_t what) {
    hd_rt_thread *self = hd_rt_controlled() && !hd_rt.ended ? hd_rt.current : NULL;
    if (!self || hd_rt_explored.births == hd_rt_explored.joins)
        return;
    self->unsafe[self->handling > 0] |= what;
    if (self->unsafe[0] & self->unsafe[1])
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_UNSAFE;
}

void hd_rt_signal_streams(const char *name, uintptr_t code) {
    if (HD_RT_UNLIKELY(hd_rt.targets) && hd_rt.exploring)
        hd_rt_signal_unsafe(HD_RT_UNSAFE_STREAMS);
    hd_rt_handler_calls(name, code);
}

static void act_on(const hd_rt_signal *it, bool anywhere) {
    hd_rt_thread *self = hd_rt.current;
    enum hd_rt_signal_fate fate = hd_rt_signal_fate(it->number);
    if (fate == HD_RT_SIGNAL_KILLS)
        hd_rt_signal_die(it->number, 0);
    if (fate == HD_RT_SIGNAL_STOPS && hd_rt.exploring)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_HANDLERS;
    if (fate != HD_RT_SIGNAL_HANDLED)
        return;
    struct sigaction *at = &wanted[it->number];
    struct sigaction action = {.sa_handler = at->sa_handler, .sa_flags = at->sa_flags};
    action.sa_mask.__val[0] = at->sa_mask.__val[0];
    bool restarts = (!self->interrupted || self->restarts) && action.sa_flags & SA_RESTART;
    self->restarts = restarts;
    self->interrupted = true;
    bool interrupts_itself = action.sa_flags & SA_NODEFER && anywhere;
    if (hd_rt.exploring && interrupts_itself)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_HANDLERS;
    if ((unsigned)action.sa_flags & SA_RESETHAND) {
        hd_rt_signal_step(HEDDLE_WIRE_ACTIONS, 8, 0, 0);
        at->sa_handler = SIG_DFL;
    }
    run_handler(it, &action, anywhere);
    self->restarts = restarts; /* the handler may have waited itself */
    self->interrupted = true;
}

/* Those of the process and those of this thread, lowest number first. */
static void deliver(bool anywhere) {
    hd_rt_signal it;
    while (take_signal(~hd_rt.current->blocked, &it))
        act_on(&it, anywhere);
}

void hd_rt_signal_deliver(void) {
    deliver(true);
}

void hd_rt_signal_deliver_here(void) {
    deliver(false);
}

/* Those that instructions raise.  The system has one thread, which runs them all: while a handler
 * waits for its turn, an instruction of another thread may fail.  So the system blocks none of
 * these signals for a handler; that its thread blocks them is kept here. */
static struct sigaction at_once[NSIG];
static uint64_t blocked_before_fault[HEDDLE_WIRE_EXPLORED];
static uint8_t faults[HEDDLE_WIRE_EXPLORED]; /* whose handlers run */

bool hd_rt_signal_handles_faults;

static void call_at_once(int signal, siginfo_t *info, void *context) {
    const struct sigaction *action = &at_once[signal];
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(signal, info, context);
    else
        action->sa_handler(signal);
}

static void fail_at_once(int signal, siginfo_t *info, void *context) {
    hd_rt_thread *self = hd_rt.mode == HD_RT_CONTROLLED ? hd_rt.current : NULL;
    if ((signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0)
        hd_rt_record_faulted();
    if (!self || self->id >= HEDDLE_WIRE_EXPLORED) {
        call_at_once(signal, info, context);
        return;
    }
    uint64_t blocked = self->blocked, bit = bit_of(signal);
    if (blocked & bit && info->si_code > 0) { /* that ends the process */
        struct sigaction usual = {.sa_handler = SIG_DFL};
        hd_rt_real.sigaction(signal, &usual, NULL);
        return;
    }
    if (!faults[self->id]++)
        blocked_before_fault[self->id] = blocked;
    self->blocked |= bits_of(&at_once[signal].sa_mask);
    if (!(at_once[signal].sa_flags & SA_NODEFER))
        self->blocked |= bit;
    call_at_once(signal, info, context);
    faults[self->id] = (uint8_t)(faults[self->id] - (faults[self->id] > 0));
    self->blocked = blocked;
}

/* A jump leaves these handlers; what they block is given back if the jump restores the mask. */
static void leave_faults(hd_rt_thread *self, bool restores) {
    if (self->id >= HEDDLE_WIRE_EXPLORED || !faults[self->id])
        return;
    faults[self->id] = 0;
    if (restores)
        self->blocked = blocked_before_fault[self->id];
}

static void keep_action(struct sigaction *to, const struct sigaction *from) {
    hd_rt_copy(to, from, sizeof *to);
}

void hd_rt_signal_jump(bool restores) {
    hd_rt_thread *self = hd_rt_controlled() ? hd_rt.current : NULL;
    if (self) {
        self->inside = 0;
        leave_faults(self, restores);
    }
    if (!self || !self->handling)
        return;
    if (hd_rt.exploring)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_HANDLERS;
    self->handling = self->context = 0;
    if (self->id < HEDDLE_WIRE_EXPLORED)
        self->blocked = blocked_before[self->id];
}

/* --- what the program asks for --------------------------------------------------------------- */

static int act_at_once(int signal, const struct sigaction *action, struct sigaction *old,
                       uintptr_t code) {
    struct sigaction before, kept, real = {.sa_sigaction = fail_at_once};
    hd_rt_fetch(action, sizeof *action, code);
    bool handled = action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    keep_action(&kept, &at_once[signal]);
    if (handled) {
        keep_action(&at_once[signal], action);
        real.sa_flags = action->sa_flags | SA_SIGINFO;
        if (hd_rt.mode == HD_RT_CONTROLLED)
            real.sa_flags |= SA_NODEFER;
        else
            real.sa_mask.__val[0] = action->sa_mask.__val[0];
        hd_rt_signal_handles_faults = true;
    }
    int result = hd_rt_real.sigaction(signal, handled ? &real : action, &before);
    if (!result)
        hd_rt_deliver(old, before.sa_sigaction == fail_at_once ? &kept : &before, sizeof before,
                      code);
    return result;
}

HD_RT_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    bool fault = signal > 0 && signal < NSIG && hd_rt_signal_at_once(signal);
    if (hd_rt.mode == HD_RT_FREE && fault)
        return act_at_once(signal, action, old, HD_RT_CODE());
    if (hd_rt.mode != HD_RT_CONTROLLED || signal < 1 || signal >= NSIG)
        return hd_rt_real.sigaction(signal, action, old);
    hd_rt_signal_step(HEDDLE_WIRE_ACTIONS, 8, action ? 0 : HEDDLE_WIRE_LOOKS, HD_RT_CODE());
    if (fault)
        return act_at_once(signal, action, old, HD_RT_CODE());
    struct sigaction before = wanted[signal], real = {0}, real_before;
    hd_rt_fetch(action, sizeof *action, HD_RT_CODE());
    bool handled = action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    if (handled) {
        real = *action;
        real.sa_flags |= SA_SIGINFO;
        real.sa_sigaction = bring;
    }
    int result = hd_rt_real.sigaction(signal, handled ? &real : action, &real_before);
    if (result)
        return result;
    if (action)
        wanted[signal] = *action;
    if (action && hd_rt_signal_fate(signal) == HD_RT_SIGNAL_IGNORED)
        discard(signal);
    hd_rt_signal_by_timer(0);
    hd_rt_deliver(old, real_before.sa_sigaction == bring ? &before : &real_before, sizeof *old,
                  HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT sighandler_t signal(int number, sighandler_t handler) {
    bool fault = number > 0 && number < NSIG && hd_rt_signal_at_once(number);
    if (hd_rt.mode == HD_RT_OFF || (hd_rt.mode == HD_RT_FREE && !fault))
        return hd_rt_real.signal(number, handler);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

HD_RT_EXPORT int sigpending(sigset_t *set) {
    if (!hd_rt_controlled())
        return hd_rt_real.sigpending(set);
    hd_rt_signal_step(heddle_wire_signals(hd_rt.current->id), 1, HEDDLE_WIRE_LOOKS, HD_RT_CODE());
    sigset_t pending;
    int failed = hd_rt_real.sigpending(&pending);
    if (failed)
        return failed;
    uint64_t held = (hd_rt.signals | hd_rt.current->signals) & hd_rt.current->blocked;
    pending.__val[0] |= (uint64_t)hd_rt_world_say(HD_RT_SAID_PENDING, (int64_t)held);
    hd_rt_deliver(set, &pending, sizeof pending, HD_RT_CODE());
    return 0;
}

/* --- masks ---------------------------------------------------------------------------------- */

void hd_rt_signal_mask(void) {
    uint64_t all = ~UINT64_C(0);
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        all &= hd_rt.live[i]->blocked;
    if (hd_rt.exploring || hd_rt_world_on)
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
    if (set)
        hd_rt_signal_step(heddle_wire_signals(hd_rt.current->id), 1, 0, code);
    sigset_t was = {{before}};
    hd_rt_deliver(old, &was, sizeof was, code);
    if (set) {
        hd_rt_signal_swap(masked(how, before, wanted_bits));
        hd_rt_signal_deliver_here();
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
