/*
 * Stacks for handlers.  Each thread has its own; the system knows one thread, which runs them all,
 * and whose stack for handlers is the runtime's in most explored programs.  So it is kept here what
 * each has asked for, and answered as the kernel would.
 */
#include <errno.h>
#include <sys/syscall.h>

#include "rt_arch.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_real.h"
#include "rt_signal.h"
#include "rt_sync.h"

enum { AUTODISARM = (int)(1U << 31) }; /* SS_AUTODISARM, which the C library does not have */

static stack_t stacks[HEDDLE_WIRE_EXPLORED];

static bool is_there(const stack_t *it, uintptr_t at) {
    return it->ss_size && !(it->ss_flags & AUTODISARM) && at > (uintptr_t)it->ss_sp &&
           at - (uintptr_t)it->ss_sp <= it->ss_size;
}

/* 0 or an error number. */
static int set_stack(stack_t *own, const stack_t *wanted, uintptr_t at) {
    int mode = wanted->ss_flags & ~AUTODISARM;
    if (is_there(own, at))
        return EPERM;
    if (mode != SS_DISABLE && mode != SS_ONSTACK && mode != 0)
        return EINVAL;
    if (mode == SS_DISABLE)
        *own = (stack_t){.ss_flags = wanted->ss_flags & AUTODISARM};
    else if (wanted->ss_size < HD_RT_ARCH_LEAST_STACK)
        return ENOMEM;
    else
        *own = (stack_t){wanted->ss_sp, wanted->ss_flags & AUTODISARM, wanted->ss_size};
    return 0;
}

/* Where the runtime has none, crashes are handled on the program's. */
static void pass_on(const stack_t *stack) {
    static bool passed;
    stack_t now;
    if (!passed && (hd_rt_syscall(SYS_sigaltstack, 0, (long)&now, 0, 0, 0, 0) != 0 ||
                    !(now.ss_flags & SS_DISABLE)))
        return;
    passed = true;
    hd_rt_syscall(SYS_sigaltstack, (long)stack, 0, 0, 0, 0, 0);
}

HD_RT_EXPORT int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
    if (!hd_rt_controlled() || !hd_rt.exploring || hd_rt.current->id >= HEDDLE_WIRE_EXPLORED) {
        int (*real)(const stack_t *restrict, stack_t *restrict);
        *(void **)&real = hd_rt_real_symbol(__func__);
        return real(stack, old);
    }
    stack_t *own = &stacks[hd_rt.current->id], before = *own;
    uintptr_t at = (uintptr_t)__builtin_frame_address(0);
    before.ss_flags |= !before.ss_size ? SS_DISABLE : is_there(own, at) ? SS_ONSTACK : 0;
    if (stack && hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it handles signals");
    hd_rt_fetch(stack, sizeof *stack, HD_RT_CODE());
    int error = stack ? set_stack(own, stack, at) : 0;
    if (error) {
        errno = error;
        return -1;
    }
    if (stack) {
        hd_rt_spin_forget(hd_rt.current); /* it is no memory of the program's */
        pass_on(stack);
    }
    hd_rt_deliver(old, &before, sizeof before, HD_RT_CODE());
    return 0;
}

void hd_rt_signal_on_stack(void (*work)(void *), void *argument) {
    stack_t *own = hd_rt.exploring && hd_rt.current->id < HEDDLE_WIRE_EXPLORED
                       ? &stacks[hd_rt.current->id]
                       : NULL;
    if (!own || !own->ss_size || is_there(own, (uintptr_t)__builtin_frame_address(0))) {
        work(argument);
        return;
    }
    stack_t before = *own;
    if (before.ss_flags & AUTODISARM)
        *own = (stack_t){.ss_flags = AUTODISARM};
    hd_rt_arch_on_stack((uintptr_t)before.ss_sp + before.ss_size, work, argument);
    if (before.ss_flags & AUTODISARM)
        *own = before;
}
