/*
 * Stacks of the threads that wait in a deadlock, of the one that fails, and of the one that takes
 * no more steps.  They are unwound by the frames' own tables (_Unwind_Backtrace), so that programs
 * and libraries need not be built in a special way.  A thread that does not run cannot be unwound
 * from outside; so it is switched to, unwinds itself, and switches back.  That is done when a run
 * is over anyway, and only if the tool asks for it: it costs some ten microseconds a thread.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <unwind.h>

#include "rt.h"
#include "rt_arch.h"
#include "rt_real.h"

/* Where this library is: its own frames are left out. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static heddle_wire_explore *explore;
static hd_rt_thread *asker;

static bool is_wanted(void) {
    return explore && explore->stacks && !hd_rt.alone;
}

static bool is_ours(uintptr_t code) {
    return code >= (uintptr_t)__ehdr_start && code < (uintptr_t)_end;
}

/* The address after the call, as code addresses are everywhere here; of the innermost frame of a
 * signal it is the instruction, so one is added.  The frame before that one is where handlers
 * return to: it is the system's, and may have no name. */
static _Unwind_Reason_Code keep_frame(struct _Unwind_Context *context, void *to) {
    heddle_wire_stack *stack = to;
    int before = 0;
    uintptr_t code = _Unwind_GetIPInfo(context, &before);
    if (before && stack->frames)
        stack->frames--;
    if (!code || stack->frames == HEDDLE_WIRE_FRAMES)
        return _URC_END_OF_STACK;
    if (!is_ours(code))
        stack->code[stack->frames++] = code + (before ? 1 : 0);
    return _URC_NO_REASON;
}

static void keep_stack(const hd_rt_thread *thread) {
    if (explore->stacked == HEDDLE_WIRE_EXPLORED)
        return;
    heddle_wire_stack *stack = &explore->stack[explore->stacked++];
    stack->thread = thread->id;
    stack->frames = 0;
    _Unwind_Backtrace(keep_frame, stack);
}

void hd_rt_stack_of_self(void) {
    if (!is_wanted() || explore->stacked)
        return;
    hd_rt.ended = true;
    keep_stack(hd_rt.current);
}

void hd_rt_stack_of_all(void) {
    if (!is_wanted())
        return;
    asker = hd_rt.current;
    hd_rt.ended = true; /* unwinding takes locks: these are no points */
    hd_rt.looking = true;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        hd_rt_thread *thread = hd_rt.live[i];
        if (thread == asker)
            keep_stack(thread);
        else if (thread->wire->pending.kind != HEDDLE_WIRE_START) /* else it has none yet */
            hd_rt_arch_switch(&asker->stack_pointer, thread->stack_pointer, thread->thread_pointer);
    }
    hd_rt.looking = false;
}

void hd_rt_stack_answer(hd_rt_thread *self) {
    keep_stack(self);
    hd_rt_arch_switch(&self->stack_pointer, asker->stack_pointer, asker->thread_pointer);
}

/* Instructions that fail.  A handler that the program sets takes the place of this one. */
static void crashed(int number) {
    hd_rt_stack_of_self();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    hd_rt_real.sigaction(number, &usual, NULL); /* the instruction is done again */
}

/* The run has taken no step for long: where is it?  If the handler gets stuck too, in a lock that
 * the unwinder needs, the tool ends the process. */
static void hangs(int number) {
    (void)number;
    hd_rt.ended = true;
    hd_rt.mode = HD_RT_OFF;
    explore->stacked = 0;
    if (hd_rt.current)
        keep_stack(hd_rt.current);
    hd_rt_syscall(SYS_exit_group, 72, 0, 0, 0, 0, 0);
}

void hd_rt_stack_begin(heddle_wire_explore *wanted) {
    explore = wanted;
    struct sigaction last = {.sa_handler = hangs};
    if (!hd_rt.alone)
        hd_rt_real.sigaction(HEDDLE_WIRE_HANG_SIGNAL, &last, NULL);
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; is_wanted() && i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, ours = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
        if (hd_rt_real.sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            hd_rt_real.sigaction(numbers[i], &ours, NULL);
    }
}
