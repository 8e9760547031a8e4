/*
 * What depends on the processor: going from one thread's stack and thread
 * pointer to another's.  The code is in rt_arch.S.
 */
#ifndef HD_RT_ARCH_H
#define HD_RT_ARCH_H

#include <stdbool.h>
#include <stdint.h>

/* Keeps the registers that a call preserves on this stack, its address in *save,
 * and goes on where `to` was saved, with that thread's pointer. */
void hd_rt_arch_switch(uintptr_t *save, uintptr_t to, uintptr_t thread_pointer);

/* Non-zero: user code may write the FS base (x86_64). */
extern uint32_t hd_rt_arch_fast;

/* Calls r12(r13) (x19(x20)) at the bottom of a new stack. */
void hd_rt_arch_enter(void);

void hd_rt_arch_init(void);

/* A stack as hd_rt_arch_switch leaves it, that goes on by calling entry(argument). */
uintptr_t hd_rt_arch_prepare(uintptr_t stack_top, void (*entry)(void *), void *argument);

static inline uintptr_t hd_rt_arch_thread_pointer(void) {
#if defined __x86_64__
    uintptr_t pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

#endif
