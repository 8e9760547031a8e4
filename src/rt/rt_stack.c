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
#include "rt_explore.h"
#include "rt_real.h"
#include "rt_string.h"

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

/* --- instructions that fail ------------------------------------------------------------------ */

/* Beside other threads that is a step of its own, as the end of the process in other ways is: what
 * they would do comes before it, too.  Where each thread has come to such a step. */
static uintptr_t failing[HEDDLE_WIRE_EXPLORED];
static uint32_t failed; /* none from here on has come to one in this process */

/* It is part of what is restored between runs: a run may have ended before such a step was taken.
 */
char *hd_rt_stack_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    uint32_t count = hd_rt.wire->threads;
    for (uint32_t id = count; back && id < failed; id++)
        failing[id] = 0;
    return transfer(state, failing, count * sizeof *failing, back);
}

void hd_rt_fail_apart(uintptr_t code) {
    if (hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended &&
        hd_rt_explored.births != hd_rt_explored.joins)
        hd_rt_point(HEDDLE_WIRE_FENCE, NULL, HEDDLE_WIRE_A_FAULT, code);
}

/* Calls that are replaced read what the program gives them before their step, or at it: the code is
 * this library's then.  A jump to nowhere has the address 0, so one is added. */
bool hd_rt_fails_apart(const void *context) {
    return hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended && !hd_rt.atomic &&
           !hd_rt.deciding && hd_rt.lane.left != HD_RT_BUSY &&
           hd_rt_explored.births != hd_rt_explored.joins &&
           failing[hd_rt.current->id] != hd_rt_arch_code(context) + 1;
}

/* A handler that the program sets takes the place of this one.  The instruction is done again when
 * it is the thread's turn; then it ends the process.  So does a signal that was sent, at once. */
static void crashed(int number, siginfo_t *info, void *context) {
    bool sent = info->si_code <= 0;
    if (!sent && number == SIGSEGV && hd_rt_reset_faulted((uintptr_t)info->si_addr))
        return;
    if (!sent && hd_rt_fails_apart(context)) {
        uint32_t id = hd_rt.current->id;
        uintptr_t code = hd_rt_arch_code(context) + 1;
        failing[id] = code;
        failed = id < failed ? failed : id + 1;
        hd_rt_record_faulted();
        hd_rt_fail_apart(is_ours(code) ? hd_rt.called_from : code);
        return;
    }
    hd_rt_stack_of_self();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    hd_rt_real.sigaction(number, &usual, NULL); /* the instruction is done again */
    if (sent)
        hd_rt_syscall(SYS_tgkill, hd_rt_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0),
                      hd_rt_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
}

static void catch_crashes(int number) {
    struct sigaction ours = {.sa_sigaction = crashed, .sa_flags = SA_NODEFER | SA_SIGINFO};
    hd_rt_real.sigaction(number, &ours, NULL);
}

void hd_rt_stack_catch(void) {
    catch_crashes(SIGSEGV);
}

bool hd_rt_stack_catches(const struct sigaction *action) {
    return action->sa_flags & SA_SIGINFO && action->sa_sigaction == crashed;
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
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now;
        if (hd_rt_real.sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            catch_crashes(numbers[i]);
    }
}
